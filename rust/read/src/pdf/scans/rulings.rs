//! Ruled lines of a page, found in a picture of it.
//!
//! A ruled line is thin, lighter on both sides, and longer than letters are high. The picture is turned upright first,
//! so that lines are runs of pixels in its rows, or in its columns: those are the rows of the picture transposed.

use super::drawings::without_drawings;
use super::picture::{Picture, pixels};
use crate::pdf::page::Area;
use crate::pdf::tables::grids::MAX_RULES;

/// No line is thicker, in points.
const MAX_THICK: f32 = 3.0;
/// No line is shorter, in points.
const MIN_LONG: f32 = 6.0;
/// A line of which letters cover so much is a part of them.
const MAX_LETTERS: f32 = 0.5;

/// What is known of a page that lines are looked for on.
#[derive(Clone, Copy, Debug)]
pub struct Upright<'p> {
    /// Width and height, in points.
    pub page: [f32; 2],
    /// The angle by which it has to be turned back to stand upright, clockwise and in radians.
    pub skew: f32,
    /// Where its words stand then.
    pub words: &'p [Area],
    /// The size of most letters.
    pub size: f32,
}

/// The ruled lines of an upright page, in points; none if they are a drawing. O(pixels + lines · words).
pub fn rulings(picture: &Picture, on: Upright<'_>) -> Vec<Area> {
    let [width, height] = on.page;
    #[allow(clippy::cast_precision_loss, reason = "pixels")]
    let scale = [picture.width as f32 / width, picture.height as f32 / height];
    let n_pixels = picture.width * picture.height;
    if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) || picture.grey.len() < n_pixels
    {
        return Vec::new();
    }
    let upright = picture.turned_back(on.skew);
    let size = on.size.max(MIN_LONG);
    let found = |picture: &Picture, along: f32, across: f32| {
        let thick = pixels(MAX_THICK * across) + 1;
        lines(&picture.smoothed(), thick, pixels(size * along))
    };
    let flat = found(&upright, scale[0], scale[1]);
    let down = found(&upright.transposed(), scale[1], scale[0]);
    let down = down.into_iter().map(|line| Run { is_down: true, ..line });
    let mut rules: Vec<Area> = flat.into_iter().chain(down).map(|line| line.area(scale)).collect();
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    rules.retain(|rule| covered(*rule, on.words) < MAX_LETTERS * rule.width().max(rule.height()));
    without_drawings(rules, &upright, scale, on.words)
}

/// How much of the length of a line letters cover.
fn covered(rule: Area, words: &[Area]) -> f32 {
    let is_flat = rule.width() >= rule.height();
    let [x, y] = rule.middle();
    let of = words.iter().map(|word| match is_flat {
        true if word.top <= y && y <= word.bottom => word.shared_width(rule).max(0.0),
        false if word.left <= x && x <= word.right => word.shared_height(rule).max(0.0),
        _ => 0.0,
    });
    of.sum()
}

/// Pixels of a line, one past the last row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    top: usize,
    bottom: usize,
    from: usize,
    to: usize,
    is_down: bool,
}

impl Run {
    /// Its middle as an area of no thickness, in points.
    #[allow(clippy::cast_precision_loss, reason = "pixels")]
    fn area(self, [x, y]: [f32; 2]) -> Area {
        let middle = (self.top + self.bottom) as f32 / 2.0;
        let (from, to) = (self.from as f32, self.to as f32);
        if self.is_down {
            Area::of_corners([middle / x, from / y], [middle / x, to / y])
        } else {
            Area::of_corners([from / x, middle / y], [to / x, middle / y])
        }
    }
}

/// Lines that run along the rows of a picture, no thicker and no shorter than so many pixels. O(pixels).
fn lines(picture: &Picture, thick: usize, long: usize) -> Vec<Run> {
    let Picture { width, height, .. } = *picture;
    let contrast = picture.contrast();
    let row = |y: usize| picture.row(y.min(height.saturating_sub(1)));
    let mut near: [Vec<Option<u8>>; 3] = [(); 3].map(|()| vec![None; width]);
    let (mut open, mut done): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    for y in 0..height {
        // A line that is not quite level, or a bit ragged, is in one of three rows.
        near.rotate_left(1);
        // What is light at both of these is no part of a thicker bar.
        let beside = [2.min(thick), thick / 4 + 1, thick / 2 + 1];
        let above = beside.map(|by| row(y.saturating_sub(by)));
        let below = beside.map(|by| row(y + by));
        for (x, (ridge, &grey)) in near[2].iter_mut().zip(row(y)).enumerate() {
            let lightest = |rows: [&[u8]; 3]| rows[0][x].max(rows[1][x]).max(rows[2][x]);
            let is_ridge = grey < lightest(above).min(lightest(below)).saturating_sub(contrast);
            *ridge = is_ridge.then_some(grey);
        }
        done.extend(open.extract_if(.., |run| run.bottom + 1 < y));
        for (from, to) in runs(&near, row(y.saturating_sub(1)), contrast, 2 * thick, long) {
            add(&mut open, Run { top: y.saturating_sub(1), bottom: y, from, to, is_down: false });
        }
    }
    done.append(&mut open);
    done.retain(|run| run.bottom - run.top <= thick.max((run.to - run.from) / 50) + 2);
    done
}

/// Adds a run to that of the rows above that it touches, and makes one of all that it joins.
fn add(open: &mut Vec<Run>, mut run: Run) {
    open.retain(|other| {
        let touches = other.from <= run.to && run.from <= other.to;
        if touches {
            run.top = run.top.min(other.top);
            (run.from, run.to) = (run.from.min(other.from), run.to.max(other.to));
        }
        !touches
    });
    open.push(run);
}

