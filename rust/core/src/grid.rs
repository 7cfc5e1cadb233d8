//! Grid of a table: rows and cells, whatever it was read from.

use crate::span::Span;

/// A table: its cells in reading order, each a slice of one of two strings.
///
/// It has HTML, or its rows are lines of the text of a document, as those of Markdown are.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The whole table as compact HTML (no sections, no attributes but spans, `th` as `td`).
    pub html: String,
    /// The texts of all cells that have one, normalised, with single blanks between them; empty where
    /// they stand in the text of a document.
    pub texts: String,
    /// The header rows that lead the table as they stood in the source, attributes and `th` kept, one
    /// behind the other.
    pub sources: String,
    /// The rows.
    pub rows: Vec<Row>,
    /// The cells of all rows.
    pub cells: Vec<Cell>,
}

/// A row of a [`Grid`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its cells in [`Grid::cells`].
    pub cells: Span,
    /// Its own compact HTML and the text that follows it, in [`Grid::html`].
    pub html: Span,
    /// Its source and the text that follows it, in [`Grid::sources`]; empty unless it is a leading header.
    /// Of a table without HTML its line, in the text of the document.
    pub source: Span,
    /// Whether it is a header: in `thead`, or `th` behind blank corners.
    pub is_header: bool,
    /// The number of its section (`thead`, `tbody`, `tfoot`, or the table itself), in no order.
    pub section: usize,
}

/// A cell of a [`Row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its text, in [`Grid::texts`] or in the text of the document; empty if it has none.
    pub text: Span,
    /// Its compact HTML and the text that follows it, in [`Grid::html`].
    pub html: Span,
    /// Columns it spans, at least 1.
    pub colspan: usize,
    /// Rows it spans, at least 1; none if it reaches to the end of its section (`rowspan="0"`).
    pub rowspan: Option<usize>,
}

impl Grid {
    /// Says that the texts of the cells stand at `start` of a document's text, to which their spans are
    /// moved; [`Grid::texts`] is given up.
    pub fn place_at(&mut self, start: usize) {
        self.texts = String::new();
        for cell in &mut self.cells {
            cell.text = Span::new(start + cell.text.start, start + cell.text.end);
        }
    }

    /// The text of cell `i` of [`Grid::cells`]; empty if it has none.
    pub fn cell_text(&self, i: usize) -> &str {
        &self.texts[self.cells[i].text.range()]
    }

    /// The compact HTML of cell `i` of [`Grid::cells`] as it stands in the table, what follows it there
    /// included.
    pub fn cell_html(&self, i: usize) -> &str {
        &self.html[self.cells[i].html.range()]
    }

    /// The compact HTML of row `i`, what follows it in the table included.
    pub fn row_html(&self, i: usize) -> &str {
        &self.html[self.rows[i].html.range()]
    }

    /// Row `i` as it stood in the source if it is one of the headers that lead the table, else its compact
    /// HTML.
    pub fn row_source(&self, i: usize) -> &str {
        let source = self.rows[i].source;
        if source.is_empty() { self.row_html(i) } else { &self.sources[source.range()] }
    }

    /// How many rows lead the table as its header.
    pub fn n_header_rows(&self) -> usize {
        self.rows.iter().take_while(|row| row.is_header).count()
    }
}
