//! Alleys of a page: gaps that run down through neighbouring rows, which no line goes across.
//!
//! The gap between two columns may be no wider than one between words of a justified line. But the gaps of such a
//! line stand nowhere below each other for long.

use super::markers::{is_bullet, is_marker};
use super::page::Area;
use super::tables::grids::{MAX_RULES, rules_across, rules_down};
use super::words::Words;

/// A gap of so much of the size may be one of an alley.
const GAP: f32 = 0.5;
/// An alley is at least so wide, in points.
const MIN_WIDTH: f32 = 4.0;
/// An alley runs through so many rows, at least.
const MIN_ROWS: usize = 5;
/// An alley is so many times as high as the letters beside it.
const MIN_HEIGHT: f32 = 2.5;
/// Neighbouring rows are no further apart than so much of the size.
const LEADING: f32 = 3.0;
/// Baselines that differ by so much of the size are those of two rows.
const STEP: f32 = 0.25;
/// What begins at one edge differs by no more, in points.
const ALIGNED: f32 = 2.0;
/// No more alleys are looked for on a page.
const MAX_ALLEYS: usize = 1000;
/// So many words with blanks behind them tell whether a row is typed; their letters differ in width by no more.
const MIN_TYPED: usize = 2;
const TYPED: f32 = 1.08;
/// A blank between two of them is no wider than so many letters.
const BLANK: f32 = 1.6;
/// No more alleys are followed at once.
const MAX_OPEN: usize = 64;

/// The alleys of a page.
#[derive(Clone, Debug, Default)]
pub struct Alleys(Vec<Area>);

/// An alley that may go on.
#[derive(Clone, Copy)]
struct Open {
    area: Area,
    /// Where the last row ends that it was followed through, which may stand on one side of it.
    seen: f32,
    /// Its rows, and those of them that begin behind it at one edge.
    n_rows: usize,
    n_aligned: usize,
    size: f32,
}

impl Open {
    /// Whether it parts columns: what stands behind it begins at one edge.
    fn is_alley(&self) -> bool {
        self.n_aligned >= MIN_ROWS && self.n_aligned * 4 >= self.n_rows * 3
    }
}

impl Alleys {
    /// The alleys between the words of a page: gaps, and lines down the page that meet others across. O(words log words
    /// + lines²).
    pub fn of(words: &Words, free: &[bool], rules: &[Area]) -> Self {
        let mut by_height: Vec<usize> = (0..words.words.len()).filter(|&i| free[i]).collect();
        by_height.sort_by(|&a, &b| words.words[a].baseline.total_cmp(&words.words[b].baseline));
        let is_one = |a: &usize, b: &usize| {
            let (a, b) = (&words.words[*a], &words.words[*b]);
            b.baseline - a.baseline <= STEP * a.size.min(b.size)
        };
        let (mut open, mut found): (Vec<Open>, Vec<Area>) = (Vec::new(), Vec::new());
        for row in by_height.chunk_by(is_one) {
            if found.len() > MAX_ALLEYS {
                break;
            }
            let mut row = row.to_vec();
            row.sort_by(|&a, &b| words.words[a].area.left.total_cmp(&words.words[b].area.left));
            follow(words, &row, &mut open, &mut found);
        }
        found.extend(open.into_iter().filter(Open::is_alley).map(|of| of.area));
        found.extend(parting(rules));
        Self(found)
    }

    /// Whether one runs between two areas beside each other.
    pub fn part(&self, a: Area, b: Area) -> bool {
        self.0.iter().any(|alley| {
            let [_, y] = a.middle();
            (alley.top..alley.bottom).contains(&y)
                && a.right <= alley.left + 1.0
                && alley.right <= b.left + 1.0
                // Lines around a single word part nothing.
                && alley.height() >= MIN_HEIGHT * a.height().min(b.height())
        })
    }
}

/// Lines down the page that meet others across, as those of tables do: those beside code, or around a sum, meet none.
fn parting(rules: &[Area]) -> Vec<Area> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let across = rules_across(rules);
    let meets = |rule: &Area| across.iter().any(|other| other.grown(ALIGNED).shared(*rule) > 0.0);
    rules_down(rules).into_iter().filter(meets).collect()
}

