//! Combination of small pre-chunks with those that follow them.

use super::Context;
use super::prechunk::{PreChunk, PreChunks};
use chunkwright_read::unstructured::SEPARATOR;
use chunkwright_text::error::Result;
use chunkwright_text::offsets::count_chars;
use chunkwright_text::span::Span;

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
    /// Of its own text, in code points; 0 in other units.
    own: usize,
}

impl<'a> Combined<'a> {
    /// The pre-chunks of a document.
    pub fn new(context: &'a Context<'a>) -> Self {
        Self { context, pre_chunks: PreChunks::new(context), held: None }
    }

    /// The next one. O(its text): sizes in code points are added up, others told of spans of all text.
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn next(&mut self) -> Result<Option<PreChunk>> {
        if self.context.packing.combine_under == 0 {
            return self.pre_chunks.next();
        }
        while let Some(pre_chunk) = self.pre_chunks.next()? {
            let next = self.sized(pre_chunk)?;
            let Some(held) = self.held.take() else {
                self.held = Some(next);
                continue;
            };
            if let Some(both) = self.joined(&held, &next)? {
                self.held = Some(both);
            } else {
                self.held = Some(next);
                return Ok(Some(held.pre_chunk));
            }
        }
        Ok(self.held.take().map(|held| held.pre_chunk))
    }

    /// Two pre-chunks as one; none if they stay apart.
    fn joined(&self, held: &Measured, next: &Measured) -> Result<Option<Measured>> {
        let packing = self.context.packing;
        let is_table = held.pre_chunk.is_table || next.pre_chunk.is_table;
        if is_table || held.size >= packing.combine_under {
            return Ok(None);
        }
        let pre_chunk = together(&held.pre_chunk, &next.pre_chunk);
        let both = if self.context.counts_chars {
            let (size, own) = (sum(held.size, next.own), held.own + next.own);
            Measured { pre_chunk, size, own }
        } else {
            self.sized(pre_chunk)?
        };
        Ok((both.size <= packing.hard_max).then_some(both))
    }

    fn sized(&self, pre_chunk: PreChunk) -> Result<Measured> {
        let context = self.context;
        if !context.counts_chars {
            let size = if let Some(span) = pre_chunk.in_place() {
                context.measure.size(span)?
            } else {
                let text = pre_chunk.text(context.text()).into_text(context.text());
                context.ruler.size(text.of(context.text()))?
            };
            return Ok(Measured { pre_chunk, size, own: 0 });
        }
        let own = self.n_chars(pre_chunk.own);
        let size = match (pre_chunk.in_place(), &pre_chunk.prefix) {
            (Some(span), _) => self.n_chars(span),
            (None, Some(prefix)) => sum(count_chars(prefix.of(context.text()).as_bytes()), own),
            (None, None) => own,
        };
        Ok(Measured { pre_chunk, size, own })
    }

    fn n_chars(&self, span: Span) -> usize {
        count_chars(self.context.text()[span.range()].as_bytes())
    }
}

/// The code points of two texts with a blank line between them.
const fn sum(first: usize, second: usize) -> usize {
    let between = if first == 0 || second == 0 { 0 } else { SEPARATOR.len() };
    first.saturating_add(second).saturating_add(between)
}

/// What both say, with what the first one repeats.
fn together(held: &PreChunk, next: &PreChunk) -> PreChunk {
    let own = match (held.own.is_empty(), next.own.is_empty()) {
        (true, false) => next.own,
        (_, true) => held.own,
        (false, false) => Span::new(held.own.start, next.own.end),
    };
    let elements = held.elements.start..next.elements.end;
    PreChunk { elements, prefix: held.prefix.clone(), own, is_table: held.is_table }
}
