//! Tables without lines around their cells: rows of short texts that stand in columns.

mod cells;
mod columns;
mod contents;
pub mod gutters;
mod rows;

use std::ops::Range;

use self::columns::{columns, covered};
use self::contents::has_leader;
use self::gutters::{column, gutters};
use self::rows::Page;
use super::FoundTable;
use super::aligned::aligned;
use super::bands::{band_of, bands, stripes};
use super::grids::rules_across;
use super::refined::is_number;
use crate::pdf::lines::Line;
use crate::pdf::page::{Area, Fill};
use crate::pdf::words::Words;

/// Cells with so many words on average may be lines of columns of text.
const MIN_PROSE_WORDS: usize = 3;
/// So many rows of several texts make a table without any line.
const MIN_ROWS: usize = 3;
/// So many rows make a table without any line or number.
const MIN_LONG_ROWS: usize = 6;
/// Rows are no further apart than so much of the size.
const MAX_LEADING: f32 = 2.8;
/// Rows with texts in the same columns are no further apart than so much of the size.
const MAX_STEP: f32 = 5.0;
/// Cells with more words on average are columns of text.
const MAX_CELL_WORDS: usize = 5;
/// Lines of one cell are no further apart than so much of the size.
const CELL_LEADING: f32 = 1.45;
/// What begins at one edge differs by no more, in points.
const ALIGNED: f32 = 3.0;
/// A header reaches no further aside than so much of its size.
const ASIDE: f32 = 4.0;
/// So many rows of single texts are looked for above those of several.
const MAX_HEADER: usize = 4;

/// What stands in rows of several texts.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Tables; their parts are lines.
    pub tables: Vec<FoundTable>,
    /// The entries of tables of contents: lines with the numbers of pages behind them.
    pub entries: Vec<Vec<usize>>,
}

/// Tables of a page that have no lines around their cells, and contents. O(lines log lines).
pub fn unruled(
    words: &Words,
    lines: &[Line],
    rules: &[Area],
    fills: &[Fill],
    drawings: &[Area],
) -> Rows {
    let gutters = gutters(lines);
    let column = |line: &Line| column(&gutters, line).map_or(0, |column| column + 1);
    let mut bands = bands(rules, fills);
    // What has nothing beside it needs no band to be told from that.
    bands.retain(|band| {
        lines.iter().any(|line| {
            let y = line.area.middle()[1];
            (band.top..band.bottom).contains(&y)
                && (line.area.left > band.right || line.area.right < band.left)
        })
    });
    let key = |i: usize| (band_of(&bands, lines[i].area), column(&lines[i]), lines[i].row);
    let keys: Vec<_> = (0..lines.len()).map(key).collect();
    let mut by_row: Vec<usize> = (0..lines.len()).collect();
    by_row.sort_by(|&a, &b| {
        keys[a].cmp(&keys[b]).then(lines[a].area.left.total_cmp(&lines[b].area.left))
    });
    let rows: Vec<&[usize]> = by_row.chunk_by(|&a, &b| keys[a] == keys[b]).collect();
    let stripes: Vec<Fill> =
        stripes(fills).into_iter().map(|area| Fill { area, colour: 0 }).collect();
    let page = Page { words, lines, rules, fills: &stripes };
    let mut found = Rows::default();
    let (mut start, mut last) = (0, 0);
    while start < rows.len() {
        let end = page.run(&rows, start);
        if end > start {
            let first = page.header(&rows, start, last);
            // Labels of a drawing stand in rows by chance.
            let is_drawn = |area: Area| {
                drawings
                    .iter()
                    .any(|of| area.shared_width(*of) > 0.0 && area.shared_height(*of) > 0.0)
            };
            if let Some(entries) = page.entries(&rows[start..end]) {
                found.entries.extend(entries);
                last = end;
            } else if let Some((table, behind)) =
                page.table(&rows, first..end).filter(|(table, _)| !is_drawn(table.area))
            {
                found.tables.push(table);
                last = behind;
            }
        }
        start = end.max(start + 1).max(last);
    }
    let is_told = |row: &&&[usize]| found.entries.iter().any(|entry| entry[..] == row[..]);
    let is_entry = |row: &&&[usize]| matches!(row, [i] if has_leader(words, &lines[*i]));
    let others: Vec<&&[usize]> = rows.iter().filter(is_entry).filter(|row| !is_told(row)).collect();
    found.entries.extend(others.into_iter().map(|row| row.to_vec()));
    found
}

