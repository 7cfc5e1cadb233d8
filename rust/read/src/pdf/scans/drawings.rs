//! Drawings among the ruled grids of a picture: most of the ink in a table is letters.

use super::picture::{Picture, pixels};
use crate::pdf::page::Area;
use crate::pdf::tables::grids::{RuledGrid, ruled_grids};

/// Squares whose greys differ by so much have an edge between them.
const STEP: i32 = 48;
/// The edges of a line lie so far from its middle, in points.
const NEAR_RULE: f32 = 2.5;

/// The lines that belong to no grid that is a drawing. O(pixels + grids · words).
pub fn without_drawings(
    rules: Vec<Area>,
    picture: &Picture,
    scale: [f32; 2],
    words: &[Area],
) -> Vec<Area> {
    let grids: Vec<Area> = ruled_grids(&rules).iter().map(RuledGrid::area).collect();
    if grids.is_empty() {
        return rules;
    }
    let steps = Steps::of(picture, scale);
    let is_drawing = |grid: &Area| {
        let within =
            |area: &Area| (area.shared(*grid) > 0.0).then(|| steps.within(area.within(*grid)));
        let of_words: u32 = words.iter().filter_map(within).sum();
        let of_rules: u32 =
            rules.iter().map(|rule| rule.grown(NEAR_RULE)).filter_map(|rule| within(&rule)).sum();
        steps.within(*grid).saturating_sub(of_rules) > 2 * of_words
    };
    let drawings: Vec<Area> = grids.into_iter().filter(is_drawing).collect();
    let is_drawn = |rule: &Area| drawings.iter().any(|area| area.grown(1.0).holds(rule.middle()));
    rules.into_iter().filter(|rule| !is_drawn(rule)).collect()
}

/// The edges of what is darker or lighter than what is beside it: how many pixels have one, in squares of two by two.
struct Steps {
    /// The sums from the upper left corner up to each square.
    sums: Vec<u32>,
    n_columns: usize,
    n_rows: usize,
    scale: [f32; 2],
}

impl Steps {
    fn of(picture: &Picture, scale: [f32; 2]) -> Self {
        let (n_columns, n_rows) = (picture.width / 2, picture.height / 2);
        let square = |row: usize, column: usize| {
            let at = 2 * row * picture.width + 2 * column;
            let below = at + picture.width;
            let pixels = [at, at + 1, below, below + 1].map(|i| i32::from(picture.grey[i]));
            pixels.iter().sum::<i32>() / 4
        };
        let mut sums = vec![0; (n_columns + 1) * (n_rows + 1)];
        let mut above = vec![255; n_columns];
        for row in 0..n_rows {
            let (mut sum, mut before) = (0, 255);
            for (column, above) in above.iter_mut().enumerate() {
                let grey = square(row, column);
                let is_step = (grey - before).abs() > STEP || (grey - *above).abs() > STEP;
                sum += u32::from(is_step);
                (before, *above) = (grey, grey);
                let at = (row + 1) * (n_columns + 1) + column + 1;
                sums[at] = sums[at - n_columns - 1] + sum;
            }
        }
        Self { sums, n_columns, n_rows, scale: scale.map(|scale| scale / 2.0) }
    }

    /// How many there are in an area of the page.
    fn within(&self, area: Area) -> u32 {
        let x = |at: f32| pixels(at * self.scale[0]).min(self.n_columns);
        let y = |at: f32| pixels(at * self.scale[1]).min(self.n_rows);
        let sum = |x: usize, y: usize| self.sums[y * (self.n_columns + 1) + x];
        let (left, right, top, bottom) = (x(area.left), x(area.right), y(area.top), y(area.bottom));
        (sum(right, bottom) + sum(left, top)).saturating_sub(sum(left, bottom) + sum(right, top))
    }
}
