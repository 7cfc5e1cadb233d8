//! Sequence of the pieces of a text, and sizes of runs of them.
//!
//! Sizes of pieces and of what lies between them add up to that of a run, or nearly; so a run is
//! measured only near a limit.
//!
//! Token counts do not add up exactly: what stands at the seam of two pieces may be one token. So sums are used
//! to look (for where a limit runs out, by bisection in O(log n)), and a run whose sum is near the limit is
//! measured. Whatever is near is told by [`margin`].

use std::ops::Range;

use crate::chunks::Chunks;
use crate::cut::pieces::Pieces;
use crate::error::Result;
use crate::measure::Measure;
use crate::pulse::{Beat, Pulse};
use crate::span::Span;

/// A sum is near a limit if it differs from it by this fraction of it at most,
const NEAR: usize = 16;
/// and by so many units: else many runs near a huge limit would be measured, each of them long.
const MOST_NEAR: usize = 64;
/// Larger sizes are told apart by no limit.
const MAX_SIZE: usize = 1 << 40;
/// So many pieces are measured in a few milliseconds.
const PERIOD: usize = 1024;

/// The pieces that `segments` are, with their sizes added up; one more span is measured for each.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn added_up(measure: &dyn Measure, segments: &Chunks, pulse: Pulse<'_>) -> Result<Pieces> {
    let spans: Vec<Span> = segments.spans().collect();
    let (mut to_start, mut to_end) =
        (Vec::with_capacity(spans.len()), Vec::with_capacity(spans.len()));
    let extra = surcharge(measure)?;
    let (mut end, mut total) = (None, 0_usize);
    let beat = Beat::every(PERIOD, pulse);
    for (span, &size) in spans.iter().zip(segments.sizes()) {
        beat.after(1)?;
        let size = size.min(MAX_SIZE);
        let more = match end {
            Some(end) => {
                let joined = measure.size(Span::new(end, span.end))?;
                joined.clamp(size, MAX_SIZE).saturating_sub(extra)
            }
            None => size,
        };
        total = total.saturating_add(more);
        to_start.push(total.saturating_sub(size));
        to_end.push(total);
        end = Some(span.end);
    }
    Ok(Pieces { spans, to_start, to_end, window: None, firsts: Vec::new() })
}

/// The pieces of a text with what measures runs of them.
pub struct Sequence<'a> {
    text: &'a str,
    measure: &'a dyn Measure,
    pieces: &'a Pieces,
}

impl<'a> Sequence<'a> {
    /// The sequence of `pieces` of `text`, [added up](added_up) by `measure`.
    pub const fn new(text: &'a str, measure: &'a dyn Measure, pieces: &'a Pieces) -> Self {
        Self { text, measure, pieces }
    }

    /// How many pieces there are.
    pub const fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Pieces on each side of one that were embedded with it.
    pub fn embedded_window(&self) -> usize {
        self.pieces.window.unwrap_or(0)
    }

    /// The span of the pieces `run`, the space between them included; there is one at least.
    pub fn span(&self, run: Range<usize>) -> Span {
        self.pieces.span(run)
    }

    /// The pieces with which parts begin over whose start no chunk goes.
    pub fn firsts(&self) -> &[usize] {
        &self.pieces.firsts
    }

    /// Whether such a part begins with piece `i`.
    pub fn begins_part(&self, i: usize) -> bool {
        self.pieces.begins_part(i)
    }

    /// The text between piece `i` and the next one.
    pub fn gap(&self, i: usize) -> &'a str {
        &self.text[self.pieces.spans[i].end..self.pieces.spans[i + 1].start]
    }

    /// The size of the pieces `run`, measured.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn size(&self, run: Range<usize>) -> Result<usize> {
        self.measure.size(self.span(run))
    }

    /// The same, added up. O(1).
    pub fn sum(&self, run: Range<usize>) -> usize {
        self.pieces.to_end[run.end - 1].saturating_sub(self.pieces.to_start[run.start])
    }

    /// Whether the pieces `run` have at most `max` units; measured where the sum is near.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn is_within(&self, run: Range<usize>, max: usize) -> Result<bool> {
        let sum = self.sum(run.clone());
        if sum.abs_diff(max) > margin(max) {
            return Ok(sum <= max);
        }
        Ok(self.size(run)? <= max)
    }

    /// One past the last piece of the longest run from piece `from` on whose sum is within `max`; one
    /// piece at least. O(log n).
    pub fn reach(&self, from: usize, max: usize) -> usize {
        let most = self.pieces.to_start[from].saturating_add(max);
        self.pieces.to_end.partition_point(|&end| end <= most).max(from + 1)
    }

    /// The first piece of the longest run up to piece `end - 1` whose sum is within `max`; one piece at
    /// least. O(log n).
    pub fn reach_back(&self, end: usize, max: usize) -> usize {
        let least = self.pieces.to_end[end - 1].saturating_sub(max);
        self.pieces.to_start.partition_point(|&start| start < least).min(end - 1)
    }

    /// One past the last piece of the shortest run from piece `from` on whose sum is `min` at least; one
    /// more than there are pieces if there is none. O(log n).
    pub fn enough(&self, from: usize, min: usize) -> usize {
        let least = self.pieces.to_start[from].saturating_add(min);
        self.pieces.to_end.partition_point(|&end| end < least).max(from) + 1
    }
}

/// What each size has on top, however many pieces it is of. A caller's own counter is not asked.
fn surcharge(measure: &dyn Measure) -> Result<usize> {
    if measure.is_quick() { measure.size(Span::new(0, 0)) } else { Ok(0) }
}

/// How much a sum may be wrong near `max`.
pub fn margin(max: usize) -> usize {
    (max / NEAR).min(MOST_NEAR) + 1
}
