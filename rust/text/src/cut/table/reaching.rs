//! Cells that reach from the rows above into a row, each in its columns.

use super::groups::SectionEnds;
use crate::grid::Grid;

/// So many cells that reach into one row are kept in mind; more merged columns are no keys.
const MAX_REACHING: usize = 64;

/// A cell that reaches into rows below its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Its number among the cells of the table.
    pub cell: usize,
    /// Its first column, and one past its last.
    pub columns: [usize; 2],
    /// The last row that it reaches.
    pub last: usize,
    /// Whether a part into which it reaches repeats its text; else it is there without.
    pub is_said: bool,
}

/// The cells that reach into the rows of a table, asked for from top to bottom.
pub struct Reaching<'g> {
    grid: &'g Grid,
    next: usize,
    sections: SectionEnds,
    /// Those that reach below the row before `next`, by column.
    cells: Vec<Reach>,
}

impl<'g> Reaching<'g> {
    /// No row was asked for yet.
    pub fn new(grid: &'g Grid) -> Self {
        Self { grid, next: 0, sections: SectionEnds::default(), cells: Vec::new() }
    }

    /// Those that reach into `row`, by column. O(n) over all rows.
    ///
    /// ```
    /// use chunkwright_text::cut::table::reaching::Reaching;
    /// use chunkwright_text::syntax::html::{ParsedTable, parse};
    ///
    /// let html = "<table><tr><td rowspan=2>rain</td><td>3</td></tr><tr><td>5</td></tr></table>";
    /// let ParsedTable::Grid(grid) = parse(html) else { unreachable!() };
    /// let mut reaching = Reaching::new(&grid);
    /// assert_eq!(reaching.from_above(0).len(), 0);
    /// assert_eq!(reaching.from_above(1).len(), 1); // "rain"
    /// ```
    pub fn from_above(&mut self, row: usize) -> &[Reach] {
        while self.next < row.min(self.grid.rows.len()) {
            self.pass();
        }
        self.cells.retain(|reach| reach.last >= row);
        &self.cells
    }

    /// Lays the cells of the next row out beside those that reach into it.
    fn pass(&mut self) {
        let Self { grid, next, sections, cells } = self;
        let (row, last_row) = (*next, grid.rows.len() - 1);
        cells.retain(|reach| reach.last >= row);
        let (mut column, mut above, mut found) = (0_usize, 0, Vec::new());
        for cell in grid.rows[row].cells.range() {
            while let Some(reach) = cells.get(above).filter(|reach| reach.columns[0] <= column) {
                (column, above) = (column.max(reach.columns[1]), above + 1);
            }
            let own = &grid.cells[cell];
            let last = match own.rowspan {
                Some(n_rows) => row.saturating_add(n_rows - 1).min(last_row),
                None => sections.last(&grid.rows, row),
            };
            let columns = [column, column.saturating_add(own.colspan)];
            if last > row && cells.len() + found.len() < MAX_REACHING {
                found.push(Reach { cell, columns, last, is_said: false });
            }
            column = columns[1];
        }
        if !found.is_empty() {
            cells.extend(found);
            cells.sort_by_key(|reach| reach.columns[0]);
        }
        *next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::html::{ParsedTable, parse};

    #[test]
    fn cells_stand_in_the_columns_that_others_leave() {
        let html = "<table><tr><td rowspan='3'>a</td><td>b</td><td rowspan='2'>c</td></tr>\
            <tr><td>d</td></tr><tr><td rowspan='9'>e</td><td>f</td></tr><tr><td>g</td></tr></table>";
        let ParsedTable::Grid(grid) = parse(html) else { panic!("no table") };
        let mut reaching = Reaching::new(&grid);
        let mut above = |row| -> Vec<(usize, usize)> {
            reaching.from_above(row).iter().map(|reach| (reach.cell, reach.columns[0])).collect()
        };
        assert_eq!(above(0), []);
        assert_eq!(above(1), [(0, 0), (2, 2)]);
        assert_eq!(above(2), [(0, 0)]);
        assert_eq!(above(3), [(4, 1)]);
    }
}
