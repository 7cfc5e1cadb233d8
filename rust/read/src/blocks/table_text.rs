//! Rows of a table as lines of Markdown, each cell once, with the grid of their places.

use std::collections::HashSet;
use std::ops::Range;

use chunkwright_text::grid::{Cell, Grid, Row, Slot};
use chunkwright_text::read::link::Link;
use chunkwright_text::span::Span;

/// Rows that one cell keeps together at most: a key of more is no reason not to cut between them.
const MAX_BOUND_ROWS: usize = 16;

/// A cell of a table by the rows and columns that it covers, with its text on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCell {
    /// The rows that it covers.
    pub rows: Range<usize>,
    /// The columns that it covers.
    pub cols: Range<usize>,
    /// Its text, on one line.
    pub text: String,
    /// The links in its text.
    pub links: Vec<Link>,
}

impl TableCell {
    fn slot(&self) -> Slot {
        let covered = |range: &Range<usize>| range.end.saturating_sub(range.start).max(1);
        Slot {
            row: self.rows.start,
            column: self.cols.start,
            rows: covered(&self.rows),
            columns: covered(&self.cols),
        }
    }
}

/// The cells of a table in reading order, but for rows that say nothing.
///
/// ```
/// use chunkwright_read::blocks::table_text::{TableCell, TableText};
///
/// let cell = |row, col, text: &str| TableCell {
///     rows: row..row + 1,
///     cols: col..col + 1,
///     text: text.to_owned(),
///     ..TableCell::default()
/// };
/// let cells = vec![cell(0, 0, "stone"), cell(0, 1, "kg"), cell(1, 0, "slate"), cell(1, 1, "7")];
/// let mut text = String::new();
/// let grid = TableText::new(cells, [2, 2], 1).write(&mut text);
/// assert_eq!(text, "| stone | kg |\n| - | - |\n| slate | 7 |");
/// assert_eq!(&text[grid.cells[3].text.range()], "7");
/// ```
#[derive(Clone, Debug)]
pub struct TableText {
    cells: Vec<TableCell>,
    /// The columns in which cells begin, ascending.
    cols: Vec<usize>,
    n_header_rows: usize,
    /// Rows and columns of the table.
    shape: [usize; 2],
}

impl TableText {
    /// A table of so many rows and columns, whose first rows are its header, if there are more than these.
    ///
    /// Cells that begin outside the table stand in a row or column behind it. O(n log n).
    pub fn new(cells: Vec<TableCell>, shape: [usize; 2], n_header_rows: usize) -> Self {
        let [n_rows, n_cols] = shape;
        let within = |range: Range<usize>, n: usize| range.start.min(n)..range.end.min(n);
        let mut cells: Vec<TableCell> = cells
            .into_iter()
            .map(|cell| TableCell {
                rows: within(cell.rows.clone(), n_rows),
                cols: within(cell.cols.clone(), n_cols),
                ..cell
            })
            .collect();
        cells.sort_by_key(|cell| (cell.rows.start, cell.cols.start));
        let said = || cells.iter().filter(|cell| !cell.text.is_empty());
        let mut cols: Vec<usize> = said().map(|cell| cell.cols.start).collect();
        cols.sort_unstable();
        cols.dedup();
        // A row that says nothing is no line.
        let rows: HashSet<usize> = said().map(|cell| cell.rows.start).collect();
        cells.retain(|cell| rows.contains(&cell.rows.start));
        // A header alone is none.
        let has_body = cells.last().is_some_and(|cell| cell.rows.start >= n_header_rows);
        Self { cells, cols, n_header_rows: if has_body { n_header_rows } else { 0 }, shape }
    }

    /// Writes the rows as lines to `text`, a line of dashes below the header.
    pub fn write(&self, text: &mut String) -> Grid {
        let mut grid = Grid { shape: Some(self.shape), ..Grid::default() };
        let starts = self.starts();
        for (i, cells) in self.cells.chunk_by(|a, b| a.rows.start == b.rows.start).enumerate() {
            let row = cells.first().map_or(0, |cell| cell.rows.start);
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
                let end =
                    if is_header { cell.rows.end.min(self.n_header_rows) } else { cell.rows.end };
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

    /// The links of the cells, in the text that they were written to with this grid.
    pub fn links(&self, grid: &Grid) -> Vec<Link> {
        let placed = self.cells.iter().zip(&grid.cells);
        let moved = |(cell, place): (&TableCell, &Cell)| {
            let at = place.text.start;
            let moved = cell.links.iter().map(move |link| Link {
                span: Span::new(at + link.span.start, at + link.span.end),
                ..link.clone()
            });
            moved.collect::<Vec<_>>()
        };
        placed.flat_map(moved).collect()
    }

    /// The numbers of the rows that say something.
    fn starts(&self) -> Vec<usize> {
        let mut starts: Vec<usize> = self.cells.iter().map(|cell| cell.rows.start).collect();
        starts.dedup();
        starts
    }

    /// Writes a row, and returns where its cells stand.
    fn line(&self, text: &mut String, cells: &[TableCell]) -> Vec<Span> {
        let (mut places, mut cols) = (Vec::with_capacity(cells.len()), self.cols.iter().peekable());
        for cell in cells {
            while cols.next_if(|col| **col < cell.cols.start).is_some() {
                text.push_str("|  ");
            }
            if cell.text.is_empty() {
                places.push(Span::new(text.len(), text.len()));
                continue;
            }
            cols.next_if_eq(&&cell.cols.start);
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
