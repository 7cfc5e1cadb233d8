//! Ruler for texts that are made on the way; a [`Measure`] answers for the spans of one that is there.
//!
//! A measure is bound to one text. What is repeated in front of a chunk makes texts that stand nowhere: for these
//! a ruler has the unit alone. [`Ruled`] is a measure together with the ruler of its unit, which strategies need
//! that repeat headings or headers.
//!
//! ```
//! use chunkwright_text::document::Document;
//! use chunkwright_text::measure::ruler::{CharRuler, Ruled, Ruler};
//! use chunkwright_text::measure::{Chars, Measure};
//!
//! assert_eq!(CharRuler.size("# Rain")?, 6);
//! let measure = Ruled::new(Chars::new(Document::new("It fell.")), CharRuler);
//! assert!(measure.ruler().is_some_and(Ruler::counts_chars));
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use super::{Chars, Measure};
use crate::document::Document;
use crate::error::Result;
use crate::offsets::count_chars;
use crate::span::Span;

/// A unit, ready to measure any text.
pub trait Ruler {
    /// Size of `text` as a whole.
    ///
    /// # Errors
    /// Those of a caller's own counter, and of the pulse.
    fn size(&self, text: &str) -> Result<usize>;

    /// Size of what stands at `spans` of `text`, put together; `measure` is that of the text.
    ///
    /// What the caller holds as two halves of a character counts as in `measure`.
    ///
    /// # Errors
    /// As for [`Ruler::size`].
    fn size_joined(
        &self,
        text: &str,
        measure: &dyn Measure,
        spans: &mut dyn Iterator<Item = Span>,
    ) -> Result<usize> {
        if self.counts_chars() {
            return spans.map(|span| measure.size(span)).sum();
        }
        self.size(&spans.map(|span| &text[span.range()]).collect::<String>())
    }

    /// Whether sizes are numbers of code points.
    fn counts_chars(&self) -> bool;

    /// Whether what follows a text changes its size only by what stands near its end; so that a beginning
    /// which is far too large says that the whole is.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether the size of lines that are joined by `\n` is the sum of their sizes.
    fn adds_up(&self) -> bool {
        false
    }

    /// The sizes of all spans of `text`, which is looked at once.
    ///
    /// # Errors
    /// As for [`Ruler::size`].
    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>>;
}

/// Code points.
#[derive(Clone, Copy, Debug, Default)]
pub struct CharRuler;

impl Ruler for CharRuler {
    fn size(&self, text: &str) -> Result<usize> {
        Ok(count_chars(text.as_bytes()))
    }

    fn counts_chars(&self) -> bool {
        true
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        Ok(Box::new(Chars::new(Document::new(text))))
    }
}

/// A measure of one text that knows its unit.
#[derive(Clone, Copy, Debug)]
pub struct Ruled<M, R> {
    measure: M,
    ruler: R,
}

impl<M, R> Ruled<M, R> {
    /// `measure`, of which `ruler` is the unit.
    pub const fn new(measure: M, ruler: R) -> Self {
        Self { measure, ruler }
    }
}

impl<M: Measure, R: Ruler> Measure for Ruled<M, R> {
    fn size(&self, span: Span) -> Result<usize> {
        self.measure.size(span)
    }

    fn ruler(&self) -> Option<&dyn Ruler> {
        Some(&self.ruler)
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        self.measure.longest(start, max)
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        self.measure.longest_back(end, max)
    }

    fn is_quick(&self) -> bool {
        self.measure.is_quick()
    }
}