/// Follows alleys through a row, whose words stand from left to right.
fn follow(words: &Words, row: &[usize], open: &mut Vec<Open>, found: &mut Vec<Area>) {
    let areas: Vec<Area> = row.iter().map(|&i| words.words[i].area).collect();
    let size = row.iter().map(|&i| words.words[i].size).fold(1.0, f32::max);
    let Some(around) = areas.iter().copied().reduce(Area::around) else { return };
    let least = typed_blank(words, row).map_or(MIN_WIDTH, |blank| blank.max(MIN_WIDTH));
    let gaps = gaps(words, row, &areas, least.max(GAP * size));
    let mut next: Vec<Open> = Vec::new();
    for alley in open.drain(..) {
        let is_near = around.top - alley.seen <= LEADING * alley.size;
        let is_crossed = areas.iter().any(|area| area.shared_width(alley.area) > 0.0);
        // A row that stands on one side of it alone says nothing of it.
        let is_beside = around.right <= alley.area.left || alley.area.right <= around.left;
        if is_near && !is_crossed && is_beside {
            next.push(Open { seen: alley.seen.max(around.bottom), ..alley });
        } else if !is_near || !goes_on(&alley, &gaps, around, least, &mut next) {
            found.extend(alley.is_alley().then_some(alley.area));
        }
    }
    for Gap { left, right, .. } in gaps.into_iter().filter(|gap| !gap.is_item) {
        let gap = Area { left, right, ..around };
        let is_new = !next.iter().any(|of| of.area.shared_width(gap) > 0.0);
        if gap.width() >= least.max(GAP * size) && is_new && next.len() < MAX_OPEN {
            next.push(Open { area: gap, seen: gap.bottom, n_rows: 1, n_aligned: 1, size });
        }
    }
    *open = next;
}

/// A gap between two words of a row.
#[derive(Clone, Copy)]
struct Gap {
    left: f32,
    right: f32,
    /// Whether what may be the marker of an item stands before it, behind a gap or at the beginning of the row.
    is_item: bool,
    /// Whether that is a bullet, or the number of a reference, and no cell or number of an equation.
    is_sure: bool,
}

/// The gaps between the words of a row; those before markers have a width at least.
fn gaps(words: &Words, row: &[usize], areas: &[Area], least: f32) -> Vec<Gap> {
    let mut left = f32::MIN;
    let gap = |(at, pair): (usize, &[Area])| {
        left = left.max(pair[0].right);
        let text = words.text_of(&words.words[row[at]]);
        let is_begun = at == 0 || pair[0].left - areas[at - 1].right >= least;
        let is_item = is_begun && is_marker(text);
        let is_sure = is_item && text.starts_with(|c| c == '[' || is_bullet(c));
        Gap { left, right: pair[1].left, is_item, is_sure }
    };
    areas.windows(2).enumerate().map(gap).collect()
}

/// How wide a blank of a row may be if its letters have one width: such blanks stand below those of other rows.
#[allow(clippy::cast_precision_loss, reason = "letters of a word")]
fn typed_blank(words: &Words, row: &[usize]) -> Option<f32> {
    let steps = row.windows(2).filter_map(|pair| {
        let [a, b] = [pair[0], pair[1]].map(|i| &words.words[i]);
        let text = words.text_of(a);
        let step = (b.area.left - a.area.left) / (text.chars().count() + 1) as f32;
        let is_blank = b.area.left - a.area.right <= BLANK * step;
        (is_blank && text.chars().any(char::is_alphabetic)).then_some(step)
    });
    let (mut n, mut least, mut most) = (0, f32::MAX, 0.0_f32);
    for step in steps {
        (n, least, most) = (n + 1, least.min(step), most.max(step));
    }
    (n >= MIN_TYPED && most <= TYPED * least).then_some(BLANK * most)
}

/// Adds an alley as it goes on through a row, if it does: in what is free of the row.
fn goes_on(alley: &Open, gaps: &[Gap], around: Area, least: f32, next: &mut Vec<Open>) -> bool {
    let before = next.len();
    for &Gap { left, right, .. } in gaps.iter().filter(|gap| !gap.is_sure) {
        let area = Area {
            left: alley.area.left.max(left),
            right: alley.area.right.min(right),
            ..alley.area.around(around)
        };
        if area.width() >= least && next.len() < MAX_OPEN {
            let is_back = area.right < alley.area.right - ALIGNED;
            let n_before = if is_back { 0 } else { alley.n_aligned };
            let is_aligned = right <= area.right + ALIGNED;
            let n_aligned = n_before + usize::from(is_aligned);
            let (seen, n_rows) = (area.bottom, alley.n_rows + 1);
            next.push(Open { area, seen, n_rows, n_aligned, size: alley.size });
        }
    }
    next.len() > before
}
