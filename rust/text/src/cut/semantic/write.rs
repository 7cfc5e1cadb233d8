//! Chunks of groups of pieces, and the boundaries between them.

use super::Scored;
use super::limit::MAX_TRIES;
use super::sequence::Sequence;
use crate::boundaries::{Boundaries, Verdict};
use crate::chunks::Chunks;
use crate::cut::chunker::Chunker;
use crate::cut::levels::Natural;
use crate::cut::pack::add_chunks;
use crate::error::Result;
use crate::span::Span;

/// The chunks of all groups, with as much overlap as the limit allows; it moves no cut.
///
/// # Errors
/// Those of the measure and of the pulse.
pub fn write(chunker: Chunker<'_>, sequence: &Sequence<'_>, scored: &Scored) -> Result<Chunks> {
    let mut writer = Writer { chunker, sequence, scored, boundaries: Boundaries::default() };
    let mut from = 0;
    for end in 1..=sequence.len() {
        if scored.verdicts.get(end - 1) != Some(&Verdict::Whole) {
            writer.group(from, end)?;
            from = end;
        }
    }
    writer.boundaries.end_text(scored.threshold);
    Ok(writer.chunker.chunks.with_boundaries(writer.boundaries))
}

struct Writer<'a> {
    chunker: Chunker<'a>,
    sequence: &'a Sequence<'a>,
    scored: &'a Scored,
    boundaries: Boundaries,
}

impl Writer<'_> {
    /// Adds the pieces `from..end`: as one chunk, unless a caller's own counter now says otherwise.
    fn group(&mut self, from: usize, end: usize) -> Result<()> {
        let (mut from, mut most) = (from, end - from);
        if self.sequence.begins_part(from) {
            self.chunker.no_overlap_over = self.sequence.span(from..end).start;
        }
        while from < end {
            let to = self.fitting(from, end.min(from.saturating_add(most)))?;
            if to > from + 1 || self.fits(from, to)? {
                self.chunk(from, to)?;
            } else {
                self.parts(from)?;
            }
            let verdict = if to == end { self.scored.verdicts.get(to - 1) } else { None };
            self.boundary(to - 1, verdict.copied().unwrap_or(Verdict::limit(1)));
            // No group is measured to its end again and again.
            most = 2 * (to - from);
            from = to;
        }
        Ok(())
    }

    /// One past the last of the pieces `from..upto` that fit in one chunk; one piece at least.
    fn fitting(&self, from: usize, upto: usize) -> Result<usize> {
        let mut to = upto;
        for n_tries in 0.. {
            if to <= from + 1 || self.fits(from, to)? {
                break;
            }
            to = if n_tries < MAX_TRIES { to - 1 } else { from + (to - from) / 2 };
        }
        Ok(to.max(from + 1))
    }

    fn fits(&self, from: usize, to: usize) -> Result<bool> {
        let span = self.sequence.span(from..to);
        self.chunker.fits(span.start, span.end)
    }

    /// Adds a chunk of the pieces `from..to`.
    fn chunk(&mut self, from: usize, to: usize) -> Result<()> {
        for i in from..to - 1 {
            self.boundary(i, Verdict::Whole);
        }
        let body = self.sequence.span(from..to);
        let open = self.chunker.open_beside(body)?;
        self.chunker.push(open, body.start, body.end)
    }

    /// Adds a piece that exceeds the limit: a grapheme that cannot be cut, or what a caller's own counter
    /// found smaller before.
    fn parts(&mut self, piece: usize) -> Result<()> {
        let (text, n_chunks) = (self.chunker.text, self.chunker.chunks.len());
        let Span { start, end } = self.sequence.span(piece..piece + 1);
        let mut levels = [Natural::Lines(text), Natural::Clauses(text), Natural::Words(text)];
        add_chunks(&mut self.chunker, &mut levels, start, end)?;
        for i in n_chunks + 1..self.chunker.chunks.len() {
            let end = self.chunker.chunks.body(i - 1).end;
            self.boundaries.push(end, 0.0, Verdict::limit(1));
        }
        Ok(())
    }

    /// Adds the boundary behind piece `i`; there is none at the end of the text.
    fn boundary(&mut self, i: usize, verdict: Verdict) {
        if let Some(&score) = self.scored.scores.get(i) {
            self.boundaries.push(self.sequence.span(i..i + 1).end, score, verdict);
        }
    }
}
