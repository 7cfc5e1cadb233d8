//! Okapi BM25 over an inverted index (Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and
//! Beyond*, 2009).
//!
//! A text's score for a query is the sum, over the query's terms, of
//!
//! ```text
//! ln(1 + (N - n + 0.5) / (n + 0.5)) · f · (k1 + 1) / (f + k1 · (1 - b + b · length / mean length))
//! ```
//!
//! where `n` of `N` texts have the term, and the text has it `f` times. A text's length is its number of
//! [`terms`](chunkwright_text::segment::terms). A query's term counts once, however often the query has it.
//!
//! With [`Subwords`], those of a word are terms like any other, of texts and of queries: they are counted, have
//! a rarity of their own, and make a text longer. So a word that is in a text as it is in the query gains by
//! both, and one that is inflected otherwise by what both have in common.
//!
//! With [`Neighbours`] it is the same of a text and its context: see [`InContext`]. What is known of texts beside
//! their words, such as the path of their file, are [`Fields`], whose weighted scores are added.
//!
//! Scores are the same on every machine: counts are exact, the logarithm is made of operations of IEEE 754,
//! and what terms add is summed in one order, the weightiest first, in 32 bits.
//!
//! # What it costs
//! Texts lie in segments ([`Segment`]), each with terms and postings of its own (3 bytes each, or 1 byte for each
//! text where a term is in more than a third of them), so that the scores of a segment stay in the processor's
//! cache, and an index is opened from stored segments without doing more than to read them. Beside the
//! postings, a segment has its terms and 20 bytes for each, the index 8 bytes for each text.

mod beside;
mod best;
mod block;
mod build;
mod context;
mod dictionary;
mod documents;
mod fields;
#[cfg(test)]
mod fields_tests;
mod in_context;
mod numbering;
mod query;
mod segment;
#[cfg(test)]
mod segment_tests;
mod shares;
mod splice;
#[cfg(test)]
mod splice_tests;
mod spread;
mod stored;
mod term_table;
#[cfg(test)]
mod tests;
mod tiles;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use self::best::Best;
pub use self::best::Hit;
pub use self::build::Builder;
pub use self::context::Context;
pub use self::documents::Documents;
pub use self::fields::{DOCUMENT, FIELDS, Field, Fields, MAX_FIELD_WEIGHT, checked_weight, field};
pub use self::in_context::InContext;
use self::query::Query;
pub use self::segment::Segment;
#[cfg(doc)]
use crate::retrieve::neighbours::Neighbours;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::terms::subwords::Subwords;
use chunkwright_text::vectors::lexical::ln;

/// The greatest `k1`: a score grows as a term's count does long before.
pub const MAX_K1: f64 = 1e6;

/// How counts of terms and lengths of texts become scores.
#[derive(Clone, Copy, Debug)]
pub struct Saturation {
    k1: f64,
    b: f64,
}

impl Saturation {
    /// `k1` says how much more a term counts that occurs more often: with 0, nothing more. `b` says how much
    /// less it counts in a long text: with 0, nothing less; with 1, in proportion.
    ///
    /// # Errors
    /// [`Error::Config`] unless `0 <= k1 <= MAX_K1` and `0 <= b <= 1`.
    pub fn new(k1: f64, b: f64) -> Result<Self> {
        if !(0.0..=MAX_K1).contains(&k1) {
            return Err(Error::Config(format!("k1 must be between 0 and {MAX_K1}, got {k1}")));
        }
        if !(0.0..=1.0).contains(&b) {
            return Err(Error::Config(format!("b must be between 0 and 1, got {b}")));
        }
        Ok(Self { k1, b })
    }

    /// What is added to a term's count in the denominator, for each of the texts of these lengths.
    fn norms(self, lengths: impl Iterator<Item = f64> + Clone) -> Vec<f32> {
        let mean = mean(lengths.clone());
        lengths.map(|length| self.norm(length, mean)).collect()
    }

    /// The same for one of them.
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    fn norm(self, length: f64, mean: f64) -> f32 {
        let norm = self.k1 * (1.0 - self.b + self.b * length / mean);
        // Above 0, so that nothing is divided by it.
        (norm as f32).max(f32::MIN_POSITIVE)
    }

