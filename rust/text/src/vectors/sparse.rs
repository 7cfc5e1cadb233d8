//! Sparse vectors: rows of which few numbers are not zero.
//!
//! A row is compared with others by laying it out in full once and looking up their numbers in it: as
//! many steps as they have numbers, whatever the number of dimensions.
//!
//! With 4,096 dimensions a sentence has some ten numbers that are not zero. To compare it with all before it, it
//! is written into a row of zeros, and each other row adds up its numbers times those found there: the cost is
//! that of the words, not of the dimensions. Sums of rows, which windows need, are kept in full rows that are
//! cleared by their entries.

use std::ops::Range;

use super::{Embedded, Vectors};
use crate::error::Result;

/// A number of a row that is not zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its dimension.
    pub feature: u32,
    /// The number.
    pub weight: f32,
}

/// A matrix by rows, zeros left out. 8 bytes a number, 16 a row, and 16 a dimension to compute with.
///
/// The sum of rows is that of the rows as they are, so that longer ones weigh more; written out, each is
/// of length 1, or of zeros.
#[derive(Clone, Debug)]
pub struct Sparse {
    entries: Vec<Entry>,
    /// Where each row ends in `entries`.
    ends: Vec<usize>,
    /// The sum of each row's squares.
    squares: Vec<f64>,
    /// Two rows in full; zero between calls. The second one is made when it is needed.
    left: Vec<f64>,
    right: Vec<f64>,
}

impl Sparse {
    /// Rows of `n_dims` dimensions that end where `ends` says; no row has a feature twice.
    pub(super) fn new(n_dims: usize, entries: Vec<Entry>, ends: Vec<usize>) -> Self {
        let mut start = 0;
        let squares =
            ends.iter().map(|&end| squared(&entries[std::mem::replace(&mut start, end)..end]));
        let squares = squares.collect();
        Self { entries, ends, squares, left: vec![0.0; n_dims], right: Vec::new() }
    }

    /// Where the entries of `rows` lie.
    fn range(&self, rows: Range<usize>) -> Range<usize> {
        let end_before = |row: usize| row.checked_sub(1).map_or(0, |before| self.ends[before]);
        end_before(rows.start)..end_before(rows.end.max(rows.start))
    }

    /// Adds the rows, each of unit length, to `left`.
    fn add_units(&mut self, rows: Range<usize>) {
        for row in rows.filter(|&row| self.squares[row] > 0.0) {
            let norm = self.squares[row].sqrt();
            for entry in &self.entries[self.range(row..row + 1)] {
                self.left[entry.feature as usize] += f64::from(entry.weight) / norm;
            }
        }
    }

    /// The entries of one row.
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_text::vectors::Lexical;
    ///
    /// let vectors = Lexical::new(1 << 16)?.fit(&["rain rain sun", "snow"], no_pulse())?;
    /// assert_eq!(vectors.row(0).len(), 2); // a number for each word, in any number of dimensions
    /// let weights: Vec<f32> = vectors.row(0).iter().map(|entry| entry.weight.abs()).collect();
    /// assert_eq!(weights.iter().copied().fold(0.0, f32::max), 2.0 * weights.iter().copied().fold(f32::MAX, f32::min));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn row(&self, row: usize) -> &[Entry] {
        &self.entries[self.range(row..row + 1)]
    }
}

fn squared(row: &[Entry]) -> f64 {
    row.iter().map(|entry| f64::from(entry.weight) * f64::from(entry.weight)).sum()
}

impl Vectors for Sparse {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn n_dims(&self) -> usize {
        self.left.len()
    }

    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    fn push_row(&self, i: usize, out: &mut Vec<f32>) {
        let (start, norm) = (out.len(), self.squares[i].sqrt());
        out.resize(start + self.n_dims(), 0.0);
        for entry in self.row(i) {
            out[start + entry.feature as usize] = (f64::from(entry.weight) / norm) as f32;
        }
    }

