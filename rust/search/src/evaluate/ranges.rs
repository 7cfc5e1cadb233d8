//! Ranges of code points, and unions of several.
//!
//! ```
//! use chunkwright_search::evaluate::{CharRange, Union};
//!
//! let range = |start, end| CharRange { start, end };
//! let union = Union::of(vec![range(5, 9), range(0, 3), range(2, 4)]);
//! assert_eq!(union.ranges(), [range(0, 4), range(5, 9)]);
//! assert_eq!((union.n_chars(), union.n_chars_of(range(3, 6))), (8, 2));
//! ```

use chunkwright_text::error::{Error, Result};

/// Positions end here, at a million million characters: sums of them stay far from overflowing.
const MAX_POSITION: usize = 1 << 40;

/// A half-open range of code points of one corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CharRange {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
}

impl CharRange {
    /// The range that a caller gave for `what` number `i`; it may be empty.
    ///
    /// # Errors
    /// [`Error::Config`] if it is negative, reversed or beyond all texts, naming it.
    pub fn checked(what: &str, i: usize, start: i64, end: i64) -> Result<Self> {
        let position = |at: i64| usize::try_from(at).ok().filter(|&at| at <= MAX_POSITION);
        match (position(start), position(end)) {
            (Some(start), Some(end)) if start <= end => Ok(Self { start, end }),
            _ => {
                Err(Error::Config(format!("{what} {i} is not a range of a text: {start} to {end}")))
            }
        }
    }

    /// Length in code points.
    pub const fn n_chars(self) -> usize {
        self.end - self.start
    }

    /// The intersection with `other`; possibly empty, and then at no place in particular.
    #[must_use]
    pub fn shared(self, other: Self) -> Self {
        let start = self.start.max(other.start);
        Self { start, end: self.end.min(other.end).max(start) }
    }
}

/// Union of ranges: ranges that ascend, with gaps between them.
#[derive(Clone, Debug, Default)]
pub struct Union {
    ranges: Vec<CharRange>,
    /// Code points covered before each of the ranges.
    before: Vec<usize>,
    n_chars: usize,
}

impl Union {
    /// O(n log n) for n ranges in any order.
    pub fn of(mut given: Vec<CharRange>) -> Self {
        given.sort_unstable();
        let mut union = Self::default();
        for range in given.into_iter().filter(|range| range.start < range.end) {
            union.push(range);
        }
        union
    }

    /// Adds a range that starts at or behind the start of the last one.
    fn push(&mut self, range: CharRange) {
        match self.ranges.last_mut() {
            Some(last) if range.start <= last.end => {
                self.n_chars += range.end.saturating_sub(last.end);
                last.end = last.end.max(range.end);
            }
            _ => {
                self.before.push(self.n_chars);
                self.ranges.push(range);
                self.n_chars += range.n_chars();
            }
        }
    }

    /// The ranges: none is empty, and none touches another.
    pub fn ranges(&self) -> &[CharRange] {
        &self.ranges
    }

    /// The same, to be used again.
    pub fn into_ranges(self) -> Vec<CharRange> {
        self.ranges
    }

    /// How many code points are covered.
    pub const fn n_chars(&self) -> usize {
        self.n_chars
    }

    /// How many code points of `range` are covered. O(log n).
    pub fn n_chars_of(&self, range: CharRange) -> usize {
        self.n_chars_before(range.end) - self.n_chars_before(range.start)
    }

    /// The covered parts of `range`, in order. O(log n) and the ranges that are found.
    pub fn within(&self, range: CharRange) -> impl Iterator<Item = CharRange> {
        let first = self.ranges.partition_point(|covered| covered.end <= range.start);
        let meeting = self.ranges[first..].iter();
        meeting.take_while(move |covered| covered.start < range.end).map(move |c| c.shared(range))
    }

    fn n_chars_before(&self, at: usize) -> usize {
        let next = self.ranges.partition_point(|covered| covered.start < at);
        match next.checked_sub(1) {
            Some(i) => self.before[i] + self.ranges[i].end.min(at) - self.ranges[i].start,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn ranges() -> impl Strategy<Value = Vec<CharRange>> {
        let range = (0_usize..60, 0_usize..12);
        proptest::collection::vec(range, 0..12).prop_map(|pairs| {
            pairs.into_iter().map(|(start, n)| CharRange { start, end: start + n }).collect()
        })
    }

    proptest! {
        #[test]
        fn a_union_is_a_set_of_positions(given in ranges(), asked in ranges()) {
            let set: BTreeSet<usize> = given.iter().flat_map(|r| r.start..r.end).collect();
            let union = Union::of(given);
            prop_assert_eq!(union.n_chars(), set.len());
            prop_assert!(union.ranges().windows(2).all(|pair| pair[0].end < pair[1].start));
            for range in asked {
                let expected: Vec<_> = set.range(range.start..range.end).copied().collect();
                let found: Vec<_> = union.within(range).flat_map(|r| r.start..r.end).collect();
                prop_assert_eq!(union.n_chars_of(range), expected.len());
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_range_that_is_none_is_named() {
        for (start, end) in [(-1, 3), (5, 4), (0, i64::MAX)] {
            let message = CharRange::checked("chunk", 7, start, end).unwrap_err().to_string();
            assert_eq!(message, format!("chunk 7 is not a range of a text: {start} to {end}"));
        }
    }
}
