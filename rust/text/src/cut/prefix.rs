//! Prefixes of chunks: what is repeated before their own text, and the room that it leaves.
//!
//! Texts with something repeated in front do not stand in the document, so a [`Ruler`] measures them. As that
//! costs the length of the text each time, sizes of prefix and span are added up to look where a limit runs out,
//! and only what is near it is measured as it is.

use super::chunker::Chunker;
use super::levels::Level;
use super::pack::best_end;
use crate::error::Result;
use crate::measure::ruler::Ruler;
use crate::options::Limits;
use crate::span::{Piece, Span};
use crate::unicode::space::trim_end;

/// By so much the size of two texts may be off the sum of theirs, but for odd counters.
const SLACK: usize = 8;

/// Ends that do not fit although they lie within reach are few, as sizes are nearly monotone.
const MAX_TRIES: usize = 16;

/// So often less is tried where a text and what stands before it take more than both by themselves.
const MAX_LESS: usize = 4;

/// Pieces in front of a chunk's own text, and their size.
#[derive(Clone, Debug, Default)]
pub struct Prefix {
    pub pieces: Vec<Piece>,
    pub size: usize,
}

/// Measures chunks with what stands in front of their own text.
#[derive(Clone, Copy)]
pub struct Prefixed<'c, 'a> {
    pub chunker: &'c Chunker<'a>,
    /// Measures texts that are put together.
    pub ruler: &'c dyn Ruler,
    /// The size of nothing, which each text has on top: special tokens.
    pub bare: usize,
    pub limits: Limits,
}

impl Prefixed<'_, '_> {
    /// The prefix of `pieces`.
    pub fn prefix(&self, pieces: Vec<Piece>) -> Result<Prefix> {
        if pieces.is_empty() {
            return Ok(Prefix { size: self.bare, ..Prefix::default() });
        }
        let size = self.size_joined(&pieces, None)?;
        Ok(Prefix { pieces, size })
    }

    /// The size of `span` behind `prefix`, exactly.
    pub fn size(&self, prefix: &Prefix, span: Span) -> Result<usize> {
        if prefix.pieces.is_empty() {
            return self.chunker.size(span);
        }
        self.size_joined(&prefix.pieces, Some(span))
    }

    fn size_joined(&self, pieces: &[Piece], own: Option<Span>) -> Result<usize> {
        let spans = || pieces.iter().map(|piece| piece.span).chain(own);
        let Chunker { source, measure, ref beat, .. } = *self.chunker;
        beat.after(spans().map(Span::len).sum())?;
        self.ruler.size_joined(source, measure, &mut spans())
    }

    /// Whether `span` fits behind `prefix`; where sizes add up as they do, without looking at both.
    pub fn fits(&self, prefix: &Prefix, span: Span) -> Result<bool> {
        let (own, most) = (self.chunker.size(span)?, self.limits.hard_max());
        if prefix.pieces.is_empty() || own > most {
            return Ok(own <= most);
        }
        let sum = (prefix.size + own).saturating_sub(self.bare);
        if self.ruler.counts_chars() || sum.abs_diff(most) > SLACK {
            return Ok(sum <= most);
        }
        Ok(self.size(prefix, span)? <= most)
    }

    /// The room that `prefix` leaves of `limit`, at least 1.
    pub fn room(&self, prefix: &Prefix, limit: usize) -> usize {
        (limit + self.bare).saturating_sub(prefix.size).max(1)
    }

    /// Whether `prefix` leaves a quarter of the limit.
    pub fn has_room(&self, prefix: &Prefix) -> bool {
        let most = self.limits.hard_max();
        prefix.pieces.is_empty() || prefix.size <= most - most / 4
    }

    /// The greatest end up to `last` for which `span` fits behind `prefix`; over the soft limit nothing is
    /// added. None if not even the first one fits.
    pub fn fill(
        &self,
        prefix: &Prefix,
        first: usize,
        last: usize,
        span: impl Fn(usize) -> Span,
    ) -> Result<Option<usize>> {
        if !self.fits(prefix, span(first + 1))? {
            return Ok(None);
        }
        let (start, limits, measure) = (span(first + 1).start, self.limits, self.chunker.measure);
        let hard = measure.longest(start, self.room(prefix, limits.hard_max()))?;
        let soft = match self.room(prefix, limits.soft_max()) {
            _ if limits.soft_max() == limits.hard_max() => hard,
            room => measure.longest(start, room)?,
        };
        let mut end = first + 1;
        while end < last && span(end).end <= soft && span(end + 1).end <= hard {
            end += 1;
        }
        for end in (first + 2..=end).rev().take(MAX_TRIES) {
            if self.fits(prefix, span(end))? {
                return Ok(Some(end));
            }
        }
        Ok(Some(first + 1))
    }

    /// The best end of a part of `text` from its start on behind `prefix`, behind `least` if it can, room kept
    /// for an overlap; none if nothing fits.
    pub fn best_end(
        &self,
        prefix: &Prefix,
        levels: &mut [impl Level],
        text: Span,
        least: usize,
        overlap: usize,
    ) -> Result<Option<usize>> {
        let Self { chunker, limits, .. } = *self;
        let (start, body) = (text.start, text.start.max(least));
        let mut hard = self.room(prefix, limits.hard_max());
        let soft = self.room(prefix, limits.soft_max());
        for _ in 0..MAX_LESS {
            let overlap = overlap.min(hard / 2);
            let most = (hard - overlap).max(1);
            // A heading and one line are no chunk, if the text behind them goes on in sentences.
            let least = most / 4;
            let limits = Limits::new(most, Some((soft - overlap.min(soft)).clamp(1, most)), 0)?;
            let chunker = chunker.within(limits);
            let mut found = best_end(&chunker, levels, start, body, text.end, least)?;
            if found.is_none() && body > start {
                found = best_end(&chunker, levels, start, start, text.end, least)?;
            }
            let Some(boundary) = found else { return Ok(None) };
            let size =
                self.size(prefix, Span::new(start, trim_end(chunker.text, start, boundary.cut)))?;
            let over = size.saturating_sub(self.limits.hard_max());
            if over == 0 {
                return Ok(Some(boundary.cut));
            }
            if over >= hard {
                return Ok(None);
            }
            hard -= over;
        }
        Ok(None)
    }
}
