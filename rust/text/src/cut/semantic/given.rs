//! Given boundaries: cuts that the caller asks for, and those that the limit adds.

use std::cmp::Reverse;

use super::limit::within_limits;
use super::sentences::Break;
use super::sequence::Sequence;
use super::{Room, Scored};
use crate::boundaries::Verdict;
use crate::error::{Error, Result};
use crate::pulse::Pulse;

/// Cuts before each of the pieces `starts`, and each group over the limit into parts that are as even as
/// the strongest boundaries between the soft and the hard limit allow: a blank line, a line break, any.
///
/// Boundaries have no scores. O(n log n) in the number of pieces.
///
/// # Errors
/// [`Error::Config`] if there is no such piece; those of the measure, and those of `pulse`.
pub fn given(
    sequence: &Sequence<'_>,
    starts: &[usize],
    room: Room,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    let n = sequence.len();
    let mut verdicts = vec![Verdict::Whole; n.saturating_sub(1)];
    for &start in starts.iter().filter(|&&start| start > 0) {
        let Some(verdict) = verdicts.get_mut(start - 1) else {
            return Err(Error::Config(format!("a chunk cannot start with piece {start} of {n}")));
        };
        *verdict = Verdict::Given;
    }
    let breaks: Vec<Break> = (0..verdicts.len()).map(|i| Break::of(sequence.gap(i))).collect();
    let mut from = 0;
    for end in 1..=n {
        if verdicts.get(end - 1) == Some(&Verdict::Whole) {
            continue;
        }
        while end > from + 1 && !sequence.is_within(from..end, room.hard)? {
            pulse()?;
            let ideal = even(sequence, from, end, room.hard);
            let cut = within_limits(sequence, room, from, end - 1, |low, last| {
                (low..last).max_by_key(|&at| (breaks[at], Reverse(ideal.abs_diff(at))))
            })?;
            verdicts[cut.end - 1] = Verdict::limit(cut.n_places);
            from = cut.end;
        }
        from = end;
    }
    Ok(Scored { scores: vec![f64::NAN; verdicts.len()], verdicts, threshold: f64::NAN })
}

/// The boundary at which the first of as few even parts as the limit allows would end.
fn even(sequence: &Sequence<'_>, from: usize, end: usize, max: usize) -> usize {
    let sum = sequence.sum(from..end);
    let n_parts = sum.div_ceil(max.max(1)).max(2);
    sequence.reach(from, sum / n_parts).min(end - 1) - 1
}
