//! Rows of a page: lines beside each other, and what stands between them.

use crate::pdf::lines::Line;
use crate::pdf::page::{Area, Fill};
use crate::pdf::words::Words;

/// Rows are no further apart than so much of the size.
const MAX_LEADING: f32 = 2.8;
/// A gap of so much of the size may part words of two columns in one line.
const COLUMN_GAP: f32 = 0.3;
/// Gaps between columns are wider than those between words by so much.
const WIDER: f32 = 1.2;
/// A line stands so much of the size above a header, at most.
const HEADER_GAP: f32 = 1.6;

/// What is known of a page whose tables are looked for.
pub(super) struct Page<'p> {
    /// Its words.
    pub words: &'p Words,
    /// Its lines.
    pub lines: &'p [Line],
    /// Lines that are drawn on it.
    pub rules: &'p [Area],
    /// Rectangles that are filled.
    pub fills: &'p [Fill],
}

impl Page<'_> {
    /// The words of a line in so many parts, if that many gaps are wider than all others.
    pub(super) fn parts(&self, line: &Line, n: usize) -> Option<Vec<Vec<usize>>> {
        let area = |i: usize| self.words.words[i].area;
        let gaps: Vec<f32> =
            line.words.windows(2).map(|pair| area(pair[1]).left - area(pair[0]).right).collect();
        let mut sorted = gaps.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let least = *sorted.get(n.checked_sub(2)?)?;
        let next = sorted.get(n - 1).copied().unwrap_or(0.0);
        if least < COLUMN_GAP * line.size || least < WIDER * next {
            return None;
        }
        let mut parts = vec![vec![line.words[0]]];
        for (gap, &word) in gaps.iter().zip(&line.words[1..]) {
            match parts.last_mut().filter(|_| *gap < least) {
                Some(part) => part.push(word),
                None => parts.push(vec![word]),
            }
        }
        Some(parts)
    }

    /// Whether two rows have as many texts, each below the other.
    pub(super) fn are_aligned(&self, above: &[usize], row: &[usize]) -> bool {
        row.len() > 1
            && above.len() == row.len()
            && above
                .iter()
                .zip(row)
                .all(|(&a, &b)| self.lines[a].area.shared_width(self.lines[b].area) > 0.0)
    }

    /// Whether a stripe begins or ends between a row and the one above.
    pub(super) fn is_striped(&self, rows: &[&[usize]], i: usize) -> bool {
        let areas = rows[i - 1].iter().chain(rows[i]).map(|&i| self.lines[i].area);
        areas.reduce(Area::around).is_some_and(|area| {
            self.fills.iter().any(|fill| {
                let between = |y: f32| (area.top..area.bottom).contains(&y);
                fill.area.shared_width(area) > 0.9 * area.width()
                    && fill.area.height() < area.height()
                    && (between(fill.area.top) || between(fill.area.bottom))
            })
        })
    }

    /// Whether a line or the edge of a stripe stands between a row and the one above.
    pub(super) fn is_parted(&self, rows: &[&[usize]], i: usize, area: Area) -> bool {
        let middle = |row: &[usize]| {
            let areas = row.iter().map(|&i| self.lines[i].area);
            areas.reduce(Area::around).map_or(0.0, |area| area.middle()[1])
        };
        let (above, below) = (middle(rows[i - 1]), middle(rows[i]));
        let is_wide = |of: Area| of.shared_width(area) > 0.6 * area.width();
        let between = |y: f32| above < y && y < below;
        self.rules.iter().any(|rule| is_wide(*rule) && between(rule.middle()[1]))
            || self.fills.iter().any(|fill| {
                is_wide(fill.area) && (between(fill.area.top) || between(fill.area.bottom))
            })
    }

    /// Whether a rule as wide as a table stands right above a line.
    pub(super) fn is_below_rule(&self, line: &Line, table: Area) -> bool {
        let near = line.area.top - HEADER_GAP * line.size..line.area.top + 2.0;
        let is_wide = |of: &Area| of.shared_width(table) > 0.7 * table.width();
        self.rules.iter().any(|rule| is_wide(rule) && near.contains(&rule.middle()[1]))
            || self.fills.iter().any(|fill| is_wide(&fill.area) && near.contains(&fill.area.top))
    }

    /// Whether a rule as wide as a table stands right below a line.
    pub(super) fn is_above_rule(&self, line: &Line, table: Area) -> bool {
        let near = line.area.bottom - 2.0..line.area.bottom + MAX_LEADING * line.size;
        let is_wide = |of: &Area| of.shared_width(table) > 0.7 * table.width();
        self.rules.iter().any(|rule| is_wide(rule) && near.contains(&rule.middle()[1]))
    }
}
