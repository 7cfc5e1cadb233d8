//! Cluster strategy: the groups of neighbours with most in common, by a dynamic programme.
//!
//! The best way to cut up to a piece is the best, over all starts of the last group, of the best way up to that
//! start plus the group's worth. The worth of a group is a sum over pairs, which running sums give for all groups
//! that end at a piece at once ([`Gains`]): adding a piece costs one cosine with each piece of the longest group.
//! So no n × n matrix of similarities is ever there, which for 8,000 pieces would take 512 MB.

use std::ops::Range;

use super::gains::Gains;
use super::sequence::{Sequence, margin};
use super::{Mean, Room, Scored};
use crate::boundaries::Verdict;
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::vectors::{TOLERANCE, Vectors};

/// Cuts so that the sum, over all pairs of pieces in one chunk, of their cosine less the mean is as large
/// as the limit allows.
///
/// Of ways that are equally good the one with fewer cuts is taken, then the one whose last cut is later:
/// so equal pieces fill chunks from the first one on, and more of them at the end move no cut.
/// O(n · k) cosines for n pieces and up to k in a chunk; O(n + k) memory besides the vectors.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn cluster(
    sequence: &Sequence<'_>,
    vectors: &mut dyn Vectors,
    mean: Mean,
    room: Room,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    let within = |i: usize| sequence.reach_back(i + 1, room.hard);
    let mean = mean_of(vectors, mean, within, pulse)?;
    // What has too large a sum may fit after all.
    let near = room.hard.saturating_add(margin(room.hard));
    let first = |i: usize| sequence.reach_back(i + 1, near);
    let fits = |from: usize, end: usize| sequence.is_within(from..end, room.hard);
    let (mut ways, mut scores) = (vec![Way::default()], Vec::new());
    rows(vectors, mean, first, pulse, |gains, score| {
        ways.push(best(&ways, gains, &fits)?);
        scores.extend(score);
        Ok(())
    })?;
    let verdicts = verdicts(ways.len() - 1, |end| ways[end].from);
    let mut found = Scored { scores, verdicts, threshold: 1.0 - mean };
    forced(sequence, vectors, room, &mut found, pulse)?;
    Ok(found)
}

/// Tells the cuts that the limit makes from those that the cosines make.
///
/// The limit makes a cut if the chunks that meet there do not fit into one, and they have more in common
/// than the mean: the two pieces at the cut, or all pairs of pieces together, for which one chunk of both would
/// have been worth more. O(d) for each piece.
fn forced(
    sequence: &Sequence<'_>,
    vectors: &mut dyn Vectors,
    room: Room,
    scored: &mut Scored,
    pulse: Pulse<'_>,
) -> Result<()> {
    let Scored { scores, verdicts, threshold } = scored;
    let next = |verdicts: &[Verdict], from: usize| {
        let is_cut = |verdict: &Verdict| *verdict != Verdict::Whole;
        let cut = verdicts[from..].iter().position(is_cut);
        cut.map_or(sequence.len(), |n| from + n + 1)
    };
    let (beat, mut from) = (Beat::of_vectors(pulse), 0);
    let mut at = next(verdicts, from);
    while at < sequence.len() {
        let end = next(verdicts, at);
        beat.after(end - from)?;
        let is_alike = |vectors: &mut dyn Vectors| {
            let mean = 1.0 - *threshold;
            scores[at - 1] < *threshold - TOLERANCE
                || gain(vectors, mean, from..at, at..end) > TOLERANCE
        };
        if !sequence.is_within(from..end, room.hard)? && is_alike(vectors) {
            let reach = sequence.reach(from, room.hard).clamp(at, end - 1);
            verdicts[at - 1] = Verdict::limit(reach - from);
        }
        (from, at) = (at, end);
    }
    Ok(())
}

