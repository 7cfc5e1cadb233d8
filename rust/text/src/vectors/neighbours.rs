//! Distances of neighbouring rows, rounded as NumPy rounds them.
//!
//! ```
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::vectors::Dense;
//! use chunkwright_text::vectors::neighbours::distances;
//!
//! let vectors = Dense::new(vec![1.0_f32, 0.0, 2.0, 0.0, 0.0, 1.0], 2)?;
//! assert_eq!(distances(&vectors, no_pulse())?, [0.0, 1.0]);
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use super::dot::{Float, dot};
use super::{Dense, Vectors};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};

/// 1 less the cosine of each row and the next one.
///
/// The dot product is divided by the product of both lengths, and each step is rounded to the precision
/// of the numbers. What is then no number, as beside a row of zeros, is a distance of 1. O(the numbers).
///
/// # Errors
/// Those of `pulse`.
pub fn distances<T: Float, R: AsRef<[T]>>(
    vectors: &Dense<R, T>,
    pulse: Pulse<'_>,
) -> Result<Vec<f64>> {
    let mut rows = vectors.rows().as_ref().chunks_exact(vectors.n_dims().max(1));
    let Some(mut left) = rows.next() else { return Ok(Vec::new()) };
    let mut left_norm = norm(left);
    let mut distances = Vec::with_capacity(rows.len());
    let beat = Beat::of_numbers(pulse);
    for right in rows {
        beat.after(right.len())?;
        let right_norm = norm(right);
        let norms = rounded::<T>(left_norm * right_norm);
        let cosine = rounded::<T>(rounded::<T>(dot(left, right)) / norms);
        distances.push(rounded::<T>(1.0 - if cosine.is_finite() { cosine } else { 0.0 }));
        (left, left_norm) = (right, right_norm);
    }
    Ok(distances)
}

/// `np.linalg.norm`.
fn norm<T: Float>(row: &[T]) -> f64 {
    rounded::<T>(rounded::<T>(dot(row, row)).sqrt())
}

/// `value` in the precision of `T`; so an operation in `f64` is as if done in `T`.
fn rounded<T: Float>(value: f64) -> f64 {
    if size_of::<T>() == size_of::<f64>() {
        return value;
    }
    #[allow(clippy::cast_possible_truncation, reason = "that is what is asked for")]
    let nearest = value as f32;
    f64::from(nearest)
}
