//! Fragment: rows of an oversized group that make one part.

use super::ahead::Ahead;
use super::cover::{Cells, Cover};
use super::out::Out;
use crate::unstructured::table::measured::{Measured, joined};
use crate::unstructured::table::parts::Parts;
use crate::unstructured::table::{source, td};
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

/// The rows so far.
#[derive(Default)]
pub struct Fragment {
    cells: Vec<Out>,
    ends: Vec<usize>,
    /// What the first row says, if texts from above are among it.
    head: String,
    /// Its texts by themselves.
    texts: Vec<Span>,
    /// What the others say, or all of them.
    tail: Span,
    n_chars: usize,
    ahead: Ahead,
    /// The columns that are empty, where they are kept track of.
    pub cover: Option<Cover>,
    /// Whether what rows above cover is empty in each row.
    pub is_blank: bool,
    /// What measuring it once more is worth, in units of the budget.
    pub cost: usize,
}

impl Fragment {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is any row.
    pub fn is_open(&self) -> bool {
        !self.ends.is_empty()
    }

    /// Its size with the texts of one more row. `counts_chars`: O(1); otherwise O(1) where nothing is
    /// repeated from above, and O(n) over all rows of the fragment where something is.
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn size_with(&mut self, table: &Measured<'_>, row: usize, own: Span) -> Result<usize> {
        let tail = joined(self.tail, own);
        if table.counts_chars {
            let blank = usize::from(self.n_chars > 0 && !own.is_empty());
            Ok(self.n_chars + blank + table.n_chars(own))
        } else if self.head.is_empty() {
            table.size(tail)
        } else {
            self.ahead.size(table, &self.head, tail, row)
        }
    }

    /// Adds a row that says `own`.
    pub fn push(&mut self, table: &Measured<'_>, cells: impl IntoIterator<Item = Out>, own: Span) {
        self.n_chars += usize::from(self.n_chars > 0 && !own.is_empty()) + table.n_chars(own);
        self.tail = joined(self.tail, own);
        self.cells.extend(cells);
        self.ends.push(self.cells.len());
    }

    /// Adds the first row, which says `head`.
    pub fn push_head(
        &mut self,
        cells: impl IntoIterator<Item = Out>,
        texts: Vec<Span>,
        head: String,
    ) {
        self.texts = texts;
        self.n_chars = chunkwright_text::offsets::count_chars(head.as_bytes());
        self.head = head;
        self.cells.extend(cells);
        self.ends.push(self.cells.len());
    }

    /// Keeps track of empty columns from its first row on, which is all there is yet.
    pub fn start_cover(&mut self, table: &Measured<'_>) {
        let cells = &table.grid.cells;
        self.cover = Some(Cover::start(self.cells.iter_mut().map(|out| match *out {
            Out::Own(cell, n_rows) => {
                let cell = &cells[cell];
                (out, cell.colspan, n_rows, !cell.text.is_empty())
            }
            Out::Label(_, colspan, n_rows) => (out, colspan, n_rows, true),
            Out::Blank(colspan, n_rows) => (out, colspan, n_rows, false),
            Out::Run(_) => (out, 0, 1, false),
        })));
    }

    /// Adds a row that the cover has made.
    pub fn push_covered(&mut self, table: &Measured<'_>, mut cells: Cells, own: Span) {
        cells.sort_by_key(|&(column, _)| column);
        self.push(table, cells.into_iter().map(|(_, out)| out), own);
    }

    /// Makes a part of its rows, if there are any, and begins anew.
    ///
    /// # Errors
    /// What the pulse says.
    pub fn flush(&mut self, table: &Measured<'_>, parts: &mut Parts) -> Result<()> {
        let n_rows = self.n_rows();
        if let Some(cover) = &mut self.cover {
            cover.finish(n_rows);
        }
        if n_rows > 0 {
            let n_texts = self.head.len() + self.tail.len();
            let n_bytes = n_texts + self.cells.len() * "<td></td>".len();
            let texts = self.texts.iter().copied().chain([self.tail]);
            parts.push(texts, n_bytes, |html| self.write(table, html));
            table.beat.after(n_bytes)?;
        }
        self.cells.clear();
        self.ends.clear();
        self.ahead.clear();
        let (cells, ends) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.ends));
        *self = Self { cells, ends, ..Self::default() };
        Ok(())
    }

    fn write(&self, table: &Measured<'_>, html: &mut String) {
        let mut start = 0;
        for (row, &end) in self.ends.iter().enumerate() {
            html.push_str("<tr");
            let empty = html.len();
            html.push('>');
            for &out in &self.cells[start..end] {
                self.write_cell(table, html, out, self.n_rows() - row);
            }
            if html.len() == empty + 1 {
                html.truncate(empty);
                html.push_str("/>");
            } else {
                html.push_str("</tr>");
            }
            start = end;
        }
    }

    fn write_cell(&self, table: &Measured<'_>, html: &mut String, out: Out, n_rows: usize) {
        let grid = table.grid;
        match out {
            Out::Own(cell, rowspan) => {
                source::push_rebuilt(html, grid, &grid.cells[cell], rowspan.min(n_rows));
            }
            Out::Label(text, colspan, rowspan) => {
                td::push(html, table.str(text), colspan, rowspan.min(n_rows), td::Escape::Markup);
            }
            Out::Blank(colspan, rowspan) => td::push_blank(html, colspan, rowspan.min(n_rows)),
            Out::Run(run) => {
                let run = self.cover.as_ref().map(|cover| cover.run(run));
                if let Some(run) = run.filter(|run| run.n_rows > 0) {
                    td::push_blank(html, run.colspan, run.n_rows);
                }
            }
        }
    }
}