/// What two groups together would be worth more than by themselves.
#[allow(clippy::cast_precision_loss, reason = "there are not 2^53 pairs")]
fn gain(vectors: &mut dyn Vectors, mean: f64, left: Range<usize>, right: Range<usize>) -> f64 {
    let n_pairs = left.len() * right.len();
    vectors.cross(left, right) - mean * n_pairs as f64
}

/// Goes over all pieces: tells `each` what groups that end with the piece are worth, and the distance of
/// the piece from the one before.
///
/// # Errors
/// Those of `each`, and those of `pulse`.
fn rows(
    vectors: &mut dyn Vectors,
    mean: f64,
    first: impl Fn(usize) -> usize,
    pulse: Pulse<'_>,
    mut each: impl FnMut(&Gains, Option<f64>) -> Result<()>,
) -> Result<()> {
    let (mut gains, mut band, beat) = (Gains::default(), Vec::new(), Beat::of_vectors(pulse));
    for i in 0..vectors.len() {
        let first = first(i);
        beat.after(i - first)?;
        // The score is that of the piece before, also where both together are too large.
        let from = first.min(i.saturating_sub(1));
        vectors.band(i, from, &mut band);
        gains.add(first, &band[first - from..], mean);
        each(&gains, band.last().map(|cosine| 1.0 - cosine))?;
    }
    Ok(())
}

/// What cosines are compared with; `first` is the first piece that can be in one chunk with another.
///
/// # Errors
/// Those of `pulse`.
fn mean_of(
    vectors: &mut dyn Vectors,
    mean: Mean,
    first: impl Fn(usize) -> usize,
    pulse: Pulse<'_>,
) -> Result<f64> {
    match mean {
        Mean::Global => Ok(vectors.mean_cosine()),
        Mean::Local => local_mean(vectors, first, pulse),
    }
}

#[allow(clippy::cast_precision_loss, reason = "there are not 2^53 pairs")]
fn local_mean(
    vectors: &mut dyn Vectors,
    first: impl Fn(usize) -> usize,
    pulse: Pulse<'_>,
) -> Result<f64> {
    let (mut sum, mut n_pairs) = (0.0, 0);
    let (mut band, beat) = (Vec::new(), Beat::of_vectors(pulse));
    for i in 1..vectors.len() {
        let first = first(i);
        beat.after(i - first)?;
        vectors.band(i, first, &mut band);
        sum += band.iter().sum::<f64>();
        n_pairs += band.len();
    }
    Ok(if n_pairs == 0 { 0.0 } else { sum / n_pairs as f64 })
}

/// The best way to cut the pieces before a boundary.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    value: f64,
    n_groups: usize,
    /// The first piece of the last group.
    from: usize,
}

impl Way {
    fn beats(&self, other: &Self) -> bool {
        let more = self.value - other.value;
        more > TOLERANCE || more >= -TOLERANCE && self.n_groups < other.n_groups
    }
}

/// The best way whose last group ends with the piece behind `ways`; one piece is a group at any size.
fn best(ways: &[Way], gains: &Gains, fits: &impl Fn(usize, usize) -> Result<bool>) -> Result<Way> {
    let end = ways.len();
    let mut best: Option<Way> = None;
    for (from, gain) in gains.iter().rev() {
        let before = ways[from];
        let way = Way { value: before.value + gain, n_groups: before.n_groups + 1, from };
        let is_better = best.as_ref().is_none_or(|best| way.beats(best));
        if is_better && (from + 1 == end || fits(from, end)?) {
            best = Some(way);
        }
    }
    Ok(best.unwrap_or_default())
}

/// A cut behind each group, found from the last one on: `from` gives the first piece of the group that
/// ends before a piece.
fn verdicts(n_pieces: usize, from: impl Fn(usize) -> usize) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::Whole; n_pieces.saturating_sub(1)];
    let mut end = n_pieces;
    while end > 0 {
        end = from(end);
        if end > 0 {
            verdicts[end - 1] = Verdict::Score;
        }
    }
    verdicts
}