/// Runs of pixels that are darker than those beside them in one of three rows: over a line that they cross they go on.
fn runs(
    near: &[Vec<Option<u8>>; 3],
    greys: &[u8],
    contrast: u8,
    most_between: usize,
    long: usize,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize, u8)> = None;
    for (x, &grey) in greys.iter().enumerate() {
        let ridge = near.iter().filter_map(|row| row[x]).min();
        open = match (open, ridge) {
            (Some((from, ..)), Some(ridge)) => Some((from, x + 1, ridge)),
            (None, Some(ridge)) => Some((x, x + 1, ridge)),
            (Some((from, to, ridge)), None)
                if x - to < most_between && grey <= ridge.saturating_add(contrast) =>
            {
                Some((from, to, ridge))
            }
            (Some((from, to, _)), None) => {
                found.extend((to - from >= long).then_some((from, to)));
                None
            }
            (None, None) => None,
        };
    }
    found.extend(open.filter(|(from, to, _)| to - from >= long).map(|(from, to, _)| (from, to)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of 200 by 300 points, each of two pixels, with these rectangles of a grey on it.
    fn drawn(areas: &[(Area, u8)]) -> Picture {
        let (width, height) = (400, 600);
        let mut grey = vec![255; width * height];
        for (area, value) in areas {
            for y in pixels(area.top * 2.0)..pixels(area.bottom * 2.0) {
                for x in pixels(area.left * 2.0)..pixels(area.right * 2.0) {
                    grey[y * width + x] = *value;
                }
            }
        }
        Picture { grey, width, height }
    }

    const fn area(left: f32, top: f32, right: f32, bottom: f32) -> Area {
        Area { left, top, right, bottom }
    }

    fn found(picture: &Picture, words: &[Area], skew: f32) -> Vec<[i32; 4]> {
        let rules = rulings(picture, Upright { page: [200.0, 300.0], skew, words, size: 10.0 });
        #[allow(clippy::cast_possible_truncation, reason = "points")]
        let edges = |rule: &Area| {
            [rule.left, rule.top, rule.right, rule.bottom].map(|edge| edge.round() as i32)
        };
        rules.iter().map(edges).collect()
    }

    #[test]
    fn thin_lines_are_found_and_go_on_where_they_cross() {
        let lines = [
            (area(20.0, 50.0, 180.0, 51.0), 0),
            (area(40.0, 40.0, 40.5, 140.0), 200),
            (area(99.0, 40.0, 101.0, 140.0), 0),
        ];
        let mut rules = found(&drawn(&lines), &[], 0.0);
        rules.sort_unstable();
        // The ends of what is seen as one with its neighbours are a point further apart.
        assert_eq!(rules, [[19, 51, 181, 51], [40, 40, 40, 141], [100, 39, 100, 141]]);
    }

    #[test]
    fn lines_that_run_askew_are_found_where_they_are_upright() {
        let straight = drawn(&[(area(30.0, 80.0, 170.0, 81.0), 0)]);
        let askew = straight.turned_back(-0.03);
        let rules = found(&askew, &[], 0.03);
        let [rule] = rules[..] else { panic!("{rules:?}") };
        assert!((28..=30).contains(&rule[0]) && (170..=172).contains(&rule[2]), "{rule:?}");
        assert!((80..=81).contains(&rule[1]));
    }

    #[test]
    fn noise_is_no_line_and_hides_none() {
        let mut picture = drawn(&[(area(20.0, 50.0, 180.0, 51.0), 60)]);
        let mut state = 7_u32;
        for grey in &mut picture.grey {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *grey = grey.saturating_sub((state >> 26) as u8);
        }
        let [rule] = found(&picture, &[], 0.0)[..] else { panic!() };
        assert!(rule[0] <= 22 && rule[2] >= 178, "{rule:?}");
    }

    #[test]
    fn strokes_of_letters_and_areas_of_one_grey_are_no_lines() {
        let letter = area(40.0, 20.0, 60.0, 50.0);
        let strokes = [
            (area(40.0, 20.0, 60.0, 22.0), 0),
            (area(48.0, 20.0, 51.0, 50.0), 0),
            // A shade, a bar.
            (area(20.0, 100.0, 180.0, 120.0), 200),
            (area(20.0, 150.0, 180.0, 156.0), 0),
        ];
        assert_eq!(found(&drawn(&strokes), &[letter], 0.0).len(), 0);
        assert_eq!(found(&drawn(&strokes), &[], 0.0).len(), 2);
    }

    #[test]
    fn a_grid_of_ink_that_is_no_letters_is_a_drawing() {
        let mut parts: Vec<(Area, u8)> = Vec::new();
        for i in 0_u8..4 {
            let at = 50.0 + 30.0 * f32::from(i);
            parts.push((area(40.0, at, 130.5, at + 0.5), 0));
            parts.push((area(at - 10.0, 50.0, at - 9.5, 140.5), 0));
        }
        let words: Vec<Area> = (0_u8..3)
            .map(|i| {
                let top = 60.0 + 30.0 * f32::from(i);
                area(46.0, top, 60.0, top + 8.0)
            })
            .collect();
        for word in &words {
            for i in 0_u8..4 {
                let left = word.left + 3.0 * f32::from(i);
                parts.push((area(left, word.top, left + 1.5, word.bottom), 0));
            }
        }
        assert_eq!(found(&drawn(&parts), &words, 0.0).len(), 8);
        // Points of a chart.
        for i in 0_u8..60 {
            let (x, y) = (f32::from(i % 10), f32::from(i / 10));
            let (x, y) = (66.0 + 6.0 * x, 54.0 + 14.0 * y);
            parts.push((area(x, y, x + 3.0, y + 3.0), 0));
        }
        assert_eq!(found(&drawn(&parts), &words, 0.0).len(), 0);
    }
}
