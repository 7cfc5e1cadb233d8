//! Recall, precision and intersection over union of what was retrieved.
//!
//! The metrics are those of Smith and Troynikov (*Evaluating Chunking Strategies for Retrieval*, 2024), by
//! characters instead of tokens: recall says how much of the answer was found, precision how much of what was
//! found is the answer, and intersection over union both at once. All are quotients of counts of characters,
//! rounded once.

use super::excerpts::Excerpts;
use super::groups::Groups;
use super::places::Places;
use super::ranges::Union;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};

/// So many hits and questions are scored in a few milliseconds.
const PERIOD: usize = 1 << 12;

/// Scores of the hits of each question, from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// Covered characters of the excerpts, of all of them.
    pub recall: Vec<f64>,
    /// The same, of the lengths of all hits: each counts, also one that repeats another or stands elsewhere.
    pub precision: Vec<f64>,
    /// The same, of the lengths of all hits and the characters of the excerpts that are not covered.
    pub iou: Vec<f64>,
}

/// Scores the hits of each question: `hits` are numbers of chunks, those of question q in group q.
///
/// 0 stands where there is nothing to divide by. If excerpts overlap, recall divides by the sum of their
/// lengths, and what is uncovered counts for each of them. O(h log h) for each
/// question's h hits, besides [`Excerpts::covered`].
///
/// # Errors
/// [`Error::Config`] if there is not one group for each question, or a hit is no number of a chunk, naming
/// it.
pub fn score(
    excerpts: &Excerpts,
    places: &Places,
    of_question: &Groups,
    hits: &[i64],
    pulse: Pulse<'_>,
) -> Result<Scores> {
    if of_question.len() != excerpts.len() || of_question.n_items() != hits.len() {
        let (n, given) = (excerpts.len(), of_question.len());
        return Err(Error::Config(format!(
            "{n} questions must have {n} groups of hits, got {given}"
        )));
    }
    let (mut scores, beat) = (Scores::default(), Beat::every(PERIOD, pulse));
    for q in 0..excerpts.len() {
        let hits = &hits[of_question.of(q)];
        beat.after(hits.len() + 1)?;
        Counts::new(excerpts, places, q, hits, pulse)?.push_to(&mut scores);
    }
    Ok(scores)
}

/// The characters that the scores of a question are made of.
struct Counts {
    covered: usize,
    uncovered: usize,
    in_excerpts: usize,
    in_hits: usize,
}

impl Counts {
    fn new(
        excerpts: &Excerpts,
        places: &Places,
        q: usize,
        hits: &[i64],
        pulse: Pulse<'_>,
    ) -> Result<Self> {
        let mut in_hits = 0;
        let mut ranges = Vec::with_capacity(hits.len());
        for &hit in hits {
            let known = usize::try_from(hit).ok().filter(|&chunk| chunk < places.len());
            let chunk = known.ok_or_else(|| unknown(q, hit, places.len()))?;
            let range = places.range(chunk);
            in_hits += range.n_chars();
            if places.corpus(chunk) == Some(excerpts.corpus(q)) {
                ranges.push(range);
            }
        }
        let covered = excerpts.covered(q, &Union::of(ranges), pulse)?;
        let of_each = |range| covered.n_chars_of(range);
        let in_excerpts = excerpts.of(q).iter().map(|range| range.n_chars()).sum();
        let uncovered = in_excerpts - excerpts.of(q).iter().copied().map(of_each).sum::<usize>();
        Ok(Self { covered: covered.n_chars(), uncovered, in_excerpts, in_hits })
    }

    fn push_to(&self, scores: &mut Scores) {
        scores.recall.push(ratio(self.covered, self.in_excerpts));
        scores.precision.push(ratio(self.covered, self.in_hits));
        scores.iou.push(ratio(self.covered, self.in_hits + self.uncovered));
    }
}

/// The quotient, rounded once, or 0 if there is nothing to divide by.
#[allow(clippy::cast_precision_loss, reason = "characters of a text are far below 2^53")]
pub fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn unknown(q: usize, hit: i64, n_chunks: usize) -> Error {
    Error::Config(format!("question {q}: hit {hit} is none of {n_chunks} chunks"))
}
