//! Bands of a page: stripes and lines of one width below each other, which belong to one table.

use crate::pdf::page::{Area, Fill};

/// Edges that differ by no more are at one place, in points.
const ALIGNED: f32 = 3.0;
/// What is narrower is no stripe, in points.
const MIN_WIDTH: f32 = 60.0;
/// Stripes and lines further apart belong to two tables, in points.
const MAX_STEP: f32 = 60.0;
/// What is higher is no stripe, in points.
const MAX_HEIGHT: f32 = 60.0;
/// So many stripes and lines make a band.
const MIN_PARTS: usize = 3;
/// A page with more is a drawing.
const MAX_PARTS: usize = 4000;

/// Where bands are, with a row above and below them. O(parts log parts).
pub fn bands(rules: &[Area], fills: &[Fill]) -> Vec<Area> {
    let parts = rules.iter().copied().chain(stripes(fills));
    let mut parts: Vec<Area> =
        parts.filter(|area| is_flat(area) && area.width() >= MIN_WIDTH).collect();
    if parts.len() > MAX_PARTS {
        return Vec::new();
    }
    #[allow(clippy::cast_possible_truncation, reason = "points of a page")]
    let place =
        |area: &Area| [(area.left / ALIGNED).round() as i64, (area.right / ALIGNED).round() as i64];
    parts.sort_by(|a, b| place(a).cmp(&place(b)).then(a.top.total_cmp(&b.top)));
    let goes_on = |a: &Area, b: &Area| place(a) == place(b) && b.top - a.bottom <= MAX_STEP;
    let of_one = parts.chunk_by(goes_on).filter(|parts| parts.len() >= MIN_PARTS);
    of_one
        .filter_map(|parts| {
            let around = parts.iter().copied().reduce(Area::around)?;
            #[allow(clippy::cast_precision_loss, reason = "a few")]
            let step = around.height() / (parts.len() - 1) as f32;
            Some(Area { top: around.top - step, bottom: around.bottom + step, ..around })
        })
        .collect()
}

/// Whether an area is no higher than a row.
pub fn is_flat(area: &Area) -> bool {
    area.height() <= MAX_HEIGHT && area.height() < area.width()
}

/// Stripes, of which those beside each other are one, as of cells, and none in another, as of lines in a cell.
pub fn stripes(fills: &[Fill]) -> Vec<Area> {
    let mut whole: Vec<Area> = Vec::new();
    let mut by_size: Vec<Area> = fills.iter().map(|fill| fill.area).take(MAX_PARTS).collect();
    by_size.sort_by(|a, b| b.size().total_cmp(&a.size()));
    for area in by_size {
        let holds =
            |of: &Area| of.height() <= MAX_HEIGHT && of.grown(1.0).shared(area) >= area.size();
        if !whole.iter().any(holds) {
            whole.push(area);
        }
    }
    #[allow(clippy::cast_possible_truncation, reason = "points of a page")]
    let row = |area: &Area| [area.top.round() as i64, area.bottom.round() as i64];
    whole.sort_by(|a, b| row(a).cmp(&row(b)).then(a.left.total_cmp(&b.left)));
    let mut joined: Vec<Area> = Vec::new();
    for stripe in whole {
        match joined.last_mut() {
            Some(last) if row(last) == row(&stripe) && stripe.left <= last.right + ALIGNED => {
                *last = last.around(stripe);
            }
            _ => joined.push(stripe),
        }
    }
    joined
}

/// The number of the smallest band that holds an area.
pub fn band_of(bands: &[Area], area: Area) -> Option<usize> {
    let holds = |band: &Area| {
        let band = band.grown(ALIGNED);
        band.left <= area.left
            && area.right <= band.right
            && (band.top..band.bottom).contains(&area.middle()[1])
    };
    let holding = bands.iter().enumerate().filter(|(_, band)| holds(band));
    holding.min_by(|a, b| a.1.size().total_cmp(&b.1.size())).map(|(number, _)| number)
}
