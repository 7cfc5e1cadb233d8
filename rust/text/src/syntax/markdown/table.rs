//! Grid of a table whose rows are lines of the text.

use std::ops::Range;

use crate::grid::{Cell, Grid, Row};
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// Takes the rows and cells of one table in order.
pub struct GridBuilder<'t> {
    text: &'t str,
    grid: Grid,
}

impl<'t> GridBuilder<'t> {
    /// There are none yet.
    pub fn new(text: &'t str) -> Self {
        Self { text, grid: Grid::default() }
    }

    /// Those of `grid` that stand before `end` are there.
    pub fn up_to(text: &'t str, mut grid: Grid, end: usize) -> Self {
        grid.rows.truncate(grid.rows.partition_point(|row| row.source.start < end));
        grid.cells.truncate(grid.rows.last().map_or(0, |row| row.cells.end));
        Self { text, grid }
    }

    /// The rows of `grid`, below those of the lines at `lines`, which are header rows as well.
    pub fn below(text: &'t str, lines: Span, grid: Grid) -> Grid {
        let mut builder = Self::new(text);
        let mut at = lines.start;
        for line in text[lines.range()].split_inclusive('\n') {
            let bare = line.trim_start_matches([' ', '\t', '>']);
            let end = trim_end(text, at, at + line.len());
            let row = Span::new(at + line.len() - bare.len(), end);
            builder.row(Span::new(skip_space(text, at).min(row.start), end), true);
            for cell in cells(text, row) {
                builder.cell(cell.range());
            }
            at += line.len();
        }
        let mut above = builder.grid;
        let n_cells = above.cells.len();
        above.rows.extend(grid.rows.into_iter().map(|row| Row {
            cells: Span::new(row.cells.start + n_cells, row.cells.end + n_cells),
            ..row
        }));
        above.cells.extend(grid.cells);
        above
    }

    /// Begins a row, which stands at `span`.
    pub fn row(&mut self, span: Span, is_header: bool) {
        let first = self.grid.cells.len();
        let cells = Span::new(first, first);
        let section = usize::from(!is_header);
        self.grid.rows.push(Row { cells, source: span, is_header, section, ..Row::default() });
    }

    /// Adds a cell to the last row.
    pub fn cell(&mut self, place: Range<usize>) {
        let end = trim_end(self.text, place.start, place.end);
        let text = Span::new(skip_space(self.text, place.start).min(end), end);
        self.grid.cells.push(Cell { text, html: Span::default(), colspan: 1, rowspan: Some(1) });
        if let Some(row) = self.grid.rows.last_mut() {
            row.cells.end = self.grid.cells.len();
        }
    }

    /// The table.
    pub fn finish(mut self) -> Grid {
        self.grid.rows.shrink_to_fit();
        self.grid.cells.shrink_to_fit();
        self.grid
    }
}

/// The cells of a row, without the whitespace around each.
pub fn cells(text: &str, row: Span) -> Vec<Span> {
    let end = trim_end(text, row.start, row.end);
    let is_escaped = |at: usize| {
        text.as_bytes()[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
    };
    let pipes = memchr::memchr_iter(b'|', &text.as_bytes()[row.start..end]).map(|n| row.start + n);
    let mut ends: Vec<usize> = pipes.filter(|&at| !is_escaped(at)).collect();
    let mut start = row.start;
    if ends.first() == Some(&start) {
        ends.remove(0);
        start += 1;
    }
    if ends.last() != Some(&(end - 1)) || ends.is_empty() {
        ends.push(end);
    }
    let mut cells = Vec::with_capacity(ends.len());
    for end in ends {
        let last = trim_end(text, start, end.max(start));
        cells.push(Span::new(skip_space(text, start).min(last), last));
        start = end + 1;
    }
    cells
}
