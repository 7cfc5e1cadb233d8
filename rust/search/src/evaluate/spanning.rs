//! Numbers of chunks that reach over each of many gaps.
//!
//! Counted by a Fenwick tree (*A New Data Structure for Cumulative Frequency Tables*, 1994) over the ends of
//! chunks: a sweep over the starts adds the chunks that begin before a gap, and the tree says how many of them
//! end behind it.

use super::ranges::CharRange;

/// For each of `gaps`, how many of `chunks` start at or before its start and end at or behind its end.
///
/// O((c + g) log c): gaps are answered in the order of their starts, when the ends of all chunks that start
/// before are in a tree of counts.
pub fn n_spanning(chunks: &[CharRange], gaps: &[CharRange]) -> Vec<usize> {
    let mut by_start = chunks.to_vec();
    by_start.sort_unstable();
    let mut ends: Vec<usize> = chunks.iter().map(|chunk| chunk.end).collect();
    ends.sort_unstable();
    let mut order: Vec<usize> = (0..gaps.len()).collect();
    order.sort_unstable_by_key(|&i| gaps[i].start);
    let (mut counts, mut n_started) = (Counts::new(ends.len()), 0);
    let mut found = vec![0; gaps.len()];
    for i in order {
        let gap = gaps[i];
        while let Some(chunk) = by_start.get(n_started).filter(|chunk| chunk.start <= gap.start) {
            counts.add(ends.partition_point(|&end| end < chunk.end));
            n_started += 1;
        }
        found[i] = n_started - counts.below(ends.partition_point(|&end| end < gap.end));
    }
    found
}

/// Counts at places from 0 on; a Fenwick tree.
struct Counts {
    /// Place i, from 1, holds the counts of the places down to where its lowest set bit is cleared.
    sums: Vec<usize>,
}

impl Counts {
    fn new(n: usize) -> Self {
        Self { sums: vec![0; n + 1] }
    }

    /// Adds one at `place`. O(log n).
    fn add(&mut self, place: usize) {
        let mut i = place + 1;
        while let Some(sum) = self.sums.get_mut(i) {
            *sum += 1;
            i += i & i.wrapping_neg();
        }
    }

    /// The sum of all places below `place`. O(log n).
    fn below(&self, place: usize) -> usize {
        let mut sum = 0;
        let mut i = place;
        while i > 0 {
            sum += self.sums[i];
            i &= i - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranges(n: usize) -> impl Strategy<Value = Vec<CharRange>> {
        let range = (0_usize..20, 0_usize..8);
        let all = proptest::collection::vec(range, 0..n);
        let range = |(start, n)| CharRange { start, end: start + n };
        all.prop_map(move |pairs| pairs.into_iter().map(range).collect())
    }

    proptest! {
        #[test]
        fn as_many_as_are_found_one_by_one(chunks in ranges(40), gaps in ranges(10)) {
            let spans = |c: &CharRange, gap: CharRange| c.start <= gap.start && c.end >= gap.end;
            let count = |&gap| chunks.iter().filter(|chunk| spans(chunk, gap)).count();
            let expected: Vec<_> = gaps.iter().map(count).collect();
            prop_assert_eq!(n_spanning(&chunks, &gaps), expected);
        }
    }
}
