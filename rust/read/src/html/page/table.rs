//! Grid of a table of a page, written while its cells are read.

use super::attributes::value;
use super::text::{SEPARATOR, Text};
use chunkwright_text::grid::{Cell, Grid, Row};
use chunkwright_text::span::Span;
use chunkwright_text::syntax::html::lexer::Attribute;
use chunkwright_text::syntax::html::{spans, write};

/// A table that is open, the outermost one.
#[derive(Debug)]
pub struct OpenTable {
    grid: Grid,
    /// What the cells say.
    span: Option<Span>,
    section: usize,
    is_head: bool,
    row: Option<OpenRow>,
    cell: Option<OpenCell>,
}

#[derive(Clone, Copy, Debug)]
struct OpenRow {
    html: usize,
    first_cell: usize,
    is_said: bool,
    has_th: bool,
    has_filled_td: bool,
}

#[derive(Clone, Copy, Debug)]
struct OpenCell {
    is_th: bool,
    colspan: usize,
    rowspan: Option<usize>,
}

impl OpenTable {
    /// An empty one.
    pub fn new() -> Self {
        let grid = Grid { html: String::from("<table>"), ..Grid::default() };
        Self { grid, span: None, section: 0, is_head: false, row: None, cell: None }
    }

    /// Whether there are no cells yet.
    pub const fn is_empty(&self) -> bool {
        self.grid.cells.is_empty() && self.cell.is_none()
    }

    /// A section begins, or has ended.
    pub fn change_section(&mut self, is_head: bool, text: &mut Text) {
        self.end_row(text);
        self.section += 1;
        self.is_head = is_head;
    }

    /// A row begins.
    pub fn begin_row(&mut self, text: &mut Text) {
        self.end_row(text);
        self.row = Some(OpenRow {
            html: self.grid.html.len(),
            first_cell: self.grid.cells.len(),
            is_said: false,
            has_th: false,
            has_filled_td: false,
        });
        self.grid.html.push_str("<tr>");
    }

    /// A cell begins.
    pub fn begin_cell(&mut self, is_th: bool, attributes: &[Attribute<'_>], text: &mut Text) {
        self.end_cell(text);
        if self.row.is_none() {
            self.begin_row(text);
        }
        let colspan = spans::colspan(value(attributes, "colspan")).min(spans::MAX_COLSPAN);
        let rowspan =
            spans::rowspan(value(attributes, "rowspan")).map(|rows| rows.min(spans::MAX_ROWSPAN));
        self.cell = Some(OpenCell { is_th, colspan, rowspan });
        text.set_separator(match self.row {
            Some(OpenRow { is_said: true, .. }) => " ",
            _ if self.span.is_some() => "\n",
            _ => SEPARATOR,
        });
    }

    /// What stands outside cells becomes one.
    pub fn stray(&mut self, text: &mut Text) {
        if self.cell.is_none() {
            self.begin_cell(false, &[], text);
        }
    }

    /// The cell ends, if one is open.
    pub fn end_cell(&mut self, text: &mut Text) {
        let Some(OpenCell { is_th, colspan, rowspan }) = self.cell.take() else { return };
        let said = text.end();
        let html = &mut self.grid.html;
        let start = html.len();
        html.push_str("<td");
        if colspan > 1 {
            write::push_attribute(html, "colspan", &colspan.to_string());
        }
        if rowspan != Some(1) {
            write::push_attribute(html, "rowspan", &rowspan.unwrap_or(0).to_string());
        }
        if let Some(said) = said {
            html.push('>');
            write::push_text(html, text.slice(said));
            html.push_str("</td>");
            self.span = Some(Span::new(self.span.map_or(said.start, |span| span.start), said.end));
        } else {
            html.push_str("/>");
        }
        let html = Span::new(start, html.len());
        self.grid.cells.push(Cell { text: said.unwrap_or_default(), html, colspan, rowspan });
        if let Some(row) = &mut self.row {
            row.is_said |= said.is_some();
            row.has_th |= is_th;
            row.has_filled_td |= !is_th && said.is_some();
        }
    }

    /// The row ends, if one is open; without cells it is none.
    pub fn end_row(&mut self, text: &mut Text) {
        self.end_cell(text);
        let Some(row) = self.row.take() else { return };
        let Grid { html, rows, cells, .. } = &mut self.grid;
        if cells.len() == row.first_cell {
            return html.truncate(row.html);
        }
        html.push_str("</tr>");
        rows.push(Row {
            cells: Span::new(row.first_cell, cells.len()),
            html: Span::new(row.html, html.len()),
            source: Span::default(),
            is_header: self.is_head || (row.has_th && !row.has_filled_td),
            section: self.section,
        });
    }

    /// The table, and where what it says stands, if it says anything.
    pub fn finish(mut self, text: &mut Text) -> Option<(Grid, Span)> {
        self.end_row(text);
        self.grid.html.push_str("</table>");
        self.span.map(|span| (self.grid, span))
    }
}
