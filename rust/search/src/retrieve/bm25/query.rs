//! Query: its terms, their weights, and its way over a segment.
//!
//! The way over a segment is that of `MaxScore` (Turtle and Flood, *Query Evaluation: Strategies and Optimizations*,
//! 1995): once the terms that are left together cannot lift a text that has none of the others into the best k,
//! only texts that are near enough are looked up. Results are exactly those of adding up everything.

use std::collections::BTreeMap;
use std::iter::once;

use super::Bm25;
use super::beside::{ACCENTED, Beside, BesideWords};
use super::best::{Best, Hit, STEP, any_above};
use super::block::{MAX_TEXTS, Merged, Postings, gain};
use super::segment::Segment;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;
use chunkwright_text::segment::terms::{TermKind, for_each_tagged_term};

/// A text's count is looked up, where so many others would have to be added each.
const STEPS_OF_A_SEARCH: usize = 8;

/// Texts are listed where no more than one in so many can be among the best.
const TEXTS_OF_A_CANDIDATE: usize = 64;

/// What a character counts beside the pairs of a query that it is in.
const CHARACTER: f32 = 0.3;

/// The terms of a query that any text has.
pub struct Query {
    /// The weightiest first, each once.
    terms: Vec<QueryTerm>,
    /// What the terms from each one on can add to a score, all of them first; 0 in the end.
    bounds: Vec<f64>,
    /// What the terms would add that no text has.
    unknown: f64,
}

struct QueryTerm {
    /// The spellings under which texts may have it, and what each counts.
    spellings: Vec<(String, f32)>,
    /// What it counts for other reasons than its rarity.
    share: f32,
    weight: f32,
    /// In how many texts it is.
    with: u64,
    /// Where it is in each segment.
    found: Vec<Found>,
}

/// A term in a segment.
enum Found {
    Nowhere,
    /// Under one spelling: its number.
    Once(u32),
    /// Under several, or one that counts less.
    Merged(Merged),
}

/// A term that is looked for.
#[derive(Default)]
struct Wanted {
    share: f32,
    /// Whether it may have accents elsewhere: a word or a subword.
    is_word: bool,
}

impl Query {
    /// Reads `query`. O(its length, and its terms sorted and looked up in each segment).
    pub fn new(query: &str, index: &Bm25, beat: &Beat<'_>) -> Result<Self> {
        let (mut wanted, mut beside) = (BTreeMap::<String, Wanted>::new(), BesideWords::default());
        for_each_tagged_term(query, beat, |term| {
            let share = if term.kind == TermKind::Character { CHARACTER } else { 1.0 };
            let known = wanted.entry(term.text.to_owned()).or_default();
            known.share = known.share.max(share);
            known.is_word |= term.kind == TermKind::Word;
            beside.of(term, index.subwords, |beside| {
                if let Beside::Subword(subword) = beside {
                    wanted.insert(subword.to_owned(), Wanted { share: 1.0, is_word: true });
                }
            });
        })?;
        let with_bare = index.segments.iter().any(|segment| segment.terms.has_bare());
        let (mut terms, mut unknown) = (Vec::new(), 0.0);
        for (text, Wanted { share, is_word }) in wanted {
            beat.after(index.segments.len())?;
            let mut others = Vec::new();
            if is_word {
                let add = |other: &str| others.push((other.to_owned(), ACCENTED));
                beside.other_spellings(&text, with_bare, add);
            }
            let spellings = once((text, 1.0)).chain(others).collect();
            let term = index.term(share, spellings);
            if term.with > 0 {
                terms.push(term);
            } else {
                unknown += f64::from(term.weight);
            }
        }
        // Terms of equal weights stay in the order of their bytes: so sums depend neither on how many segments
        // there are, nor on how these number their terms.
        terms.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let mut bounds = vec![0.0; terms.len() + 1];
        for (i, term) in terms.iter().enumerate().rev() {
            bounds[i] = bounds[i + 1] + f64::from(term.weight);
        }
        Ok(Self { terms, bounds, unknown })
    }

    /// An upper bound of all scores.
    pub fn bound(&self) -> f64 {
        self.bounds[0]
    }

    /// The same if there were a text with all terms, those that no text has included.
    pub fn whole(&self) -> f64 {
        self.bound() + self.unknown
    }

    /// How many terms it has.
    pub const fn n_terms(&self) -> usize {
        self.terms.len()
    }

    /// The spellings of each of its terms, the weightiest first, and what each counts.
    pub fn spellings(&self) -> impl Iterator<Item = &[(String, f32)]> {
        self.terms.iter().map(|term| &term.spellings[..])
    }

    /// What a term gives at most; that of an earlier one is no less.
    pub fn weight(&self, term: usize) -> f32 {
        self.terms[term].weight
    }

    /// What a term counts for other reasons than its rarity.
    pub fn share(&self, term: usize) -> f32 {
        self.terms[term].share
    }

    /// In how many texts a term is; an earlier one is in no more.
    pub fn n_with(&self, term: usize) -> u64 {
        self.terms[term].with
    }

