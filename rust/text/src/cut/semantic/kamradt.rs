//! Kamradt's strategy: cuts where neighbouring windows differ by more than a threshold.

use super::sequence::Sequence;
use super::threshold::threshold;
use super::{Scored, Threshold};
use crate::boundaries::Verdict;
use crate::cut::pieces::around;
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::vectors::{TOLERANCE, Vectors};

/// The cosine distances of neighbouring windows: each vector summed with those of `window` more on each
/// side.
///
/// # Errors
/// Those of `pulse`.
pub fn distances(vectors: &mut dyn Vectors, window: usize, pulse: Pulse<'_>) -> Result<Vec<f64>> {
    let n = vectors.len();
    let (mut distances, beat) = (Vec::with_capacity(n.saturating_sub(1)), Beat::of_vectors(pulse));
    for i in 1..n {
        let (left, right) = (around(i - 1, window, n), around(i, window, n));
        beat.after(left.len() + right.len())?;
        distances.push(1.0 - vectors.cosine(left, right));
    }
    Ok(distances)
}

/// Cuts at distances over the threshold; where a chunk would have less than `min_size` units, not.
///
/// O(n) in the number of pieces.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn kamradt(
    sequence: &Sequence<'_>,
    vectors: &mut dyn Vectors,
    window: usize,
    kind: Threshold,
    min_size: usize,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    let scores = distances(vectors, window, pulse)?;
    let (threshold, compared) = threshold(&scores, kind);
    let mut verdicts = above(&compared, threshold);
    if min_size > 0 {
        pass_over_small(sequence, &mut verdicts, min_size)?;
    }
    Ok(Scored { scores, verdicts, threshold })
}

/// A cut at each value that exceeds the threshold by more than [`TOLERANCE`].
pub fn above(values: &[f64], threshold: f64) -> Vec<Verdict> {
    let is_above = |&value: &f64| value > threshold + TOLERANCE;
    let verdict = |value| if is_above(value) { Verdict::Score } else { Verdict::Whole };
    values.iter().map(verdict).collect()
}

/// Takes back cuts in front of which there is less than `min_size` since the one before.
fn pass_over_small(
    sequence: &Sequence<'_>,
    verdicts: &mut [Verdict],
    min_size: usize,
) -> Result<()> {
    let mut from = 0;
    for (i, verdict) in verdicts.iter_mut().enumerate() {
        if *verdict == Verdict::Whole {
            continue;
        }
        if sequence.is_within(from..i + 1, min_size - 1)? {
            *verdict = Verdict::Whole;
        } else {
            from = i + 1;
        }
    }
    Ok(())
}
