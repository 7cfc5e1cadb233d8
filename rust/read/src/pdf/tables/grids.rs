//! Ruled tables of a page: grids of lines, and the cells between them.

use crate::pdf::page::Area;
use crate::pdf::words::{Word, Words};

/// Lines this close are one, in points.
const NEAR: f32 = 2.5;
/// A line that underlines words is no further below them, in points.
const UNDER: f32 = 8.0;
/// No more words are looked at above a line.
const MAX_NEAR: usize = 2000;
/// A page with more lines is a drawing.
pub(in crate::pdf) const MAX_RULES: usize = 4000;
/// A grid with more slots is a drawing.
const MAX_SLOTS: usize = 100_000;

/// A table that lines are drawn around the cells of.
#[derive(Clone, Debug)]
pub struct RuledGrid {
    /// The edges of the columns, ascending.
    pub xs: Vec<f32>,
    /// The edges of the rows, ascending.
    pub ys: Vec<f32>,
    /// For each slot, row by row, the number of its cell.
    pub cells: Vec<usize>,
    /// One past the last number of a cell.
    pub n_cells: usize,
}

impl RuledGrid {
    /// The columns.
    pub fn n_columns(&self) -> usize {
        self.xs.len() - 1
    }

    /// The rows.
    pub fn n_rows(&self) -> usize {
        self.ys.len() - 1
    }

    /// The table.
    pub fn area(&self) -> Area {
        let (left, top) = (self.xs[0], self.ys[0]);
        let (right, bottom) = (self.xs[self.xs.len() - 1], self.ys[self.ys.len() - 1]);
        Area { left, top, right, bottom }
    }

    /// Row and column of the slot that holds a point.
    pub fn slot(&self, [x, y]: [f32; 2]) -> Option<[usize; 2]> {
        let within = |edges: &[f32], at: f32| {
            let i = edges.partition_point(|edge| *edge <= at);
            (i > 0 && i < edges.len()).then(|| i - 1)
        };
        Some([within(&self.ys, y)?, within(&self.xs, x)?])
    }
}

/// The grids that lines of a page make; none of more than 4,000 lines, which are a drawing. O(lines²).
pub fn ruled_grids(rules: &[Area]) -> Vec<RuledGrid> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let across = rules_across(rules);
    let mut groups = touching(&across, &rules_down(rules));
    groups.sort_by_key(|group| group.0.len());
    groups.into_iter().filter_map(|(across, down)| grid(&across, &down)).collect()
}

/// The rules of a page, none if they are a drawing, without those that only underline words: right below them, and no longer than they are.
/// O((rules + words) log words) where few words stand on one line.
pub fn without_underlines(rules: &[Area], words: &Words) -> Vec<Area> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let mut by_height: Vec<&Word> = words.words.iter().collect();
    by_height.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let is_underline = |rule: &Area| {
        let [_, y] = rule.middle();
        let from = by_height.partition_point(|word| word.baseline < y - UNDER);
        let near = by_height[from..].iter().take(MAX_NEAR);
        let near = near.take_while(|word| word.baseline <= y + 1.0);
        let above = near.filter(|word| {
            y <= word.baseline + 0.3 * word.size && word.area.shared_width(*rule) > 0.0
        });
        let (around, width) = above.fold((None, 0.0), |(around, width), word| {
            let wider: Area = around.map_or(word.area, |of: Area| of.around(word.area));
            (Some(wider), width + word.area.shared_width(*rule))
        });
        around.is_some_and(|of| {
            of.left <= rule.left + NEAR
                && rule.right <= of.right + NEAR
                && width > 0.6 * rule.width()
        })
    };
    let is_flat = |rule: &Area| rule.width() > rule.height();
    rules.iter().filter(|rule| !(is_flat(rule) && is_underline(rule))).copied().collect()
}

/// The lines across the page, those on one line that touch as one: browsers draw one for each cell. O(lines log lines).
pub fn rules_across(rules: &[Area]) -> Vec<Area> {
    merged(rules.iter().filter(|rule| rule.width() >= rule.height()).copied().collect(), false)
}

/// Lines down the page, those on one line that touch as one. O(lines log lines).
pub fn rules_down(rules: &[Area]) -> Vec<Area> {
    merged(rules.iter().filter(|rule| rule.width() < rule.height()).copied().collect(), true)
}

/// Lines in one direction, those on one line that touch as one.
fn merged(mut rules: Vec<Area>, is_down: bool) -> Vec<Area> {
    let at = |rule: &Area| {
        let [x, y] = rule.middle();
        if is_down { [x, rule.top, rule.bottom] } else { [y, rule.left, rule.right] }
    };
    #[allow(clippy::cast_possible_truncation, reason = "points of a page")]
    let band = |rule: &Area| (at(rule)[0] / NEAR).round() as i64;
    rules.sort_by(|a, b| band(a).cmp(&band(b)).then(at(a)[1].total_cmp(&at(b)[1])));
    let mut merged: Vec<Area> = Vec::new();
    for rule in rules {
        match merged.last_mut() {
            Some(last)
                if (at(last)[0] - at(&rule)[0]).abs() <= NEAR
                    && at(&rule)[1] <= at(last)[2] + NEAR
                    && at(&rule)[2] >= at(last)[1] - NEAR =>
            {
                *last = last.around(rule);
            }
            _ => merged.push(rule),
        }
    }
    merged
}