    fn rows(&self, rows: &[usize]) -> Result<Embedded<'static>> {
        let (mut entries, mut ends) = (Vec::new(), Vec::with_capacity(rows.len()));
        for &row in rows {
            entries.extend_from_slice(self.row(row));
            ends.push(entries.len());
        }
        Ok(Box::new(Self::new(self.n_dims(), entries, ends)))
    }

    fn band(&mut self, i: usize, first: usize, out: &mut Vec<f64>) {
        out.clear();
        let row = self.range(i..i + 1);
        scatter(&self.entries[row.clone()], &mut self.left);
        for j in first..i {
            let other = &self.entries[self.range(j..j + 1)];
            let dot =
                other.iter().map(|entry| at(&self.left, *entry) * f64::from(entry.weight)).sum();
            out.push(cosine_of(dot, self.squares[i], self.squares[j]));
        }
        for entry in &self.entries[row] {
            self.left[entry.feature as usize] = 0.0;
        }
    }

    fn cosine(&mut self, left: Range<usize>, right: Range<usize>) -> f64 {
        let (left, right) = (self.range(left), self.range(right));
        let (left, right) = (&self.entries[left], &self.entries[right]);
        self.right.resize(self.left.len(), 0.0);
        scatter(left, &mut self.left);
        scatter(right, &mut self.right);
        let (mut dot, mut left_square, mut right_square) = (0.0, 0.0, 0.0);
        // A feature that comes again is zero by then.
        for entry in left {
            let x = std::mem::take(&mut self.left[entry.feature as usize]);
            dot += x * at(&self.right, *entry);
            left_square += x * x;
        }
        for entry in right {
            let x = std::mem::take(&mut self.right[entry.feature as usize]);
            right_square += x * x;
        }
        cosine_of(dot, left_square, right_square)
    }

    fn cross(&mut self, left: Range<usize>, right: Range<usize>) -> f64 {
        self.add_units(left.clone());
        let units = right.filter(|&row| self.squares[row] > 0.0).map(|row| {
            let row_sum = self.row(row).iter().map(|e| at(&self.left, *e) * f64::from(e.weight));
            row_sum.sum::<f64>() / self.squares[row].sqrt()
        });
        let sum = units.sum();
        for entry in &self.entries[self.range(left)] {
            self.left[entry.feature as usize] = 0.0;
        }
        sum
    }

    #[allow(clippy::cast_precision_loss, reason = "there are not 2^53 rows")]
    fn mean_cosine(&mut self) -> f64 {
        let n = self.len();
        if n < 2 {
            return 0.0;
        }
        self.add_units(0..n);
        let n_not_zero = self.squares.iter().filter(|&&square| square > 0.0).count();
        let sum = &mut self.left;
        let taken = self.entries.iter().map(|e| std::mem::take(&mut sum[e.feature as usize]));
        let squared: f64 = taken.map(|x| x * x).sum();
        (squared - n_not_zero as f64) / (n as f64 * (n - 1) as f64)
    }
}

/// Adds `entries` to `full`.
fn scatter(entries: &[Entry], full: &mut [f64]) {
    for entry in entries {
        full[entry.feature as usize] += f64::from(entry.weight);
    }
}

/// The number that `full` has where `entry` is.
#[inline]
fn at(full: &[f64], entry: Entry) -> f64 {
    full[entry.feature as usize]
}

