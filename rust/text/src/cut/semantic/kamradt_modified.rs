//! Kamradt's modified strategy: a threshold searched for chunks of a mean size.

use super::kamradt::{above, distances};
use super::sequence::Sequence;
use super::{Room, Scored, Target};
use crate::boundaries::Verdict;
use crate::error::Result;
use crate::pulse::Pulse;
use crate::vectors::Vectors;

/// Cuts at the strongest distances.
///
/// For an average size at as many as make chunks of that size; of equal ones that are too many together,
/// at none. For a largest size at as few as leave no chunk over it. The threshold is never below 0, so
/// that nothing is cut between pieces that are alike. O(n log n) in the number of pieces.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn kamradt_modified(
    sequence: &Sequence<'_>,
    vectors: &mut dyn Vectors,
    window: usize,
    target: Target,
    room: Room,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    let scores = distances(vectors, window, pulse)?;
    let threshold = match target {
        Target::Average(size) => {
            let n_cuts = sequence.size(0..sequence.len())? / size.max(1);
            strongest(&scores, n_cuts)
        }
        Target::Max(size) => highest(sequence, &scores, size.min(room.hard), pulse)?,
    };
    let verdicts = above(&scores, threshold);
    Ok(Scored { scores, verdicts, threshold })
}

/// The threshold that at most `n` of `scores` exceed. O(n).
fn strongest(scores: &[f64], n: usize) -> f64 {
    let mut scores = scores.to_vec();
    if n >= scores.len() {
        return 0.0;
    }
    let (_, first_below, _) = scores.select_nth_unstable_by(n, |a, b| b.total_cmp(a));
    first_below.max(0.0)
}

/// The highest threshold for which no chunk of several pieces exceeds `max`; 0 if there is none.
fn highest(sequence: &Sequence<'_>, scores: &[f64], max: usize, pulse: Pulse<'_>) -> Result<f64> {
    let mut thresholds: Vec<f64> = scores.iter().copied().filter(|&score| score > 0.0).collect();
    thresholds.push(0.0);
    thresholds.sort_unstable_by(f64::total_cmp);
    thresholds.dedup();
    let (mut low, mut high) = (0, thresholds.len());
    while low + 1 < high {
        pulse()?;
        let middle = usize::midpoint(low, high);
        if holds(sequence, &above(scores, thresholds[middle]), max)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(thresholds[low])
}

/// Whether no chunk of several pieces exceeds `max`.
fn holds(sequence: &Sequence<'_>, verdicts: &[Verdict], max: usize) -> Result<bool> {
    let mut from = 0;
    for end in 1..=sequence.len() {
        let ends = verdicts.get(end - 1).is_none_or(|&verdict| verdict != Verdict::Whole);
        if ends && end > from + 1 && !sequence.is_within(from..end, max)? {
            return Ok(false);
        }
        if ends {
            from = end;
        }
    }
    Ok(true)
}