/// Lines that touch each other, in groups: those across and those down the page.
fn touching(across: &[Area], down: &[Area]) -> Vec<(Vec<Area>, Vec<Area>)> {
    let mut group: Vec<usize> = (0..across.len() + down.len()).collect();
    for (i, a) in across.iter().enumerate() {
        for (j, d) in down.iter().enumerate() {
            let (a, d) = (a.grown(NEAR), d.grown(NEAR));
            if a.shared_width(d) > 0.0 && a.shared_height(d) > 0.0 {
                let (x, y) = (root(&mut group, i), root(&mut group, across.len() + j));
                group[x.max(y)] = x.min(y);
            }
        }
    }
    let mut groups: Vec<(Vec<Area>, Vec<Area>)> = vec![Default::default(); group.len()];
    for i in 0..group.len() {
        let of = root(&mut group, i);
        match across.get(i) {
            Some(rule) => groups[of].0.push(*rule),
            None => groups[of].1.push(down[i - across.len()]),
        }
    }
    groups.retain(|(across, down)| across.len() > 1 && !down.is_empty());
    groups
}

fn root(group: &mut [usize], mut i: usize) -> usize {
    while group[i] != i {
        group[i] = group[group[i]];
        i = group[i];
    }
    i
}

/// The grid of lines that touch; none if it has a single cell.
fn grid(across: &[Area], down: &[Area]) -> Option<RuledGrid> {
    let around = across.iter().chain(down).copied().reduce(Area::around)?;
    let ends = |low: f32, high: f32| [low, high].into_iter();
    let x = down.iter().map(|rule| rule.middle()[0]).chain(ends(around.left, around.right));
    let y = across.iter().map(|rule| rule.middle()[1]).chain(ends(around.top, around.bottom));
    let (xs, ys) = (edges(x.collect()), edges(y.collect()));
    let (n_rows, n_cols) = (ys.len().checked_sub(1)?, xs.len().checked_sub(1)?);
    if n_rows == 0 || n_cols == 0 || n_rows * n_cols < 2 || n_rows * n_cols > MAX_SLOTS {
        return None;
    }
    let mut cell: Vec<usize> = (0..n_rows * n_cols).collect();
    for row in 0..n_rows {
        for col in 0..n_cols {
            let at = row * n_cols + col;
            let y = f32::midpoint(ys[row], ys[row + 1]);
            let x = f32::midpoint(xs[col], xs[col + 1]);
            if col + 1 < n_cols && !is_parted(down, [xs[col + 1], y], true) {
                join(&mut cell, at, at + 1);
            }
            if row + 1 < n_rows && !is_parted(across, [x, ys[row + 1]], false) {
                join(&mut cell, at, at + n_cols);
            }
        }
    }
    let cells: Vec<usize> = (0..cell.len()).map(|i| root(&mut cell, i)).collect();
    let mut numbers = cells.clone();
    numbers.sort_unstable();
    numbers.dedup();
    let cells = cells.iter().map(|of| numbers.partition_point(|number| number < of)).collect();
    (numbers.len() > 1).then_some(RuledGrid { xs, ys, cells, n_cells: numbers.len() })
}

fn join(cell: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(cell, a), root(cell, b));
    cell[a.max(b)] = a.min(b);
}

/// Ascending, those that are close as one.
fn edges(mut at: Vec<f32>) -> Vec<f32> {
    at.sort_by(f32::total_cmp);
    at.dedup_by(|b, a| *b - *a <= NEAR * 1.6);
    at
}

/// Whether a line runs through a point between two slots.
fn is_parted(rules: &[Area], point: [f32; 2], is_down: bool) -> bool {
    rules.iter().any(|rule| {
        let rule = rule.grown(NEAR);
        let is_long = if is_down { rule.height() > NEAR * 2.5 } else { rule.width() > NEAR * 2.5 };
        is_long && rule.holds(point)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn across(y: f32, left: f32, right: f32) -> Area {
        Area { left, top: y, right, bottom: y }
    }

    const fn down(x: f32, top: f32, bottom: f32) -> Area {
        Area { left: x, top, right: x, bottom }
    }

    #[test]
    fn a_cell_without_a_line_between_is_one() {
        // Two rows of two columns, of which the first row is one cell.
        let rules = [
            across(0.0, 0.0, 100.0),
            across(20.0, 0.0, 100.0),
            across(40.0, 0.0, 100.0),
            down(0.0, 0.0, 40.0),
            down(50.0, 20.0, 40.0),
            down(100.0, 0.0, 40.0),
        ];
        let grids = ruled_grids(&rules);
        assert_eq!(grids.len(), 1);
        assert_eq!((grids[0].n_rows(), grids[0].n_columns(), grids[0].n_cells), (2, 2, 3));
        assert_eq!(grids[0].cells, [0, 0, 1, 2]);
        assert_eq!(grids[0].slot([75.0, 30.0]), Some([1, 1]));
    }

    #[test]
    fn a_frame_is_no_table() {
        let frame = [
            across(0.0, 0.0, 100.0),
            across(40.0, 0.0, 100.0),
            down(0.0, 0.0, 40.0),
            down(100.0, 0.0, 40.0),
        ];
        assert!(ruled_grids(&frame).is_empty());
    }
}