    /// The postings of a term in segment number `number`, if any text there has it.
    pub fn postings<'s>(
        &'s self,
        term: usize,
        number: usize,
        segment: &'s Segment,
    ) -> Option<Postings<'s>> {
        match &self.terms[term].found[number] {
            Found::Nowhere => None,
            Found::Once(number) => Some(segment.block.postings(*number)),
            Found::Merged(merged) => Some(merged.postings()),
        }
    }

    /// Adds what all terms give to `scores`, those of the texts of segment number `number`.
    pub fn add_all(
        &self,
        number: usize,
        segment: &Segment,
        norms: &[f32],
        scores: &mut [f32],
        beat: &Beat<'_>,
    ) -> Result<()> {
        for term in 0..self.n_terms() {
            if let Some(postings) = self.postings(term, number, segment) {
                beat.after(postings.len())?;
                postings.add(self.weight(term), norms, scores);
            }
        }
        Ok(())
    }

    /// Offers the texts of segment number `number`, the first of which is number `first`, to `hits`; `scores`
    /// is room for theirs.
    ///
    /// Terms are added one after the other, until those that are left could not lift a text into `hits` that
    /// has none of the terms before. From then on only texts count which the rest could lift there.
    pub fn search(
        &self,
        (number, first): (usize, usize),
        segment: &Segment,
        norms: &[f32],
        scores: &mut [f32],
        hits: &mut Best,
        beat: &Beat<'_>,
    ) -> Result<()> {
        scores.fill(0.0);
        let mut candidates: Option<Vec<u16>> = None;
        for (i, term) in self.terms.iter().enumerate() {
            beat.after(scores.len())?;
            let needed = self.needed(i, hits.least());
            match &mut candidates {
                Some(candidates) => candidates.retain(|&text| scores[usize::from(text)] > needed),
                None if needed >= 0.0 => candidates = few_above(scores, needed),
                None => {}
            }
            if let Some(postings) = self.postings(i, number, segment) {
                term.add(postings, candidates.as_deref(), norms, scores);
            }
        }
        match candidates {
            Some(texts) => texts.into_iter().map(usize::from).for_each(|text| {
                hits.offer(Hit { text: first + text, score: scores[text] });
            }),
            None => hits.offer_all(first, scores),
        }
        Ok(())
    }

    /// What a text must have before term `i` to be able to exceed `least`, and a little less, since sums are
    /// rounded.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "see above")]
    fn needed(&self, i: usize, least: f32) -> f32 {
        let rounding = f64::from(f32::EPSILON) * (self.terms.len() + 4) as f64;
        (f64::from(least) * (1.0 - rounding) - self.bounds[i] * (1.0 + rounding)) as f32
    }
}

impl QueryTerm {
    /// Adds what the term gives, at least to the `candidates`.
    fn add(
        &self,
        postings: Postings<'_>,
        candidates: Option<&[u16]>,
        norms: &[f32],
        scores: &mut [f32],
    ) {
        let steps = if postings.is_common() { 1 } else { STEPS_OF_A_SEARCH };
        match candidates {
            Some(texts) if steps * texts.len() < postings.len() => {
                for &text in texts {
                    let (count, text) = (postings.count(text), usize::from(text));
                    scores[text] += gain(self.weight, count, norms[text]);
                }
            }
            _ => postings.add(self.weight, norms, scores),
        }
    }
}

/// Which of `scores`, those of a segment, are above `needed`, if so few are that they are worth a list.
fn few_above(scores: &[f32], needed: f32) -> Option<Vec<u16>> {
    let mut few = Vec::new();
    for (first, scores) in (0..=u16::MAX).step_by(STEP).zip(scores.chunks(STEP)) {
        if any_above(scores, needed) {
            let texts = (first..=u16::MAX).zip(scores);
            few.extend(texts.filter(|&(_, &score)| score > needed).map(|(text, _)| text));
            if few.len() > MAX_TEXTS / TEXTS_OF_A_CANDIDATE {
                return None;
            }
        }
    }
    Some(few)
}

impl Bm25 {
    /// The term with its weight.
    fn term(&self, share: f32, spellings: Vec<(String, f32)>) -> QueryTerm {
        let (mut with, mut found) = (0, Vec::with_capacity(self.segments.len()));
        for segment in &self.segments {
            let numbers = spellings.iter().filter_map(|(spelling, share)| {
                Some((segment.terms.find(spelling.as_bytes())?, *share))
            });
            let (here, n_with) = segment.found(numbers);
            with += n_with;
            found.push(here);
        }
        let weight = share * self.saturation.weight(self.n_texts() as u64, with);
        QueryTerm { spellings, share, weight, with, found }
    }
}

impl Segment {
    /// A term by the numbers of its spellings and what each counts, and in how many texts it is.
    fn found(&self, mut numbers: impl Iterator<Item = (u32, f32)>) -> (Found, u64) {
        let (first, second) = (numbers.next(), numbers.next());
        match (first, second) {
            (None, _) => (Found::Nowhere, 0),
            (Some((number, 1.0)), None) => {
                (Found::Once(number), u64::from(self.block.n_with(number)))
            }
            _ => {
                let all = first.into_iter().chain(second).chain(numbers);
                let merged =
                    Merged::of(all.map(|(number, share)| (self.block.postings(number), share)));
                let n_with = merged.n_with() as u64;
                (Found::Merged(merged), n_with)
            }
        }
    }
}
