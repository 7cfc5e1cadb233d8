//! Tables of a page: cells between ruled lines, or columns in which short texts are aligned.

pub mod aligned;
pub mod bands;
pub mod cell_links;
pub(super) mod framed;
pub mod grids;
pub mod refined;
pub mod unruled;

use std::ops::Range;

use self::grids::RuledGrid;
use super::page::Area;
use super::words::Words;
use crate::blocks::BlockTable;
use crate::blocks::table_text::TableCell;

/// A table with what it is made of.
#[derive(Clone, Debug)]
pub struct FoundTable {
    /// Where it stands.
    pub area: Area,
    /// The edges of its columns.
    pub xs: Vec<f32>,
    /// Where its rows stand.
    pub rows: Vec<Area>,
    /// Its rows and cells.
    pub table: BlockTable,
    /// Its words, or its lines, by their numbers.
    pub parts: Vec<usize>,
}

/// The table of a ruled grid; none if its cells hold no words to speak of. O(words).
pub fn ruled(words: &Words, grid: &RuledGrid, free: &[bool]) -> Option<FoundTable> {
    let mut texts: Vec<String> = vec![String::new(); grid.n_cells];
    let mut parts = Vec::new();
    for (i, word) in words.words.iter().enumerate().filter(|(i, _)| free[*i]) {
        let Some([row, col]) = grid.slot(word.area.middle()) else { continue };
        parts.push(i);
        let text = &mut texts[grid.cells[row * grid.n_columns() + col]];
        add(text, words.text_of(word), word.is_apart);
    }
    let n_filled = texts.iter().filter(|text| !text.is_empty()).count();
    if n_filled < 2 || n_filled * 4 < grid.n_cells {
        return None;
    }
    let mut cells: Vec<TableCell> =
        texts.into_iter().map(|text| TableCell { text, ..TableCell::default() }).collect();
    for (slot, &cell) in grid.cells.iter().enumerate() {
        let (row, col) = (slot / grid.n_columns(), slot % grid.n_columns());
        add_slot(&mut cells[cell].rows, row);
        add_slot(&mut cells[cell].cols, col);
    }
    let shape = [grid.n_rows(), grid.n_columns()];
    let table = BlockTable { shape, n_header_rows: n_header_rows(&cells, shape), cells };
    let row = |ys: &[f32]| Area { top: ys[0], bottom: ys[1], ..grid.area() };
    let mut rows: Vec<Area> = grid.ys.windows(2).map(row).collect();
    for &part in &parts {
        let area = words.words[part].area;
        let Some([row, col]) = grid.slot(area.middle()) else { continue };
        // A cell over several rows is text of the first, wherever in it its words stand; others may stand on a line.
        let first = table.cells[grid.cells[row * grid.n_columns() + col]].rows.start;
        rows[first] = rows[first].around(area);
    }
    Some(FoundTable { area: grid.area(), xs: grid.xs.clone(), rows, table, parts })
}

/// Makes a range reach to a slot.
fn add_slot(range: &mut Range<usize>, slot: usize) {
    let is_new = range.start >= range.end;
    range.start = if is_new { slot } else { range.start.min(slot) };
    range.end = range.end.max(slot + 1);
}

/// Adds a word to the text of a cell.
pub(super) fn add(text: &mut String, word: &str, is_apart: bool) {
    if is_apart && !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// The header rows of a table: the first one, and what its cells reach down to.
pub(super) fn n_header_rows(cells: &[TableCell], [n_rows, _]: [usize; 2]) -> usize {
    let first = cells.iter().filter(|cell| cell.rows.start == 0 && !cell.text.is_empty());
    let end = first.map(|cell| cell.rows.end).max().unwrap_or(1);
    if end < n_rows { end } else { usize::from(n_rows > 1) }
}
