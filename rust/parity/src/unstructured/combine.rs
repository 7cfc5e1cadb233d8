//! Combination of small pre-chunks with those that follow them.

use super::Context;
use super::prechunk::{PreChunk, PreChunks};
use chunkwright_core::error::Result;
use chunkwright_core::offsets::count_chars;
use chunkwright_core::read::unstructured::SEPARATOR;
use chunkwright_core::span::Span;

/// Pre-chunks, of which those under a size are joined with the next.
pub struct Combined<'a> {
    context: &'a Context<'a>,
    pre_chunks: PreChunks<'a>,
    held: Option<Measured>,
}

/// A pre-chunk and the sizes of what it says.
#[derive(Debug)]
struct Measured {
    pre_chunk: PreChunk,
    /// Of all.
    size: usize,
    /// Of its own text.
    own: usize,
}

impl<'a> Combined<'a> {
    /// The pre-chunks of a document.
    pub fn new(context: &'a Context<'a>) -> Self {
        Self { context, pre_chunks: PreChunks::new(context), held: None }
    }

    /// The next one. O(its text), as sizes are added up.
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn next(&mut self) -> Result<Option<PreChunk>> {
        if self.context.packing.combine_under == 0 {
            return self.pre_chunks.next();
        }
        while let Some(pre_chunk) = self.pre_chunks.next()? {
            let next = self.sized(pre_chunk);
            let Some(held) = self.held.take() else {
                self.held = Some(next);
                continue;
            };
            let size = sum(held.size, next.own);
            if self.may_join(&held, &next, size) {
                self.held = Some(joined(held, &next, size));
            } else {
                self.held = Some(next);
                return Ok(Some(held.pre_chunk));
            }
        }
        Ok(self.held.take().map(|held| held.pre_chunk))
    }

    fn may_join(&self, held: &Measured, next: &Measured, size: usize) -> bool {
        let packing = self.context.packing;
        let is_table = held.pre_chunk.is_table || next.pre_chunk.is_table;
        !is_table && held.size < packing.combine_under && size <= packing.hard_max
    }

    /// Sizes are code points, whatever the unit is.
    fn sized(&self, pre_chunk: PreChunk) -> Measured {
        let own = self.size(pre_chunk.own);
        let size = match (pre_chunk.in_place(), &pre_chunk.prefix) {
            (Some(span), _) => self.size(span),
            (None, Some(prefix)) => {
                sum(count_chars(prefix.of(self.context.text()).as_bytes()), own)
            }
            (None, None) => own,
        };
        Measured { pre_chunk, size, own }
    }

    fn size(&self, span: Span) -> usize {
        count_chars(self.context.text()[span.range()].as_bytes())
    }
}

/// The size of two texts with a blank line between them.
const fn sum(first: usize, second: usize) -> usize {
    let between = if first == 0 || second == 0 { 0 } else { SEPARATOR.len() };
    first.saturating_add(second).saturating_add(between)
}

fn joined(held: Measured, next: &Measured, size: usize) -> Measured {
    let Measured { pre_chunk: PreChunk { elements, prefix, own, is_table }, own: n_own, .. } = held;
    let next_own = next.pre_chunk.own;
    let own = match (own.is_empty(), next_own.is_empty()) {
        (true, false) => next_own,
        (_, true) => own,
        (false, false) => Span::new(own.start, next_own.end),
    };
    let elements = elements.start..next.pre_chunk.elements.end;
    Measured {
        pre_chunk: PreChunk { elements, prefix, own, is_table },
        size,
        own: n_own + next.own,
    }
}
