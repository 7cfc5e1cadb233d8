//! Near-duplicates among texts: `MinHash` signatures of word shingles, banded for locality-sensitive hashing.
//!
//! A text is the set of its shingles, [`SHINGLE_TERMS`] terms one behind the other (see [`terms`](chunkwright_text::segment::terms));
//! two texts are alike as these sets are, by Jaccard: what both have, divided by what either has. For each of
//! [`N_HASHES`] hash functions a signature has the least hash of all shingles; two signatures agree in a place with
//! the probability that the similarity is. Signatures are cut into bands; texts that agree in all of a band are
//! compared. There are as many bands as find pairs at the threshold with a probability of [`RECALL`] at least, and
//! pairs above it with more.
//!
//! All that is found has been compared shingle by shingle, so nothing is found that is not alike. The hash functions
//! are fixed: the same texts give the same signatures on every machine, so a store may keep them.
//!
//! # Bounds
//!
//! O(n log n) for n texts of bounded length, 8 bytes a term and 512 a text. Texts that agree in a band are sorted by
//! their numbers, and each is compared with the [`MAX_COMPARED`] before it that are not known to be like it: so a
//! thousand equal texts need a thousand comparisons. A text without terms is like none.

use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::terms::for_each_term;

/// Terms of a shingle.
pub const SHINGLE_TERMS: usize = 3;

/// Hash functions of a signature.
pub const N_HASHES: usize = 128;

/// Pairs as alike as the threshold are candidates with this probability at least.
pub const RECALL: f64 = 0.995;

/// So many texts before it is a text compared with in a band.
pub const MAX_COMPARED: usize = 32;

/// For each hash function the least hash of all shingles of a text.
pub type Signature = [u32; N_HASHES];

/// The signature of a text without terms.
const NO_TERMS: Signature = [u32::MAX; N_HASHES];

/// The shingles of a text, as hashes: ascending, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shingles {
    hashes: Vec<u64>,
}

impl Shingles {
    /// Those of `text`; of one with fewer terms than a shingle has, all of them are one shingle. O(n log n).
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn of(text: &str, beat: &Beat<'_>) -> Result<Self> {
        let mut terms = Vec::new();
        for_each_term(text, beat, |term| terms.push(hash_of_term(term)))?;
        let joined = |terms: &[u64]| terms.iter().fold(0, |hash, &term| mixed(hash ^ term));
        let n_terms = SHINGLE_TERMS.min(terms.len());
        let mut hashes: Vec<u64> = match n_terms {
            0 => Vec::new(),
            n_terms => terms.windows(n_terms).map(joined).collect(),
        };
        hashes.sort_unstable();
        hashes.dedup();
        Ok(Self { hashes })
    }

    /// What both have, divided by what either has; 0 if neither has any.
    #[allow(clippy::cast_precision_loss, reason = "a text has fewer than 2^52 shingles")]
    pub fn similarity(&self, other: &Self) -> f64 {
        let (mut n_shared, mut i, mut k) = (0_usize, 0, 0);
        while let (Some(a), Some(b)) = (self.hashes.get(i), other.hashes.get(k)) {
            n_shared += usize::from(a == b);
            i += usize::from(a <= b);
            k += usize::from(b <= a);
        }
        let n_all = self.hashes.len() + other.hashes.len() - n_shared;
        if n_all == 0 { 0.0 } else { n_shared as f64 / n_all as f64 }
    }

    /// The same for `salt` 0; else shingles that have nothing in common with those of another salt.
    #[must_use]
    pub fn salted(mut self, salt: u64) -> Self {
        if salt != 0 {
            self.hashes.iter_mut().for_each(|hash| *hash = mixed(*hash ^ salt));
            self.hashes.sort_unstable();
        }
        self
    }

    /// Their signature.
    ///
    /// ```
    /// use chunkwright_search::minhash::Shingles;
    /// use chunkwright_text::pulse::{Beat, no_pulse};
    ///
    /// let beat = Beat::of_bytes(no_pulse());
    /// let [a, b, c] = ["Rain fell for two days.", "rain FELL - for two days", "The sun came out."]
    ///     .map(|text| Shingles::of(text, &beat));
    /// let (a, b, c) = (a?, b?, c?);
    /// assert_eq!((a.similarity(&b), a.similarity(&c)), (1.0, 0.0));
    /// assert_eq!(a.signature(), b.signature());
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn signature(&self) -> Signature {
        let mut least = [u64::MAX; N_HASHES];
        for &hash in &self.hashes {
            for (least, [factor, summand]) in least.iter_mut().zip(FUNCTIONS) {
                *least = (*least).min(hash.wrapping_mul(factor).wrapping_add(summand));
            }
        }
        least.map(|hash| u32::try_from(hash >> 32).unwrap_or(u32::MAX))
    }
}

