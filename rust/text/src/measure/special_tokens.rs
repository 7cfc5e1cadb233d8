//! Special tokens that a model adds to each text, as a constant on top of a measure.
//!
//! A model's limit is that of its input, in which `[CLS]`, `[SEP]` or `</s>` count as well. Their number does not
//! depend on the text, so every span has the same surcharge:
//!
//! ```
//! use chunkwright_text::document::Document;
//! use chunkwright_text::measure::{Chars, Measure, Surcharge};
//! use chunkwright_text::span::Span;
//!
//! let measure = Surcharge::new(Chars::new(Document::new("abcdef")), 2);
//! assert_eq!(measure.size(Span::new(0, 3))?, 5);
//! assert_eq!(measure.longest(0, 5)?, 3);
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use super::Measure;
use crate::error::Result;
use crate::span::Span;

/// Sizes of another measure, and so many units more for each span.
pub struct Surcharge<M> {
    measure: M,
    n_units: usize,
}

impl<M: Measure> Surcharge<M> {
    /// `n_units` on top of `measure`.
    pub const fn new(measure: M, n_units: usize) -> Self {
        Self { measure, n_units }
    }
}

impl<M: Measure> Measure for Surcharge<M> {
    fn size(&self, span: Span) -> Result<usize> {
        Ok(self.measure.size(span)?.saturating_add(self.n_units))
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        match max.checked_sub(self.n_units) {
            Some(max) => self.measure.longest(start, max),
            None => Ok(start),
        }
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        match max.checked_sub(self.n_units) {
            Some(max) => self.measure.longest_back(end, max),
            None => Ok(end),
        }
    }

    fn is_quick(&self) -> bool {
        self.measure.is_quick()
    }
}
