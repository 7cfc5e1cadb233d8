//! Cosines of questions with all vectors.
//!
//! Vectors are many and questions few, so the vectors are read once from beginning to end, each against all
//! questions: the speed is that of the memory.

use super::matrix::room_for;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::vectors::dense::{UNSAFE, add_unit, inverse};
use chunkwright_text::vectors::dot::{Float, dot};
use chunkwright_text::vectors::{Dense, Vectors};

/// Vectors that are compared with one question after another: so many of usual length stay in the cache that
/// is next to the processor.
const BLOCK: usize = 16;

/// The cosine of each question with each vector, one row for each question; vectors lie behind one another.
///
/// Vectors are read where they are, once; those of questions are rounded to their precision at unit length.
/// A vector of zeros has the cosine 0. O(the numbers of the vectors · questions).
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::retrieve::cosine::cosines;
/// use chunkwright_text::vectors::Dense;
///
/// let vectors = [1.0_f32, 0.0, 0.0, 2.0]; // of two chunks
/// let questions = Dense::new(vec![0.0_f32, 3.0], 2)?;
/// assert_eq!(cosines(&vectors, 2, &questions, no_pulse())?, [0.0, 1.0]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if vectors are not of the length of the questions', or there is no memory for the result;
/// [`Error::Model`] if a number is not finite; those of `pulse`.
pub fn cosines<T: Float, U: Float, S: AsRef<[U]>>(
    vectors: &[T],
    n_dims: usize,
    questions: &Dense<S, U>,
    pulse: Pulse<'_>,
) -> Result<Vec<f32>> {
    let n = vectors.len().checked_div(n_dims).unwrap_or(0);
    let mut cosines = room_for(questions.len(), n)?;
    if n == 0 || questions.is_empty() {
        return Ok(cosines);
    }
    if questions.n_dims() != n_dims {
        let given = questions.n_dims();
        let message = format!("queries have {given} dimensions, vectors have {n_dims}");
        return Err(Error::Config(message));
    }
    let directions = units::<T, U, S>(questions);
    cosines.resize(questions.len() * n, 0.0);
    let beat = Beat::of_numbers(pulse);
    for (block, rows) in vectors.chunks(BLOCK * n_dims).enumerate() {
        beat.after(rows.len() * questions.len())?;
        let first = block * BLOCK;
        let numbered = rows.chunks_exact(n_dims).zip(first..);
        let rows: Vec<VectorRow<'_, T>> =
            numbered.map(|(row, i)| VectorRow::of(row, i)).collect::<Result<_>>()?;
        let questions = directions.chunks_exact(n_dims).zip(cosines.chunks_exact_mut(n));
        for (direction, cosines) in questions {
            for (row, cosine) in rows.iter().zip(&mut cosines[first..]) {
                *cosine = row.cosine(direction);
            }
        }
    }
    Ok(cosines)
}

/// A vector, and what makes a dot product with it a cosine.
enum VectorRow<'a, T> {
    /// As it is.
    Plain(&'a [T], f64),
    /// Made unit length, where dot products would overflow or lose what is small.
    Unit(Vec<T>),
}

impl<'a, T: Float> VectorRow<'a, T> {
    fn of(row: &'a [T], i: usize) -> Result<Self> {
        // Measured: five times as fast as in double precision, which a cosine in single does not need.
        let norm = dot(row, row).sqrt();
        if T::SAFE_NORMS.contains(&norm) {
            return Ok(Self::Plain(row, 1.0 / norm));
        }
        let inverse = inverse(row, i)?;
        if inverse != UNSAFE {
            return Ok(Self::Plain(row, inverse));
        }
        let mut unit = vec![0.0; row.len()];
        add_unit(row, &mut unit);
        Ok(Self::Unit(unit.into_iter().map(T::nearest).collect()))
    }

    fn cosine(&self, direction: &[T]) -> f32 {
        let cosine = match self {
            Self::Plain(row, inverse) => dot(row, direction) * inverse,
            Self::Unit(row) => dot(row, direction),
        };
        cosine.clamp(-1.0, 1.0).to_f32()
    }
}

