//! Source HTML of rows and cells, with other row spans where they are cut.

use super::td;
use chunkwright_text::cut::table::html;
use chunkwright_text::grid::{Cell, Grid};

/// Adds a cell that is not to span more than `n_rows`.
pub fn push_cell(html: &mut String, grid: &Grid, cell: &Cell, n_rows: usize) {
    if cell.text.is_empty() {
        let rowspan = cell.rowspan.map_or(n_rows, |rowspan| rowspan.min(n_rows));
        td::push_blank(html, cell.colspan, rowspan);
    } else {
        html::push_cell(html, grid, cell, n_rows);
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
