//! Vectors of the pieces of a text, and their cosines.
//!
//! Sums are taken in one order, so that the same vectors have the same cosines on every machine.

pub mod dense;
pub mod dot;
pub mod half;
pub mod lexical;
pub mod neighbours;
pub mod sparse;
pub mod statics;

pub use dense::Dense;
pub use lexical::Lexical;
pub use sparse::Sparse;
pub use statics::Static;

use std::fmt::Debug;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::pulse::Pulse;

/// Two scores that differ by less are equal: a model's own vectors differ by as much from one machine to
/// another.
pub const TOLERANCE: f64 = 1e-6;

/// One vector for each piece; one of zeros has the cosine 0 with every other.
///
/// Dense ones are a matrix ([`Dense`]), those of words mostly zeros ([`Sparse`]); strategies ask both alike.
///
/// ```
/// use chunkwright_text::vectors::{Dense, Vectors};
///
/// let mut vectors = Dense::new(vec![1.0_f32, 0.0, 3.0, 0.0, 0.0, 2.0], 2)?;
/// let mut band = Vec::new();
/// vectors.band(2, 0, &mut band); // the third with the first two
/// assert_eq!(band, [0.0, 0.0]);
/// assert_eq!(vectors.cosine(0..1, 1..2), 1.0); // lengths do not count
/// assert_eq!(vectors.mean_cosine(), 1.0 / 3.0);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
pub trait Vectors {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers each of them has.
    fn n_dims(&self) -> usize;

    /// Adds the numbers of vector `i` to `out`.
    fn push_row(&self, i: usize, out: &mut Vec<f32>);

    /// A copy of the vectors `rows`, in that order, as if there were no others.
    ///
    /// # Errors
    /// [`Error::Model`] if there is not so much memory.
    fn rows(&self, rows: &[usize]) -> Result<Embedded<'static>>;

    /// The cosines of vector `i` with each of `first..i`, in that order, in place of what `out` held.
    fn band(&mut self, i: usize, first: usize, out: &mut Vec<f64>);

    /// The cosine of the sum of the vectors `left` and the sum of the vectors `right`.
    ///
    /// O(d) for each vector.
    fn cosine(&mut self, left: Range<usize>, right: Range<usize>) -> f64;

    /// The sum of the cosines of each of the vectors `left` with each of the vectors `right`.
    ///
    /// O(d) for each vector.
    fn cross(&mut self, left: Range<usize>, right: Range<usize>) -> f64;

    /// The mean cosine of all pairs of two different vectors; 0 if there is no pair. One pass.
    fn mean_cosine(&mut self) -> f64;
}

/// The vectors of texts, which any thread may look at.
pub type Embedded<'t> = Box<dyn Vectors + Send + Sync + 't>;

/// Embedder, which gives texts their vectors.
///
/// ```
/// use chunkwright_text::error::Result;
/// use chunkwright_text::pulse::{Pulse, no_pulse};
/// use chunkwright_text::vectors::{Dense, Embedded, Embedder};
///
/// /// The length of a text, as a vector in the plane.
/// #[derive(Debug)]
/// struct Lengths;
///
/// impl Embedder for Lengths {
///     fn embed<'t>(&self, texts: &[&'t str], pulse: Pulse<'_>) -> Result<Embedded<'t>> {
///         pulse()?;
///         let row = |text: &&str| [f32::from(u16::try_from(text.len()).unwrap_or(u16::MAX)), 1.0];
///         Ok(Box::new(Dense::new(texts.iter().flat_map(row).collect::<Vec<f32>>(), 2)?))
///     }
/// }
///
/// let vectors = Lengths.embed(&["rain", "sun"], no_pulse())?;
/// assert_eq!((vectors.len(), vectors.n_dims()), (2, 2));
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
pub trait Embedder: Debug + Send + Sync {
    /// A vector for each text.
    ///
    /// # Errors
    /// If there are not as many vectors as texts, or a number is not finite; those of `pulse`, and errors of a
    /// caller's own code.
    fn embed<'t>(&self, texts: &[&'t str], pulse: Pulse<'_>) -> Result<Embedded<'t>>;

    /// Whether the vector of several texts together has the direction of the sum of theirs: then no
    /// text need be embedded more than once.
    fn adds_up(&self) -> bool {
        false
    }

    /// Whether it runs a caller's own code, which may have to wait for other threads, and has more of many
    /// texts at once than of few again and again.
    fn calls_back(&self) -> bool {
        false
    }

    /// Whether it does the work of several threads at once.
    fn is_concurrent(&self) -> bool {
        true
    }
}

/// Room for the numbers of `n` vectors, of 32 bits or 64.
///
/// # Errors
/// [`Error::Model`] if there is not so much memory.
pub fn room_for<T>(n: usize, n_dims: usize) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    let room = n.checked_mul(n_dims).map(|n_numbers| rows.try_reserve_exact(n_numbers));
    match room {
        Some(Ok(())) => Ok(rows),
        _ => Err(Error::Model(format!("no memory for {n} vectors of {n_dims} numbers"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        assert!(room_for::<f32>(3, 5).unwrap().capacity() >= 15);
        for (n, n_dims) in [(usize::MAX, 2), (usize::MAX / 8, 1)] {
            let message = format!("no memory for {n} vectors of {n_dims} numbers");
            assert_eq!(room_for::<f32>(n, n_dims).unwrap_err().to_string(), message);
        }
    }
}
