//! Cuts of groups over the limit, at their strongest boundaries.

use super::sequence::Sequence;
use super::strongest::Strongest;
use super::{Room, Scored};
use crate::boundaries::Verdict;
use crate::error::Result;
use crate::pulse::{Beat, Pulse};

/// A cut that does not fit although its sum says so is rare: after so many, the reach is halved.
pub(super) const MAX_TRIES: usize = 16;
/// So many cuts are made in a few milliseconds.
const PERIOD: usize = 1024;

/// Cuts each group that exceeds the limit.
///
/// From its start on, at the strongest boundary that leaves between the soft and the hard limit; where
/// there is none, at the last one within the limit. O(n log n) in the number of pieces.
///
/// # Errors
/// Those of the measure, and what `pulse` says.
pub fn limit(
    sequence: &Sequence<'_>,
    room: Room,
    scored: &mut Scored,
    pulse: Pulse<'_>,
) -> Result<()> {
    let mut cutter =
        LimitCutter { sequence, room, strongest: None, beat: Beat::every(PERIOD, pulse) };
    let mut from = 0;
    for end in 1..=sequence.len() {
        if end < sequence.len() && scored.verdicts[end - 1] == Verdict::Whole {
            continue;
        }
        while let Some(cut) = cutter.next(&scored.scores, from, end)? {
            scored.verdicts[cut.end - 1] = Verdict::limit(cut.n_places);
            from = cut.end;
        }
        from = end;
    }
    Ok(())
}

struct LimitCutter<'a> {
    sequence: &'a Sequence<'a>,
    room: Room,
    /// Made when a group is too large.
    strongest: Option<Strongest>,
    beat: Beat<'a>,
}

impl LimitCutter<'_> {
    /// Where the group `from..end` is cut first; none if it fits.
    fn next(&mut self, scores: &[f64], from: usize, end: usize) -> Result<Option<Cut>> {
        if end == from + 1 || self.sequence.is_within(from..end, self.room.hard)? {
            return Ok(None);
        }
        self.beat.after(1)?;
        let strongest =
            self.strongest.get_or_insert_with(|| Strongest::new(scores.iter().copied()));
        within_limits(self.sequence, self.room, from, end - 1, |low, last| {
            strongest.within(low..last)
        })
        .map(Some)
    }
}

/// The end of a group that the limit cuts.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// One past the last piece.
    pub end: usize,
    /// Among how many boundaries it was chosen.
    pub n_places: usize,
}

/// Where the chunk from piece `from` on ends, at most at `upto`: where `best` says, and at the last place
/// that fits where it says nothing.
///
/// `best` is given boundaries by their numbers, boundary `i` being the one behind piece `i`: those that
/// leave between the soft limit and the hard one.
///
/// # Errors
/// Those of the measure.
pub fn within_limits(
    sequence: &Sequence<'_>,
    room: Room,
    from: usize,
    upto: usize,
    best: impl Fn(usize, usize) -> Option<usize>,
) -> Result<Cut> {
    let enough = sequence.enough(from, room.soft);
    let mut reach = sequence.reach(from, room.hard).min(upto);
    for n_tries in 0.. {
        let found = if enough <= reach { best(enough - 1, reach) } else { None };
        let n_places = if found.is_some() { reach + 1 - enough } else { 1 };
        let end = found.map_or(reach, |boundary| boundary + 1);
        if end <= from + 1 || sequence.is_within(from..end, room.hard)? {
            return Ok(Cut { end: end.max(from + 1), n_places });
        }
        reach = if n_tries < MAX_TRIES { end - 1 } else { from + (end - from) / 2 };
    }
    Ok(Cut { end: from + 1, n_places: 1 })
}
