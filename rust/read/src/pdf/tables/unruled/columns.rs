//! Columns of rows: where their texts stand one below the other.

use std::ops::Range;

use crate::pdf::lines::Line;
use crate::pdf::page::Area;

/// Letters smaller by so much are raised or lowered ones.
const SMALL: f32 = 0.75;

/// The columns of rows: where their texts stand one below the other.
pub(super) fn columns(lines: &[Line], rows: &[&&[usize]]) -> Option<Vec<[f32; 2]>> {
    let mut counts: Vec<usize> = rows.iter().map(|row| row.len()).collect();
    counts.sort_unstable();
    let usual = counts[counts.len() / 2];
    let full = || rows.iter().filter(|row| row.len() >= usual).flat_map(|row| row.iter());
    let size = full().map(|&i| lines[i].size).fold(0.0, f32::max);
    // Raised and lowered letters stand beside words, not in columns.
    let is_small = |i: usize| lines[i].size < SMALL * size;
    let mut spans: Vec<[f32; 2]> = full()
        .filter(|&&i| !is_small(i))
        .map(|&i| [lines[i].area.left, lines[i].area.right])
        .collect();
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut found: Vec<[f32; 2]> = Vec::new();
    for [left, right] in spans {
        match found.last_mut() {
            Some(last) if left < last[1] => last[1] = last[1].max(right),
            _ => found.push([left, right]),
        }
    }
    // A header may stand beside its columns, as where it is in the middle and they are not.
    if found.len() != usual && rows.len() > 2 && rows.iter().all(|row| row.len() == usual) {
        let below = columns(lines, &rows[1..])?;
        return Some(if below.len() == usual { by_place(lines, rows, usual) } else { found });
    }
    (found.len() > 1 && found.len() * 2 >= usual).then_some(found)
}

/// The columns of rows of `n` texts by the places of these in their rows, where they stand not quite below each other.
fn by_place(lines: &[Line], rows: &[&&[usize]], n: usize) -> Vec<[f32; 2]> {
    let of_place = |place: usize| {
        let full = rows.iter().filter(|row| row.len() == n);
        full.map(|row| lines[row[place]].area).reduce(Area::around).unwrap_or_default()
    };
    let mut columns: Vec<[f32; 2]> =
        (0..n).map(of_place).map(|area| [area.left, area.right]).collect();
    for i in 1..n {
        if columns[i][0] < columns[i - 1][1] {
            let middle = f32::midpoint(columns[i][0], columns[i - 1][1]);
            (columns[i - 1][1], columns[i][0]) = (middle, middle);
        }
    }
    columns
}

/// The columns that an area covers, or the one that is next to it.
pub(super) fn covered(columns: &[[f32; 2]], area: Area) -> Range<usize> {
    let last = columns.len() - 1;
    let first = columns.partition_point(|column| column[1] < area.left).min(last);
    let end = columns.partition_point(|column| column[0] < area.right);
    first..end.clamp(first + 1, last + 1)
}
