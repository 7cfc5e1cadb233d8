//! Source HTML of rows and cells, with other row spans where they are cut.

use super::groups::{cells, max_rowspan};
use super::td;
use crate::grid::{Cell, Grid};

/// Adds a row of which no cell is to span more than `n_rows`. O(its HTML).
pub fn push_row(html: &mut String, grid: &Grid, row: usize, n_rows: usize) {
    let span = grid.rows[row].html;
    if max_rowspan(cells(grid, row)).is_some_and(|rowspan| rowspan <= n_rows) {
        return html.push_str(&grid.html[span.range()]);
    }
    let mut done = span.start;
    for cell in cells(grid, row) {
        html.push_str(&grid.html[done..cell.html.start]);
        push_element(html, grid, cell, n_rows);
        done = cell.html.end;
    }
    html.push_str(&grid.html[done..span.end]);
}

/// Adds a cell that is not to span more than `n_rows`.
pub fn push_cell(html: &mut String, grid: &Grid, cell: &Cell, n_rows: usize) {
    if cell.text.is_empty() {
        let rowspan = cell.rowspan.map_or(n_rows, |rowspan| rowspan.min(n_rows));
        td::push_blank(html, cell.colspan, rowspan);
    } else {
        push_element(html, grid, cell, n_rows);
    }
}

/// The same for a row that is made anew: the peer parses it, and writes elements without content in one
/// tag.
pub fn push_rebuilt(html: &mut String, grid: &Grid, cell: &Cell, n_rows: usize) {
    let start = html.len();
    push_cell(html, grid, cell, n_rows);
    if html[start..].contains(td::EMPTY) {
        let cell = html.split_off(start);
        td::push_with_single_tags(html, &cell);
    }
}

fn push_element(html: &mut String, grid: &Grid, cell: &Cell, n_rows: usize) {
    let element = &grid.html[cell.html.range()];
    if cell.rowspan.is_some_and(|rowspan| rowspan <= n_rows) {
        html.push_str(element);
    } else {
        td::push_respanned(html, element, n_rows);
    }
}
