//! Cells of tables without lines: the texts of rows and columns, those of wrapped lines together.

use std::ops::Range;

use super::super::refined::is_number;
use super::columns::covered;
use super::rows::Page;
use crate::blocks::BlockTable;
use crate::blocks::table_text::TableCell;
use crate::pdf::lines::Line;
use crate::pdf::page::Area;
use crate::pdf::tables::{FoundTable, add, n_header_rows};

/// Rows are no further apart than so much of the size.
const MAX_LEADING: f32 = 2.8;
/// Lines of one cell are no further apart than so much of the size.
const CELL_LEADING: f32 = 1.45;
/// Lines of one cell are nearer to each other than so much of the distance of rows.
const CELL_STEP: f32 = 0.8;

impl Page<'_> {
    /// Rows of a table: lines of the page, those of wrapped cells together.
    pub(super) fn groups(
        &self,
        rows: &[&[usize]],
        columns: &[[f32; 2]],
        area: Area,
    ) -> Vec<Vec<usize>> {
        let lines = self.lines;
        let step = |i: usize| lines[rows[i][0]].baseline - lines[rows[i - 1][0]].baseline;
        let mut steps: Vec<f32> = (1..rows.len())
            .filter(|&i| rows[i].len().min(rows[i - 1].len()) >= columns.len())
            .map(step)
            .collect();
        steps.sort_by(f32::total_cmp);
        let usual = steps.get(steps.len() / 2).copied().unwrap_or(f32::MAX);
        let parted: Vec<bool> =
            (0..rows.len()).map(|i| i == 0 || self.is_parted(rows, i, area)).collect();
        let is_ruled = parted.iter().filter(|parted| **parted).count() * 2 > rows.len();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let joins = !parted[i]
                && groups.last().is_some_and(|above| {
                    let size = lines[row[0]].size.max(1.0);
                    let is_near = step(i) <= CELL_LEADING * size && step(i) <= CELL_STEP * usual
                        || is_ruled && step(i) <= MAX_LEADING * size
                        || self.is_rest(above, row, columns, step(i) / size);
                    is_near && !self.are_both_numbers(above, row, columns)
                });
            match groups.last_mut().filter(|_| joins) {
                Some(above) => above.extend(*row),
                None => groups.push(row.to_vec()),
            }
        }
        groups
    }

    /// Whether a row is the rest of the cells above: nothing stands in the first column, and no number in any.
    fn is_rest(&self, above: &[usize], row: &[usize], columns: &[[f32; 2]], step: f32) -> bool {
        let line = |i: &usize| &self.lines[*i];
        let is_below =
            |i: &usize| above.iter().any(|of| line(of).area.shared_width(line(i).area) > 0.0);
        step <= CELL_LEADING
            && row.len() < columns.len()
            && row.iter().all(|i| line(i).area.left > columns[0][1] && is_below(i))
            && row.iter().all(|i| {
                line(i).text(self.words).starts_with(|c: char| c.is_lowercase() || c == '(')
            })
    }

    /// Whether two rows have numbers in one column.
    fn are_both_numbers(&self, above: &[usize], row: &[usize], columns: &[[f32; 2]]) -> bool {
        let numbers = |of: &[usize]| -> Vec<usize> {
            let is_value = |i: &&usize| is_number(&self.lines[**i].text(self.words));
            let column =
                |i: &usize| columns.partition_point(|column| column[1] < self.lines[*i].area.left);
            of.iter().filter(is_value).map(column).collect()
        };
        let above = numbers(above);
        numbers(row).iter().any(|column| above.contains(column))
    }

    pub(super) fn filled(
        &self,
        rows: &[Vec<usize>],
        columns: &[[f32; 2]],
        area: Area,
    ) -> FoundTable {
        let (mut cells, mut parts): (Vec<TableCell>, Vec<usize>) = (Vec::new(), Vec::new());
        for (row, of_row) in rows.iter().enumerate() {
            let first = cells.len();
            let is_full = of_row.len() == columns.len();
            for (place, &i) in of_row.iter().enumerate() {
                parts.push(i);
                let texts = if is_full {
                    vec![(place..place + 1, self.lines[i].text(self.words))]
                } else {
                    self.texts(&self.lines[i], columns)
                };
                for (cols, text) in texts {
                    let of_row = cells[first..].iter_mut();
                    let overlaps = |cell: &&mut TableCell| {
                        cell.cols.start < cols.end && cols.start < cell.cols.end
                    };
                    match of_row.rev().find(overlaps) {
                        Some(cell) => {
                            add(&mut cell.text, &text, true);
                            cell.cols.start = cell.cols.start.min(cols.start);
                            cell.cols.end = cell.cols.end.max(cols.end);
                        }
                        None => cells.push(TableCell {
                            rows: row..row + 1,
                            cols,
                            text,
                            ..TableCell::default()
                        }),
                    }
                }
            }
            let is_free = |col: &usize| !cells[first..].iter().any(|cell| cell.cols.contains(col));
            let free: Vec<usize> = (0..columns.len()).filter(is_free).collect();
            cells.extend(free.into_iter().map(|col| TableCell {
                rows: row..row + 1,
                cols: col..col + 1,
                ..TableCell::default()
            }));
        }
        let shape = [rows.len(), columns.len()];
        let mut xs: Vec<f32> = columns.iter().map(|column| column[0]).collect();
        xs.push(area.right);
        let table = BlockTable { shape, n_header_rows: n_header_rows(&cells, shape), cells };
        let around =
            |row: &Vec<usize>| row.iter().map(|&i| self.lines[i].area).reduce(Area::around);
        let rows = rows.iter().map(|row| around(row).unwrap_or(area)).collect();
        FoundTable { area, xs, rows, table, parts }
    }

    /// The texts of a line with the columns that they cover: one, but where gaps stand at all edges that it crosses.
    fn texts(&self, line: &Line, columns: &[[f32; 2]]) -> Vec<(Range<usize>, String)> {
        let covered = covered(columns, line.area);
        let of_column = |(words, col): (Vec<usize>, usize)| {
            let area = words.iter().map(|&i| self.words.words[i].area).reduce(Area::around)?;
            let is_there = area.left < columns[col][1] && area.right > columns[col][0];
            let part = Line { words, ..Line::default() };
            is_there.then(|| (col..col + 1, part.text(self.words)))
        };
        self.parts(line, covered.len())
            .and_then(|parts| parts.into_iter().zip(covered.clone()).map(of_column).collect())
            .unwrap_or_else(|| vec![(covered, line.text(self.words))])
    }
}
