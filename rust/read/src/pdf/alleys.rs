//! Alleys of a page: gaps that run down through neighbouring rows, which no line goes across.
//!
//! The gap between two columns may be no wider than one between words of a justified line. But the gaps of such a
//! line stand nowhere below each other for long.

use super::markers::is_marker;
use super::page::Area;
use super::words::Words;

/// A gap of so much of the size may be one of an alley.
const GAP: f32 = 0.5;
/// An alley is at least so wide, in points.
const MIN_WIDTH: f32 = 4.0;
/// An alley runs through so many rows, at least.
const MIN_ROWS: usize = 5;
/// Neighbouring rows are no further apart than so much of the size.
const LEADING: f32 = 3.0;
/// Baselines that differ by so much of the size are those of two rows.
const STEP: f32 = 0.25;
/// What begins at one edge differs by no more, in points.
const ALIGNED: f32 = 2.0;
/// No more alleys are looked for on a page.
const MAX_ALLEYS: usize = 1000;
/// So many words in a row tell whether it is typed; their letters differ in width by no more.
const MIN_TYPED: usize = 4;
const TYPED: f32 = 1.08;
/// No more alleys are followed at once.
const MAX_OPEN: usize = 64;

/// The alleys of a page.
#[derive(Clone, Debug, Default)]
pub struct Alleys(Vec<Area>);

/// An alley that may go on.
#[derive(Clone, Copy)]
struct Open {
    area: Area,
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
    /// The alleys between the words of a page. O(words log words).
    pub fn of(words: &Words, free: &[bool]) -> Self {
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
        Self(found)
    }

    /// Whether one runs between two areas beside each other.
    pub fn part(&self, a: Area, b: Area) -> bool {
        self.0.iter().any(|alley| {
            let [_, y] = a.middle();
            (alley.top..alley.bottom).contains(&y)
                && a.right <= alley.left + 1.0
                && alley.right <= b.left + 1.0
        })
    }
}

/// Follows alleys through a row, whose words stand from left to right.
fn follow(words: &Words, row: &[usize], open: &mut Vec<Open>, found: &mut Vec<Area>) {
    let areas: Vec<Area> = row.iter().map(|&i| words.words[i].area).collect();
    let size = row.iter().map(|&i| words.words[i].size).fold(1.0, f32::max);
    let Some(around) = areas.iter().copied().reduce(Area::around) else { return };
    if is_typed(words, row) {
        found.extend(open.drain(..).filter(Open::is_alley).map(|of| of.area));
        return;
    }
    let mut next: Vec<Open> = Vec::new();
    for alley in open.drain(..) {
        let is_near = around.top - alley.area.bottom <= LEADING * alley.size;
        let is_crossed = areas.iter().any(|area| area.shared_width(alley.area) > 0.0);
        // A row that stands on one side of it alone says nothing of it.
        let is_beside = around.right <= alley.area.left || alley.area.right <= around.left;
        if is_near && !is_crossed && is_beside {
            next.push(alley);
        } else if !is_near || !goes_on(&alley, &areas, around, &mut next) {
            found.extend(alley.is_alley().then_some(alley.area));
        }
    }
    let mut right = f32::MIN;
    for (at, pair) in areas.windows(2).enumerate() {
        if next.len() >= MAX_OPEN {
            break;
        }
        right = right.max(pair[0].right);
        let gap = Area { left: right, right: pair[1].left, ..around };
        let is_begun = at == 0 || pair[0].left - areas[at - 1].right >= MIN_WIDTH.max(GAP * size);
        let is_item = is_begun && is_marker(words.text_of(&words.words[row[at]]));
        let is_new = !next.iter().any(|of| of.area.shared_width(gap) > 0.0);
        if gap.width() >= MIN_WIDTH.max(GAP * size) && is_new && !is_item {
            next.push(Open { area: gap, n_rows: 1, n_aligned: 1, size });
        }
    }
    *open = next;
}

/// Whether a row is of letters of one width with single blanks, which stand below those of other rows.
fn is_typed(words: &Words, row: &[usize]) -> bool {
    let steps = row.windows(2).map(|pair| {
        let (a, b) = (&words.words[pair[0]], &words.words[pair[1]]);
        #[allow(clippy::cast_precision_loss, reason = "letters of a word")]
        let n = (words.text_of(a).chars().count() + 1) as f32;
        (b.area.left - a.area.left) / n
    });
    let [least, most] =
        steps.fold([f32::MAX, 0.0_f32], |[least, most], step| [least.min(step), most.max(step)]);
    row.len() > MIN_TYPED && most <= TYPED * least
}

/// Adds an alley as it goes on through a row, if it does: in what is free of the row.
fn goes_on(alley: &Open, areas: &[Area], around: Area, next: &mut Vec<Open>) -> bool {
    let (mut right, before) = (f32::MIN, next.len());
    for pair in areas.windows(2) {
        right = right.max(pair[0].right);
        let area = Area {
            left: alley.area.left.max(right),
            right: alley.area.right.min(pair[1].left),
            ..alley.area.around(around)
        };
        if area.width() >= MIN_WIDTH && next.len() < MAX_OPEN {
            let is_back = area.right < alley.area.right - ALIGNED;
            let n_before = if is_back { 0 } else { alley.n_aligned };
            let is_aligned = pair[1].left <= area.right + ALIGNED;
            let n_aligned = n_before + usize::from(is_aligned);
            next.push(Open { area, n_rows: alley.n_rows + 1, n_aligned, size: alley.size });
        }
    }
    next.len() > before
}
