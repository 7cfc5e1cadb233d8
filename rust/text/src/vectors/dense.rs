//! Dense vectors: rows of floating-point numbers.
//!
//! Rows are read where the caller has them, whether `Vec`, slice or a matrix of NumPy, and are neither copied nor
//! normalised: what is kept beside them is one by the length of each row. A sum of rows and the mean of all
//! cosines need one pass, O(n · d): the mean of n² cosines is the squared length of the sum of unit vectors.

use std::marker::PhantomData;
use std::ops::Range;

use super::dot::{Float, dot};
use super::{Embedded, Vectors, room_for};
use crate::error::{Error, Result};

/// What stands for the inverse of a length with which dot products in the row's own precision would
/// overflow, or lose what is small: such rows are made unit length in `f64` whenever they are asked for.
pub const UNSAFE: f64 = f64::INFINITY;

/// A sum of unit vectors that is shorter, for each of them, is what rounding left: it has no direction.
const NO_LENGTH: f64 = 1e-12;

/// A matrix by rows, read where it is: `f32` or `f64`, behind one another.
///
/// Takes 8 bytes for each row besides.
#[derive(Clone, Debug)]
pub struct Dense<R, T = f32> {
    rows: R,
    n_dims: usize,
    /// One by the length of each row; 0 for a row of zeros.
    inverses: Vec<f64>,
    /// Whether the rows are taken as they are.
    is_raw: bool,
    /// Sums of rows, or rows in `f64`, while they are looked at.
    scratch: [Vec<f64>; 2],
    numbers: PhantomData<T>,
}

impl<T: Float, R: AsRef<[T]>> Dense<R, T> {
    /// The rows of `n_dims` numbers each that `rows` holds.
    ///
    /// O(the numbers).
    ///
    /// ```
    /// use chunkwright_text::vectors::Dense;
    ///
    /// let error = Dense::new(vec![1.0_f32, 0.0, f32::NAN, 0.0], 2).unwrap_err();
    /// assert!(error.to_string().contains("value 0 of row 1"));
    /// ```
    ///
    /// # Errors
    /// [`Error::Model`] if a number is not finite, with the row and the place in it; if `rows` holds no
    /// whole number of rows.
    pub fn new(rows: R, n_dims: usize) -> Result<Self> {
        let numbers = rows.as_ref();
        if numbers.len().checked_rem(n_dims).unwrap_or(numbers.len()) != 0 {
            let n = numbers.len();
            return Err(Error::Model(format!("{n} numbers do not make rows of {n_dims}")));
        }
        let by_row = numbers.chunks_exact(n_dims.max(1)).enumerate();
        let inverses: Result<_> = by_row.map(|(i, row)| inverse(row, i)).collect();
        let (inverses, scratch) = (inverses?, Default::default());
        Ok(Self { rows, n_dims, inverses, is_raw: false, scratch, numbers: PhantomData })
    }

