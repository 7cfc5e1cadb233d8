//! Split of a row over the limit inside an oversized group, between its cells and within them.

use super::OversizedGroup;
use super::out::Out;
use crate::unstructured::table::cells::{self, Part, Splitting};
use crate::unstructured::table::{source, td};
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

impl OversizedGroup<'_, '_> {
    /// Splits the row, empty cells in place of what reaches into it.
    pub(super) fn split_row(&mut self, row: usize) -> Result<()> {
        let pieces = self.pieces(row);
        let max = self.room(&pieces);
        let mut row = PendingRow::default();
        let how = Splitting { max, write: source::push_rebuilt };
        cells::split(self.table, pieces.into_iter(), how, &mut |text, html| {
            if text.is_empty() {
                row.blanks.push_str(html);
                return Ok(());
            }
            row.flush(self.parts);
            row.text = text;
            row.html.push_str(&row.blanks);
            row.html.push_str(html);
            row.blanks.clear();
            Ok(())
        })?;
        row.finish();
        row.flush(self.parts);
        Ok(())
    }

    /// The row's cells with texts, neighbouring empty ones as one.
    fn pieces(&self, row: usize) -> Vec<Part> {
        let mut pieces = Vec::new();
        for out in self.blanked(row) {
            let blank = match out {
                Out::Own(cell, _) => {
                    let own = &self.table.grid.cells[cell];
                    if !own.text.is_empty() {
                        pieces.push(Part::Own(cell));
                        continue;
                    }
                    own.colspan
                }
                Out::Label(_, colspan, _) | Out::Blank(colspan, _) => colspan,
                Out::Run(_) => 0,
            };
            if let Some(Part::Blank(colspan)) = pieces.last_mut() {
                *colspan = colspan.saturating_add(blank);
            } else {
                pieces.push(Part::Blank(blank));
            }
        }
        pieces
    }

    /// What a part may have beside the empty cells: all of it, if they would take most.
    fn room(&self, pieces: &[Part]) -> usize {
        if !self.table.counts_chars {
            return self.max;
        }
        let (mut blanks, mut least) = (0, 0);
        for piece in pieces {
            match *piece {
                Part::Own(cell) => {
                    least = least.max(td::wrapped_len(1, self.table.grid.cells[cell].colspan));
                }
                Part::Blank(colspan) => blanks += td::blank_len(colspan),
            }
        }
        let useful = (self.max.saturating_sub(least) / 2).max(1);
        let room = self.max.saturating_sub(blanks);
        if room < least + useful { self.max } else { room }
    }
}

/// A part that waits for empty cells behind it.
#[derive(Default)]
struct PendingRow {
    text: Span,
    html: String,
    /// Empty cells that stand before the next text.
    blanks: String,
}

impl PendingRow {
    fn flush(&mut self, parts: &mut super::Parts) {
        if !self.text.is_empty() {
            parts.push_row(self.text, &self.html);
        }
        self.text = Span::default();
        self.html.clear();
    }

    /// Adds the empty cells at the end: where the first row ends, which is a cell's own if that is a
    /// table.
    fn finish(&mut self) {
        let at = self.html.find(td::CLOSE).unwrap_or(self.html.len());
        self.html.insert_str(at, &self.blanks);
    }
}
