//! Rows of aligned texts: where lines part them, and where distances do.

use std::ops::Range;

use super::Segment;
use crate::pdf::page::Area;

/// Lines of one cell are nearer to each other than so much of the distance of rows.
const NEARER: f32 = 0.9;
/// Lines of one cell are no further apart than so much of the size.
const LEADING: f32 = 1.5;
/// Lines of the page this close are one, in points.
const NEAR: f32 = 3.0;

/// Where one row ends and the next begins.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The height.
    pub y: f32,
    /// The columns that it parts; the cells of others may go on.
    pub cols: Range<usize>,
}

/// The cuts between rows, from the top.
pub(super) fn cuts(segments: &[Segment], columns: &[[f32; 2]], rules: &[Area]) -> Vec<Cut> {
    let mut cuts = ruled(segments, columns, rules);
    let mut bounds: Vec<f32> = cuts.iter().map(|cut| cut.y).collect();
    bounds.insert(0, f32::MIN);
    bounds.push(f32::MAX);
    let is_each = is_row_each(segments, &bounds, columns.len());
    for pair in bounds.windows(2) {
        let within = |of: &&Segment| (pair[0]..pair[1]).contains(&of.area.middle()[1]);
        let band: Vec<&Segment> = segments.iter().filter(within).collect();
        if !is_each || has_stack(&band) {
            cuts.extend(spaced(&band, segments, columns.len()));
        }
    }
    cuts.sort_by(|a, b| a.y.total_cmp(&b.y));
    cuts
}

/// Whether numbers stand below each other in two columns, or in one of two.
fn has_stack(band: &[&Segment]) -> bool {
    let mut columns: Vec<usize> =
        band.iter().filter(|of| of.is_number).map(|of| of.cols.start).collect();
    columns.sort_unstable();
    let n = columns.chunk_by(|a, b| a == b).filter(|of| of.len() > 1).count();
    n > 1 || n == 1 && columns.chunk_by(|a, b| a == b).count() == 1
}

/// Whether lines stand between all rows: most of what is between two of them is one row at least by its first column.
fn is_row_each(segments: &[Segment], bounds: &[f32], n_columns: usize) -> bool {
    let n_lines = segments.chunk_by(|a, b| a.line == b.line).count();
    let n_bands = bounds.len() - 1;
    n_bands > 3 || n_bands > 2 && n_lines <= n_bands * 2 && n_columns > 1
}

/// Cuts at lines across the page, with texts above and below them.
fn ruled(segments: &[Segment], columns: &[[f32; 2]], rules: &[Area]) -> Vec<Cut> {
    let mut rules: Vec<Area> = rules.to_vec();
    rules.sort_by(|a, b| a.top.total_cmp(&b.top));
    let mut cuts: Vec<Cut> = Vec::new();
    for rule in rules {
        let y = rule.middle()[1];
        let is_covered = |column: &[f32; 2]| {
            let width = (rule.right.min(column[1]) - rule.left.max(column[0])).max(0.0);
            width * 2.0 > column[1] - column[0]
        };
        let Some(first) = columns.iter().position(is_covered) else { continue };
        let end = columns.iter().rposition(is_covered).map_or(first, |last| last + 1);
        if let Some(last) = cuts.last_mut().filter(|last| y - last.y <= NEAR) {
            last.cols = last.cols.start.min(first)..last.cols.end.max(end);
            continue;
        }
        let above = cuts.last().map_or(f32::MIN, |cut| cut.y);
        let is_new = segments.iter().any(|of| (above..y).contains(&of.area.middle()[1]));
        let is_last = !segments.iter().any(|of| of.area.middle()[1] > y);
        let is_through = segments.iter().any(|of| {
            of.cols.start < end
                && first < of.cols.end
                && of.area.top < y - 0.3 * of.size
                && of.area.bottom > y + 0.3 * of.size
        });
        if is_new && !is_last && !is_through {
            cuts.push(Cut { y, cols: first..end });
        }
    }
    cuts
}

