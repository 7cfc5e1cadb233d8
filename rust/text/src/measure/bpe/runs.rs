//! Byte-pair merges of runs of equal bytes, run by run.
//!
//! Equal neighbours are joined from the left, two by two: `m` equal tokens become `m / 2` of twice the
//! length, and one is left if `m` is odd. So a run of `n` bytes takes O(log n) steps instead of `n`.

use super::vocabulary::{NO_RANK, Vocabulary};

/// A piece is merged run by run if its runs have at least so many bytes on average.
const MIN_RUN_BYTES: usize = 8;

/// Neighbouring tokens that are equal.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Where the first of them begins.
    start: usize,
    /// Bytes of one.
    len: usize,
    /// How many there are.
    n: usize,
    /// The rank of two of them joined.
    twice: u32,
    /// The rank of the last one joined with the token behind it.
    across: u32,
}

impl Run {
    const fn new(start: usize, len: usize, n: usize) -> Self {
        Self { start, len, n, twice: NO_RANK, across: NO_RANK }
    }

    const fn end(&self) -> usize {
        self.start + self.len * self.n
    }

    /// Where the last of them begins.
    const fn last(&self) -> usize {
        self.end() - self.len
    }

    /// The same without so many tokens at its start and at its end.
    const fn without(self, n_first: usize, n_last: usize) -> Self {
        let n = self.n - n_first - n_last;
        let twice = if n < 2 { NO_RANK } else { self.twice };
        Self { start: self.start + n_first * self.len, n, twice, ..self }
    }
}

/// The starts of the tokens that `piece` is merged to; none if it is not made of runs, or if a joined
/// pair of tokens makes one that is to be joined before it, which no trained vocabulary has.
pub fn merge_runs(vocabulary: &Vocabulary, piece: &[u8]) -> Option<Vec<usize>> {
    let n_changes: usize = piece.windows(2).map(|pair| usize::from(pair[0] != pair[1])).sum();
    if (n_changes + 1) * MIN_RUN_BYTES > piece.len() {
        return None;
    }
    let mut list = List::new(vocabulary, piece);
    while let Some((rank, at, is_twice)) = list.lowest() {
        if is_twice { list.join_twice(at, rank)? } else { list.join_across(at, rank)? }
    }
    let starts = |run: &Run| (run.start..run.end()).step_by(run.len);
    Some(list.runs.iter().flat_map(starts).collect())
}

struct List<'p> {
    vocabulary: &'p Vocabulary,
    piece: &'p [u8],
    runs: Vec<Run>,
}

