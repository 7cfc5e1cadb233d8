//! Smoothing of vectors and scores over neighbours; texts stay what they are.
//!
//! The chunk "It was shut down for good in 2003." answers when the reactor was shut down, but does not say that
//! it is on the reactor: the sentence before does. With some of its neighbour's score it is found.
//!
//! ```
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_search::retrieve::matrix::Matrix;
//! use chunkwright_search::retrieve::neighbours::Neighbours;
//! use chunkwright_search::retrieve::smooth::scores;
//!
//! let neighbours = Neighbours::new(&[0, 0, 1], &[10, 10, 10], 200.0)?;
//! let found = scores(&Matrix::new(vec![1.0_f32, 0.0, 0.0], 3)?, &neighbours, 0.5, no_pulse())?;
//! assert!(found[1] > 0.4); // the one behind the best
//! assert_eq!(found[2], 0.0); // another document
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use super::matrix::{Scores, kept, room_for};
use super::neighbours::Neighbours;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::vectors::dot::{Float, dot};
use chunkwright_text::vectors::{Dense, Vectors, room_for as room_for_vectors};

/// A sum that is shorter than this part of its greatest possible length is what rounding left.
pub(super) const NO_LENGTH: f64 = 1e-6;

/// Unit vectors in the direction of each vector's own plus `weight` times what its neighbours give.
///
/// All count with unit length. Vectors of zeros neither give nor take; where neighbours cancel a vector out, it
/// stays as it is. O(the numbers), in memory O(d) besides the result.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::retrieve::neighbours::Neighbours;
/// use chunkwright_search::retrieve::smooth::vectors;
/// use chunkwright_text::vectors::Dense;
///
/// let neighbours = Neighbours::new(&[0, 0], &[10, 10], 200.0)?;
/// let rows = Dense::new(vec![1.0_f32, 0.0, 0.0, 1.0], 2)?;
/// let smoothed = vectors(&rows, &neighbours, 0.5, no_pulse())?;
/// assert!(smoothed[0] > smoothed[1] && smoothed[1] > 0.0); // the first leans towards the second
/// assert!((smoothed[0].hypot(smoothed[1]) - 1.0).abs() < 1e-6);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if there are not as many neighbours as vectors, or `weight` is negative or not finite; those
/// of `pulse`.
pub fn vectors<T: Float, R: AsRef<[T]>>(
    vectors: &Dense<R, T>,
    neighbours: &Neighbours,
    weight: f64,
    pulse: Pulse<'_>,
) -> Result<Vec<f32>> {
    check(neighbours, vectors.len(), weight)?;
    let beat = Beat::of_numbers(pulse);
    let mut smoothed = given_by_those_before(vectors, neighbours, &beat)?;
    let n_dims = vectors.n_dims();
    let (mut behind, mut own) = (vec![0.0; n_dims], vec![0.0; n_dims]);
    for (i, row) in smoothed.chunks_exact_mut(n_dims.max(1)).enumerate().rev() {
        beat.after(n_dims)?;
        shrink(&mut behind, neighbours.decays().get(i + 1).copied());
        own.fill(0.0);
        vectors.add_units(i..i + 1, &mut own);
        let share = weight * neighbours.factors()[i];
        let given = row.iter().zip(&behind).map(|(&before, behind)| f64::from(before) + behind);
        let leant = if vectors.has_direction(i) { leant(&own, given, share) } else { None };
        for (x, smoothed) in leant.as_ref().unwrap_or(&own).iter().zip(row) {
            *smoothed = kept(*x);
        }
        add(&own, &mut behind);
    }
    Ok(smoothed)
}

/// For each vector the sum of those before it.
fn given_by_those_before<T: Float, R: AsRef<[T]>>(
    vectors: &Dense<R, T>,
    neighbours: &Neighbours,
    beat: &Beat<'_>,
) -> Result<Vec<f32>> {
    let mut given = room_for_vectors(vectors.len(), vectors.n_dims())?;
    let mut sum = vec![0.0; vectors.n_dims()];
    for i in 0..vectors.len() {
        beat.after(vectors.n_dims())?;
        shrink(&mut sum, neighbours.decays().get(i).copied());
        given.extend(sum.iter().map(|&x| kept(x)));
        vectors.add_units(i..i + 1, &mut sum);
    }
    Ok(given)
}

