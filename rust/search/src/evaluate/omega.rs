//! Precision omega of boundaries: the score of retrieving just the chunks that hold the excerpts.
//!
//! It is a bound: the precision that a perfect search would reach with these chunks, since it could not return
//! less than whole ones. So it measures chunks and questions without any search.

use std::collections::BTreeMap;

use super::excerpts::Excerpts;
use super::places::Places;
use super::ranges::{CharRange, Union};
use super::score::ratio;
use super::spanning::n_spanning;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;

/// For each question its precision omega, and how many chunks hold one of its excerpts.
///
/// A chunk holds an excerpt that it overlaps or touches. Omega is what chunks cover of the excerpts, of what the holding chunks and the excerpts cover together. Other occurrences of
/// excerpts are not looked at.
///
/// O((c + e) log (c + e)) for c chunks and e excerpts, however they overlap.
///
/// # Errors
/// Those of the pulse.
pub fn omega(
    excerpts: &Excerpts,
    places: &Places,
    pulse: Pulse<'_>,
) -> Result<(Vec<f64>, Vec<usize>)> {
    let mut questions: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for q in 0..excerpts.len() {
        questions.entry(excerpts.corpus(q)).or_default().push(q);
    }
    let mut chunks: BTreeMap<usize, Vec<CharRange>> = BTreeMap::new();
    for i in 0..places.len() {
        if let Some(corpus) = places.corpus(i).filter(|corpus| questions.contains_key(corpus)) {
            chunks.entry(corpus).or_default().push(places.range(i));
        }
    }
    let (mut omegas, mut holding) = (vec![0.0; excerpts.len()], vec![0; excerpts.len()]);
    for (corpus, questions) in questions {
        pulse()?;
        let chunks = Chunks::new(chunks.remove(&corpus).unwrap_or_default());
        pulse()?;
        let merged: Vec<_> =
            questions.iter().map(|&q| Union::of(excerpts.of(q).to_vec())).collect();
        pulse()?;
        let counts = chunks.n_holding(&merged);
        pulse()?;
        for ((q, excerpts), n_holding) in questions.into_iter().zip(merged).zip(counts) {
            omegas[q] = chunks.omega(&excerpts);
            holding[q] = n_holding;
        }
    }
    Ok((omegas, holding))
}

/// The chunks of a corpus, ready to be asked about ranges.
struct Chunks {
    ranges: Vec<CharRange>,
    covered: Union,
    /// Ascending, and how far the chunks up to each reach.
    starts: Vec<(usize, usize)>,
    /// Ascending, and where the first of the chunks from each on starts.
    ends: Vec<(usize, usize)>,
}

impl Chunks {
    fn new(ranges: Vec<CharRange>) -> Self {
        let mut starts: Vec<_> = ranges.iter().map(|range| (range.start, range.end)).collect();
        starts.sort_unstable();
        let mut furthest = 0;
        for (_, reach) in &mut starts {
            furthest = furthest.max(*reach);
            *reach = furthest;
        }
        let mut ends: Vec<_> = ranges.iter().map(|range| (range.end, range.start)).collect();
        ends.sort_unstable();
        let mut first = usize::MAX;
        for (_, start) in ends.iter_mut().rev() {
            first = first.min(*start);
            *start = first;
        }
        Self { covered: Union::of(ranges.clone()), ranges, starts, ends }
    }

    /// How many chunks hold one of the ranges of each union.
    ///
    /// The holders of single ranges, less those of two neighbours, which were counted for both: a chunk
    /// that holds several ranges holds those between them.
    fn n_holding(&self, unions: &[Union]) -> Vec<usize> {
        let gap = |pair: &[CharRange]| CharRange { start: pair[0].end, end: pair[1].start };
        let gaps: Vec<_> = unions.iter().flat_map(|u| u.ranges().windows(2).map(gap)).collect();
        let mut of_gaps = n_spanning(&self.ranges, &gaps).into_iter();
        let of_union = |union: &Union| {
            let single: usize = union.ranges().iter().map(|&range| self.n_touching(range)).sum();
            let n_gaps = union.ranges().len().saturating_sub(1);
            single - of_gaps.by_ref().take(n_gaps).sum::<usize>()
        };
        unions.iter().map(of_union).collect()
    }

    /// How many chunks overlap or touch `range`: all that start in time, but for those that end before.
    fn n_touching(&self, range: CharRange) -> usize {
        self.n_started(range.end) - self.n_ended(range.start)
    }

    fn omega(&self, excerpts: &Union) -> f64 {
        let reached = excerpts.ranges().iter().map(|&range| self.reach(range)).collect();
        let covered = excerpts.ranges().iter().map(|&range| self.covered.n_chars_of(range)).sum();
        ratio(covered, Union::of(reached).n_chars())
    }

    /// From where to where `range` and the chunks that overlap or touch it reach; there is no gap in that.
    fn reach(&self, range: CharRange) -> CharRange {
        let (before, behind) = (self.n_started(range.end), self.n_ended(range.start));
        let reach = before.checked_sub(1).map_or(range.end, |i| self.starts[i].1);
        let start = self.ends.get(behind).map_or(range.start, |&(_, start)| start);
        CharRange { start: start.min(range.start), end: reach.max(range.end) }
    }

    /// How many chunks start at or before `at`.
    fn n_started(&self, at: usize) -> usize {
        self.starts.partition_point(|&(start, _)| start <= at)
    }

    /// How many chunks end before `at`.
    fn n_ended(&self, at: usize) -> usize {
        self.ends.partition_point(|&(end, _)| end < at)
    }
}
