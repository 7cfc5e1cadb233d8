//! Columns of aligned texts: what stands between gaps that run down through all rows of several texts.

use super::Segment;

/// A gap of so much of the size parts columns where few rows show it.
const WIDE: f32 = 0.9;
/// So many rows show a narrow gap.
const MIN_ROWS: usize = 5;
/// What is left of a gap after all rows is as wide as a narrow blank, in the size.
const LEAST: f32 = 0.2;
/// A gap of less than so much of the size may be one between words of a header.
const NEAR: f32 = 2.0;
/// No more rows of merged headers stand above the others.
const MAX_HEADER: usize = 4;

/// The columns, from and up to; none if there is one alone.
pub(super) fn columns(segments: &[Segment]) -> Option<Vec<[f32; 2]>> {
    let (rows, single): (Vec<&[Segment]>, Vec<&[Segment]>) =
        segments.chunk_by(|a, b| a.line == b.line).partition(|row| row.len() > 1);
    if rows.is_empty() {
        return None;
    }
    // Headers over several columns go across the gaps of those below.
    let most = MAX_HEADER.min(rows.len() / 2);
    let parted = |rows: &[&[Segment]]| parted(rows, &single);
    let below = parted(&rows[most..]);
    let found = (0..most).map(|n| parted(&rows[n..])).find(|of| of.len() >= below.len());
    let columns = whole(found.unwrap_or(below), segments);
    (columns.len() > 1).then_some(columns)
}

/// The columns without those that have a text in one row alone, as where words of a header stand apart: these are part
/// of the nearer neighbor.
fn whole(mut columns: Vec<[f32; 2]>, segments: &[Segment]) -> Vec<[f32; 2]> {
    let mut at = 0;
    while at < columns.len() && columns.len() > 1 {
        let column = columns[at];
        let mut of_column = segments
            .iter()
            .filter(|of| of.area.left < column[1] - 0.1 && of.area.right > column[0] + 0.1);
        let first = of_column.next();
        let is_single = first.is_some_and(|of| of_column.all(|other| other.line == of.line));
        let gap = |i: usize| columns[i + 1][0] - columns[i][1];
        let before = at.checked_sub(1).map_or(f32::MAX, gap);
        let behind = if at + 1 < columns.len() { gap(at) } else { f32::MAX };
        let is_near = first.is_some_and(|of| before.min(behind) < NEAR * of.size);
        if is_single && is_near {
            let into = if before < behind { at - 1 } else { at };
            columns[into][1] = columns[into + 1][1];
            columns.remove(into + 1);
            at = into;
        } else {
            at += 1;
        }
    }
    columns
}

/// The columns of rows.
fn parted(rows: &[&[Segment]], single: &[&[Segment]]) -> Vec<[f32; 2]> {
    let mut spans: Vec<&Segment> = rows.iter().flat_map(|row| row.iter()).collect();
    spans.sort_by(|a, b| a.area.left.total_cmp(&b.area.left));
    let size = spans.iter().map(|of| of.size).fold(1.0, f32::max);
    let mut found: Vec<[f32; 2]> = Vec::new();
    for segment in spans {
        let [left, right] = [segment.area.left, segment.area.right];
        match found.last_mut().filter(|last| !is_gap(rows, single, [last[1], left], size)) {
            Some(last) => last[1] = last[1].max(right),
            None => found.push([left, right]),
        }
    }
    found
}

/// Whether a gap parts columns: more rows show it than texts that stand alone in their lines go across it.
fn is_gap(rows: &[&[Segment]], single: &[&[Segment]], [left, right]: [f32; 2], size: f32) -> bool {
    if right - left < LEAST * size {
        return false;
    }
    let is_both = |row: &&&[Segment]| {
        row.first().is_some_and(|of| of.area.right <= left + 0.1)
            && row.last().is_some_and(|of| of.area.left >= right - 0.1)
    };
    let n = rows.iter().filter(is_both).count();
    let is_across = |row: &&&[Segment]| row[0].area.left < left && row[0].area.right > right;
    n >= single.iter().filter(is_across).count()
        && (n >= MIN_ROWS || n > 0 && right - left >= WIDE * size)
}
