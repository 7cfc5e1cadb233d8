//! Matrix of scores as the caller has it: a row for each question, a column for each chunk.

use std::marker::PhantomData;
use std::ops::Range;

use chunkwright_text::error::{Error, Result};
use chunkwright_text::vectors::dot::Float;

/// Scores of either precision.
pub trait Scores: Send + Sync {
    /// Rows and columns.
    fn shape(&self) -> [usize; 2];

    /// The scores of one row in place of what `out` held.
    ///
    /// # Errors
    /// [`Error::Model`] if one is no number or too large for an `f32`, with its row and its column.
    fn read(&self, row: usize, out: &mut Vec<f64>) -> Result<()> {
        let [_, n_columns] = self.shape();
        self.read_part(row, 0..n_columns, out)
    }

    /// The same of a range of columns.
    ///
    /// # Errors
    /// As above.
    fn read_part(&self, row: usize, columns: Range<usize>, out: &mut Vec<f64>) -> Result<()>;
}

/// Scores that lie behind one another, row by row; read where they are.
#[derive(Clone, Debug)]
pub struct Matrix<R, T> {
    scores: R,
    shape: [usize; 2],
    numbers: PhantomData<T>,
}

impl<T: Float, R: AsRef<[T]>> Matrix<R, T> {
    /// The rows of `n_columns` scores each that `scores` holds.
    ///
    /// ```
    /// use chunkwright_search::retrieve::matrix::{Matrix, Scores};
    ///
    /// let scores = Matrix::new(vec![0.1_f32, 0.9, 0.5, 0.5], 2)?;
    /// assert_eq!(scores.shape(), [2, 2]);
    /// let mut row = Vec::new();
    /// scores.read(1, &mut row)?;
    /// assert_eq!(row, [0.5, 0.5]);
    /// assert!(Matrix::new(vec![0.1_f32, 0.9, 0.5], 2).is_err());
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if it holds no whole number of rows.
    pub fn new(scores: R, n_columns: usize) -> Result<Self> {
        let n = scores.as_ref().len();
        if n.checked_rem(n_columns).unwrap_or(n) != 0 {
            return Err(Error::Config(format!("{n} scores do not make rows of {n_columns}")));
        }
        let n_rows = n.checked_div(n_columns).unwrap_or(0);
        Ok(Self { scores, shape: [n_rows, n_columns], numbers: PhantomData })
    }
}

impl<T: Float, R: AsRef<[T]> + Send + Sync> Scores for Matrix<R, T> {
    fn shape(&self) -> [usize; 2] {
        self.shape
    }

    fn read_part(&self, row: usize, columns: Range<usize>, out: &mut Vec<f64>) -> Result<()> {
        let [_, n_columns] = self.shape;
        let start = row * n_columns;
        let scores = &self.scores.as_ref()[start + columns.start..start + columns.end];
        out.clear();
        out.extend(scores.iter().map(|&score| score.into()));
        match scores.iter().position(|score| !score.to_f32().is_finite()) {
            None => Ok(()),
            Some(at) => Err(unusable(row, columns.start + at, out[at])),
        }
    }
}

fn unusable(row: usize, column: usize, score: f64) -> Error {
    let score = if score.is_nan() { "nan".into() } else { format!("{score:e}") };
    Error::Model(format!(
        "scores must be finite in float32, got {score} as value {column} of row {row}"
    ))
}

/// A score as it is kept: one that is too large is the largest there is.
pub(super) fn kept(score: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation, reason = "that is how much is kept")]
    let score = score as f32;
    score.clamp(f32::MIN, f32::MAX)
}

/// A number of chunks.
pub(super) fn number(n: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "there are not 2^53 chunks")]
    let n = n as f64;
    n
}

/// Room for the scores of `n_rows` questions.
///
/// # Errors
/// [`Error::Config`] if there is not so much memory.
pub(super) fn room_for(n_rows: usize, n_columns: usize) -> Result<Vec<f32>> {
    let mut scores = Vec::new();
    let room = n_rows.checked_mul(n_columns).map(|n| scores.try_reserve_exact(n));
    match room {
        Some(Ok(())) => Ok(scores),
        _ => Err(Error::Config(format!(
            "no memory for scores of {n_rows} questions and {n_columns} chunks"
        ))),
    }
}
