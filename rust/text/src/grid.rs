//! Grid of a table: rows and cells, whatever it was read from.
//!
//! One model for HTML, CSV, Markdown and the tables of partitioners. Cells stand in reading order in one vector,
//! and rows are ranges of it; where a cell stands in the table follows from the spans of the cells before it, as
//! in HTML (the algorithm of the standard's table model), and is kept only if the source says something else.
//! Texts are spans, so that a table of a document costs no copy of it: 56 bytes a cell and 64 a row.

use serde::{Deserialize, Serialize};

use crate::span::Span;

/// A table: its cells in reading order, each a slice of one of two strings.
///
/// It has HTML, or its rows are lines of the text of a document, as those of Markdown are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
    /// For each cell where it stands in the table, if its source says so; else empty, as that follows from the
    /// cells.
    pub slots: Vec<Slot>,
    /// Rows and columns of the table, if its source says so.
    pub shape: Option<[usize; 2]>,
}

/// Where a cell stands in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Slot {
    /// Its first row, from 0.
    pub row: usize,
    /// Its first column, from 0.
    pub column: usize,
    /// Rows that it covers, at least 1.
    pub rows: usize,
    /// Columns that it covers, at least 1.
    pub columns: usize,
}

/// A cell with a known place in its table and in the text of the document.
#[derive(Clone, Copy, Debug)]
pub struct PlacedCell {
    /// Where it stands in the table.
    pub slot: Slot,
    /// Its text in the document's; empty if it has none.
    pub text: Span,
    /// Whether it names what is below it.
    pub is_header: bool,
}

