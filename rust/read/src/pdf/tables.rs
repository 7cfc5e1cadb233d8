//! Tables of a page: cells between ruled lines, or columns in which short texts are aligned.

use std::ops::Range;

use super::grids::RuledGrid;
use super::gutters::{column, gutters};
use super::lines::Line;
use super::page::Area;
use super::words::Words;
use crate::blocks::BlockTable;
use crate::blocks::table_text::TableCell;

/// Cells with so many words on average may be lines of columns of text.
const MIN_PROSE_WORDS: usize = 3;
/// So many rows of several texts make a table without any line.
const MIN_ROWS: usize = 3;
/// So many rows make a table without any line or number.
const MIN_LONG_ROWS: usize = 6;
/// Rows of a table without lines are no further apart than so much of the size.
const MAX_LEADING: f32 = 2.8;
/// Cells with more words on average are columns of text.
const MAX_CELL_WORDS: usize = 5;

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
        texts.into_iter().map(|text| TableCell { rows: 0..0, cols: 0..0, text }).collect();
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
fn add(text: &mut String, word: &str, is_apart: bool) {
    if is_apart && !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// The header rows of a table: the first one, and what its cells reach down to.
fn n_header_rows(cells: &[TableCell], [n_rows, _]: [usize; 2]) -> usize {
    let first = cells.iter().filter(|cell| cell.rows.start == 0 && !cell.text.is_empty());
    let end = first.map(|cell| cell.rows.end).max().unwrap_or(1);
    if end < n_rows { end } else { usize::from(n_rows > 1) }
}

/// Tables of a page that have no lines around their cells. O(lines log lines).
pub fn unruled(
    words: &Words,
    lines: &[Line],
    rules: &[Area],
    drawings: &[Area],
) -> Vec<FoundTable> {
    let gutters = gutters(lines);
    let column = |line: &Line| column(&gutters, line).map_or(0, |column| column + 1);
    let key = |i: usize| (column(&lines[i]), lines[i].row);
    let mut by_row: Vec<usize> = (0..lines.len()).collect();
    by_row.sort_by(|&a, &b| {
        key(a).cmp(&key(b)).then(lines[a].area.left.total_cmp(&lines[b].area.left))
    });
    let rows: Vec<&[usize]> = by_row.chunk_by(|&a, &b| key(a) == key(b)).collect();
    let mut found = Vec::new();
    let mut start = 0;
    while start < rows.len() {
        let end = run(lines, &rows, start);
        if end > start {
            let table = table(words, lines, &rows[start..end], rules);
            // Labels of a drawing stand in rows by chance.
            let is_drawn = |area: Area| {
                drawings
                    .iter()
                    .any(|of| area.shared_width(*of) > 0.0 && area.shared_height(*of) > 0.0)
            };
            found.extend(table.filter(|table| !is_drawn(table.area)));
        }
        start = end.max(start + 1);
    }
    found
}

/// One past the last of the rows from `start` on that could be a table.
fn run(lines: &[Line], rows: &[&[usize]], start: usize) -> usize {
    let several = |row: &[usize]| row.len() > 1;
    if !several(rows[start]) {
        return start;
    }
    let mut end = start + 1;
    let mut i = start + 1;
    while i < rows.len() {
        let (above, line) = (&lines[rows[i - 1][0]], &lines[rows[i][0]]);
        let step = line.baseline - above.baseline;
        let is_near = step > 0.0 && step <= MAX_LEADING * line.size.max(above.size);
        if !is_near || i > end + 1 {
            break;
        }
        i += 1;
        if several(rows[i - 1]) {
            end = i;
        }
    }
    end
}

/// The table that rows make, if their texts stand in columns and are short.
fn table(words: &Words, lines: &[Line], rows: &[&[usize]], rules: &[Area]) -> Option<FoundTable> {
    let several: Vec<&&[usize]> = rows.iter().filter(|row| row.len() > 1).collect();
    let all = || rows.iter().flat_map(|row| row.iter());
    let area = all().map(|&i| lines[i].area).reduce(Area::around)?;
    let is_framed = rules.iter().filter(|rule| frames(**rule, area)).count() > 1;
    if several.len() < if is_framed { 2 } else { MIN_ROWS } {
        return None;
    }
    let columns = columns(lines, &several)?;
    let n_words: usize = all().map(|&i| lines[i].words.len()).sum();
    let n_lines = all().count();
    let is_numeric = |i: &&usize| {
        let text = lines[**i].text(words);
        let digits = text.chars().filter(char::is_ascii_digit).count();
        digits * 2 >= text.chars().filter(|c| c.is_alphanumeric()).count()
    };
    let has_numbers = all().filter(is_numeric).count() * 5 >= n_lines;
    // Names of authors beside each other stand in a few rows.
    let is_long = columns.len() > 2 && several.len() >= MIN_LONG_ROWS;
    let is_short = n_words <= MAX_CELL_WORDS * n_lines;
    let is_full = n_lines * 10 >= rows.len() * columns.len() * 6;
    let is_prose = n_words >= MIN_PROSE_WORDS * n_lines && goes_on(words, lines, rows, &columns);
    if !is_short || is_prose || !is_full || !(is_framed || has_numbers || is_long) {
        return None;
    }
    Some(filled(words, lines, rows, &columns, area))
}

/// Whether texts go on from row to row within their columns, as those of newspapers do.
fn goes_on(words: &Words, lines: &[Line], rows: &[&[usize]], columns: &[[f32; 2]]) -> bool {
    let (mut n_pairs, mut n_going_on) = (0, 0);
    for column in columns {
        let of_column = rows.iter().flat_map(|row| row.iter()).map(|&i| &lines[i]);
        let in_column =
            of_column.filter(|line| (column[0]..column[1]).contains(&line.area.middle()[0]));
        let texts: Vec<String> = in_column.map(|line| line.text(words)).collect();
        for pair in texts.windows(2) {
            n_pairs += 1;
            let ends = pair[0].ends_with(['.', '!', '?', ':']);
            n_going_on += usize::from(!ends && pair[1].starts_with(char::is_lowercase));
        }
    }
    n_going_on * 5 > n_pairs * 2
}

/// Whether a line across the page stands above or below an area, as wide as it.
fn frames(rule: Area, area: Area) -> bool {
    rule.width() > 4.0 * rule.height()
        && rule.shared_width(area) > 0.7 * area.width()
        && rule.width() < 1.6 * area.width()
        && (rule.top < area.top + 4.0 && rule.top > area.top - 30.0
            || rule.top > area.bottom - 4.0 && rule.top < area.bottom + 30.0)
}

/// The columns of rows: where their texts stand one below the other.
fn columns(lines: &[Line], rows: &[&&[usize]]) -> Option<Vec<[f32; 2]>> {
    let mut counts: Vec<usize> = rows.iter().map(|row| row.len()).collect();
    counts.sort_unstable();
    let usual = counts[counts.len() / 2];
    let full = rows.iter().filter(|row| row.len() >= usual);
    let mut spans: Vec<[f32; 2]> = full
        .flat_map(|row| row.iter().map(|&i| [lines[i].area.left, lines[i].area.right]))
        .collect();
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut columns: Vec<[f32; 2]> = Vec::new();
    for [left, right] in spans {
        match columns.last_mut() {
            Some(last) if left < last[1] => last[1] = last[1].max(right),
            _ => columns.push([left, right]),
        }
    }
    (columns.len() > 1 && columns.len() * 2 >= usual).then_some(columns)
}

fn filled(
    words: &Words,
    lines: &[Line],
    rows: &[&[usize]],
    columns: &[[f32; 2]],
    area: Area,
) -> FoundTable {
    let (mut cells, mut parts): (Vec<TableCell>, Vec<usize>) = (Vec::new(), Vec::new());
    for (row, of_row) in rows.iter().enumerate() {
        for &i in *of_row {
            let Area { left, right, .. } = lines[i].area;
            let last = columns.len() - 1;
            let first = columns.partition_point(|column| column[1] < left).min(last);
            let end =
                columns.partition_point(|column| column[0] < right).clamp(first + 1, last + 1);
            let text = lines[i].text(words);
            parts.push(i);
            match cells.last_mut() {
                Some(cell) if cell.rows.start == row && cell.cols.end > first => {
                    add(&mut cell.text, &text, true);
                    cell.cols.end = cell.cols.end.max(end);
                }
                _ => cells.push(TableCell { rows: row..row + 1, cols: first..end, text }),
            }
        }
    }
    let shape = [rows.len(), columns.len()];
    let mut xs: Vec<f32> = columns.iter().map(|column| column[0]).collect();
    xs.push(area.right);
    let table = BlockTable { shape, n_header_rows: n_header_rows(&cells, shape), cells };
    let around = |row: &&[usize]| row.iter().map(|&i| lines[i].area).reduce(Area::around);
    let rows = rows.iter().map(|row| around(row).unwrap_or(area)).collect();
    FoundTable { area, xs, rows, table, parts }
}