impl Page<'_> {
    /// One past the last of the rows from `start` on that could be a table.
    fn run(&self, rows: &[&[usize]], start: usize) -> usize {
        let several = |row: &[usize]| row.len() > 1 || has_leader(self.words, &self.lines[row[0]]);
        if !several(rows[start]) {
            return start;
        }
        let mut end = start + 1;
        let mut i = start + 1;
        while i < rows.len() {
            let (above, line) = (&self.lines[rows[i - 1][0]], &self.lines[rows[i][0]]);
            let step = line.baseline - above.baseline;
            let size = line.size.max(above.size);
            let is_near = step <= MAX_LEADING * size
                || step <= MAX_STEP * size
                    && (self.are_aligned(rows[i - 1], rows[i]) || self.is_striped(rows, i));
            if step <= 0.0 || !is_near || i > end + 1 {
                break;
            }
            i += 1;
            if several(rows[i - 1]) {
                end = i;
            }
        }
        end
    }

    /// The first row of a table whose row `start` is the first of several texts; none above `first` is.
    fn header(&self, rows: &[&[usize]], start: usize, first: usize) -> usize {
        let line = |row: usize| &self.lines[rows[row][0]];
        let width = rows[start].iter().map(|&i| self.lines[i].area).reduce(Area::around);
        let Some(width) = width else { return start };
        let mut top = start;
        while top > first && top + MAX_HEADER > start {
            let (above, below) = (line(top - 1), line(top));
            let step = below.baseline - above.baseline;
            let is_near = step > 0.0 && step <= MAX_LEADING * below.size.max(above.size);
            let is_within = above.area.left > width.left - ASIDE * above.size
                && above.area.right < width.right + ASIDE * above.size;
            // What stands above the line above a table is its title.
            let is_title = self.is_above_rule(above, width) && !self.is_below_rule(above, width);
            if rows[top - 1].len() > 1 || !is_near || !is_within || is_title {
                break;
            }
            top -= 1;
        }
        let is_ruled = |row: &usize| self.is_below_rule(line(*row), width);
        let is_parted = |row: &usize| self.parts(line(*row), rows[start].len()).is_some();
        (top..start)
            .find(is_ruled)
            .or_else(|| (top..start).rev().take(1).find(is_parted))
            .unwrap_or(start)
    }

    /// The table that rows make, if their texts stand in columns and are short, and one past its last row.
    fn table(&self, rows_of_page: &[&[usize]], of: Range<usize>) -> Option<(FoundTable, usize)> {
        let rows = &rows_of_page[of.clone()];
        let Self { words, lines, .. } = *self;
        let longest = rows.iter().map(|row| row.len()).max()?;
        // Texts of a row, which may stand in one line.
        let n_texts = |row: &&[usize]| match row {
            [line] if self.parts(&lines[*line], longest).is_some() => longest,
            _ => row.len(),
        };
        let n_several = rows.iter().filter(|row| n_texts(row) > 1).count();
        let several: Vec<&&[usize]> = rows.iter().filter(|row| row.len() > 1).collect();
        let all = || rows.iter().flat_map(|row| row.iter());
        let area = all().map(|&i| lines[i].area).reduce(Area::around)?;
        let flat = self.rules.iter().copied().chain(self.fills.iter().map(|fill| fill.area));
        let is_framed = flat.clone().filter(|of| frames(*of, area)).count() > 1
            || rows.len() > 2 && flat.clone().any(|of| self.is_below_header(rows, of, area));
        if n_several < if is_framed { 2 } else { MIN_ROWS } {
            return None;
        }
        let columns = columns(lines, &several)?;
        let n_words: usize = all().map(|&i| lines[i].words.len()).sum();
        let n_lines = all().count();
        let has_numbers =
            all().filter(|&&i| is_number(&lines[i].text(words))).count() * 5 >= n_lines;
        // Names of authors beside each other stand in a few rows.
        let is_long = columns.len() > 2 && several.len() >= MIN_LONG_ROWS;
        let is_short = n_words <= MAX_CELL_WORDS * n_lines;
        let is_full = rows.iter().map(n_texts).sum::<usize>() * 10
            >= rows.len() * columns.len() * if is_framed { 4 } else { 6 };
        let is_prose =
            n_words >= MIN_PROSE_WORDS * n_lines && goes_on(words, lines, rows, &columns);
        let is_code = all().all(|&i| lines[i].is_mono) && !has_numbers;
        if is_code || !is_short || is_prose || !is_full || !(is_framed || has_numbers || is_long) {
            return None;
        }
        let end = self.end(rows_of_page, of.end, &columns, area);
        let rows = &rows_of_page[of.start..end];
        let around = rows.iter().flat_map(|row| row.iter()).map(|&i| lines[i].area);
        let area = around.fold(area, Area::around);
        let groups = self.groups(rows, &columns, area);
        // What would be half the rows or less are rows that stand in pairs.
        let aligned = self.aligned(rows, &columns, area);
        if let Some(table) = aligned.filter(|of| of.rows.len() * 2 > groups.len()) {
            return Some((table, end));
        }
        Some((self.filled(&groups, &columns, area), end))
    }

    /// Whether a line, or the end of a stripe, stands between the first row of several and the next, as wide as they are.
    fn is_below_header(&self, rows: &[&[usize]], of: Area, area: Area) -> bool {
        let middle = |row: &[usize]| self.lines[row[0]].area.middle()[1];
        let y = if of.height() < 3.0 { of.middle()[1] } else { of.bottom };
        of.shared_width(area) > 0.9 * area.width()
            && of.width() < 1.3 * area.width()
            && middle(rows[0]) < y
            && y < middle(rows[1])
    }

    /// The table that the words of rows make, if they show no fewer columns than the lines.
    fn aligned(&self, rows: &[&[usize]], columns: &[[f32; 2]], area: Area) -> Option<FoundTable> {
        let lines = || rows.iter().flat_map(|row| row.iter().copied());
        let own: Vec<usize> = lines().flat_map(|i| self.lines[i].words.iter().copied()).collect();
        let stripes = self.fills.iter().flat_map(|fill| {
            let Area { top, bottom, .. } = fill.area;
            [Area { bottom: top, ..fill.area }, Area { top: bottom, ..fill.area }]
        });
        let between = |rule: &Area| {
            let y = rule.middle()[1];
            area.top < y && y < area.bottom
        };
        let rules: Vec<Area> = self.rules.iter().copied().chain(stripes).filter(between).collect();
        let table = aligned(self.words, &own, &rules_across(&rules))?;
        let is_parted = |row: &&[usize]| matches!(row, [i] if self.parts(&self.lines[*i], columns.len()).is_some());
        (table.table.shape[1] >= columns.len() && !rows.iter().any(is_parted))
            .then(|| FoundTable { parts: lines().collect(), ..table })
    }

    /// One past the last row with the rest of a cell below a table that ends before row `end`.
    fn end(&self, rows: &[&[usize]], mut end: usize, columns: &[[f32; 2]], table: Area) -> usize {
        while let Some([i]) = rows.get(end).copied() {
            let (line, above) = (&self.lines[*i], &self.lines[rows[end - 1][0]]);
            let step = line.baseline - above.baseline;
            let cols = covered(columns, line.area);
            let is_in_column = cols.len() == 1
                && (line.area.left - columns[cols.start][0]).abs() < ALIGNED
                && line.area.right <= table.right + line.size;
            let is_rest = line.text(self.words).starts_with(char::is_lowercase)
                && (cols.start > 0 || self.is_above_rule(line, table));
            if !(0.0..=CELL_LEADING * line.size).contains(&step) || !is_in_column || !is_rest {
                break;
            }
            end += 1;
        }
        end
    }
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

/// Whether a line across the page, as wide as an area, stands above it, in it or below it.
fn frames(rule: Area, area: Area) -> bool {
    rule.width() > 4.0 * rule.height()
        && rule.shared_width(area) > 0.7 * area.width()
        && rule.width() < 1.6 * area.width()
        && rule.top > area.top - 30.0
        && rule.top < area.bottom + 30.0
}
