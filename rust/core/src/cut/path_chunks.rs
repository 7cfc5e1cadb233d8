//! Chunks of a structured text: each under its path, which is repeated around it, small ones joined.

use crate::chunks::Chunks;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::Limits;
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::segment::grapheme;
use crate::span::{Piece, Role, Span};

/// The chunks so far, and what measures them.
pub struct PathChunks<'a> {
    pub text: &'a str,
    pub measure: &'a dyn Measure,
    pub limits: Limits,
    beat: Beat<'a>,
    chunks: Chunks,
    /// How the chunk added last was made, if another may be joined to it.
    before: Option<Made>,
}

/// A chunk that was made: what is repeated in front of it, and its own text.
struct Made {
    opening: Vec<Piece>,
    body: Span,
    size: usize,
}

impl<'a> PathChunks<'a> {
    /// No chunks yet.
    pub fn new(text: &'a str, measure: &'a dyn Measure, limits: Limits, pulse: Pulse<'a>) -> Self {
        let (beat, chunks) = (Beat::of_bytes(pulse), Chunks::default());
        Self { text, measure, limits, beat, chunks, before: None }
    }

    /// All that were added.
    pub fn into_chunks(self) -> Chunks {
        self.chunks
    }

    /// The size of a text put together of pieces.
    pub fn composed(&self, opening: &[Piece], body: Span, closing: &[Piece]) -> Result<usize> {
        if opening.is_empty() && closing.is_empty() {
            return self.measure.size(body);
        }
        let pieces = opening.iter().map(|piece| piece.span).chain([body]);
        let mut spans = pieces.chain(closing.iter().map(|piece| piece.span));
        match self.measure.ruler() {
            Some(ruler) => ruler.size_joined(self.text, self.measure, &mut spans),
            None => spans.map(|span| self.measure.size(span)).sum(),
        }
    }

    /// Adds a chunk whose path is repeated from the root of the text on, or joins it to the one before, if
    /// that is such a one, either is small and both fit into one.
    pub fn add(
        &mut self,
        opening: &[Piece],
        body: Span,
        closing: &[Piece],
        size: usize,
    ) -> Result<()> {
        let least = self.limits.min_size();
        let mut made = Made { opening: opening.to_vec(), body, size };
        if let Some(before) = self.before.take()
            && (before.size < least || size < least)
        {
            let both = Span::new(before.body.start, body.end);
            let joined = self.composed(&before.opening, both, closing)?;
            if joined <= self.limits.hard_max() {
                self.chunks.pop();
                made = Made { opening: before.opening, body: both, size: joined };
            }
        }
        self.add_alone(&made.opening, made.body, closing, made.size)?;
        self.before = Some(made);
        Ok(())
    }

    /// Adds a chunk to which no other is joined.
    pub fn add_alone(
        &mut self,
        opening: &[Piece],
        body: Span,
        closing: &[Piece],
        size: usize,
    ) -> Result<()> {
        self.before = None;
        self.beat.after(body.len() + CHUNK_BYTES)?;
        let pieces = [opening, &[Piece::body(body)][..], closing].concat();
        self.chunks.push_pieces(&pieces, size);
        if size > self.limits.hard_max() {
            self.chunks.mark_oversize();
        }
        Ok(())
    }

    /// The end of the first part of `rest` that fits, and its size, cut where `floor` says, which is given
    /// the most that there may be; one grapheme, or as much of it as fits, if nothing else does.
    pub fn part_that_fits(
        &self,
        rest: Span,
        floor: impl Fn(usize) -> usize,
    ) -> Result<(usize, usize)> {
        let (text, measure, hard) = (self.text, self.measure, self.limits.hard_max());
        let at = rest.start;
        let mut end = floor(measure.longest(at, hard)?.min(rest.end));
        let mut size = measure.size(Span::new(at, end))?;
        while end > at && size > hard {
            end = floor(text.floor_char_boundary(end - 1));
            size = measure.size(Span::new(at, end))?;
        }
        if end <= at {
            end = match grapheme::end(text, at) {
                Some(end) => end,
                None => measure.longest(at, hard)?.max(text.ceil_char_boundary(at + 1)),
            };
            end = end.min(rest.end);
            size = measure.size(Span::new(at, end))?;
        }
        Ok((end, size))
    }
}

/// A piece of the path, repeated before the text of a chunk or behind it.
pub const fn repeated(start: usize, end: usize, role: Role) -> Piece {
    Piece { span: Span::new(start, end), role }
}