/// Cuts where distances part rows.
fn spaced(band: &[&Segment], all: &[Segment], n_columns: usize) -> Vec<Cut> {
    let limit = limit(band, all);
    // Lines of a cell as one, column by column.
    let mut by_column = band.to_vec();
    by_column.sort_by(|a, b| {
        a.cols.start.cmp(&b.cols.start).then(a.cols.end.cmp(&b.cols.end)).then(a.line.cmp(&b.line))
    });
    let goes_on = |a: &&Segment, b: &&Segment| a.cols == b.cols && b.baseline - a.baseline < limit;
    let mut blocks: Vec<Area> = Vec::new();
    for block in by_column.chunk_by(goes_on) {
        let area = block.iter().map(|of| of.area).reduce(Area::around).unwrap_or_default();
        let size = block[0].size;
        let by = 0.15 * size.min(area.height());
        blocks.push(Area { top: area.top + by, bottom: area.bottom - by, ..area });
    }
    blocks.extend(rests(band));
    blocks.sort_by(|a, b| a.top.total_cmp(&b.top));
    let mut rows: Vec<[f32; 2]> = Vec::new();
    for block in blocks {
        match rows.last_mut().filter(|row| block.top < row[1]) {
            Some(row) => row[1] = row[1].max(block.bottom),
            None => rows.push([block.top, block.bottom]),
        }
    }
    let mut cuts: Vec<Cut> = rows
        .windows(2)
        .map(|pair| Cut { y: f32::midpoint(pair[0][1], pair[1][0]), cols: 0..n_columns })
        .collect();
    for row in rows {
        let own: Vec<&&Segment> =
            band.iter().filter(|of| (row[0]..row[1]).contains(&of.area.middle()[1])).collect();
        cuts.extend(below_merged(&own));
    }
    cuts
}

/// Lines that are the rests of those above them, with these: they begin no sentence or name, or leave the first column
/// empty, and have no number below another one.
fn rests(band: &[&Segment]) -> Vec<Area> {
    let lines: Vec<&[&Segment]> = band.chunk_by(|a, b| a.line == b.line).collect();
    let is_rest = |pair: &&[&[&Segment]]| {
        let (above, line) = (pair[0], pair[1]);
        let is_below = |of: &&&Segment| above.iter().any(|other| other.cols == of.cols);
        let is_near = line[0].baseline - above[0].baseline <= LEADING * line[0].size;
        let is_value = |of: &&&Segment| {
            of.is_number && above.iter().any(|other| other.cols == of.cols && other.is_number)
        };
        let is_short = line.iter().filter(is_below).count() == line.len();
        let is_lower = line[0].is_lower;
        let is_bare = line[0].cols.start > 0 && above[0].cols.start == 0;
        let has_numbers = line.iter().any(|of| of.is_number);
        is_near
            && !line.iter().any(|of| is_value(&of))
            && (is_lower && line[0].cols == above[0].cols || is_bare && is_short && !has_numbers)
    };
    let around = |of: &[&Segment]| of.iter().map(|of| of.area).reduce(Area::around);
    let joined = |pair: &[&[&Segment]]| {
        let [above, line] = [around(pair[0])?, around(pair[1])?];
        Some(Area { top: above.middle()[1], bottom: line.middle()[1], ..above })
    };
    lines.windows(2).filter(is_rest).filter_map(joined).collect()
}

/// How far lines of one cell are apart, at most.
fn limit(band: &[&Segment], all: &[Segment]) -> f32 {
    let size = band.first().map_or(1.0, |of| of.size);
    let steps = |is_number: bool| {
        let mut by_column: Vec<&Segment> =
            all.iter().filter(|of| of.cols.len() == 1 && (!is_number || of.is_number)).collect();
        by_column.sort_by_key(|of| (of.cols.start, of.line));
        let pairs = by_column.windows(2).filter(|pair| pair[0].cols == pair[1].cols);
        let mut steps: Vec<f32> = pairs.map(|pair| pair[1].baseline - pair[0].baseline).collect();
        steps.sort_by(f32::total_cmp);
        steps
    };
    let numbers = steps(true);
    if let Some(&least) = numbers.first().filter(|_| numbers.len() > 2) {
        return (NEARER * least).min(LEADING * size);
    }
    let steps = steps(false);
    let Some(&least) = steps.first() else { return 0.0 };
    if least > LEADING * size {
        return 0.0;
    }
    // Two distances: that of lines and that of rows.
    if let Some(wider) = steps.iter().find(|step| NEARER * **step > least) {
        let n_near = steps.iter().filter(|step| **step < *wider).count();
        if n_near > 1 || *wider > 1.25 * least {
            return (NEARER * wider).min(LEADING * size);
        }
    }
    0.0
}

/// Cuts in a row between what is over several columns and what stands below it in these.
fn below_merged(row: &[&&Segment]) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    for of in row.iter().filter(|of| of.cols.len() > 1) {
        let is_below = |below: &&&&Segment| {
            below.line > of.line && below.cols.start < of.cols.end && of.cols.start < below.cols.end
        };
        let Some(below) = row.iter().filter(is_below).min_by_key(|below| below.line) else {
            continue;
        };
        let y = f32::midpoint(of.area.bottom, below.area.top);
        match cuts.iter_mut().find(|cut| (cut.y - y).abs() < of.size / 2.0) {
            Some(cut) => {
                cut.cols = cut.cols.start.min(of.cols.start)..cut.cols.end.max(of.cols.end);
            }
            None => cuts.push(Cut { y, cols: of.cols.clone() }),
        }
    }
    cuts
}