    /// The same, each row taken to be of unit length: the cosine of two rows is their dot product,
    /// whatever that is, and the mean is that of dot products.
    ///
    /// ```
    /// use chunkwright_text::vectors::{Dense, Vectors};
    ///
    /// let rows = [2.0_f32, 0.0, 3.0, 0.0];
    /// let mut band = Vec::new();
    /// Dense::new(&rows[..], 2)?.band(1, 0, &mut band);
    /// assert_eq!(band, [1.0]); // the cosine
    /// Dense::raw(&rows[..], 2)?.band(1, 0, &mut band);
    /// assert_eq!(band, [6.0]); // the dot product
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Dense::new`].
    pub fn raw(rows: R, n_dims: usize) -> Result<Self> {
        let mut dense = Self::new(rows, n_dims)?;
        for inverse in dense.inverses.iter_mut().filter(|inverse| **inverse != UNSAFE) {
            *inverse = 1.0;
        }
        Ok(Self { is_raw: true, ..dense })
    }

    /// Where the rows are.
    pub const fn rows(&self) -> &R {
        &self.rows
    }

    fn row(&self, i: usize) -> &[T] {
        &self.rows.as_ref()[i * self.n_dims..(i + 1) * self.n_dims]
    }

    /// The cosine of two rows.
    fn pair(&self, i: usize, j: usize, scratch: &mut [Vec<f64>; 2]) -> f64 {
        let (by_i, by_j) = (self.inverses[i], self.inverses[j]);
        let cosine = if by_i == UNSAFE || by_j == UNSAFE {
            let [left, right] = scratch;
            self.sum(i..i + 1, left);
            self.sum(j..j + 1, right);
            dot(left, right)
        } else {
            dot(self.row(i), self.row(j)) * by_i * by_j
        };
        if self.is_raw { cosine } else { cosine.clamp(-1.0, 1.0) }
    }

    /// Whether row `i` is other than zeros.
    pub fn has_direction(&self, i: usize) -> bool {
        self.inverses[i] != 0.0
    }

    /// The sum of the rows, each of unit length, in place of what `sum` held.
    fn sum(&self, rows: Range<usize>, sum: &mut Vec<f64>) {
        sum.clear();
        sum.resize(self.n_dims, 0.0);
        self.add_units(rows, sum);
    }

    /// Adds the rows, each of unit length, to `sum`, one after another.
    pub fn add_units(&self, rows: Range<usize>, sum: &mut [f64]) {
        for i in rows {
            let row = self.row(i);
            match self.inverses[i] {
                UNSAFE if self.is_raw => add(row, 1.0, sum),
                UNSAFE => add_unit(row, sum),
                inverse => add(row, inverse, sum),
            }
        }
    }

    /// The sum of the squared lengths of all rows, as [`Dense::sum`] takes them.
    #[allow(clippy::cast_precision_loss, reason = "there are not 2^53 rows")]
    fn squares(&self) -> f64 {
        if self.is_raw {
            (0..self.len()).map(|i| squared(self.row(i))).sum()
        } else {
            self.inverses.iter().filter(|&&inverse| inverse != 0.0).count() as f64
        }
    }
}

impl<T: Float, R: AsRef<[T]>> Vectors for Dense<R, T> {
    fn len(&self) -> usize {
        self.inverses.len()
    }

    fn n_dims(&self) -> usize {
        self.n_dims
    }

    fn push_row(&self, i: usize, out: &mut Vec<f32>) {
        out.extend(self.row(i).iter().map(|x| x.to_f32()));
    }

    fn rows(&self, rows: &[usize]) -> Result<Embedded<'static>> {
        let mut numbers: Vec<T> = room_for(rows.len(), self.n_dims)?;
        for &i in rows {
            numbers.extend_from_slice(self.row(i));
        }
        let inverses = rows.iter().map(|&i| self.inverses[i]).collect();
        let (n_dims, is_raw, scratch) = (self.n_dims, self.is_raw, Default::default());
        let numbers_of = PhantomData;
        Ok(Box::new(Dense {
            rows: numbers,
            n_dims,
            inverses,
            is_raw,
            scratch,
            numbers: numbers_of,
        }))
    }

    fn band(&mut self, i: usize, first: usize, out: &mut Vec<f64>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        out.clear();
        out.extend((first..i).map(|j| self.pair(j, i, &mut scratch)));
        self.scratch = scratch;
    }

    #[allow(clippy::cast_precision_loss, reason = "there are not 2^53 rows")]
    fn cosine(&mut self, left: Range<usize>, right: Range<usize>) -> f64 {
        let mut scratch = std::mem::take(&mut self.scratch);
        let cosine = if left.len() == 1 && right.len() == 1 {
            self.pair(left.start, right.start, &mut scratch)
        } else {
            let [a, b] = &mut scratch;
            let n_rows = [left.len() as f64, right.len() as f64];
            self.sum(left, a);
            self.sum(right, b);
            cosine_of_sums(a, b, n_rows)
        };
        self.scratch = scratch;
        cosine
    }

    fn cross(&mut self, left: Range<usize>, right: Range<usize>) -> f64 {
        let [mut a, mut b] = std::mem::take(&mut self.scratch);
        self.sum(left, &mut a);
        self.sum(right, &mut b);
        let sum = dot(&a, &b);
        self.scratch = [a, b];
        sum
    }

    #[allow(clippy::cast_precision_loss, reason = "there are not 2^53 rows")]
    fn mean_cosine(&mut self) -> f64 {
        let n = self.len() as f64;
        if n < 2.0 {
            return 0.0;
        }
        let mut sum = std::mem::take(&mut self.scratch[0]);
        self.sum(0..self.len(), &mut sum);
        let mean = (dot(&sum, &sum) - self.squares()) / (n * (n - 1.0));
        self.scratch[0] = sum;
        if self.is_raw { mean } else { mean.clamp(-1.0, 1.0) }
    }
}

/// One by the length of row `i`, 0 if it has none, or [`UNSAFE`].
///
/// # Errors
/// [`Error::Model`] if a number is not finite, with the row and the place in it.
pub fn inverse<T: Float>(row: &[T], i: usize) -> Result<f64> {
    let squared = squared(row);
    let norm = squared.sqrt();
    if T::SAFE_NORMS.contains(&norm) {
        return Ok(1.0 / norm);
    }
    if let Some(column) = row.iter().position(|&x| !x.into().is_finite()) {
        let value: f64 = row[column].into();
        let value = if value.is_nan() { "nan".into() } else { value.to_string() };
        let message = format!("the embedder gave {value} as value {column} of row {i}");
        return Err(Error::Model(message));
    }
    Ok(if row.iter().all(|&x| x.into() == 0.0) { 0.0 } else { UNSAFE })
}

/// The squared length of a row; not finite if it is too large or a number is not.
fn squared<T: Float>(row: &[T]) -> f64 {
    let mut sums = [0.0; 8];
    let (eights, rest) = row.as_chunks::<8>();
    for eight in eights {
        for (sum, &x) in sums.iter_mut().zip(eight) {
            let x: f64 = x.into();
            *sum += x * x;
        }
    }
    for (sum, &x) in sums.iter_mut().zip(rest) {
        let x: f64 = x.into();
        *sum += x * x;
    }
    let four: [f64; 4] = std::array::from_fn(|i| sums[i] + sums[i + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// Adds `row`, `times` as long, to `sum`.
fn add<T: Float>(row: &[T], times: f64, sum: &mut [f64]) {
    for (sum, &x) in sum.iter_mut().zip(row) {
        *sum += x.into() * times;
    }
}

/// Adds the unit vector of the direction of `row`, which has one, to `sum`.
pub fn add_unit<T: Float>(row: &[T], sum: &mut [f64]) {
    // The largest value becomes 1 first, so that no square is too large or too small.
    let largest = row.iter().fold(0.0_f64, |largest, &x| largest.max(x.into().abs()));
    let scaled = || row.iter().map(|&x| x.into() / largest);
    let norm = scaled().map(|x| x * x).sum::<f64>().sqrt();
    for (sum, x) in sum.iter_mut().zip(scaled()) {
        *sum += x / norm;
    }
}

/// The cosine of sums of so many unit vectors; 0 where one has no direction.
fn cosine_of_sums(a: &[f64], b: &[f64], n_rows: [f64; 2]) -> f64 {
    let (norm_a, norm_b) = (dot(a, a).sqrt(), dot(b, b).sqrt());
    if norm_a <= NO_LENGTH * n_rows[0] || norm_b <= NO_LENGTH * n_rows[1] {
        return 0.0;
    }
    (dot(a, b) / (norm_a * norm_b)).clamp(-1.0, 1.0)
}

#[cfg(test)]
#[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "the numbers are small or exact")]
mod tests {
    use proptest::prelude::*;

    use super::super::TOLERANCE;
    use super::*;

    /// Rows of unit length, slowly.
    fn unit_rows(rows: &[f64], n_dims: usize) -> Vec<Vec<f64>> {
        let unit = |row: &[f64]| {
            let largest = row.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            let scaled: Vec<f64> =
                row.iter().map(|x| if largest == 0.0 { 0.0 } else { x / largest }).collect();
            let norm = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
            scaled.iter().map(|x| if norm == 0.0 { 0.0 } else { x / norm }).collect()
        };
        rows.chunks_exact(n_dims).map(unit).collect()
    }

    fn slow_dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    fn slow_cosine(rows: &[Vec<f64>], left: Range<usize>, right: Range<usize>) -> f64 {
        let sum = |range: Range<usize>| -> Vec<f64> {
            let column = |k: usize| rows[range.clone()].iter().map(|row| row[k]).sum();
            (0..rows[0].len()).map(column).collect()
        };
        let (a, b) = (sum(left), sum(right));
        let norms = slow_dot(&a, &a).sqrt() * slow_dot(&b, &b).sqrt();
        if norms < 1e-10 { 0.0 } else { slow_dot(&a, &b) / norms }
    }

    fn slow_mean(rows: &[Vec<f64>]) -> f64 {
        let (mut sum, mut n_pairs) = (0.0, 0.0);
        for i in 0..rows.len() {
            for j in 0..i {
                sum += slow_dot(&rows[i], &rows[j]);
                n_pairs += 1.0;
            }
        }
        if n_pairs == 0.0 { 0.0 } else { sum / n_pairs }
    }

    /// Numbers with sizes that the rows may have.
    fn rows_of(sizes: &'static [f64]) -> impl Strategy<Value = (usize, Vec<f64>)> {
        (1_usize..70, 1_usize..7).prop_flat_map(move |(n_dims, n_rows)| {
            let row =
                (proptest::collection::vec(-1.0..1.0_f64, n_dims), proptest::sample::select(sizes))
                    .prop_map(|(row, size)| {
                        row.into_iter().map(|x| x * size).collect::<Vec<f64>>()
                    });
            (Just(n_dims), proptest::collection::vec(row, n_rows).prop_map(|rows| rows.concat()))
        })
    }

    fn check<T: Float>(mut dense: Dense<Vec<T>, T>) -> std::result::Result<(), TestCaseError> {
        let wide: Vec<f64> = dense.rows().iter().map(|&x| x.into()).collect();
        let (rows, n) = (unit_rows(&wide, dense.n_dims), dense.len());
        let mut band = Vec::new();
        for i in 0..n {
            for first in 0..=i {
                dense.band(i, first, &mut band);
                prop_assert_eq!(band.len(), i - first);
                for (k, cosine) in band.iter().enumerate() {
                    let expected = slow_dot(&rows[first + k], &rows[i]);
                    prop_assert!((cosine - expected).abs() < TOLERANCE, "{} {}", cosine, expected);
                }
                let (left, right) = (first..i, i..n);
                let expected = slow_cosine(&rows, left.clone(), right.clone());
                let cosine = dense.cosine(left, right);
                prop_assert!((cosine - expected).abs() < TOLERANCE, "{} {}", cosine, expected);
            }
        }
        prop_assert!((dense.mean_cosine() - slow_mean(&rows)).abs() < TOLERANCE);
        Ok(())
    }

    proptest! {
        #[test]
        fn cosines_are_those_of_the_oracle(
            (n_dims, rows) in rows_of(&[1.0, 100.0, 1e-3, 1e30, 3e38, 1e-30, 0.0])
        ) {
            #[allow(clippy::cast_possible_truncation)]
            let narrow: Vec<f32> = rows.iter().map(|&x| x as f32).collect();
            check(Dense::new(narrow, n_dims).unwrap())?;
        }

        #[test]
        fn so_are_those_of_doubles(
            (n_dims, rows) in rows_of(&[1.0, 1e-3, 1e200, 1.7e308, 1e-200, 1e-300, 0.0])
        ) {
            check(Dense::new(rows, n_dims).unwrap())?;
        }

        #[test]
        fn raw_rows_are_taken_as_they_are((n_dims, rows) in rows_of(&[1.0, 10.0, 1e-3, 0.0, 1e40])) {
            let mut dense = Dense::raw(rows.clone(), n_dims).unwrap();
            let rows: Vec<Vec<f64>> = rows.chunks_exact(n_dims).map(<[f64]>::to_vec).collect();
            let mut band = Vec::new();
            for i in 0..rows.len() {
                dense.band(i, 0, &mut band);
                for (j, found) in band.iter().enumerate() {
                    let scale = slow_dot(&rows[i], &rows[i]).max(slow_dot(&rows[j], &rows[j]));
                    prop_assert!((found - slow_dot(&rows[i], &rows[j])).abs() <= 1e-12 * scale);
                }
            }
            let scale = rows.iter().map(|row| slow_dot(row, row)).fold(0.0, f64::max);
            prop_assert!((dense.mean_cosine() - slow_mean(&rows)).abs() <= 1e-12 * scale);
        }
    }

    #[test]
    fn the_smallest_and_largest_rows_have_a_direction() {
        let tiny = f32::from_bits(1);
        let rows = vec![tiny, 0.0, 1.0, 0.0, f32::MAX, f32::MAX, 0.0, 0.0, -1e-42, 1e-42];
        let mut dense = Dense::new(rows, 2).unwrap();
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-7, "{found}");
        near(dense.cosine(0..1, 1..2), 1.0);
        near(dense.cosine(0..1, 2..3), 0.5_f64.sqrt());
        near(dense.cosine(1..2, 3..4), 0.0);
        near(dense.cosine(2..3, 4..5), 0.0);
        near(dense.cosine(1..2, 4..5), -(0.5_f64.sqrt()));
        let mut doubles = Dense::new(vec![5e-324, 0.0, 1.7e308, 1.7e308], 2).unwrap();
        near(doubles.cosine(0..1, 1..2), 0.5_f64.sqrt());
    }

    #[test]
    fn equal_rows_have_equal_cosines_wherever_they_are() {
        let row: Vec<f32> = (0..50).map(|i| 0.1 + i as f32 / 7.0).collect();
        let other: Vec<f32> = (0..50).map(|i| (i * i % 11) as f32).collect();
        let mut dense = Dense::new([&row[..], &other, &row, &other, &row].concat(), 50).unwrap();
        let mut band = Vec::new();
        dense.band(4, 0, &mut band);
        assert_eq!(band[0].to_bits(), band[2].to_bits());
        assert_eq!(band[1].to_bits(), band[3].to_bits());
        assert_eq!(band[1].to_bits(), dense.cosine(3..4, 2..3).to_bits());
        assert!(band[0] <= 1.0 && band[0] > 1.0 - TOLERANCE);
    }

    #[test]
    fn what_cancels_out_has_no_direction() {
        let mut dense = Dense::new(vec![1.0_f32, 3.0, -2.0, -6.0, 1.0, 1.0], 2).unwrap();
        assert_eq!(dense.cosine(0..2, 2..3), 0.0);
        assert_eq!(dense.cosine(0..0, 2..3), 0.0);
    }

    #[test]
    fn numbers_are_checked() {
        let error = |rows: Vec<f32>, n_dims| Dense::new(rows, n_dims).unwrap_err().to_string();
        let nan = "the embedder gave nan as value 1 of row 2";
        assert_eq!(error(vec![0.0, 1.0, 2.0, 3.0, 4.0, f32::NAN], 2), nan);
        assert_eq!(
            error(vec![0.0, f32::NEG_INFINITY], 1),
            "the embedder gave -inf as value 0 of row 1"
        );
        assert_eq!(error(vec![0.0; 5], 2), "5 numbers do not make rows of 2");
        assert_eq!(error(vec![0.0; 5], 0), "5 numbers do not make rows of 0");
        let mut empty = Dense::new(Vec::<f64>::new(), 0).unwrap();
        assert!(empty.is_empty());
        assert_eq!(empty.mean_cosine(), 0.0);
    }
}
