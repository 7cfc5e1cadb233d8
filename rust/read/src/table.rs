//! Table of rows, as a CSV file has them: one text with the grid of its cells.
//!
//! ```
//! use chunkwright_read::table::RowTable;
//!
//! let mut table = RowTable::default();
//! table.push(["stone", "kg"]);
//! let row = table.push(["slate", "7"]);
//! let (text, elements) = table.finish(1);
//! assert_eq!(&text[row.range()], "slate\t7");
//! assert_eq!(elements[0].grid.as_ref().unwrap().shape(), [2, 2]);
//! ```

use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::grid::{Cell, Grid, Row};
use chunkwright_text::span::Span;
use chunkwright_text::syntax::html::write::push_text;
use chunkwright_text::unicode::space::{skip_space, trim_end};

/// A table that takes row after row.
///
/// Its text is one line a row, a tab between two cells, each cell as it was given.
#[derive(Clone, Debug)]
pub struct RowTable {
    text: String,
    titles: Vec<Element>,
    grid: Grid,
}

impl Default for RowTable {
    fn default() -> Self {
        Self {
            text: String::new(),
            titles: Vec::new(),
            grid: Grid { html: "<table>".into(), ..Grid::default() },
        }
    }
}

impl RowTable {
    /// Adds a line that stands above all rows, and returns where it stands in the text. O(its text).
    pub fn push_title(&mut self, title: &str) -> Span {
        if !self.titles.is_empty() {
            self.text.push_str("\n\n");
        }
        let start = self.text.len();
        self.text.push_str(title);
        let span = bare(&self.text, start);
        self.titles.push(Element { kind: Kind::Caption, span, ..Element::default() });
        Span::new(start, self.text.len())
    }

    /// Adds a row, and returns where it stands in the text. O(its text).
    pub fn push<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) -> Span {
        let Self { text, titles, grid } = self;
        if !grid.rows.is_empty() {
            text.push('\n');
        } else if !titles.is_empty() {
            text.push_str("\n\n");
        }
        let (first, start, line) = (grid.cells.len(), grid.html.len(), text.len());
        grid.html.push_str("<tr>");
        for given in cells {
            if grid.cells.len() > first {
                text.push('\t');
            }
            let at = text.len();
            text.push_str(given);
            let cell = bare(text, at);
            let html = push_cell(&mut grid.html, &text[cell.range()]);
            grid.cells.push(Cell { text: cell, html, colspan: 1, rowspan: Some(1) });
        }
        grid.html.push_str("</tr>");
        grid.rows.push(Row {
            cells: Span::new(first, grid.cells.len()),
            html: Span::new(start, grid.html.len()),
            ..Row::default()
        });
        Span::new(line, text.len())
    }

    /// The text, and what stands in it: the titles, and the table unless the rows say nothing.
    ///
    /// The first `n_header_rows` are its header, if there are more rows than that.
    pub fn finish(self, n_header_rows: usize) -> (String, Vec<Element>) {
        let Self { text, titles: mut elements, mut grid } = self;
        grid.html.push_str("</table>");
        if grid.rows.len() > n_header_rows {
            grid.rows[..n_header_rows].iter_mut().for_each(|row| row.is_header = true);
        }
        let span = bare(&text, elements.last().map_or(0, |title| title.span.end));
        if !span.is_empty() {
            let grid = Some(Box::new(grid));
            elements.push(Element { kind: Kind::Table, span, grid, ..Element::default() });
        }
        (text, elements)
    }
}

/// From `start` to the end of `text`, without whitespace at both ends; empty if there is nothing else.
fn bare(text: &str, start: usize) -> Span {
    let start = skip_space(text, start);
    Span::new(start, trim_end(text, start, text.len()))
}

fn push_cell(html: &mut String, text: &str) -> Span {
    let start = html.len();
    if text.is_empty() {
        html.push_str("<td/>");
    } else {
        html.push_str("<td>");
        push_text(html, text);
        html.push_str("</td>");
    }
    Span::new(start, html.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]], n_header_rows: usize) -> (String, Option<Element>) {
        let mut table = RowTable::default();
        for row in rows {
            table.push(row.iter().copied());
        }
        let (text, mut elements) = table.finish(n_header_rows);
        (text, elements.pop())
    }

    #[test]
    fn cells_stand_in_the_text() {
        let (text, element) = table(&[&["stone", " kg "], &["a<b", ""], &["\u{e9}"]], 1);
        assert_eq!(text, "stone\t kg \na<b\t\n\u{e9}");
        let element = element.unwrap();
        assert_eq!((element.kind, &text[element.span.range()]), (Kind::Table, text.as_str()));
        let grid = element.grid.unwrap();
        let texts: Vec<_> = grid.cells.iter().map(|cell| &text[cell.text.range()]).collect();
        assert_eq!(texts, ["stone", "kg", "a<b", "", "\u{e9}"]);
        assert_eq!(
            grid.html,
            "<table><tr><td>stone</td><td>kg</td></tr><tr><td>a&lt;b</td><td/></tr><tr><td>\u{e9}</td></tr></table>"
        );
        assert_eq!(grid.row_html(1), "<tr><td>a&lt;b</td><td/></tr>");
        assert_eq!(grid.cell_html(1), "<td>kg</td>");
        assert_eq!(grid.n_header_rows(), 1);
    }

    #[test]
    fn a_header_alone_is_none() {
        let (_, element) = table(&[&["stone", "kg"]], 1);
        assert_eq!(element.unwrap().grid.unwrap().n_header_rows(), 0);
    }

    #[test]
    fn what_says_nothing_is_no_table() {
        assert!(table(&[], 1).1.is_none());
        let (text, element) = table(&[&["", " "], &[]], 1);
        assert_eq!((text.as_str(), element.is_none()), ("\t \n", true));
    }
}