impl<'p> List<'p> {
    /// Each byte a token.
    fn new(vocabulary: &'p Vocabulary, piece: &'p [u8]) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for bytes in piece.chunk_by(|a, b| a == b) {
            let start = runs.last().map_or(0, Run::end);
            runs.push(Run::new(start, 1, bytes.len()));
        }
        for run in &mut runs {
            let joined = |start: usize| vocabulary.rank(&piece[start..start + 2]);
            run.twice = if run.n < 2 { NO_RANK } else { joined(run.start) };
            run.across = if run.end() < piece.len() { joined(run.last()) } else { NO_RANK };
        }
        Self { vocabulary, piece, runs }
    }

    /// The lowest rank of a pair, the run that its first token is in, and whether the second one is in
    /// the same; the leftmost of several.
    fn lowest(&self) -> Option<(u32, usize, bool)> {
        let mut best = (NO_RANK, 0, false);
        for (i, run) in self.runs.iter().enumerate() {
            if run.twice < best.0 {
                best = (run.twice, i, true);
            }
            if run.across < best.0 {
                best = (run.across, i, false);
            }
        }
        (best.0 != NO_RANK).then_some(best)
    }

    /// The rank of `start..end`, a pair that the joining at rank `now` has made; none if it were to be
    /// joined at once.
    fn rank_above(&self, now: u32, start: usize, end: usize) -> Option<u32> {
        Some(self.vocabulary.rank(&self.piece[start..end])).filter(|&rank| rank > now)
    }

    /// Joins all pairs in run `at`, whose rank is `now`.
    fn join_twice(&mut self, at: usize, now: u32) -> Option<()> {
        let run = self.runs[at];
        let mut pairs = Run::new(run.start, 2 * run.len, run.n / 2);
        let left = Run { start: pairs.end(), ..run.without(run.n - run.n % 2, 0) };
        if pairs.n > 1 {
            pairs.twice = self.rank_above(now, run.start, run.start + 2 * pairs.len)?;
        }
        // Until its right neighbours are joined, the first pair stands before one of them.
        if run.n > 2 {
            self.rank_above(now, run.start, run.start + 3 * run.len)?;
        }
        let behind = if left.n > 0 { Some(&left) } else { self.runs.get(at + 1) };
        if let Some(behind) = behind {
            pairs.across = self.rank_above(now, pairs.last(), behind.start + behind.len)?;
        }
        if let Some(before) = at.checked_sub(1) {
            let end = pairs.start + pairs.len;
            self.runs[before].across = self.rank_above(now, self.runs[before].last(), end)?;
        }
        self.runs[at] = pairs;
        if left.n > 0 {
            self.runs.insert(at + 1, left);
        }
        Some(())
    }

    /// Joins the last token of run `at` with the one behind it, a pair whose rank is `now`.
    fn join_across(&mut self, at: usize, now: u32) -> Option<()> {
        let (left, right) = (self.runs[at].without(0, 1), self.runs[at + 1].without(1, 0));
        let mut pair = Run::new(left.end(), left.len + right.len, 1);
        let behind = if right.n > 0 { Some(&right) } else { self.runs.get(at + 2) };
        if let Some(behind) = behind {
            pair.across = self.rank_above(now, pair.start, behind.start + behind.len)?;
        }
        let mut parts = [left, pair, right];
        if left.n > 0 {
            parts[0].across = self.rank_above(now, left.last(), pair.end())?;
        } else if let Some(before) = at.checked_sub(1) {
            self.runs[before].across =
                self.rank_above(now, self.runs[before].last(), pair.end())?;
        }
        self.runs.splice(at..at + 2, parts.into_iter().filter(|part| part.n > 0));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::vocabularies;
    use super::*;
    use crate::oracle;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_merge_as_the_oracle(
            runs in prop::collection::vec(("[ \n\t=a0-]", 1_usize..150), 1..6),
            bpe in prop::sample::select(vocabularies()),
        ) {
            let piece: String = runs.iter().map(|(letter, n)| letter.repeat(*n)).collect();
            let vocabulary = &*bpe.vocabulary;
            // A piece that is a token as a whole is not merged.
            prop_assume!(vocabulary.rank(piece.as_bytes()) == NO_RANK);
            if let Some(starts) = merge_runs(vocabulary, piece.as_bytes()) {
                prop_assert_eq!(starts, oracle::token_starts(vocabulary, piece.as_bytes()));
            }
        }

        /// Tokens in any order: what is joined may make a pair that comes before it.
        #[test]
        fn odd_vocabularies_merge_as_the_oracle(
            tokens in prop::collection::btree_set("[ab]{2,8}", 0..40),
            order in any::<u64>(),
            runs in prop::collection::vec(8_usize..40, 1..5),
        ) {
            let mut tokens: Vec<String> = tokens.into_iter().collect();
            let mixed = |token: &String| {
                token.bytes().fold(order | 1, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(order | 1))
            };
            tokens.sort_by_key(mixed);
            let bytes: Vec<[u8; 1]> = (0..=u8::MAX).map(|byte| [byte]).collect();
            let all: Vec<&[u8]> =
                bytes.iter().map(<[u8; 1]>::as_slice).chain(tokens.iter().map(String::as_bytes)).collect();
            let ids = (0..u32::try_from(all.len()).unwrap()).collect();
            let vocabulary = Vocabulary::from_tokens("odd".into(), &all, ids).unwrap();
            let letters = ["a", "b"].into_iter().cycle();
            let piece: String = runs.iter().zip(letters).map(|(&n, letter)| letter.repeat(n)).collect();
            prop_assume!(vocabulary.rank(piece.as_bytes()) == NO_RANK);
            if let Some(starts) = merge_runs(&vocabulary, piece.as_bytes()) {
                prop_assert_eq!(starts, oracle::token_starts(&vocabulary, piece.as_bytes()));
            }
        }
    }

    #[test]
    fn runs_are_needed() {
        let bpe = &vocabularies()[0];
        assert!(merge_runs(&bpe.vocabulary, " ".repeat(300).as_bytes()).is_some());
        assert!(merge_runs(&bpe.vocabulary, "ab".repeat(300).as_bytes()).is_none());
        assert!(merge_runs(&bpe.vocabulary, b"").is_none());
    }
}