/// A row of a [`Grid`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The grid of a table that stands at `table` of `text`, whose `cells` are those of the first row, then those
    /// of the second and so on, in the order of their texts. O(cells log rows + text of the table).
    ///
    /// ```
    /// use chunkwright_text::grid::{Grid, PlacedCell, Slot};
    /// use chunkwright_text::span::Span;
    ///
    /// let text = "stone kg\nslate 7";
    /// let cell = |row, column, start, end| PlacedCell {
    ///     slot: Slot { row, column, rows: 1, columns: 1 },
    ///     text: Span::new(start, end),
    ///     is_header: row == 0,
    /// };
    /// let cells = [cell(0, 0, 0, 5), cell(0, 1, 6, 8), cell(1, 0, 9, 14), cell(1, 1, 15, 16)];
    /// let grid = Grid::of_cells(text, Span::new(0, 16), &cells);
    /// assert_eq!(grid.shape(), [2, 2]);
    /// assert!(grid.rows[0].is_header);
    /// assert_eq!(&text[grid.rows[1].source.range()], "slate 7");
    /// ```
    pub fn of_cells(text: &str, table: Span, cells: &[PlacedCell]) -> Self {
        let mut grid =
            Self { slots: cells.iter().map(|cell| cell.slot).collect(), ..Self::default() };
        let by_row: Vec<&[PlacedCell]> = cells.chunk_by(|a, b| a.slot.row == b.slot.row).collect();
        let starts: Vec<usize> = by_row.iter().map(|cells| cells[0].slot.row).collect();
        let mut before = table.start;
        for (i, cells) in by_row.iter().enumerate() {
            let first = grid.cells.len();
            for cell in *cells {
                let end = cell.slot.row + cell.slot.rows;
                let rows = starts[i..].partition_point(|start| *start < end).max(1);
                let (html, rowspan) = (Span::default(), Some(rows));
                grid.cells.push(Cell {
                    text: cell.text,
                    html,
                    colspan: cell.slot.columns,
                    rowspan,
                });
            }
            let own = Span::new(cells[0].text.start, cells[cells.len() - 1].text.end);
            let next = by_row.get(i + 1).map_or(table.end, |next| next[0].text.start);
            let source = line_around(text, own, before, next);
            before = source.end;
            let is_header = cells.iter().all(|cell| cell.is_header)
                && grid.rows.iter().all(|row| row.is_header);
            let cells = Span::new(first, grid.cells.len());
            let section = usize::from(!is_header);
            grid.rows.push(Row { cells, source, is_header, section, ..Row::default() });
        }
        // A header alone is none.
        if grid.rows.iter().all(|row| row.is_header) {
            grid.rows.iter_mut().for_each(|row| row.is_header = false);
        }
        grid
    }

    /// Rows and columns of the table.
    pub fn shape(&self) -> [usize; 2] {
        self.shape_of(&self.slots())
    }

    fn shape_of(&self, slots: &[Slot]) -> [usize; 2] {
        let ends = slots.iter().map(|slot| {
            [slot.row.saturating_add(slot.rows), slot.column.saturating_add(slot.columns)]
        });
        let most = |most: [usize; 2], end: [usize; 2]| [most[0].max(end[0]), most[1].max(end[1])];
        self.shape.unwrap_or_else(|| ends.fold([0, 0], most))
    }

    /// For each cell where it stands in the table: as its source says, else in the first column of its row that no
    /// cell above reaches down to. O(cells), as long as few of them reach down.
    pub fn slots(&self) -> Vec<Slot> {
        if !self.slots.is_empty() {
            return self.slots.clone();
        }
        let mut slots = Vec::with_capacity(self.cells.len());
        // The columns that cells above cover, in order, each with one past the last row.
        let mut reaching: Vec<(Span, usize)> = Vec::new();
        let mut section_end = 0;
        for (row, of) in self.rows.iter().enumerate() {
            reaching.retain(|(_, end)| *end > row);
            if row >= section_end {
                section_end = self.section_end(row);
            }
            let (mut column, mut next, n_above) = (0, 0, reaching.len());
            for cell in &self.cells[of.cells.range()] {
                while next < n_above && reaching[next].0.start <= column {
                    column = column.max(reaching[next].0.end);
                    next += 1;
                }
                let to_end = section_end - row;
                let rows = cell.rowspan.unwrap_or(to_end).clamp(1, to_end);
                slots.push(Slot { row, column, rows, columns: cell.colspan });
                if rows > 1 {
                    reaching.push((Span::new(column, column + cell.colspan), row + rows));
                }
                column += cell.colspan;
            }
            if reaching.len() > n_above {
                reaching.sort_unstable_by_key(|(columns, _)| columns.start);
            }
        }
        slots
    }

    /// One past the last row of the section that a row is in.
    fn section_end(&self, row: usize) -> usize {
        let section = self.rows[row].section;
        let others = self.rows[row..].iter().position(|other| other.section != section);
        others.map_or(self.rows.len(), |n_rows| row + n_rows)
    }

    /// Says that the texts of the cells stand at `start` of a document's text, to which their spans are
    /// moved; [`Grid::texts`] is given up.
    pub fn place_at(&mut self, start: usize) {
        self.texts = String::new();
        for cell in &mut self.cells {
            cell.text = Span::new(start + cell.text.start, start + cell.text.end);
        }
    }

    /// The same table in a text that begins `n_bytes` further on, where it stands in the text of a document.
    #[must_use]
    pub fn moved_back(&self, n_bytes: usize) -> Self {
        let mut moved = self.clone();
        if self.texts.is_empty() {
            moved.cells.iter_mut().for_each(|cell| cell.text = cell.text.moved_back(n_bytes));
        }
        if self.html.is_empty() {
            moved.rows.iter_mut().for_each(|row| row.source = row.source.moved_back(n_bytes));
        }
        moved
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

/// `own`, a row, with all of its line that neither `before` nor `next`, rows around it, have.
fn line_around(text: &str, own: Span, before: usize, next: usize) -> Span {
    let front = text.get(before..own.start).unwrap_or_default();
    let behind = text.get(own.end..next).unwrap_or_default();
    let start = front.rfind('\n').map_or(before, |feed| before + feed + 1);
    let end = behind.find('\n').unwrap_or(behind.len());
    Span::new(start.min(own.start), own.end + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(colspan: usize, rowspan: Option<usize>) -> Cell {
        Cell { text: Span::default(), html: Span::default(), colspan, rowspan }
    }

    fn slots(rows: &[(usize, Vec<Cell>)]) -> Vec<[usize; 4]> {
        let mut grid = Grid::default();
        for (section, cells) in rows {
            let first = grid.cells.len();
            grid.cells.extend(cells);
            let cells = Span::new(first, grid.cells.len());
            grid.rows.push(Row { cells, section: *section, ..Row::default() });
        }
        grid.slots().iter().map(|of| [of.row, of.column, of.rows, of.columns]).collect()
    }

    #[test]
    fn cells_stand_beside_those_that_reach_down() {
        let one = cell(1, Some(1));
        let found = slots(&[
            (0, vec![cell(1, Some(2)), one, cell(2, None)]),
            (0, vec![one, one]),
            (0, vec![one, one, one]),
            (1, vec![one, cell(1, Some(9))]),
        ]);
        let expected = [
            [0, 0, 2, 1],
            [0, 1, 1, 1],
            [0, 2, 3, 2],
            [1, 1, 1, 1],
            [1, 4, 1, 1],
            [2, 0, 1, 1],
            [2, 1, 1, 1],
            [2, 4, 1, 1],
            [3, 0, 1, 1],
            [3, 1, 1, 1],
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_of_placed_cells_are_lines() {
        let text = "| a | b |\n|---|---|\n| c | d |";
        let at = |row, column, start: usize, is_header| PlacedCell {
            slot: Slot { row, column, rows: 1, columns: 1 },
            text: Span::new(start, start + 1),
            is_header,
        };
        let cells =
            [at(0, 0, 2, true), at(0, 1, 6, true), at(4, 0, 22, false), at(4, 1, 26, false)];
        let grid = Grid::of_cells(text, Span::new(0, text.len()), &cells);
        let lines: Vec<&str> = grid.rows.iter().map(|row| &text[row.source.range()]).collect();
        assert_eq!(lines, ["| a | b |", "| c | d |"]);
        assert_eq!((grid.n_header_rows(), grid.shape()), (1, [5, 2]));
        let alone = Grid::of_cells(text, Span::new(0, text.len()), &cells[..2]);
        assert_eq!(alone.n_header_rows(), 0);
    }
}
