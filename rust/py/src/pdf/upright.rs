//! Points of a page as a reader sees it: from the top left corner, its rotation undone.

use std::ffi::c_int;

use chunkwright_read::pdf::page::Area;

use super::library::Rect;

/// Maps points of a page to those that a reader sees, from its top left corner.
#[derive(Clone, Copy)]
pub struct Upright {
    /// The page itself.
    pub bounds: Rect,
    /// How often it is turned clockwise by a right angle.
    pub quarter_turns: c_int,
}

impl Upright {
    /// The point that is seen where the page has `(x, y)`.
    pub fn point(self, x: f32, y: f32) -> [f32; 2] {
        let Rect { left, top, right, bottom } = self.bounds;
        match self.quarter_turns {
            1 => [y - bottom, x - left],
            2 => [right - x, y - bottom],
            3 => [top - y, right - x],
            _ => [x - left, top - y],
        }
    }

    /// The rectangle that is seen where the page has left, bottom, right and top edge.
    pub fn area(self, [left, bottom, right, top]: [f64; 4]) -> Area {
        #[allow(clippy::cast_possible_truncation, reason = "points of a page")]
        let [left, bottom, right, top] = [left, bottom, right, top].map(|edge| edge as f32);
        Area::of_corners(self.point(left, bottom), self.point(right, top))
    }
}
