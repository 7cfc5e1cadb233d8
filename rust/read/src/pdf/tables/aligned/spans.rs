//! Spans of aligned texts: which columns a header is over, and which rows a label stands beside.

use std::ops::Range;

use super::Segment;
use super::rows::Cut;
use crate::blocks::table_text::TableCell;
use crate::pdf::page::Area;

/// A line below a header is no further from it than so much of the size.
const BELOW: f32 = 1.0;
/// Middles that differ by no more of the size are one.
const CENTERED: f32 = 0.6;
/// Edges that differ by no more are at one place, in points.
const ALIGNED: f32 = 3.0;
/// Headers over several columns stand in so many lines, at most.
const MAX_HEADER: usize = 6;

/// Sets the columns of texts that are over several: those of the line right below them, or those that they stand in
/// the middle of.
pub(super) fn set(segments: &mut [Segment], columns: &[[f32; 2]], rules: &[Area]) {
    let short = |rule: &&Area| {
        columns.iter().filter(|column| is_over(**rule, **column)).count() < columns.len()
    };
    let rules: Vec<Area> = rules.iter().filter(short).copied().collect();
    let first_value = segments.iter().filter(|of| of.is_number).map(|of| of.line).min();
    let n_header = first_value.unwrap_or(MAX_HEADER).min(MAX_HEADER);
    let mut start = 0;
    while start < segments.len() {
        let line = segments[start].line;
        let end = start + segments[start..].iter().take_while(|of| of.line == line).count();
        for i in start..end {
            let of = &segments[i];
            let is_free = |cols: &Range<usize>| {
                segments[start..end].iter().enumerate().all(|(at, other)| {
                    start + at == i || other.cols.end <= cols.start || cols.end <= other.cols.start
                })
            };
            let of_rule = underlined(of, columns, &rules);
            let cols = of_rule.filter(|cols| is_free(cols)).or_else(|| {
                let is_header = line <= n_header && !of.is_number;
                let cols = is_header.then(|| centered(of, columns)).flatten()?;
                let below = &segments[end..];
                let has_below = |col: usize| below.iter().any(|of| of.cols == (col..col + 1));
                (cols.start > 0 && is_free(&cols) && cols.clone().all(has_below)).then_some(cols)
            });
            if let Some(cols) = cols {
                segments[i].cols = cols;
            }
        }
        start = end;
    }
}

/// Whether a line is over, or under, the middle of a column.
fn is_over(rule: Area, column: [f32; 2]) -> bool {
    (rule.left..=rule.right).contains(&f32::midpoint(column[0], column[1]))
}

/// The columns over the line right below a text, which is no longer than these and no shorter than the text.
fn underlined(of: &Segment, columns: &[[f32; 2]], rules: &[Area]) -> Option<Range<usize>> {
    let is_below = |rule: &&Area| {
        let y = rule.middle()[1];
        y > of.area.middle()[1]
            && y <= of.area.bottom + BELOW * of.size
            && rule.left <= of.area.left + ALIGNED
            && of.area.right <= rule.right + ALIGNED
    };
    let rule = rules.iter().find(is_below)?;
    let start = columns.iter().position(|column| is_over(*rule, *column))?;
    let cols = start..start + columns.iter().filter(|column| is_over(*rule, **column)).count();
    (cols.len() > 1 && cols.start <= of.cols.start && of.cols.end <= cols.end).then_some(cols)
}

/// The columns that a text stands in the middle of, if it does not stand in the middle or at an edge of one.
fn centered(of: &Segment, columns: &[[f32; 2]]) -> Option<Range<usize>> {
    let off = |cols: &Range<usize>| {
        let middle = f32::midpoint(columns[cols.start][0], columns[cols.end - 1][1]);
        (of.area.middle()[0] - middle).abs()
    };
    let is_at_edge = of.cols.clone().any(|col| {
        (of.area.left - columns[col][0]).abs() < ALIGNED / 2.0
            || (of.area.right - columns[col][1]).abs() < ALIGNED / 2.0
            || off(&(col..col + 1)) < CENTERED * of.size
    });
    if is_at_edge && of.cols.len() == 1 {
        return None;
    }
    let n = columns.len();
    let starts = 0..=of.cols.start;
    let all = starts.flat_map(|start| (of.cols.end..=n).map(move |end| start..end));
    let wider = all.filter(|cols| cols.len() > 1 && cols.len() >= of.cols.len());
    wider.min_by(|a, b| off(a).total_cmp(&off(b))).filter(|cols| off(cols) < CENTERED * of.size)
}

/// Makes cells reach over the cuts that do not part their columns, as far as nothing else stands there. O(cells ·
/// columns + cuts · cells).
pub(super) fn reach(cells: &mut [TableCell], cuts: &[Cut], n_columns: usize) {
    let mut is_taken = vec![false; (cuts.len() + 1) * n_columns];
    for cell in cells.iter() {
        for row in cell.rows.clone() {
            is_taken[row * n_columns..][cell.cols.clone()].fill(true);
        }
    }
    for (row, cut) in cuts.iter().enumerate().filter(|(_, cut)| cut.cols.len() < n_columns) {
        let is_beside = |cell: &&mut TableCell| {
            cell.cols.end <= cut.cols.start || cut.cols.end <= cell.cols.start
        };
        for cell in cells.iter_mut().filter(is_beside) {
            let [above, below] = [row, row + 1].map(|row| row * n_columns + cell.cols.start);
            let is_empty = |at: usize| !is_taken[at..][..cell.cols.len()].contains(&true);
            let at = if cell.rows.end == row + 1 && is_empty(below) {
                cell.rows.end += 1;
                below
            } else if cell.rows.start == row + 1 && is_empty(above) {
                cell.rows.start -= 1;
                above
            } else {
                continue;
            };
            is_taken[at..][..cell.cols.len()].fill(true);
        }
    }
}