/// What is left of a number of a unit vector so far away that it is less is let go: it is beyond what 64 bits add
/// up, and would become a subnormal number, with which processors are slow.
pub(super) const LEAST: f64 = 1e-24;

/// Takes all that is summed up one chunk further; nothing of it beyond the last one.
fn shrink(sum: &mut [f64], decay: Option<f64>) {
    let decay = decay.unwrap_or(0.0);
    for x in sum {
        let given = *x * decay;
        *x = if given.abs() < LEAST { 0.0 } else { given };
    }
}

fn add(row: &[f64], sum: &mut [f64]) {
    for (sum, x) in sum.iter_mut().zip(row) {
        *sum += x;
    }
}

/// The direction of the unit vector `own` plus `share` times `given`, if there is one.
fn leant(own: &[f64], given: impl Iterator<Item = f64>, share: f64) -> Option<Vec<f64>> {
    // No share is so large that this overflows.
    let parts = [1.0 / (1.0 + share), share / (1.0 + share)];
    let sum = own.iter().zip(given).map(|(own, given)| parts[0] * own + parts[1] * given);
    let mut sum: Vec<f64> = sum.collect();
    let norm = dot(&sum, &sum).sqrt();
    for x in &mut sum {
        *x /= norm;
    }
    (norm > NO_LENGTH).then_some(sum)
}

/// Each score plus `weight` times what its neighbours give, question by question.
///
/// O(the scores).
///
/// # Errors
/// [`Error::Config`] if there are not as many neighbours as chunks, or `weight` is negative or not finite; those
/// of scores; those of `pulse`.
pub fn scores(
    scores: &dyn Scores,
    neighbours: &Neighbours,
    weight: f64,
    pulse: Pulse<'_>,
) -> Result<Vec<f32>> {
    let [n_questions, n] = scores.shape();
    check(neighbours, n, weight)?;
    let mut smoothed = room_for(n_questions, n)?;
    let (beat, mut row, mut given) = (Beat::of_numbers(pulse), Vec::new(), Vec::new());
    for question in 0..n_questions {
        beat.after(n)?;
        scores.read(question, &mut row)?;
        neighbours.given(&row, &mut given);
        let shares = neighbours.factors().iter().map(|factor| weight * factor);
        let all = row.iter().zip(&given).zip(shares);
        smoothed.extend(all.map(|((own, given), share)| kept(own + share * given)));
    }
    Ok(smoothed)
}

