//! Cells of a table and the grid of slots that they cover.
//!
//! A cell says from which row and column to which it reaches, and a table how many it has: numbers that nobody
//! has checked. A table of a million rows with two cells costs what two cells cost: rows in which nothing begins
//! or ends are counted once.

use std::ops::Range;

use crate::docling::node_id::NodeId;
use crate::docling::value::Value;

/// The largest number of slots of a table.
const MAX_SLOTS: usize = 1_000_000;

/// The rows, columns and cells of a table.
#[derive(Clone, Debug, Default)]
pub struct TableData {
    /// Rows that it says it has.
    pub n_rows: usize,
    /// Columns that it says it has.
    pub n_cols: usize,
    /// The cells, in the order of the file.
    pub cells: Vec<Cell>,
}

/// A cell: its text and the slots that it covers.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// The rows that it covers, at least as many as lie in the table.
    pub rows: Range<usize>,
    /// The columns that it covers.
    pub cols: Range<usize>,
    /// Whether it is the header of its columns.
    pub is_column_header: bool,
    /// Whether it is the header of its row.
    pub is_row_header: bool,
    /// The node whose subtree is what stands in it, if it holds more than text.
    pub content: Option<NodeId>,
}

/// The cell of each slot of a table, row by row; later cells cover earlier ones.
#[derive(Debug)]
pub struct Slots {
    n_cols: usize,
    /// One past the number of the cell; zero if none covers the slot.
    cells: Vec<u32>,
}

impl TableData {
    /// Whether there are so many slots that they would fill the memory.
    pub fn is_too_large(&self) -> bool {
        let n_slots = self.n_rows.checked_mul(self.n_cols);
        self.n_rows.max(self.n_cols) > MAX_SLOTS || n_slots.is_none_or(|n| n > MAX_SLOTS)
    }

    /// Which cell each slot has. O(slots + cells × the lesser of rows and columns), of which the lesser is at
    /// most 1,000.
    ///
    /// ```
    /// use chunkwright_read::docling::{Cell, TableData};
    ///
    /// let cell = |text: &str, rows, cols| Cell { text: text.into(), rows, cols, ..Cell::default() };
    /// let table = TableData {
    ///     n_rows: 2,
    ///     n_cols: 2,
    ///     cells: vec![cell("rain", 0..2, 0..1), cell("3", 0..1, 1..2), cell("5", 1..2, 1..2)],
    /// };
    /// let slots = table.slots();
    /// assert_eq!(slots.row(1).collect::<Vec<_>>(), [Some(0), Some(2)]); // "rain" reaches down
    /// ```
    pub fn slots(&self) -> Slots {
        let (n_rows, n_cols) = (self.n_rows, self.n_cols);
        let rows = |cell: &Cell| cell.rows.start.min(n_rows)..cell.rows.end.min(n_rows);
        let cols = |cell: &Cell| cell.cols.start.min(n_cols)..cell.cols.end.min(n_cols);
        let is_wide = n_rows <= n_cols;
        let (n_lanes, length) = if is_wide { (n_rows, n_cols) } else { (n_cols, n_rows) };
        let mut cells = vec![0; n_rows * n_cols];
        let mut free = Free::new(n_lanes, length);
        for (i, cell) in self.cells.iter().enumerate().rev() {
            let number = u32::try_from(i + 1).unwrap_or_default();
            let (lanes, reach) =
                if is_wide { (rows(cell), cols(cell)) } else { (cols(cell), rows(cell)) };
            for lane in lanes {
                free.take(lane, reach.clone(), |at| {
                    let (row, col) = if is_wide { (lane, at) } else { (at, lane) };
                    cells[row * n_cols + col] = number;
                });
            }
        }
        Slots { n_cols, cells }
    }

    /// How many rows lead the table as the header of its columns, in time that the cells bound, whatever size
    /// the table says it has.
    ///
    /// Rows in which no cell begins or ends are as the one above, and so are columns: they count once.
    pub fn n_leading_rows(&self) -> usize {
        let rows = bounds(self.n_rows, self.cells.iter().map(|cell| &cell.rows));
        let cols = bounds(self.n_cols, self.cells.iter().map(|cell| &cell.cols));
        let squeezed = |bounds: &[usize], range: &Range<usize>| {
            let number = |at| bounds.partition_point(|bound| *bound < at);
            number(range.start)..number(range.end)
        };
        let cell = |cell: &Cell| Cell {
            text: cell.text.clone(),
            rows: squeezed(&rows, &cell.rows),
            cols: squeezed(&cols, &cell.cols),
            ..*cell
        };
        let cells = self.cells.iter().map(cell).collect();
        let table = Self { n_rows: rows.len(), n_cols: cols.len(), cells };
        let n = table.n_header_rows(&table.slots());
        // Of several rows that are one here, a cell begins in the first alone.
        rows.iter().take(n).enumerate().take_while(|(i, row)| i == *row).count()
    }

