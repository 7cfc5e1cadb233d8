//! Discontinuity strategy: cuts at peaks of the distance between the texts on either side.

use super::limit::within_limits;
use super::sequence::Sequence;
use super::strongest::Strongest;
use super::{Room, Scored};
use crate::boundaries::Verdict;
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::vectors::{TOLERANCE, Vectors};

/// Cuts, from each start, at the highest peak between the soft and the hard limit.
///
/// A peak is a boundary next to which none is higher; where there is none, the highest boundary is a
/// cut, and where no boundary is between the limits, the last one that fits. What fits as a whole up to
/// the end of the text is one chunk. O(n log n) in the number of pieces.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn discontinuity(
    sequence: &Sequence<'_>,
    vectors: &mut dyn Vectors,
    window: usize,
    room: Room,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    let scores = scores(vectors, window.max(1), pulse)?;
    let mut verdicts = vec![Verdict::Whole; scores.len()];
    let all = Strongest::new(scores.iter().copied());
    let is_peak: Vec<bool> = (0..scores.len()).map(|i| is_peak(&scores, i)).collect();
    let masked = |i: usize| if is_peak[i] { scores[i] } else { f64::NEG_INFINITY };
    let peaks = Strongest::new((0..scores.len()).map(masked));
    let mut from = 0;
    while from + 1 < sequence.len() && !sequence.is_within(from..sequence.len(), room.hard)? {
        pulse()?;
        let cut = within_limits(sequence, room, from, sequence.len() - 1, |low, last| {
            peaks.within(low..last).or_else(|| all.within(low..last))
        })?;
        let at = cut.end - 1;
        verdicts[at] = if is_peak[at] { Verdict::Score } else { Verdict::limit(cut.n_places) };
        from = cut.end;
    }
    Ok(Scored { scores, verdicts, threshold: f64::NAN })
}

/// The distance, at each boundary, of the sums of `window` vectors before and behind it.
fn scores(vectors: &mut dyn Vectors, window: usize, pulse: Pulse<'_>) -> Result<Vec<f64>> {
    let n = vectors.len();
    let (mut scores, beat) = (Vec::with_capacity(n.saturating_sub(1)), Beat::of_vectors(pulse));
    for at in 1..n {
        let (before, behind) =
            (at.saturating_sub(window)..at, at..at.saturating_add(window).min(n));
        beat.after(before.len() + behind.len())?;
        scores.push(1.0 - vectors.cosine(before, behind));
    }
    Ok(scores)
}

/// Whether neither neighbour of boundary `i` is higher.
fn is_peak(scores: &[f64], i: usize) -> bool {
    let most = scores[i] + TOLERANCE;
    let neighbours = [i.checked_sub(1).and_then(|i| scores.get(i)), scores.get(i + 1)];
    neighbours.into_iter().flatten().all(|&score| score <= most)
}