    /// What a term gives at most that `with` of `n_texts` texts have.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "rounding is meant"
    )]
    fn weight(self, n_texts: u64, with: u64) -> f32 {
        let (n_texts, with) = (n_texts as f64, with as f64);
        let idf = ln(1.0 + (n_texts - with + 0.5) / (with + 0.5));
        (idf * (self.k1 + 1.0)) as f32
    }
}

/// The mean of `lengths`, and 1 where it is 0: then no text has a term to be scored.
#[allow(clippy::cast_precision_loss, reason = "rounding is meant")]
fn mean(lengths: impl Iterator<Item = f64> + Clone) -> f64 {
    let (n, sum) = (lengths.clone().count(), lengths.sum::<f64>());
    if sum == 0.0 { 1.0 } else { sum / n as f64 }
}

/// What scores for a query cannot exceed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// By the terms that any text has.
    pub known: f64,
    /// By all of its terms, those that no text has being the rarest.
    pub whole: f64,
}

/// An index of texts by their words.
#[derive(Debug)]
pub struct Bm25 {
    saturation: Saturation,
    subwords: Option<Subwords>,
    segments: Vec<Arc<Segment>>,
    /// What is added to a term's count in the denominator, for each text.
    norms: Vec<f32>,
}

impl Bm25 {
    /// An index of `texts`, whose words count with `subwords` if there are any. One pass, O(total length).
    ///
    /// # Errors
    /// [`Error::Config`] if there are too many texts or terms; those of `pulse`.
    pub fn new(
        texts: &[&str],
        saturation: Saturation,
        subwords: Option<Subwords>,
        pulse: Pulse<'_>,
    ) -> Result<Self> {
        let (mut builder, beat) = (Builder::new(saturation, subwords), Beat::of_bytes(pulse));
        for text in texts {
            builder.push(text, &beat)?;
        }
        builder.finish(pulse)
    }

    /// An index of the texts of segments, one segment behind the other: its scores are those of an index of all
    /// these texts, to the last bit.
    ///
    /// Segments are shared, not copied. O(the texts), whatever is in them: to put another segment in the place
    /// of one is to join all again.
    ///
    /// # Errors
    /// [`Error::Config`] if a segment has other subwords, or there are too many texts.
    pub fn of_segments(
        segments: Vec<Arc<Segment>>,
        saturation: Saturation,
        subwords: Option<Subwords>,
    ) -> Result<Self> {
        if let Some(i) = segments.iter().position(|segment| segment.subwords() != subwords) {
            let (wanted, own) = (name_of(subwords), name_of(segments[i].subwords()));
            let message = format!("segments must have {wanted}, got {own} in segment {i}");
            return Err(Error::Config(message));
        }
        let n_texts: usize = segments.iter().map(|segment| segment.n_texts()).sum();
        if n_texts > u32::MAX as usize {
            return Err(Error::Config(format!("an index holds at most {} texts", u32::MAX)));
        }
        let mut index = Self { saturation, subwords, segments, norms: Vec::new() };
        index.norms = saturation.norms(index.lengths());
        Ok(index)
    }

    /// How many texts there are.
    pub fn n_texts(&self) -> usize {
        self.norms.len()
    }

    /// How many different terms they have, subwords included. O(the terms of all segments, sorted), unless
    /// there is but one.
    pub fn n_terms(&self) -> usize {
        if let [segment] = &self.segments[..] {
            return segment.n_terms();
        }
        let segments = self.segments.iter();
        let terms: HashSet<&[u8]> = segments.flat_map(|segment| segment.terms.iter()).collect();
        terms.len()
    }

    /// The length of each text.
    fn lengths(&self) -> impl Iterator<Item = f64> + Clone {
        self.segments.iter().flat_map(|segment| segment.lengths.iter().map(|&n| f64::from(n)))
    }

    /// The segments, each with the number of its first text.
    fn numbered(&self) -> impl Iterator<Item = (usize, &Segment)> {
        self.segments.iter().scan(0, |next, segment| {
            let first = *next;
            *next += segment.n_texts();
            Some((first, &**segment))
        })
    }

