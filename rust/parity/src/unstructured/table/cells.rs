//! Split of a row over the limit between its cells, and of a cell within its text.

use super::measured::{Measured, joined};
use super::td;
use crate::unstructured::fragments;
use chunkwright_text::error::Result;
use chunkwright_text::grid::{Cell, Grid};
use chunkwright_text::span::Span;

/// Tokens that are set aside for the HTML around a part of a cell.
const MARKUP_TOKENS: usize = 10;

/// A cell of the row that is split.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// One of the table, in [`chunkwright_text::grid::Grid::cells`].
    Own(usize),
    /// An empty one over so many columns.
    Blank(usize),
}

/// How a row is split.
#[derive(Clone, Copy)]
pub struct Splitting {
    /// The size of the largest part.
    pub max: usize,
    /// Adds a cell that spans so many rows at most.
    pub write: fn(&mut String, &Grid, &Cell, usize),
}

/// Takes what the parts say, and their cells as HTML.
pub type Sink<'a> = &'a mut dyn FnMut(Span, &str) -> Result<()>;

/// Splits a row so that each part fits. O(n log `max`).
///
/// # Errors
/// Those of the ruler, of `sink`, and what the pulse says.
pub fn split(
    table: &Measured<'_>,
    row: impl Iterator<Item = Part>,
    how: Splitting,
    sink: Sink<'_>,
) -> Result<()> {
    let mut held =
        Held { table, how, html: String::new(), n_blanks: 0, text: Span::default(), size: 0 };
    for piece in row {
        if !held.fits(piece)? {
            held.flush(sink)?;
        }
        if held.fits(piece)? {
            held.hold(piece)?;
        } else if let Part::Own(cell) = piece {
            split_cell(table, &table.grid.cells[cell], how.max, sink)?;
        }
    }
    held.flush(sink)
}

/// Cells that are held until no more fit.
struct Held<'a, 't> {
    table: &'a Measured<'t>,
    how: Splitting,
    html: String,
    n_blanks: usize,
    text: Span,
    size: usize,
}

impl Held<'_, '_> {
    /// What the cells would say with one more.
    fn with(&self, piece: Part) -> Span {
        match piece {
            Part::Own(cell) => joined(self.text, self.table.grid.cells[cell].text),
            Part::Blank(_) => self.text,
        }
    }

    fn is_blank(&self, piece: Part) -> bool {
        match piece {
            Part::Own(cell) => self.table.grid.cells[cell].text.is_empty(),
            Part::Blank(_) => true,
        }
    }

    fn fits(&self, piece: Part) -> Result<bool> {
        let is_blank = self.is_blank(piece);
        let size = if is_blank { self.size } else { self.table.size(self.with(piece))? };
        Ok(size.saturating_add(self.n_blanks + usize::from(is_blank)) <= self.how.max)
    }

    fn hold(&mut self, piece: Part) -> Result<()> {
        if self.is_blank(piece) {
            self.n_blanks += 1;
        } else {
            self.text = self.with(piece);
            self.size = self.table.size(self.text)?;
        }
        match piece {
            Part::Own(cell) => {
                let grid = self.table.grid;
                (self.how.write)(&mut self.html, grid, &grid.cells[cell], 1);
            }
            Part::Blank(colspan) => td::push_blank(&mut self.html, colspan, 1),
        }
        Ok(())
    }

    fn flush(&mut self, sink: Sink<'_>) -> Result<()> {
        if !self.html.is_empty() {
            sink(self.text, &self.html)?;
            self.table.beat.after(self.html.len())?;
        }
        self.html.clear();
        (self.n_blanks, self.text, self.size) = (0, Span::default(), 0);
        Ok(())
    }
}

fn split_cell(table: &Measured<'_>, cell: &Cell, max: usize, sink: Sink<'_>) -> Result<()> {
    let (text, mut html) = (table.str(cell.text), String::new());
    let mut emit = |fragment: Span| {
        html.clear();
        let said = &text[fragment.range()];
        td::push(&mut html, said, cell.colspan, 1, td::Escape::Quotes);
        let (start, end) = (cell.text.start + fragment.start, cell.text.start + fragment.end);
        sink(Span::new(start, end), &html)?;
        table.beat.after(html.len())
    };
    if !table.counts_chars {
        let max = max.saturating_sub(MARKUP_TOKENS).max(1);
        return fragments::each(text, max, table.ruler, &mut emit);
    }
    let mut start = 0;
    while start < text.len() {
        let (fragment, next) = fragment(table, &text[start..], cell.colspan, max)?;
        emit(Span::new(start + fragment.start, start + fragment.end))?;
        start += next;
    }
    Ok(())
}

/// The first part of `text` whose HTML has at most `max` code points, and where the rest begins: split as
/// any text is, in the widest window for which it fits. O(`max` log `max`).
fn fragment(table: &Measured<'_>, text: &str, colspan: usize, max: usize) -> Result<(Span, usize)> {
    let (mut low, mut high) = (1, max.saturating_sub(td::wrapped_len(0, colspan)).max(1));
    let mut best = None;
    while low <= high {
        let window = usize::midpoint(low, high);
        let (fragment, next) = fragments::first(text, window, table.ruler)?;
        if html_len(&text[fragment.range()], colspan) <= max {
            best = Some((fragment, next));
            low = window + 1;
        } else {
            high = window - 1;
        }
    }
    Ok(best.unwrap_or_else(|| {
        let end = longest(text, colspan, max);
        (Span::new(0, end), end)
    }))
}

/// Code points of the HTML of a part of a cell.
fn html_len(fragment: &str, colspan: usize) -> usize {
    td::wrapped_len(fragment.trim_matches(' ').chars().map(td::escaped_len).sum(), colspan)
}

/// The end of the longest beginning of `text` whose HTML has at most `max` code points, and of its first
/// character at least.
fn longest(text: &str, colspan: usize, max: usize) -> usize {
    let mut best = text.chars().next().map_or(0, char::len_utf8);
    let (mut written, mut blanks) = (0, 0);
    for (at, c) in text.char_indices() {
        if c == ' ' {
            // At the start and at the end it is not written.
            blanks += usize::from(written > 0);
        } else {
            written += blanks + td::escaped_len(c);
            blanks = 0;
        }
        if td::wrapped_len(written, colspan) > max {
            break;
        }
        best = best.max(at + c.len_utf8());
    }
    best
}