/// All rows at unit length, in the precision of `T`.
pub(super) fn units<T: Float, U: Float, S: AsRef<[U]>>(rows: &Dense<S, U>) -> Vec<T> {
    let n_dims = rows.n_dims();
    let (mut units, mut sum) = (Vec::with_capacity(rows.len() * n_dims), vec![0.0; n_dims]);
    for i in 0..rows.len() {
        sum.fill(0.0);
        rows.add_units(i..i + 1, &mut sum);
        units.extend(sum.iter().map(|&x| T::nearest(x)));
    }
    units
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::oracle::unit;
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    /// Rows of sizes that lose or overflow if they are squared.
    fn rows(n_dims: usize) -> impl Strategy<Value = Vec<f64>> {
        let sizes = proptest::sample::select(vec![1.0, 100.0, 1e-3, 1e30, 1e-30, 0.0]);
        let row = (proptest::collection::vec(-1.0..1.0_f64, n_dims), sizes)
            .prop_map(|(row, size)| row.into_iter().map(|x| x * size).collect::<Vec<f64>>());
        proptest::collection::vec(row, 0..20).prop_map(|rows| rows.concat())
    }

    fn both() -> impl Strategy<Value = (usize, Vec<f64>, Vec<f64>)> {
        (1_usize..20).prop_flat_map(|n_dims| (Just(n_dims), rows(n_dims), rows(n_dims)))
    }

    fn narrow(rows: &[f64]) -> Vec<f32> {
        rows.iter().map(|&x| x.to_f32()).collect()
    }

    fn found<T: Float, U: Float>(n_dims: usize, vectors: &[T], questions: Vec<U>) -> Vec<f32> {
        let questions = Dense::new(questions, n_dims).unwrap();
        cosines(vectors, n_dims, &questions, no_pulse()).unwrap()
    }

    proptest! {
        #[test]
        fn they_are_the_cosines_of_all_pairs((n_dims, vectors, questions) in both()) {
            let by_row = |rows: &[f64]| -> Vec<Vec<f64>> {
                narrow(rows).chunks(n_dims).map(|row| unit(&row.iter().map(|&x| x.into()).collect::<Vec<_>>())).collect()
            };
            let (rows, directions) = (by_row(&vectors), by_row(&questions));
            let pair = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let expected: Vec<f64> =
                directions.iter().flat_map(|a| rows.iter().map(move |b| pair((a, b)))).collect();
            for found in [
                found(n_dims, &narrow(&vectors), narrow(&questions)),
                found(n_dims, &vectors, questions.clone()),
                found(n_dims, &narrow(&vectors), questions.clone()),
                found(n_dims, &vectors, narrow(&questions)),
            ] {
                prop_assert_eq!(found.len(), expected.len());
                for (found, expected) in found.iter().zip(&expected) {
                    prop_assert!((f64::from(*found) - expected).abs() < 1e-5, "{} {}", found, expected);
                }
            }
        }
    }

    #[test]
    fn equal_vectors_have_equal_cosines_wherever_they_are() {
        let row: Vec<f32> = (0_u8..50).map(|i| 0.1 + f32::from(i) / 7.0).collect();
        let other: Vec<f32> = (0_u8..50).map(|i| f32::from(i % 11)).collect();
        let vectors = [&other[..], &row, &row].concat().repeat(9);
        let both = found(50, &vectors, [&other[..], &row].concat());
        let alone = found(50, &row, row.clone());
        for (i, cosine) in both[27..].iter().enumerate().filter(|(i, _)| i % 3 > 0) {
            assert_eq!(cosine.to_bits(), alone[0].to_bits(), "{i}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let error = |vectors: &[f32], n_dims, questions: Vec<f32>, n_asked| {
            let questions = Dense::new(questions, n_asked).unwrap();
            cosines(vectors, n_dims, &questions, no_pulse()).unwrap_err().to_string()
        };
        let lengths = "queries have 1 dimensions, vectors have 2";
        assert_eq!(error(&[1.0, 2.0], 2, vec![1.0], 1), lengths);
        let mut vectors = [1.0; 80];
        vectors[75] = f32::INFINITY;
        let infinite = "the embedder gave inf as value 1 of row 37";
        assert_eq!(error(&vectors, 2, vec![1.0, 1.0], 2), infinite);
        let questions = Dense::new(vec![1.0_f32], 1).unwrap();
        let stop = || Err(Error::Interrupted);
        assert!(matches!(cosines(&[1.0_f32], 1, &questions, &stop), Err(Error::Interrupted)));
    }
}
