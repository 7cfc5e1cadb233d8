//! Ink of a line in the picture of its page: where its small letters stand, and how thick its strokes are.

use super::picture::Picture;

/// Rows where ink rises or falls by so much of its steepest step are part of that step.
const STEEP: f32 = 0.7;
/// Ink and ground differ by so many greys, at least.
const MIN_CONTRAST: f32 = 40.0;
/// No more samples are taken along a line, nor across it.
const MAX_SAMPLES: f32 = 1200.0;
/// Runs of ink that are longer than so much of the band run along the line, and are no stroke across.
const LONG_RUN: f32 = 0.6;

/// What the ink of a line says, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// From the middle of its box down to the lower edge of the band: the baseline.
    pub below: f32,
    /// The height of the band: of most letters that have no ascender, or of capitals and digits.
    pub height: f32,
    /// How thick its strokes are.
    pub stroke: f32,
}

impl Picture {
    /// The band of a line that runs from one point to another through the middle of its box, which is so high; none if
    /// too little stands out there. O(pixels of the box).
    pub fn band(&self, start: [f32; 2], end: [f32; 2], height: f32) -> Option<Band> {
        let (rows, step) = self.ink(start, end, height)?;
        let sums: Vec<f32> = rows.iter().map(|row| row.iter().sum()).collect();
        let (top, bottom) = edges(&sums)?;
        let height = bottom - top;
        let stroke = stroke(&rows[row(top)..row(bottom)], LONG_RUN * height / step)? * step;
        Some(Band { below: bottom - number(rows.len()) / 2.0, height, stroke })
    }

    /// The ink of a line, a row for each pixel across and a value for each step along: 0 for the ground, 1 for ink; and
    /// how long a step is. None if too little stands out.
    pub fn ink(&self, start: [f32; 2], end: [f32; 2], height: f32) -> Option<(Vec<Vec<f32>>, f32)> {
        let length = (end[0] - start[0]).hypot(end[1] - start[1]);
        if !(2.0..=MAX_SAMPLES).contains(&height) || length < 2.0 || self.grey.is_empty() {
            return None;
        }
        let along = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
        let step = (length / MAX_SAMPLES).max(1.0);
        let (n_rows, n_columns) = (count(height), count(length / step));
        let mut rows: Vec<Vec<f32>> = Vec::with_capacity(n_rows);
        for row in 0..n_rows {
            let t = number(row) + 0.5 - number(n_rows) / 2.0;
            let at = |column: usize| {
                let s = number(column) * step;
                let x = along[0].mul_add(s, start[0]) - along[1] * t;
                let y = along[1].mul_add(s, start[1]) + along[0] * t;
                self.grey(x, y)
            };
            rows.push((0..n_columns).map(at).collect());
        }
        darken(&mut rows)?;
        Some((rows, step))
    }
}

/// Makes darkness of grey: 0 for the ground, 1 for ink, whichever is darker; none if they are about the same.
fn darken(rows: &mut [Vec<f32>]) -> Option<()> {
    let mut sorted: Vec<f32> = rows.iter().flatten().copied().collect();
    sorted.sort_by(f32::total_cmp);
    let at = |percent: usize| sorted.get(sorted.len() * percent / 100).copied();
    let (dark, light, usual) = (at(3)?, at(97)?, at(50)?);
    if light - dark < MIN_CONTRAST {
        return None;
    }
    // Most of a line is its ground.
    let (ink, ground) = if light - usual <= usual - dark { (dark, light) } else { (light, dark) };
    for grey in rows.iter_mut().flatten() {
        let share = ((*grey - ground) / (ink - ground)).clamp(0.0, 1.0);
        *grey = if share < 0.25 { 0.0 } else { share };
    }
    Some(())
}

/// How thick strokes are that rows cross: the mean of their ink, but for those that run along.
fn stroke(rows: &[Vec<f32>], longest: f32) -> Option<f32> {
    let (mut sum, mut n) = (0.0, 0.0);
    for row in rows {
        let mut run = 0.0;
        for &ink in row.iter().chain(&[0.0]) {
            if ink > 0.0 {
                run += ink;
            } else if run > 0.0 {
                if run <= longest {
                    sum += run;
                    n += 1.0;
                }
                run = 0.0;
            }
        }
    }
    (n > 0.0).then(|| sum / n)
}

/// Between which edges the band of rows with these sums of ink lies: where ink rises and falls most. Where letters
/// reach beyond it, few do.
fn edges(sums: &[f32]) -> Option<(f32, f32)> {
    let at = |row: isize| {
        usize::try_from(row).ok().and_then(|row| sums.get(row)).copied().unwrap_or(0.0)
    };
    let n = isize::try_from(sums.len()).ok()?;
    let steps: Vec<f32> = (0..=n).map(|row| at(row) - at(row - 1)).collect();
    // A blurred edge is a step of two rows.
    let wide: Vec<f32> = steps.windows(2).map(|pair| pair[0] + pair[1]).collect();
    let top = steepest(&wide, 0, 1.0)?;
    let bottom = steepest(&wide, row(top) + 1, -1.0)?;
    (bottom - top >= 2.0).then_some((top, bottom))
}

/// The middle of the steepest steps from a row on, upwards or downwards.
fn steepest(steps: &[f32], from: usize, sign: f32) -> Option<f32> {
    let steps = || steps.iter().enumerate().skip(from).map(|(row, step)| (row, step * sign));
    let most = steps().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, step)| *step > 0.0)?;
    let near = steps().filter(|(row, step)| row.abs_diff(most.0) <= 1 && *step >= STEEP * most.1);
    let (sum, n) = near.fold((0.0, 0.0), |(sum, n), (row, _)| (sum + number(row), n + 1.0));
    Some(sum / n + 0.5)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
const fn row(edge: f32) -> usize {
    edge.max(0.0) as usize
}

#[allow(clippy::cast_precision_loss, reason = "pixels of a line")]
const fn number(count: usize) -> f32 {
    count as f32
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bounded length")]
fn count(length: f32) -> usize {
    length.ceil().clamp(1.0, MAX_SAMPLES) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_is_where_most_ink_is() {
        // Small letters of 10 pixels, one ascender of 8 more.
        let (width, height) = (200, 40);
        let mut grey = vec![250; width * height];
        let mut draw = |x: usize, top: usize, bottom: usize| {
            for y in top..bottom {
                for x in x..x + 3 {
                    grey[y * width + x] = 20;
                }
            }
        };
        for i in 1..19 {
            draw(i * 10, 15, 25);
        }
        draw(50, 7, 15);
        let picture = Picture { grey, width, height };
        let band = picture.band([0.0, 20.0], [199.0, 20.0], 40.0).unwrap();
        assert_eq!((band.height, band.below), (10.0, 5.0));
        assert!((band.stroke - 3.0).abs() < 0.1);
        assert_eq!(picture.band([0.0, 35.0], [199.0, 35.0], 6.0), None);
    }
}
