//! Grid tables in Markdown, as pandoc writes them: a paragraph that draws a table is one.

use crate::grid::{Cell, Grid, Row};
use crate::span::Span;
use crate::syntax::grid_table::{GridTable, lines, read};

/// The table that the paragraph at `within` begins with, if it draws one: where it ends, and its grid. O(n).
///
/// The text of a cell is its first line; [`words`] are all of them.
pub fn find(text: &str, within: Span) -> Option<(usize, Grid)> {
    let table = table(text, within)?;
    let end = table.span().end;
    let mut grid = Grid { shape: Some([table.rows.len(), table.n_columns]), ..Grid::default() };
    let mut cells = table.cells.iter().peekable();
    for (number, source) in table.sources().into_iter().enumerate() {
        let first = grid.cells.len();
        while let Some(cell) = cells.next_if(|cell| cell.row == number) {
            grid.cells.push(Cell {
                text: cell.lines.first().copied().unwrap_or_default(),
                html: Span::default(),
                colspan: cell.columns,
                rowspan: Some(cell.rows),
            });
        }
        let is_header = number < table.n_header_rows;
        grid.rows.push(Row {
            cells: Span::new(first, grid.cells.len()),
            source,
            is_header,
            section: usize::from(!is_header),
            ..Row::default()
        });
    }
    Some((end, grid))
}

/// What each cell of the table at `within` says, if one is drawn there, in the order of its grid. O(n).
pub fn words(text: &str, within: Span) -> Option<Vec<String>> {
    let table = table(text, within)?;
    Some(table.cells.iter().map(|cell| cell.words(text)).collect())
}

fn table(text: &str, within: Span) -> Option<GridTable> {
    let is_drawn = text[within.range()].starts_with('+');
    is_drawn.then(|| read(text, lines(text, within))).flatten()
}
