//! Dynamic programme over boundaries: the cheapest way through a text.
//!
//! The classical recurrence: the cheapest way to a boundary is the least, over all boundaries at which the last
//! chunk may begin, of the cheapest way there plus the cost of that chunk. Chunks have a size of at most the
//! limit, and boundaries lie at least a fraction of the target apart, so a bounded number of them has to be
//! compared: O(n) in the boundaries, where the general programme takes O(n²). Two numbers are kept for each
//! boundary.

use super::Room;
use super::boundary::Mark;
use super::objective::{of_boundary, of_size};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};

/// A chunk begins at one of so many boundaries before its end. Boundaries closer than a fraction of the
/// target have been thinned, so that these reach back over more than two targets.
const MAX_PARTS: usize = 96;
/// A whole is near the limit if this fraction of it would be too much.
const NEAR: usize = 16;
/// So many boundaries are looked at in a few milliseconds.
const PERIOD: usize = 1024;

/// The chunks for which the sum of costs is least, each as the numbers of its first and last mark.
///
/// The sizes of parts add up to that of the whole, or nearly; so `fits` is asked about wholes near the
/// limit that would be the best. O(n): see [`MAX_PARTS`].
///
/// # Errors
/// Those of `fits`, and those of `pulse`.
pub fn cheapest(
    marks: &[Mark],
    room: Room,
    fits: &dyn Fn(&Mark, &Mark) -> Result<bool>,
    pulse: Pulse<'_>,
) -> Result<Vec<[usize; 2]>> {
    let near = room.hard - room.hard / NEAR;
    let mut ways = vec![Way { cost: 0, from: 0 }];
    let beat = Beat::every(PERIOD, pulse);
    for end in 1..marks.len() {
        beat.after(1)?;
        let mut choice = Way { cost: i64::MAX, from: end - 1 };
        for from in (end.saturating_sub(MAX_PARTS)..end).rev() {
            let size = marks[from].size_to(&marks[end]);
            if size > room.several && from < end - 1 {
                break;
            }
            let cost = ways[from].cost.saturating_add(of_size(size, room.target));
            let is_sure = size < near || from == end - 1;
            if cost < choice.cost && (is_sure || fits(&marks[from], &marks[end])?) {
                choice = Way { cost, from };
            }
        }
        // The text ends where it ends.
        if end < marks.len() - 1 {
            let price = of_boundary(marks[end].strength, marks[end].hash);
            choice.cost = choice.cost.saturating_add(price);
        }
        ways.push(choice);
    }
    Ok(trace(&ways))
}

/// The cheapest way to a mark.
#[derive(Clone, Copy)]
struct Way {
    cost: i64,
    from: usize,
}

fn trace(ways: &[Way]) -> Vec<[usize; 2]> {
    let mut chunks = Vec::new();
    let mut end = ways.len() - 1;
    while end > 0 {
        let from = ways[end].from;
        chunks.push([from, end]);
        end = from;
    }
    chunks.reverse();
    chunks
}
