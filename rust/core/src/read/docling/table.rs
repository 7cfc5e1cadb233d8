//! Cells of a table and the grid of slots that they cover.

use std::ops::Range;

use crate::read::docling::node_id::NodeId;
use crate::read::docling::value::Value;

/// The largest number of slots of a table.
const MAX_SLOTS: usize = 1_000_000;

/// The rows, columns and cells of a table.
#[derive(Clone, Debug, Default)]
pub struct Table {
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

impl Table {
    /// Whether there are so many slots that they would fill the memory.
    pub fn is_too_large(&self) -> bool {
        let n_slots = self.n_rows.checked_mul(self.n_cols);
        self.n_rows.max(self.n_cols) > MAX_SLOTS || n_slots.is_none_or(|n| n > MAX_SLOTS)
    }

    /// Which cell each slot has. O(slots + cells × rows that they cover).
    pub fn slots(&self) -> Slots {
        let mut cells = vec![0; self.n_rows * self.n_cols];
        // For each slot the first of its row from there on that no cell has yet.
        let width = self.n_cols + 1;
        let mut free: Vec<usize> = (0..self.n_rows).flat_map(|_| 0..width).collect();
        for (i, cell) in self.cells.iter().enumerate().rev() {
            let number = u32::try_from(i + 1).unwrap_or_default();
            let last = cell.cols.end.min(self.n_cols);
            for row in cell.rows.start..cell.rows.end.min(self.n_rows) {
                let free = &mut free[row * width..(row + 1) * width];
                let mut col = first_free(free, cell.cols.start.min(self.n_cols));
                while col < last {
                    cells[row * self.n_cols + col] = number;
                    free[col] = col + 1;
                    col = first_free(free, col);
                }
            }
        }
        Slots { n_cols: self.n_cols, cells }
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
                !cell.text.trim_matches(crate::unicode::space::is_space).is_empty();
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

/// The first slot from `col` on that is free; the way there is shortened.
fn first_free(free: &mut [usize], mut col: usize) -> usize {
    while free[col] != col {
        free[col] = free[free[col]];
        col = free[col];
    }
    col
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

    fn naive(table: &Table) -> Vec<Vec<Option<usize>>> {
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
            let table = Table { n_rows, n_cols, cells };
            let slots = table.slots();
            let rows: Vec<Vec<_>> = (0..n_rows).map(|row| slots.row(row).collect()).collect();
            proptest::prop_assert_eq!(rows, naive(&table));
        }
    }
}
