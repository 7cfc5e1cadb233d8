//! Table as rows of Markdown, each cell once, with the grid of their places.

use super::write::{Said, on_one_line};
use super::{Around, Walk};
use crate::elements::Kind;
use crate::grid::{Cell, Grid, Row, Slot};
use crate::read::docling::node::{Node, NodeId};
use crate::read::docling::table::{self, TableData};
use crate::span::Span;

/// Rows that one cell keeps together at most: a key of more is no reason not to cut between them.
const MAX_BOUND_ROWS: usize = 16;

impl<'d> Walk<'d> {
    /// Writes a table, and returns the number of its element.
    pub(super) fn table(&mut self, id: NodeId, node: &'d Node, around: Around) -> Option<usize> {
        let table = node.table.as_deref()?;
        let text = |cell: &'d table::Cell| match cell.content {
            Some(content) => self.cell(content, &cell.text),
            None => on_one_line(&cell.text),
        };
        let texts = table.cells.iter().map(text).collect();
        Some(self.rows(id, table, texts, around))
    }

    /// Writes the rows of a table whose cells say `texts`; rows that say nothing are left out.
    pub(super) fn rows(
        &mut self,
        id: NodeId,
        table: &TableData,
        texts: Vec<String>,
        around: Around,
    ) -> usize {
        let layout = Layout::new(table, texts);
        let mut said = Said { nodes: vec![id], ..Said::default() };
        let grid = layout.write(&mut said.text);
        let element = self.push(Kind::Table, 0, Around { list: None, ..around }, said, 0);
        if !grid.rows.is_empty() {
            self.writer.set_grid(grid);
        }
        element
    }
}

/// A cell that says something, by the row and column in which it begins.
struct Filled {
    row: usize,
    col: usize,
    /// One past the last column that it covers.
    end_col: usize,
    /// One past the last row that it covers.
    end: usize,
    text: String,
}

impl Filled {
    fn slot(&self) -> Slot {
        let covered = |start: usize, end: usize| end.saturating_sub(start).max(1);
        let (row, column) = (self.row, self.col);
        Slot { row, column, rows: covered(row, self.end), columns: covered(column, self.end_col) }
    }
}

/// The filled cells of a table in reading order.
struct Layout {
    cells: Vec<Filled>,
    /// The columns in which cells begin, ascending.
    cols: Vec<usize>,
    n_header_rows: usize,
    /// Rows and columns of the table.
    shape: [usize; 2],
}

impl Layout {
    /// Cells that begin outside the table stand in a row or column behind it. O(n log n).
    fn new(table: &TableData, texts: Vec<String>) -> Self {
        let filled = |(cell, text): (&table::Cell, String)| Filled {
            row: cell.rows.start.min(table.n_rows),
            col: cell.cols.start.min(table.n_cols),
            end_col: cell.cols.end.min(table.n_cols),
            end: cell.rows.end.min(table.n_rows),
            text,
        };
        let mut cells: Vec<Filled> = table.cells.iter().zip(texts).map(filled).collect();
        cells.retain(|cell| !cell.text.is_empty());
        cells.sort_by_key(|cell| (cell.row, cell.col));
        let mut cols: Vec<usize> = cells.iter().map(|cell| cell.col).collect();
        cols.sort_unstable();
        cols.dedup();
        let n_header_rows = table.n_leading_rows();
        // A header alone is none.
        let has_body = cells.last().is_some_and(|cell| cell.row >= n_header_rows);
        let shape = [table.n_rows, table.n_cols];
        Self { cells, cols, n_header_rows: if has_body { n_header_rows } else { 0 }, shape }
    }

    /// Writes the rows as lines to `text`, a line of dashes below the header.
    fn write(&self, text: &mut String) -> Grid {
        let mut grid = Grid { shape: Some(self.shape), ..Grid::default() };
        let starts = self.starts();
        for (i, cells) in self.cells.chunk_by(|a, b| a.row == b.row).enumerate() {
            let row = cells.first().map_or(0, |cell| cell.row);
            let is_header = row < self.n_header_rows;
            if i > 0 {
                text.push('\n');
                if !is_header && starts[i - 1] < self.n_header_rows {
                    text.push_str(&"| - ".repeat(self.cols.len()));
                    text.push_str("|\n");
                }
            }
            let (start, first) = (text.len(), grid.cells.len());
            for (place, cell) in self.line(text, cells).into_iter().zip(cells) {
                // A header does not keep rows below it.
                let end = if is_header { cell.end.min(self.n_header_rows) } else { cell.end };
                let rows = starts[i..].partition_point(|start| *start < end).max(1);
                let rowspan = if rows > MAX_BOUND_ROWS { 1 } else { rows };
                let html = Span::default();
                grid.slots.push(cell.slot());
                grid.cells.push(Cell { text: place, html, colspan: 1, rowspan: Some(rowspan) });
            }
            grid.rows.push(Row {
                cells: Span::new(first, grid.cells.len()),
                source: Span::new(start, text.len()),
                is_header,
                section: usize::from(!is_header),
                ..Row::default()
            });
        }
        grid
    }

    /// The numbers of the rows that say something.
    fn starts(&self) -> Vec<usize> {
        let mut starts: Vec<usize> = self.cells.iter().map(|cell| cell.row).collect();
        starts.dedup();
        starts
    }

    /// Writes a row, and returns where its cells stand.
    fn line(&self, text: &mut String, cells: &[Filled]) -> Vec<Span> {
        let (mut places, mut cols) = (Vec::with_capacity(cells.len()), self.cols.iter().peekable());
        for cell in cells {
            while cols.next_if(|col| **col < cell.col).is_some() {
                text.push_str("|  ");
            }
            cols.next_if_eq(&&cell.col);
            text.push_str("| ");
            places.push(Span::new(text.len(), text.len() + cell.text.len()));
            text.push_str(&cell.text);
            text.push(' ');
        }
        text.extend(cols.map(|_| "|  "));
        text.push('|');
        places
    }
}
