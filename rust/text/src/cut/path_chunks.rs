//! Chunks of a structured text: each under its path, which is repeated around it, small ones joined.

use super::small::Neighbours;
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
    /// The chunk added last, if another may be joined to it.
    neighbours: Neighbours<Made>,
}

/// A chunk that is not written yet: what is repeated around it, its own text, and its size.
struct Made {
    opening: Vec<Piece>,
    body: Span,
    closing: Vec<Piece>,
    size: usize,
}

impl<'a> PathChunks<'a> {
    /// No chunks yet.
    pub fn new(text: &'a str, measure: &'a dyn Measure, limits: Limits, pulse: Pulse<'a>) -> Self {
        let (beat, chunks) = (Beat::of_bytes(pulse), Chunks::default());
        let neighbours = Neighbours::new(limits.min_size());
        Self { text, measure, limits, beat, chunks, neighbours }
    }

    /// All that were added.
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn into_chunks(mut self) -> Result<Chunks> {
        self.write_last()?;
        Ok(self.chunks)
    }

    /// The size of a text put together of pieces.
    pub fn composed(&self, opening: &[Piece], body: Span, closing: &[Piece]) -> Result<usize> {
        size_of(self.text, self.measure, opening, body, closing)
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
        let made = |opening: &[Piece], body, size| {
            let closing = closing.to_vec();
            (Made { opening: opening.to_vec(), body, closing, size }, size)
        };
        let Self { text, measure, limits, neighbours, .. } = self;
        let done = neighbours.add(made(opening, body, size).0, size, |before| {
            let both = Span::new(before.body.start, body.end);
            let size = size_of(text, *measure, &before.opening, both, closing)?;
            Ok((size <= limits.hard_max()).then(|| made(&before.opening, both, size)))
        })?;
        done.map_or(Ok(()), |done| self.write(&done))
    }

    /// Adds a chunk to which no other is joined.
    pub fn add_alone(
        &mut self,
        opening: &[Piece],
        body: Span,
        closing: &[Piece],
        size: usize,
    ) -> Result<()> {
        self.write_last()?;
        let (opening, closing) = (opening.to_vec(), closing.to_vec());
        self.write(&Made { opening, body, closing, size })
    }

    fn write_last(&mut self) -> Result<()> {
        let last = self.neighbours.finish();
        last.map_or(Ok(()), |last| self.write(&last))
    }

    fn write(&mut self, Made { opening, body, closing, size }: &Made) -> Result<()> {
        self.beat.after(body.len() + CHUNK_BYTES)?;
        let pieces = [opening, &[Piece::body(*body)][..], closing].concat();
        self.chunks.push_pieces(&pieces, *size);
        if *size > self.limits.hard_max() {
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

/// The size of `body` between what is repeated around it.
fn size_of(
    text: &str,
    measure: &dyn Measure,
    opening: &[Piece],
    body: Span,
    closing: &[Piece],
) -> Result<usize> {
    if opening.is_empty() && closing.is_empty() {
        return measure.size(body);
    }
    let pieces = opening.iter().map(|piece| piece.span).chain([body]);
    let mut spans = pieces.chain(closing.iter().map(|piece| piece.span));
    match measure.ruler() {
        Some(ruler) => ruler.size_joined(text, measure, &mut spans),
        None => spans.map(|span| measure.size(span)).sum(),
    }
}

/// A piece of the path, repeated before the text of a chunk or behind it.
pub const fn repeated(start: usize, end: usize, role: Role) -> Piece {
    Piece { span: Span::new(start, end), role }
}
