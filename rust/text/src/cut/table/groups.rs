//! Groups of rows that merged cells bind together.
//!
//! A `rowspan` binds the row that it stands in with those that it covers; groups are the classes of that
//! relation, which one pass from the top finds, since spans do not reach over the end of a section (`thead`,
//! `tbody`, `tfoot`).

use std::ops::Range;

use crate::grid::{Cell, Grid, Row};

/// Rows that are not separated, as cells reach from one into the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// The rows.
    pub rows: Range<usize>,
    /// Whether a cell would reach further than there are rows, or to the end of its section.
    pub is_clipped: bool,
}

/// Where the sections of a table end, asked for from top to bottom.
#[derive(Clone, Debug, Default)]
pub struct SectionEnds {
    end: usize,
}

impl SectionEnds {
    /// The last row of the section that `row` is in. O(1), amortised over the rows.
    pub fn last(&mut self, rows: &[Row], row: usize) -> usize {
        if row >= self.end {
            let section = rows[row].section;
            let length = rows[row..].iter().take_while(|row| row.section == section).count();
            self.end = row + length;
        }
        self.end - 1
    }
}

/// The groups of a table's rows. O(n) in all.
///
/// ```
/// use chunkwright_text::cut::table::groups::RowGroups;
/// use chunkwright_text::syntax::html::{ParsedTable, parse};
///
/// let html = "<table><tr><td rowspan=2>rain</td><td>3</td></tr><tr><td>5</td></tr><tr><td>sun</td><td>7</td></tr></table>";
/// let ParsedTable::Grid(grid) = parse(html) else { unreachable!() };
/// assert_eq!(RowGroups::new(&grid).count(), 2); // the first two rows, and the third
/// ```
#[derive(Clone, Debug)]
pub struct RowGroups<'g> {
    grid: &'g Grid,
    next: usize,
    sections: SectionEnds,
}

impl<'g> RowGroups<'g> {
    /// Those of all rows.
    pub fn new(grid: &'g Grid) -> Self {
        Self { grid, next: 0, sections: SectionEnds::default() }
    }

    /// The last row that `row` reaches, and whether that is less than it says.
    fn reach(&mut self, row: usize) -> (usize, bool) {
        let rows = &self.grid.rows;
        let Some(rowspan) = max_rowspan(cells(self.grid, row)) else {
            return (self.sections.last(rows, row), true);
        };
        let declared = row.saturating_add(rowspan - 1);
        (declared.min(rows.len() - 1), declared > rows.len() - 1)
    }
}

impl Iterator for RowGroups<'_> {
    type Item = RowGroup;

    fn next(&mut self) -> Option<RowGroup> {
        let start = self.next;
        if start == self.grid.rows.len() {
            return None;
        }
        let (mut row, mut last, mut is_clipped) = (start, start, false);
        while row <= last {
            let (reach, clipped) = self.reach(row);
            last = last.max(reach);
            is_clipped |= clipped;
            row += 1;
        }
        self.next = row;
        Some(RowGroup { rows: start..row, is_clipped })
    }
}

/// The cells of a row.
pub fn cells(grid: &Grid, row: usize) -> &[Cell] {
    &grid.cells[grid.rows[row].cells.range()]
}

/// The rows that the cell spanning most spans; none if one spans the rest of its section.
pub fn max_rowspan(cells: &[Cell]) -> Option<usize> {
    cells.iter().try_fold(1, |most, cell| Some(cell.rowspan?.max(most)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    /// Rows of one cell each, with these spans and in these sections.
    fn table(rows: &[(Option<usize>, usize)]) -> Grid {
        let mut grid = Grid::default();
        for (i, &(rowspan, section)) in rows.iter().enumerate() {
            let cells = Span::new(i, i + 1);
            grid.rows.push(Row { cells, section, ..Row::default() });
            grid.cells.push(Cell {
                text: Span::default(),
                html: Span::default(),
                colspan: 1,
                rowspan,
            });
        }
        grid
    }

    fn groups(rows: &[(Option<usize>, usize)]) -> Vec<(Range<usize>, bool)> {
        RowGroups::new(&table(rows)).map(|group| (group.rows, group.is_clipped)).collect()
    }

    #[test]
    fn reaches_that_overlap_are_one_group() {
        let one = (Some(1), 0);
        assert_eq!(
            groups(&[one, (Some(2), 0), (Some(2), 1), one, one]),
            [(0..1, false), (1..4, false), (4..5, false)]
        );
    }

    #[test]
    fn reaches_end_with_the_table_or_the_section() {
        assert_eq!(groups(&[(Some(usize::MAX), 0), (Some(1), 1)]), [(0..2, true)]);
        let sections = [(None, 0), (None, 0), (Some(1), 1), (Some(1), 0)];
        assert_eq!(groups(&sections), [(0..2, true), (2..3, false), (3..4, false)]);
        assert_eq!(groups(&[]), []);
    }
}
