//! Chunks of groups of atoms: headings, table headers and overlaps in front of their own text.

use std::ops::Range;

use super::{Atom, SectionCutter};
use crate::chunks::{Content, Origin};
use crate::cut::speakers::behind_label;
use crate::error::Result;
use crate::options::Limits;
use crate::pulse::CHUNK_BYTES;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::trim_end;

/// The try of those below in which no heading is left out that takes no more than half of the limit.
const FEWER: usize = 2;

impl SectionCutter<'_> {
    /// Adds a chunk of each group of atoms.
    pub(super) fn write(&mut self, groups: &[Range<usize>]) -> Result<()> {
        for (i, group) in groups.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| &groups[i]);
            let open = self.open(before, group)?;
            self.write_chunk(group, open)?;
        }
        Ok(())
    }

    /// Adds the chunk of a group.
    fn write_chunk(&mut self, group: &Range<usize>, open: usize) -> Result<()> {
        let body = self.body(group);
        self.chunker.beat.after(body.len() + CHUNK_BYTES)?;
        let (mut pieces, mut size, has_header) = self.repeated(group, open)?;
        pieces.push(Piece::body(body));
        let table = self.atoms[group.start].table.as_ref().filter(|_| group.len() == 1);
        if let Some(table) = table.filter(|table| has_header || table.header.is_empty())
            && !table.footer.is_empty()
        {
            let all = [&pieces[..], &table.footer].concat();
            let closed = self.prefixed().prefix(all)?;
            if closed.size <= self.limits.hard_max() {
                (pieces, size) = (closed.pieces, closed.size);
            }
        }
        let origin = self.origin(group, has_header);
        let html = self.html(group, origin);
        let chunks = &mut self.chunker.chunks;
        chunks.push_pieces(&pieces, size);
        if size > self.limits.hard_max() {
            chunks.mark_oversize();
        }
        chunks.set_origin(origin);
        if let Some(html) = html {
            chunks.set_html(html);
        }
        Ok(())
    }

    /// What a chunk that begins at `open` repeats in front of its own text, as much as fits, its size, and whether
    /// the header of a table is among that: first the overlap is left out, then headings, the outermost first, then
    /// the header.
    fn repeated(&self, group: &Range<usize>, open: usize) -> Result<(Vec<Piece>, usize, bool)> {
        let (body, atom) = (self.body(group), &self.atoms[group.start]);
        let header = atom.table.as_ref().map_or(&[][..], |table| &table.header);
        let most = atom.most_headings;
        let tries = [
            (open, most, header),
            (body.start, most, header),
            (body.start, most.min(self.limits.hard_max() / 2), header),
            (body.start, 0, header),
            (body.start, 0, &[]),
        ];
        let mut found = (Vec::new(), 0, true);
        for (n, &(open, most, header)) in tries.iter().enumerate() {
            let prefix = self.prefix(atom.path, open, most, header)?;
            let size = self.size(&prefix, Span::new(open, body.end))?;
            let mut pieces = prefix.pieces;
            if open < body.start {
                pieces.push(Piece::overlap(Span::new(open, body.start)));
            }
            found = (pieces, size, !header.is_empty());
            if size <= self.limits.hard_max() {
                break;
            }
            if n == FEWER
                && let Some((prefix, size)) = self.with_fewer(&found.0, body)?
            {
                return Ok((prefix, size, !header.is_empty()));
            }
        }
        if found.1 > self.limits.hard_max() && !found.0.is_empty() {
            // Beside one grapheme there may be no room for the name of its speaker.
            return Ok((Vec::new(), self.chunker.size(body)?, false));
        }
        Ok(found)
    }

    /// `pieces` without so many of the headings that they begin with that `body` fits behind them, and the size of
    /// both; none if there is no room beside what else they are.
    fn with_fewer(&self, pieces: &[Piece], body: Span) -> Result<Option<(Vec<Piece>, usize)>> {
        let is_heading = |piece: &&Piece| piece.role == Role::Heading;
        let n_headings = pieces.iter().take_while(is_heading).count();
        for n_left_out in 1..n_headings {
            let prefix = self.prefixed().prefix(pieces[n_left_out..].to_vec())?;
            let size = self.size(&prefix, body)?;
            if size <= self.limits.hard_max() {
                return Ok(Some((prefix.pieces, size)));
            }
        }
        Ok(None)
    }

    /// Where the chunk of `group` begins with its overlap, which is in the same section as `before`.
    fn open(&mut self, before: Option<&Range<usize>>, group: &Range<usize>) -> Result<usize> {
        let (body, atom) = (self.body(group), &self.atoms[group.start]);
        let goes_on = |before: &Range<usize>| {
            let last = &self.atoms[before.end - 1];
            last.path == atom.path && last.is_joinable()
        };
        let is_apart = atom.opens.is_some() || !atom.is_joinable();
        if self.limits.overlap() == 0 || is_apart || !before.is_some_and(goes_on) {
            return Ok(body.start);
        }
        let prefix = self.prefix(atom.path, body.start, atom.most_headings, &[])?;
        let hard = self.room(&prefix, self.limits.hard_max());
        let hard = hard.saturating_sub(self.size_of_speaker(body.start)?).max(1);
        let size = self.chunker.size(body)?;
        let overlap = self.limits.overlap().min(hard.saturating_sub(size));
        self.chunker.limits = Limits::new(hard.max(overlap + 1), None, overlap)?;
        let open = self.chunker.open_beside(body)?;
        // A heading that is repeated is none that the overlap goes through.
        let headings = prefix.pieces.iter().rfind(|piece| piece.role == Role::Heading);
        let open = match headings {
            Some(heading) if heading.span.end > open => heading.span.end.min(body.start),
            _ => open,
        };
        Ok(behind_label(self.document, open, body.start))
    }

    /// The size of the label of the turn that ends before `at`, where another one begins: an overlap repeats it.
    fn size_of_speaker(&self, at: usize) -> Result<usize> {
        let before = trim_end(self.text(), 0, at);
        if self.document.speaker_label(at).is_some() || before == 0 {
            return Ok(0);
        }
        let last = self.text().floor_char_boundary(before - 1);
        let label = self.speakers().label(last)?;
        let size = |piece: Piece| Ok(self.chunker.size(piece.span)?.saturating_sub(self.bare));
        label.map_or(Ok(0), size)
    }

    /// What the chunk of a group is made of.
    fn origin(&self, group: &Range<usize>, has_header: bool) -> Origin {
        let (first, last) = (&self.atoms[group.start], &self.atoms[group.end - 1]);
        let (content, n_header_rows) = match &first.table {
            Some(table) if group.len() == 1 => match &table.part {
                Some((_, n_rows)) => (Content::TablePart, if has_header { *n_rows } else { 0 }),
                None => (Content::Table, 0),
            },
            _ => (Content::Text, 0),
        };
        let (start, end) = (first.elements.start, last.elements.end);
        // Parts that were joined count as one.
        let before = self.chunker.chunks.origins().last().map_or(0, |before| before.part);
        let part = if first.part == 0 { 0 } else { before + 1 };
        Origin { content, first: start, end, part, n_header_rows }
    }

    /// The HTML of a table, or of rows of one.
    fn html(&self, group: &Range<usize>, origin: Origin) -> Option<String> {
        let Atom { table: Some(table), .. } = &self.atoms[group.start] else { return None };
        let items = self.document.elements().unwrap_or_default();
        let grid = items[table.element].grid.as_deref().filter(|grid| !grid.html.is_empty())?;
        match (&table.part, origin.content) {
            (None, Content::Table) => Some(grid.html.clone()),
            (Some((shown, _)), Content::TablePart) => {
                shown.html(self.text(), grid, origin.n_header_rows)
            }
            _ => None,
        }
    }
}