/// The cosine of two vectors with this dot product and these squares; of equal ones it is exactly 1.
fn cosine_of(dot: f64, left_square: f64, right_square: f64) -> f64 {
    let norms = (left_square * right_square).sqrt();
    if norms > 0.0 { (dot / norms).clamp(-1.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const N_DIMS: usize = 6;

    /// The oracle: rows in full, everything by its definition.
    struct Naive(Vec<Vec<f64>>);

    impl Naive {
        fn sum(&self, rows: Range<usize>) -> Vec<f64> {
            (0..N_DIMS).map(|d| self.0[rows.clone()].iter().map(|row| row[d]).sum()).collect()
        }

        fn cosine(&self, left: Range<usize>, right: Range<usize>) -> f64 {
            let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
            let (left, right) = (self.sum(left), self.sum(right));
            let norms = dot(&left, &left).sqrt() * dot(&right, &right).sqrt();
            if norms == 0.0 { 0.0 } else { dot(&left, &right) / norms }
        }

        fn mean_cosine(&self) -> f64 {
            let n = self.0.len();
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            let cosines: Vec<f64> = pairs.map(|(i, j)| self.cosine(i..i + 1, j..j + 1)).collect();
            let n_pairs = f64::from(u32::try_from(cosines.len()).unwrap());
            if cosines.is_empty() { 0.0 } else { cosines.iter().sum::<f64>() / n_pairs }
        }
    }

    fn sparse(rows: &[Vec<f64>]) -> Sparse {
        let (mut entries, mut ends) = (Vec::new(), Vec::new());
        for row in rows {
            for (feature, &weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                #[allow(clippy::cast_possible_truncation, reason = "they are small integers")]
                entries.push(Entry { feature: feature as u32, weight: weight as f32 });
            }
            ends.push(entries.len());
        }
        Sparse::new(N_DIMS, entries, ends)
    }

    /// The dot product of two rows, written out.
    fn written_out(sparse: &Sparse, i: usize, j: usize) -> f64 {
        let mut rows = Vec::new();
        sparse.push_row(i, &mut rows);
        sparse.push_row(j, &mut rows);
        let (left, right) = rows.split_at(N_DIMS);
        left.iter().zip(right).map(|(x, y)| f64::from(x * y)).sum()
    }

    fn rows() -> impl Strategy<Value = Vec<Vec<f64>>> {
        let number = prop_oneof![Just(0.0), Just(0.0), (-3..4_i32).prop_map(f64::from)];
        prop::collection::vec(prop::collection::vec(number, N_DIMS), 0..9)
    }

    proptest! {
        #[test]
        fn cosines_are_those_of_the_oracle(rows in rows(), at in any::<[prop::sample::Index; 4]>()) {
            let (mut sparse, naive) = (sparse(&rows), Naive(rows));
            let n = naive.0.len();
            prop_assert_eq!(sparse.len(), n);
            prop_assert!((sparse.mean_cosine() - naive.mean_cosine()).abs() < 1e-12);
            let [a, b, c, d] = at.map(|at| at.index(n + 1));
            let (left, right) = (a.min(b)..a.max(b), c.min(d)..c.max(d));
            let cosine = sparse.cosine(left.clone(), right.clone());
            prop_assert!((cosine - naive.cosine(left, right)).abs() < 1e-12);
            let mut out = vec![7.0];
            for (i, first) in (0..n).map(|i| (i, a.min(i))) {
                sparse.band(i, first, &mut out);
                prop_assert_eq!(out.len(), i - first);
                for (j, cosine) in (first..i).zip(&out) {
                    prop_assert!((cosine - naive.cosine(i..i + 1, j..j + 1)).abs() < 1e-12);
                    prop_assert!((cosine - written_out(&sparse, i, j)).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn rows_are_written_out_with_length_one() {
        let vectors = sparse(&[vec![0.0, 3.0, 0.0, 0.0, -4.0, 0.0], vec![0.0; N_DIMS]]);
        let mut out = vec![9.0];
        vectors.push_row(0, &mut out);
        vectors.push_row(1, &mut out);
        assert_eq!(out[..7], [9.0, 0.0, 0.6, 0.0, 0.0, -0.8, 0.0]);
        assert_eq!(out[7..], [0.0; N_DIMS]);
    }

    #[test]
    fn equal_rows_have_the_cosine_one_and_zeros_none() {
        let row = vec![0.3, 0.0, -1.7, 0.1, 0.0, 2.9];
        let zeros = vec![0.0; N_DIMS];
        let mut vectors = sparse(&[row.clone(), row, zeros]);
        let mut out = Vec::new();
        vectors.band(1, 0, &mut out);
        assert_eq!(out, [1.0]);
        vectors.band(2, 0, &mut out);
        assert_eq!(out, [0.0, 0.0]);
        assert!((vectors.mean_cosine() - 1.0 / 3.0).abs() < 1e-12);
    }
}