    /// How many rows lead the table as the header of its columns.
    ///
    /// A row is one if a column header starts in it; not so if a cell that is none and says something starts
    /// there too, outside the leading column. The first row is let off, unless a column header starts in the
    /// leading column further down: then they are headers of rows.
    pub fn n_header_rows(&self, slots: &Slots) -> usize {
        let first_col = self.cells.iter().map(|cell| cell.cols.start).min().unwrap_or(0);
        let starting = |row: usize| {
            let cells = slots.row(row).filter_map(|cell| cell.map(|i| &self.cells[i]));
            cells.filter(move |cell| cell.rows.start == row)
        };
        let leads = |cell: &Cell| cell.is_column_header && cell.cols.start == first_col;
        let is_led_below = (1..self.n_rows).any(|row| starting(row).any(leads));
        let is_body = |cell: &Cell| {
            let says_something =
                !cell.text.trim_matches(chunkwright_text::unicode::space::is_space).is_empty();
            !cell.is_column_header && says_something && cell.cols.start != first_col
        };
        let is_header = |row: usize| {
            let is_judged = row > 0 || is_led_below;
            starting(row).any(|cell| cell.is_column_header)
                && !(is_judged && starting(row).any(is_body))
        };
        (0..self.n_rows).take_while(|row| is_header(*row)).count()
    }

    /// A table of plain cells as metadata has it; empty if it is none.
    pub fn of_value(value: &Value) -> Self {
        let size = |value: &Value, key: &str| match value.get(key) {
            Some(Value::Int(size)) => usize::try_from((*size).max(0)).unwrap_or(usize::MAX),
            _ => 0,
        };
        let is = |value: &Value, key| value.get(key) == Some(&Value::Bool(true));
        let cell = |value: &Value| Cell {
            text: value.get("text").and_then(Value::text).unwrap_or_default().to_owned(),
            rows: size(value, "start_row_offset_idx")..size(value, "end_row_offset_idx"),
            cols: size(value, "start_col_offset_idx")..size(value, "end_col_offset_idx"),
            is_column_header: is(value, "column_header"),
            is_row_header: is(value, "row_header"),
            content: None,
        };
        let cells = value.get("table_cells").map_or(&[][..], Value::list);
        let (n_rows, n_cols) = (size(value, "num_rows"), size(value, "num_cols"));
        let table = Self { n_rows, n_cols, cells: cells.iter().map(cell).collect() };
        if table.is_too_large() { Self::default() } else { table }
    }
}

/// Where the rows or columns begin that differ from the one before, up to `end`.
fn bounds<'a>(end: usize, ranges: impl Iterator<Item = &'a Range<usize>>) -> Vec<usize> {
    let mut bounds: Vec<usize> = ranges.flat_map(|range| [range.start, range.end]).collect();
    bounds.push(0);
    bounds.retain(|bound| *bound < end);
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

/// The slots that no cell has yet, in lanes: rows or columns.
struct Free {
    width: usize,
    /// For each slot the first of its lane from there on that is free, or one on the way there.
    next: Vec<usize>,
}

impl Free {
    fn new(n_lanes: usize, length: usize) -> Self {
        let width = length + 1;
        Self { width, next: (0..n_lanes).flat_map(|_| 0..width).collect() }
    }

    /// Takes the free slots of `lane` in `reach`, each of which `taken` is told.
    fn take(&mut self, lane: usize, reach: Range<usize>, mut taken: impl FnMut(usize)) {
        let free = &mut self.next[lane * self.width..(lane + 1) * self.width];
        let mut at = first_free(free, reach.start);
        while at < reach.end {
            taken(at);
            free[at] = at + 1;
            at = first_free(free, at);
        }
    }
}

/// The first slot from `at` on that is free; the way there is shortened.
fn first_free(free: &mut [usize], mut at: usize) -> usize {
    while free[at] != at {
        free[at] = free[free[at]];
        at = free[at];
    }
    at
}

impl Slots {
    /// The cells of row `row`, one a slot.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        let cells = &self.cells[row * self.n_cols..(row + 1) * self.n_cols];
        cells.iter().map(|&cell| (cell > 0).then(|| cell as usize - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(rows: Range<usize>, cols: Range<usize>) -> Cell {
        Cell { rows, cols, ..Cell::default() }
    }

    fn naive(table: &TableData) -> Vec<Vec<Option<usize>>> {
        let mut slots = vec![vec![None; table.n_cols]; table.n_rows];
        for (row, slots) in slots.iter_mut().enumerate() {
            for (col, slot) in slots.iter_mut().enumerate() {
                let covers = |cell: &Cell| cell.rows.contains(&row) && cell.cols.contains(&col);
                *slot = table.cells.iter().rposition(covers);
            }
        }
        slots
    }

    proptest::proptest! {
        #[test]
        fn later_cells_cover_earlier_ones(
            n_rows in 0..6usize,
            n_cols in 0..6usize,
            spans in proptest::collection::vec((0..7usize, 0..4usize, 0..7usize, 0..4usize), 0..12),
        ) {
            let cells = spans.iter().map(|&(r, h, c, w)| cell(r..r + h, c..c + w)).collect();
            let table = TableData { n_rows, n_cols, cells };
            let slots = table.slots();
            let rows: Vec<Vec<_>> = (0..n_rows).map(|row| slots.row(row).collect()).collect();
            proptest::prop_assert_eq!(rows, naive(&table));
        }

        #[test]
        fn headers_are_the_same_without_equal_rows(
            n_rows in 0..9usize,
            n_cols in 0..5usize,
            spans in proptest::collection::vec(
                ((0..9usize, 0..5usize, 0..6usize, 0..4usize), proptest::bool::ANY, "x?"),
                0..9,
            ),
        ) {
            let cells = spans.into_iter().map(|((r, h, c, w), is_column_header, text)| Cell {
                text,
                is_column_header,
                ..cell(r..r + h, c..c + w)
            });
            let table = TableData { n_rows, n_cols, cells: cells.collect() };
            proptest::prop_assert_eq!(table.n_leading_rows(), table.n_header_rows(&table.slots()));
        }
    }
}
