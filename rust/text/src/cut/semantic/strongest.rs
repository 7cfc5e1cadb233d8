//! Range-maximum index over the scores of boundaries.
//!
//! A sparse table would answer in O(1) with n log n numbers; a tree of maxima answers in O(log n) with 2 n, is
//! built in one pass, and is asked a few times a chunk.

use std::ops::Range;

use crate::vectors::TOLERANCE;

/// Scores, of which the highest in any range is found in O(log n). 16 bytes a score.
///
/// Scores that differ by no more than [`TOLERANCE`] from the highest are as high; the first of them is
/// the strongest.
pub struct Strongest {
    /// A tree: entry `i` is the greater of `2i` and `2i + 1`, and the scores are the second half.
    tree: Vec<f64>,
}

impl Strongest {
    /// O(n).
    pub fn new(scores: impl ExactSizeIterator<Item = f64>) -> Self {
        let n = scores.len().next_power_of_two();
        let mut tree = vec![f64::NEG_INFINITY; n];
        tree.extend(scores);
        tree.resize(2 * n, f64::NEG_INFINITY);
        for i in (1..n).rev() {
            tree[i] = tree[2 * i].max(tree[2 * i + 1]);
        }
        Self { tree }
    }

    /// The strongest in `range`; none if there is no score in it.
    pub fn within(&self, range: Range<usize>) -> Option<usize> {
        let n = self.tree.len() / 2;
        let (mut low, mut high) = (range.start + n, range.end.max(range.start) + n);
        let mut highest = f64::NEG_INFINITY;
        while low < high {
            if low % 2 == 1 {
                highest = highest.max(self.tree[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                highest = highest.max(self.tree[high]);
            }
            (low, high) = (low / 2, high / 2);
        }
        (highest > f64::NEG_INFINITY).then(|| self.first(range.start, highest - TOLERANCE))
    }

    /// The first score from `from` on that is `least` or more; there is one.
    fn first(&self, from: usize, least: f64) -> usize {
        let n = self.tree.len() / 2;
        let mut at = from + n;
        // Up, while nothing below is enough, to the next subtree on the right; then down.
        while self.tree[at] < least {
            at += 1;
            while at.is_multiple_of(2) && at > 1 {
                at /= 2;
            }
        }
        while at < n {
            at *= 2;
            if self.tree[at] < least {
                at += 1;
            }
        }
        at - n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_first_of_the_highest(
            scores in prop::collection::vec(0_u8..6, 0..40),
            start in 0_usize..40,
            len in 0_usize..40,
        ) {
            let start = start.min(scores.len());
            let range = start..(start + len).min(scores.len());
            let strongest = Strongest::new(scores.iter().map(|&score| f64::from(score)));
            let highest = scores[range.clone()].iter().max();
            let first = range.clone().find(|&i| Some(&scores[i]) == highest);
            prop_assert_eq!(strongest.within(range), first);
        }
    }

    #[test]
    fn what_differs_by_noise_is_equal() {
        let strongest = Strongest::new([0.3, 0.5, 0.5 + 1e-9, 0.2].into_iter());
        assert_eq!(strongest.within(0..4), Some(1));
        assert_eq!(strongest.within(2..4), Some(2));
    }
}