pub(super) fn check(neighbours: &Neighbours, n: usize, weight: f64) -> Result<()> {
    if neighbours.len() != n {
        let given = neighbours.len();
        return Err(Error::Config(format!("{n} chunks need as many neighbours, got {given}")));
    }
    if !(0.0..=f64::MAX).contains(&weight) {
        return Err(Error::Config(format!("weight must be at least 0 and finite, got {weight}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::matrix::Matrix;
    use super::super::oracle::{self, chunks, counts, takes, unit};
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    const REACH: f64 = 200.0;
    const N_DIMS: usize = 5;

    fn around((docs, sizes): &(Vec<i64>, Vec<i64>)) -> Neighbours {
        Neighbours::new(docs, sizes, REACH).unwrap()
    }

    /// The sum over all pairs.
    fn given((docs, sizes): &(Vec<i64>, Vec<i64>), i: usize, value: impl Fn(usize) -> f64) -> f64 {
        let all = (0..docs.len()).map(|j| counts(docs, sizes, REACH, i, j) * value(j));
        all.sum::<f64>() * takes(sizes[i])
    }

    proptest! {
        #[test]
        fn vectors_are_those_of_the_oracle(
            (chunks, rows, weight) in chunks().prop_flat_map(|chunks| {
                let row = prop_oneof![
                    9 => proptest::collection::vec(0.0_f32..1.0, N_DIMS),
                    1 => Just(vec![0.0; N_DIMS]),
                    1 => Just(vec![1e30; N_DIMS]),
                ];
                let n = chunks.0.len();
                (Just(chunks), proptest::collection::vec(row, n), 0.0..2.0)
            })
        ) {
            let dense = Dense::new(rows.concat(), N_DIMS).unwrap();
            let found = vectors(&dense, &around(&chunks), weight, no_pulse()).unwrap();
            let wide = |row: &Vec<f32>| row.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
            let units: Vec<Vec<f64>> = rows.iter().map(|row| unit(&wide(row))).collect();
            for (i, found) in found.chunks(N_DIMS).enumerate() {
                let leant = |k: usize| units[i][k] + weight * given(&chunks, i, |j| units[j][k]);
                let leant = unit(&(0..N_DIMS).map(leant).collect::<Vec<f64>>());
                let expected = if dense.has_direction(i) { leant } else { vec![0.0; N_DIMS] };
                for (found, expected) in found.iter().zip(&expected) {
                    prop_assert!((f64::from(*found) - expected).abs() < 1e-6);
                }
            }
        }

        #[test]
        fn scores_are_those_of_the_oracle(
            (chunks, rows, weight) in chunks().prop_flat_map(|chunks| {
                let n = chunks.0.len();
                (Just(chunks), oracle::scores(2, n), 0.0..2.0)
            })
        ) {
            let n = chunks.0.len();
            let table = Matrix::new(rows.clone(), n).unwrap();
            let found = scores(&table, &around(&chunks), weight, no_pulse()).unwrap();
            for (rows, found) in rows.chunks(n).zip(found.chunks(n)) {
                for (i, found) in found.iter().enumerate() {
                    let own = f64::from(rows[i]);
                    let expected = own + weight * given(&chunks, i, |j| rows[j].into());
                    prop_assert!((f64::from(*found) - expected).abs() < 1e-5);
                }
            }
        }

        #[test]
        fn a_document_does_not_see_another(
            (chunks, others) in (chunks(), chunks())
        ) {
            let alone = around(&chunks);
            let (mut docs, mut sizes) = chunks.clone();
            docs.extend(others.0.iter().map(|doc| doc + 3));
            sizes.extend(&others.1);
            let together = Neighbours::new(&docs, &sizes, REACH).unwrap();
            let n = chunks.0.len();
            let values: Vec<f64> = (0_u8..).map(f64::from).take(docs.len()).collect();
            let (mut found, mut all) = (Vec::new(), Vec::new());
            alone.given(&values[..n], &mut found);
            together.given(&values, &mut all);
            prop_assert_eq!(&found[..], &all[..n]);
        }
    }

    #[test]
    fn what_cancels_out_or_has_no_length_stays() {
        let around = Neighbours::new(&[0, 0, 0], &[0, 0, 0], REACH).unwrap();
        let rows = Dense::new(vec![3.0_f32, 4.0, -3.0, -4.0, 0.0, 0.0], 2).unwrap();
        let found = vectors(&rows, &around, 1.0, no_pulse()).unwrap();
        assert_eq!(found, [0.6, 0.8, -0.6, -0.8, 0.0, 0.0]);
        let heavy = vectors(&rows, &around, f64::MAX, no_pulse()).unwrap();
        assert_eq!(heavy, [-0.6, -0.8, 0.6, 0.8, 0.0, 0.0]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let around = Neighbours::new(&[0, 0], &[1, 1], REACH).unwrap();
        let three = Matrix::new(vec![1.0_f32; 3], 3).unwrap();
        let two = Matrix::new(vec![1.0_f32; 2], 2).unwrap();
        let error = |table: &Matrix<Vec<f32>, f32>, weight| {
            scores(table, &around, weight, no_pulse()).unwrap_err().to_string()
        };
        assert_eq!(error(&three, 1.0), "3 chunks need as many neighbours, got 2");
        assert_eq!(error(&two, -0.5), "weight must be at least 0 and finite, got -0.5");
        assert_eq!(error(&two, f64::NAN), "weight must be at least 0 and finite, got NaN");
        let none = Neighbours::new(&[], &[], REACH).unwrap();
        let empty = Dense::new(Vec::<f32>::new(), 0).unwrap();
        assert!(vectors(&empty, &none, 1.0, no_pulse()).unwrap().is_empty());
        let stop = || Err(Error::Interrupted);
        assert!(matches!(scores(&two, &around, 1.0, &stop), Err(Error::Interrupted)));
    }
}