    /// An upper bound of all scores for `query`: that of a text which consists of nothing but its terms.
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Saturation};
    ///
    /// let index = Bm25::new(&["rain", "rain and sun"], Saturation::new(1.2, 0.75)?, None, no_pulse())?;
    /// let best = index.top("sun", 1, no_pulse())?[0].score;
    /// assert!(f64::from(best) <= index.bound("sun", no_pulse())?);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn bound(&self, query: &str, pulse: Pulse<'_>) -> Result<f64> {
        Ok(Query::new(query, self, &Beat::of_bytes(pulse))?.bound())
    }

    /// Adds the score of each text for `query` to `out`, and returns the query's [`bound`](Bm25::bound). O(the
    /// postings of the query's terms, and the texts).
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn push_scores(&self, query: &str, out: &mut Vec<f32>, pulse: Pulse<'_>) -> Result<f64> {
        Ok(self.push_scores_in(0..self.segments.len(), query, out, pulse)?.known)
    }

    /// The same of the texts of some segments alone; all say how rare a term is. Returns the bound beside what
    /// the whole query would give, with the terms that no text has. O(the postings of the query's terms in
    /// these, and their texts).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Saturation, Segment};
    ///
    /// let segment = |texts: &[&str]| Segment::new(texts, None, no_pulse()).map(Arc::new);
    /// let parts = vec![segment(&["rain", "sun"])?, segment(&["rain and sun"])?];
    /// let index = Bm25::of_segments(parts, Saturation::new(0.0, 0.0)?, None)?;
    /// let mut scores = Vec::new();
    /// let bounds = index.push_scores_in(1..2, "sun and rain", &mut scores, no_pulse())?;
    /// assert!(scores.len() == 1 && (f64::from(scores[0]) - bounds.known).abs() < 1e-6);
    /// assert!(bounds.known == bounds.whole);
    /// let bounds = index.push_scores_in(1..2, "sun and snow", &mut scores, no_pulse())?;
    /// assert!(bounds.known < bounds.whole);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn push_scores_in(
        &self,
        segments: Range<usize>,
        query: &str,
        out: &mut Vec<f32>,
        pulse: Pulse<'_>,
    ) -> Result<Bounds> {
        let beat = Beat::of_numbers(pulse);
        let query = Query::new(query, self, &beat)?;
        for (number, (first, segment)) in self.numbered().enumerate() {
            if segments.contains(&number) {
                let (start, n) = (out.len(), segment.n_texts());
                out.resize(start + n, 0.0);
                let norms = &self.norms[first..first + n];
                query.add_all(number, segment, norms, &mut out[start..], &beat)?;
            }
        }
        Ok(Bounds { known: query.bound(), whole: query.whole() })
    }

    /// The `k` texts with the highest scores for `query`, best first; of those with equal scores the first.
    /// No text without any of the query's terms is among them.
    ///
    /// Postings that cannot lift a text among the best are not looked at.
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Saturation};
    /// use chunkwright_text::segment::terms::subwords::Subwords;
    ///
    /// let texts = ["The rivers rose.", "It rained on the hills.", "Cats sleep."];
    /// let saturation = Saturation::new(1.2, 0.75)?;
    /// let index = Bm25::new(&texts, saturation, Some(Subwords::Prefix), no_pulse())?;
    /// let found = |query| index.top(query, 5, no_pulse()).map(|hits| hits.iter().map(|hit| hit.text).collect());
    /// let by_word: Vec<usize> = found("Where do cats sleep?")?;
    /// assert_eq!(by_word, [2]);
    /// let by_prefix: Vec<usize> = found("riverside")?; // by "river*"
    /// assert_eq!(by_prefix, [0]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn top(&self, query: &str, k: usize, pulse: Pulse<'_>) -> Result<Vec<Hit>> {
        let beat = Beat::of_numbers(pulse);
        let query = Query::new(query, self, &beat)?;
        let mut hits = Best::new(k.min(self.n_texts()));
        let n_most = self.segments.iter().map(|segment| segment.n_texts()).max();
        let mut scores = vec![0.0; n_most.unwrap_or(0)];
        for (number, (first, segment)) in self.numbered().enumerate() {
            let norms = &self.norms[first..first + segment.n_texts()];
            let scores = &mut scores[..segment.n_texts()];
            query.search((number, first), segment, norms, scores, &mut hits, &beat)?;
        }
        Ok(hits.into_hits())
    }
}

/// Subwords in words.
const fn name_of(subwords: Option<Subwords>) -> &'static str {
    match subwords {
        None => "no subwords",
        Some(Subwords::Prefix) => "prefixes",
        Some(Subwords::FourGrams) => "4-grams",
    }
}
