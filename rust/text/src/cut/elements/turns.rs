//! Parts of turns over the limit, and chunks that go on in a turn: the name of the speaker in front.

use super::ElementCutter;
use crate::cut::prefix::Prefixed;
use crate::cut::speakers::{Speakers, behind_label};
use crate::error::Result;
use crate::options::Limits;
use crate::pulse::CHUNK_BYTES;
use crate::span::{Piece, Span};
use crate::unicode::space::trim_end;

impl ElementCutter<'_> {
    /// Adds a chunk of `span` that starts at `open` with its overlap, the name of the speaker in front where it goes
    /// on in a turn. If all that does not fit, the overlap is left out, then the name.
    pub(super) fn push(&mut self, open: usize, span: Span) -> Result<()> {
        if self.document.turns().is_empty() {
            return self.chunker.push(open, span.start, span.end);
        }
        let open = behind_label(self.document, open, span.start);
        for open in [open, span.start] {
            let Some(label) = self.speakers()?.label(open)? else {
                return self.chunker.push(open, span.start, span.end);
            };
            if self.push_behind(label, open, span)? {
                return Ok(());
            }
        }
        self.chunker.push(span.start, span.start, span.end)
    }

    /// Adds the next part of a turn, of which `rest` is left, and returns where the one behind it may begin.
    ///
    /// The first part is not cut between the name of the speaker and the words, and has no overlap; the others repeat
    /// the name.
    pub(super) fn add_named(&mut self, rest: Span) -> Result<usize> {
        let (start, limits) = (rest.start, self.chunker.limits);
        let words = self.document.words_in(rest);
        let overlap = if words.is_some() { 0 } else { limits.overlap() };
        let Self { chunker, ruler, document, levels, .. } = &mut *self;
        let prefixed = Prefixed { chunker, ruler: *ruler, bare: ruler.size("")?, limits };
        let label = Speakers { document: *document, prefixed }.label(start)?;
        let prefix = prefixed.prefix(label.into_iter().collect())?;
        let room = prefixed.room(&prefix, limits.hard_max());
        let found = prefixed.best_end(&prefix, levels, rest, words.unwrap_or(start), overlap)?;
        let Some(end) = found else {
            let end = self.chunker.indivisible(start)?.min(rest.end);
            self.push(start, Span::new(start, end))?;
            return Ok(end);
        };
        let body = Span::new(start, trim_end(self.chunker.text, start, end));
        let left = overlap.min(room.saturating_sub(self.chunker.size(body)?));
        self.chunker.limits = Limits::new(limits.hard_max(), limits.given_soft_max(), left)?;
        let open = self.chunker.open_beside(body);
        self.chunker.limits = limits;
        self.push(open?, body)?;
        Ok(end)
    }

    /// Whether a text that fits by itself goes on in a turn whose speaker's name does not fit in front of it.
    pub(super) fn goes_over_with_name(&self, span: Span) -> Result<bool> {
        if self.document.speaker_label(span.start).is_none() {
            return Ok(false);
        }
        let speakers = self.speakers()?;
        let prefix = speakers.prefixed.prefix(speakers.label(span.start)?.into_iter().collect())?;
        Ok(!speakers.prefixed.fits(&prefix, span)?)
    }

    /// Adds the chunk `open..span.end` behind a label, if both fit, and says whether they do.
    fn push_behind(&mut self, label: Piece, open: usize, span: Span) -> Result<bool> {
        let prefixed = self.speakers()?.prefixed;
        let prefix = prefixed.prefix(vec![label])?;
        let size = prefixed.size(&prefix, Span::new(open, span.end))?;
        if size > self.chunker.limits.hard_max() {
            return Ok(false);
        }
        self.chunker.beat.after(span.len() + CHUNK_BYTES)?;
        let mut pieces = vec![label];
        if open < span.start {
            pieces.push(Piece::overlap(Span::new(open, span.start)));
        }
        pieces.push(Piece::body(span));
        self.chunker.chunks.push_pieces(&pieces, size);
        Ok(true)
    }

    /// The names that chunks repeat.
    fn speakers(&self) -> Result<Speakers<'_, '_>> {
        let Self { chunker, ruler, document, .. } = self;
        let (bare, limits) = (ruler.size("")?, chunker.limits);
        let prefixed = Prefixed { chunker, ruler: *ruler, bare, limits };
        Ok(Speakers { document: *document, prefixed })
    }
}