/// Two texts that are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The number of the one that comes first.
    pub first: usize,
    /// That of the other.
    pub second: usize,
    /// How alike they are: at least the threshold.
    pub similarity: f64,
}

/// Links between `texts` whose similarity is at least `threshold`, by their numbers: those that hold together the
/// groups of texts that are alike, at most one fewer than there are texts.
///
/// ```
/// use chunkwright_search::minhash::near_duplicates;
/// use chunkwright_text::pulse::no_pulse;
///
/// let texts = ["It rained for two days.", "Nobody slept.", "It rained, for two days!"];
/// let links = near_duplicates(&texts, 0.8, no_pulse())?;
/// assert_eq!((links.len(), links[0].first, links[0].second), (1, 0, 2));
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Value`] if the threshold is not above 0 and at most 1; those of the pulse.
pub fn near_duplicates(texts: &[&str], threshold: f64, pulse: Pulse<'_>) -> Result<Vec<Link>> {
    let beat = Beat::of_bytes(pulse);
    let n_rows = rows_of_band(threshold)?;
    let shingles: Vec<Shingles> =
        texts.iter().map(|text| Shingles::of(text, &beat)).collect::<Result<_>>()?;
    let mut signatures = Vec::with_capacity(texts.len());
    for shingles in &shingles {
        beat.after(shingles.hashes.len() * N_HASHES / 8)?;
        signatures.push(shingles.signature());
    }
    let (mut groups, mut links) = (Groups::new(texts.len()), Vec::new());
    for_each_candidate(&signatures, n_rows, &beat, |first, second| {
        if groups.root(first) != groups.root(second) {
            let similarity = shingles[first].similarity(&shingles[second]);
            beat.after(shingles[first].hashes.len() + shingles[second].hashes.len())?;
            if similarity >= threshold {
                groups.join(first, second);
                links.push(Link { first, second, similarity });
            }
        }
        Ok(())
    })?;
    links.sort_unstable_by_key(|link| (link.first, link.second));
    Ok(links)
}

/// Pairs of numbers of `signatures` that may be as alike as `threshold`, the second one from `first_new` on, ascending:
/// what has to be compared where some of the texts are known already.
///
/// # Errors
/// [`Error::Value`] if the threshold is not above 0 and at most 1; those of the pulse.
pub fn candidates(
    signatures: &[Signature],
    threshold: f64,
    first_new: usize,
    pulse: Pulse<'_>,
) -> Result<Vec<(usize, usize)>> {
    let beat = Beat::of_bytes(pulse);
    let mut pairs = Vec::new();
    for_each_candidate(signatures, rows_of_band(threshold)?, &beat, |first, second| {
        if second >= first_new {
            pairs.push((first, second));
        }
        Ok(())
    })?;
    pairs.sort_unstable();
    pairs.dedup();
    Ok(pairs)
}

/// Calls `visit` with pairs of signatures that agree in a band, the lower number first; several times with some.
fn for_each_candidate(
    signatures: &[Signature],
    n_rows: usize,
    beat: &Beat<'_>,
    mut visit: impl FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    let mut keys: Vec<(u64, usize)> = Vec::with_capacity(signatures.len());
    for first_row in (0..=N_HASHES - n_rows).step_by(n_rows) {
        keys.clear();
        let key = |signature: &Signature| {
            let rows = &signature[first_row..first_row + n_rows];
            rows.iter().fold(0, |hash, &row| mixed(hash ^ u64::from(row)))
        };
        let with_terms = signatures.iter().enumerate().filter(|(_, other)| **other != NO_TERMS);
        keys.extend(with_terms.map(|(i, signature)| (key(signature), i)));
        keys.sort_unstable();
        for bucket in keys.chunk_by(|a, b| a.0 == b.0) {
            for (i, &(_, second)) in bucket.iter().enumerate() {
                let before = &bucket[i.saturating_sub(MAX_COMPARED)..i];
                beat.after(1 + before.len())?;
                for &(_, first) in before.iter().rev() {
                    visit(first, second)?;
                }
            }
        }
    }
    Ok(())
}

/// The most rows that a band may have to find pairs at `threshold` with [`RECALL`].
fn rows_of_band(threshold: f64) -> Result<usize> {
    if !(threshold > 0.0 && threshold <= 1.0) {
        return Err(Error::value("threshold", "above 0 and at most 1", threshold));
    }
    // Products, not powers: these have the same bits on every machine.
    let power = |base: f64, n: usize| (0..n).fold(1.0, |product, _| product * base);
    let missed = |rows: usize| power(1.0 - power(threshold, rows), N_HASHES / rows);
    Ok((1..=N_HASHES / 8).rev().find(|&rows| missed(rows) <= 1.0 - RECALL).unwrap_or(1))
}

/// Disjoint groups of numbers.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn new(n: usize) -> Self {
        Self { parents: (0..n).collect() }
    }

    /// The lowest number of a group, which stands for it.
    fn root(&mut self, mut i: usize) -> usize {
        while self.parents[i] != i {
            self.parents[i] = self.parents[self.parents[i]];
            i = self.parents[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }
}

/// Factor and summand of each hash function.
static FUNCTIONS: [[u64; 2]; N_HASHES] = {
    let mut functions = [[0; 2]; N_HASHES];
    let mut i = 0;
    while i < N_HASHES {
        let n = i as u64;
        functions[i] = [mixed(2 * n + 1) | 1, mixed(2 * n + 2)];
        i += 1;
    }
    functions
};

/// FNV-1a.
fn hash_of_term(term: &str) -> u64 {
    term.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Each bit of the result depends on each one of `value`; the step and finalizer of `SplitMix64`.
const fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use chunkwright_text::pulse::no_pulse;

    type Words = BTreeSet<Vec<String>>;

    /// The shingles of a text of words.
    fn words(text: &str) -> Words {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let n = SHINGLE_TERMS.min(words.len());
        if n == 0 { Words::new() } else { words.windows(n).map(<[String]>::to_vec).collect() }
    }

    #[allow(clippy::cast_precision_loss, reason = "small")]
    fn exact(a: &Words, b: &Words) -> f64 {
        let n_all = a.union(b).count();
        if n_all == 0 { 0.0 } else { a.intersection(b).count() as f64 / n_all as f64 }
    }

    fn groups_of(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Vec<usize> {
        let mut groups = Groups::new(n);
        pairs.into_iter().for_each(|(a, b)| groups.join(a, b));
        (0..n).map(|i| groups.root(i)).collect()
    }

    fn borrowed(texts: &[String]) -> Vec<&str> {
        texts.iter().map(String::as_str).collect()
    }

    proptest! {
        #[test]
        fn links_are_between_texts_that_are_alike(
            texts in proptest::collection::vec(proptest::collection::vec("[ab]{1,2}", 0..9), 0..30),
            threshold in 0.05..1.0,
        ) {
            let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let links = near_duplicates(&borrowed(&texts), threshold, no_pulse()).unwrap();
            let sets: Vec<Words> = texts.iter().map(|text| words(text)).collect();
            for link in &links {
                let similarity = exact(&sets[link.first], &sets[link.second]);
                prop_assert!(link.first < link.second && link.similarity >= threshold);
                prop_assert_eq!(link.similarity.to_bits(), similarity.to_bits());
            }
            let groups = groups_of(texts.len(), links.iter().map(|link| (link.first, link.second)));
            let n_groups = groups.iter().enumerate().filter(|&(i, &root)| i == root).count();
            prop_assert_eq!(n_groups + links.len(), texts.len(), "no link is for nothing");
            for (i, a) in sets.iter().enumerate() {
                for (k, b) in sets.iter().enumerate().skip(i + 1) {
                    prop_assert!(exact(a, b) < 1.0 || groups[i] == groups[k], "equal texts are linked");
                }
            }
        }
    }

    /// Texts of 60 words in families: each of one has some words of the first replaced.
    fn families(n_families: usize, n_words_changed: usize) -> Vec<String> {
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = mixed(state);
            usize::try_from(state % n as u64).unwrap()
        };
        let mut texts = Vec::new();
        for _ in 0..n_families {
            let words: Vec<String> = (0..60).map(|_| format!("w{}", below(5_000))).collect();
            for _ in 0..3 {
                let mut words = words.clone();
                for _ in 0..below(n_words_changed + 1) {
                    let (at, word) = (below(60), below(5_000));
                    words[at] = format!("w{word}");
                }
                texts.push(words.join(" "));
            }
        }
        texts
    }

    #[test]
    fn nearly_all_pairs_at_the_threshold_are_found() {
        let texts = families(80, 6);
        let sets: Vec<Words> = texts.iter().map(|text| words(text)).collect();
        let pairs = (0..texts.len()).flat_map(|i| (0..i).map(move |k| (k, i)));
        let similarities: Vec<_> = pairs
            .map(|(i, k)| (i, k, exact(&sets[i], &sets[k])))
            .filter(|pair| pair.2 > 0.0)
            .collect();
        for threshold in [0.5, 0.7, 0.8, 0.9] {
            let links = near_duplicates(&borrowed(&texts), threshold, no_pulse()).unwrap();
            let found = groups_of(texts.len(), links.iter().map(|link| (link.first, link.second)));
            let alike = similarities.iter().filter(|pair| pair.2 >= threshold);
            let alike: Vec<bool> = alike.map(|&(i, k, _)| found[i] == found[k]).collect();
            let n_found = alike.iter().filter(|&&is_found| is_found).count();
            assert!(alike.len() > 5, "{threshold}");
            assert!(
                n_found * 100 >= alike.len() * 99,
                "{n_found} of {} at {threshold}",
                alike.len()
            );
        }
    }

    #[test]
    fn new_texts_are_compared_with_known_ones() {
        let texts = families(40, 2);
        let beat = Beat::of_bytes(no_pulse());
        let shingles: Vec<Shingles> =
            texts.iter().map(|text| Shingles::of(text, &beat).unwrap()).collect();
        let signatures: Vec<Signature> = shingles.iter().map(Shingles::signature).collect();
        let all = candidates(&signatures, 0.8, 0, no_pulse()).unwrap();
        let new = candidates(&signatures, 0.8, 60, no_pulse()).unwrap();
        let expected: Vec<_> = all.iter().copied().filter(|&(_, second)| second >= 60).collect();
        assert!(new.len() > 20 && new.len() < all.len());
        assert_eq!(new, expected);
        for link in near_duplicates(&borrowed(&texts), 0.8, no_pulse()).unwrap() {
            assert!(all.contains(&(link.first, link.second)));
        }
    }

    #[test]
    fn equal_texts_need_few_comparisons_and_empty_ones_none() {
        let texts = vec!["The same text again and again, for ever."; 3_000];
        let links = near_duplicates(&texts, 0.8, no_pulse()).unwrap();
        assert_eq!(links.len(), 2_999);
        let signature = Shingles::of(texts[0], &Beat::of_bytes(no_pulse())).unwrap().signature();
        let pairs = candidates(&vec![signature; 3_000], 0.8, 0, no_pulse()).unwrap();
        assert!(pairs.len() <= 3_000 * MAX_COMPARED);
        assert_eq!(near_duplicates(&["", " - ", ""], 0.1, no_pulse()).unwrap(), []);
    }

    #[test]
    fn signatures_are_the_same_everywhere() {
        let shingles =
            Shingles::of("It rained for two days.", &Beat::of_bytes(no_pulse())).unwrap();
        assert_eq!(shingles.signature()[..3], [503_540_666, 2_683_616_597, 2_071_514_472]);
    }

    #[test]
    fn bands_have_the_recall_that_is_stated() {
        let rows = [0.3, 0.5, 0.8, 0.9, 1.0].map(|threshold| rows_of_band(threshold).unwrap());
        assert_eq!(rows, [2, 3, 6, 9, 16]);
        for threshold in [0.0, -1.0, 1.01, f64::NAN] {
            let error = rows_of_band(threshold).unwrap_err().to_string();
            assert!(error.contains(&format!("got {threshold}")), "{error}");
        }
        let stop = || Err(Error::Interrupted);
        assert!(near_duplicates(&["a b c"], 0.8, &stop).is_err());
    }
}
