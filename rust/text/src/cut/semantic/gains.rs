//! Gains of the groups that end with a piece, by running sums.
//!
//! The sum over the pairs of `a..=i` is that of `a..i` and the cosines of `i` with each of `a..i`. With the
//! cosines added up from the last one back, all starts are brought up to date in one pass over the band: O(k) a
//! piece for groups of up to k.
//!
//! ```
//! use chunkwright_text::cut::semantic::gains::Gains;
//!
//! let mut gains = Gains::default();
//! gains.add(0, &[], 0.5); // the first piece
//! gains.add(0, &[0.9], 0.5); // its cosine with the next one
//! let worths: Vec<_> = gains.iter().map(|(start, worth)| (start, (worth * 10.0).round())).collect();
//! assert_eq!(worths, [(0, 4.0), (1, 0.0)]); // together 0.4 above the mean, alone nothing
//! ```

use std::collections::VecDeque;

/// For each start of a group that ends with the latest piece: the sum, over the pairs in it, of how far
/// their cosine exceeds the mean. As many numbers as a group has pieces at most.
#[derive(Debug, Default)]
pub struct Gains {
    first: usize,
    gains: VecDeque<f64>,
}

impl Gains {
    /// Adds the next piece to all groups that begin at piece `first` or later, and begins one with it.
    ///
    /// `band` has its cosines with `first` and all pieces behind. `first` never falls. O(k).
    pub fn add(&mut self, first: usize, band: &[f64], mean: f64) {
        let n_forgotten = (first - self.first).min(self.gains.len());
        self.gains.drain(..n_forgotten);
        self.first = first;
        let mut row = 0.0;
        for (gain, cosine) in self.gains.iter_mut().zip(band).rev() {
            row += cosine - mean;
            *gain += row;
        }
        self.gains.push_back(0.0);
    }

    /// Starts and what groups from there on are worth, the longest group first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, f64)> + '_ {
        let starts = self.first..self.first + self.gains.len();
        starts.zip(self.gains.iter().copied())
    }
}
