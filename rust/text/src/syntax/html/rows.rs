//! Source of the rows of an element, for tables to be put together of them.

use super::lexer::{Attribute, Dialect, Irregular};
use super::strict::{Events, Shape, walk};
use super::words;
use super::write::{self, Verbatim};
use crate::span::Span;

/// Rows and cells of an element, and all HTML of the rows.
#[derive(Debug, Default)]
pub struct Rows {
    html: String,
    items: Vec<SourceRow>,
    cells: Vec<Cell>,
    /// The cells of so many rows are wanted.
    n_with_cells: usize,
    writer: Verbatim,
    depth: usize,
    is_in_section: bool,
    row_depth: Option<usize>,
    /// The text of the cell that is open.
    text: Option<String>,
    /// Whether a text that comes now stands behind the last row.
    is_behind_row: bool,
}

#[derive(Clone, Copy, Debug)]
struct SourceRow {
    html: Span,
    /// With the text behind it.
    end: usize,
    cells: Span,
}

/// A cell: what it says, and the values of its spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its text, normalised.
    pub text: String,
    /// The values of `colspan` and `rowspan`.
    pub spans: [Option<String>; 2],
}

/// The attributes that say how far a cell reaches.
pub const SPANS: [&str; 2] = ["colspan", "rowspan"];

#[allow(clippy::len_without_is_empty, reason = "nobody asks")]
impl Rows {
    /// The rows of the one element that `html` is, those of its own and of its sections, and the cells of the
    /// first `n_with_cells` of them. None if it is not one element. O(n).
    pub fn read(
        html: &str,
        dialect: Dialect,
        n_with_cells: usize,
    ) -> Result<Option<Self>, Irregular> {
        let mut rows = Self { n_with_cells, ..Self::default() };
        let shape = walk(html, dialect, &mut rows)?;
        Ok((shape == Shape::One).then_some(rows))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Row `i` without the text behind it, and that text.
    pub fn html(&self, i: usize) -> (&str, &str) {
        let SourceRow { html, end, .. } = self.items[i];
        (&self.html[html.range()], &self.html[html.end..end])
    }

    /// The rows from `i` on, with what stands behind each.
    pub fn html_from(&self, i: usize) -> &str {
        self.items.get(i).map_or("", |row| &self.html[row.html.start..])
    }

    /// The cells of row `i`, if they were wanted.
    pub fn cells(&self, i: usize) -> &[Cell] {
        &self.cells[self.items[i].cells.range()]
    }

    fn begin_row(&mut self) {
        let (at, n_cells) = (self.html.len(), self.cells.len());
        let (html, cells) = (Span::new(at, at), Span::new(n_cells, n_cells));
        self.items.push(SourceRow { html, end: at, cells });
        self.row_depth = Some(self.depth);
    }

    fn end_row(&mut self) {
        let end = self.html.len();
        if let Some(row) = self.items.last_mut() {
            row.html.end = end;
            row.end = end;
            row.cells.end = self.cells.len();
        }
        self.row_depth = None;
        self.is_behind_row = true;
    }

    fn begin_cell(&mut self, attributes: &[Attribute<'_>]) {
        let value = |name: &str| {
            let found = attributes.iter().find(|attribute| attribute.name == name);
            found.map(|attribute| attribute.value.to_string())
        };
        self.text = Some(String::new());
        self.cells.push(Cell { text: String::new(), spans: SPANS.map(value) });
    }

    fn end_cell(&mut self) {
        if let Some((text, cell)) = self.text.take().zip(self.cells.last_mut()) {
            cell.text = words::normalised(&text);
        }
    }
}

impl Events for Rows {
    fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.is_behind_row = false;
        let is_in_place = self.depth == 1 || (self.depth == 2 && self.is_in_section);
        if self.row_depth.is_none() && is_in_place && name == "tr" {
            self.begin_row();
        } else if self.depth == 1 {
            self.is_in_section = matches!(name, "thead" | "tbody" | "tfoot");
        }
        if let Some(row_depth) = self.row_depth {
            self.writer.open(&mut self.html, name, attributes);
            let is_cell = self.depth == row_depth + 1 && matches!(name, "td" | "th");
            if is_cell && self.items.len() <= self.n_with_cells {
                self.begin_cell(attributes);
            }
        }
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.is_behind_row = false;
        self.depth -= 1;
        let Some(row_depth) = self.row_depth else { return };
        self.writer.close(&mut self.html, name);
        if self.depth == row_depth {
            self.end_row();
        } else if self.depth == row_depth + 1 {
            self.end_cell();
        } else if name == "br"
            && let Some(text) = &mut self.text
        {
            text.push(' ');
        }
    }

    fn text(&mut self, text: &str) {
        if self.row_depth.is_some() {
            self.writer.text(&mut self.html, text);
            if let Some(cell) = &mut self.text {
                cell.push_str(text);
            }
        } else if self.is_behind_row {
            write::push_text(&mut self.html, text);
            if let Some(row) = self.items.last_mut() {
                row.end = self.html.len();
            }
        }
    }

    fn comment(&mut self, text: &str) {
        self.is_behind_row = false;
        if self.row_depth.is_some() {
            self.writer.comment(&mut self.html, text);
        }
    }
}
