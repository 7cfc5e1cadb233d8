//! LangChain's splitters, chunk for chunk: split at separators level by level, merge what is small.
//!
//! A text is split at the first separator that it contains. Pieces under the limit are merged into
//! chunks with an overlap of whole pieces; a piece that is not under it is split again at the
//! separators after that one. Sizes are sums of pieces measured one by one, chunks are stripped after
//! they were sized, and so some exceed the limit: this module reproduces that. [`chunkwright_text::cut::recursive`]
//! keeps its limits instead.
//!
//! Work is O(n) in the text's length for each separator, besides the chunks' own length.

mod merge;
mod pieces;
mod plan;
mod recurse;
mod windows;

#[cfg(test)]
mod tests;

pub use plan::{Depth, Limits, Mark, Plan, Separator};
pub use recurse::{merge, split};
pub use windows::windows;

use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::span::Span;

/// Sizes in the unit of the length function: any number, negative and fractional ones included.
pub trait Sizes {
    /// Size of a piece of the text.
    ///
    /// # Errors
    /// Those of a caller's own function.
    fn piece(&mut self, piece: Span) -> Result<f64>;

    /// Size of the glue of the plan's separator number `separator`.
    ///
    /// # Errors
    /// Those of a caller's own function.
    fn glue(&mut self, separator: usize) -> Result<f64>;
}

/// Separators that are matched by the caller.
pub trait Patterns {
    /// Whether separator number `separator` matches anywhere in `piece`, taken as a text of its own.
    ///
    /// # Errors
    /// Those of the caller's matcher.
    fn found(&mut self, separator: usize, piece: Span) -> Result<bool>;

    /// What `piece` splits into at that separator; no part may be empty.
    ///
    /// # Errors
    /// Those of the caller's matcher.
    fn parts(&mut self, separator: usize, piece: Span) -> Result<Vec<Span>>;
}

/// For plans of literal separators: nothing is ever asked of it.
#[derive(Clone, Copy, Debug)]
pub struct NoPatterns;

impl Patterns for NoPatterns {
    fn found(&mut self, _separator: usize, _piece: Span) -> Result<bool> {
        Ok(false)
    }

    fn parts(&mut self, _separator: usize, piece: Span) -> Result<Vec<Span>> {
        Ok(vec![piece])
    }
}

/// Sizes by a measure of the text and a count of the glue.
pub struct Measured<'p, M, G> {
    measure: M,
    plan: &'p Plan,
    count: G,
}

impl<'p, M: Measure, G: FnMut(&str) -> Result<usize>> Measured<'p, M, G> {
    /// Pieces are measured by `measure`, the glue of `plan` by `count`.
    pub const fn new(measure: M, plan: &'p Plan, count: G) -> Self {
        Self { measure, plan, count }
    }
}

impl<M: Measure, G: FnMut(&str) -> Result<usize>> Sizes for Measured<'_, M, G> {
    fn piece(&mut self, piece: Span) -> Result<f64> {
        self.measure.size(piece).map(number)
    }

    fn glue(&mut self, separator: usize) -> Result<f64> {
        (self.count)(self.plan.glue(separator)).map(number)
    }
}

#[allow(clippy::cast_precision_loss, reason = "no text has 2^53 characters")]
const fn number(size: usize) -> f64 {
    size as f64
}

/// Chunks in order, and what was found odd on the way.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The chunks.
    pub chunks: Vec<Chunk>,
    /// Sizes over the limit that chunks had when they were closed.
    pub oversizes: Vec<f64>,
}

/// A chunk: most are slices of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// A slice of the text.
    Slice(Span),
    /// Pieces that are no neighbours in the text, or were joined by a separator other than the one
    /// that stood between them.
    Joined {
        /// Byte of the text at which it begins.
        start: usize,
        /// Its parts in order.
        parts: Vec<JoinedPart>,
    },
}

impl Chunk {
    /// Byte of the text at which it begins, once stripped.
    pub const fn start(&self) -> usize {
        match self {
            Self::Slice(span) => span.start,
            Self::Joined { start, .. } => *start,
        }
    }
}

/// A part of a joined chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinedPart {
    /// A slice of the text.
    Text(Span),
    /// A slice of the glue of the separator with this number.
    Glue(usize, Span),
}
