//! Embedders for tests, whose vectors one can read off a text.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "numbers of letters are small"
)]

use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::cut::strategy::Cutter;
use crate::markup::Markup;
use crate::measure::{Chars, Surcharge};
use crate::options::OverlapAt;
use crate::pulse::no_pulse;
use crate::span::Span;
use crate::unicode::space::is_space;
use crate::vectors::{Dense, Embedded, Embedder, TOLERANCE};

/// The vector of a text has the numbers of its letters `a`, `b` and `c`; a text without has zeros.
#[derive(Debug)]
pub struct Letters;

impl Embedder for Letters {
    fn embed<'t>(&self, texts: &[&'t str], _: Pulse<'_>) -> Result<Embedded<'t>> {
        let rows: Vec<f32> =
            texts.iter().flat_map(|text| letters(text)).map(|n| n as f32).collect();
        Ok(Box::new(Dense::new(rows, 3)?))
    }
}

/// The same, as one whose windows are sums.
#[derive(Debug)]
pub struct Sums;

impl Embedder for Sums {
    fn embed<'t>(&self, texts: &[&'t str], pulse: Pulse<'_>) -> Result<Embedded<'t>> {
        Letters.embed(texts, pulse)
    }

    fn adds_up(&self) -> bool {
        true
    }
}

/// An embedder that must not be asked.
#[derive(Debug)]
pub struct Nobody;

impl Embedder for Nobody {
    fn embed<'t>(&self, texts: &[&'t str], _: Pulse<'_>) -> Result<Embedded<'t>> {
        Err(Error::Model(format!("asked for {} texts", texts.len())))
    }
}

pub fn letters(text: &str) -> [f64; 3] {
    ["a", "b", "c"].map(|letter| text.matches(letter).count() as f64)
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let norms = dot(a, a).sqrt() * dot(b, b).sqrt();
    if norms == 0.0 { 0.0 } else { dot(a, b) / norms }
}

/// The sum of unit vectors.
pub fn sum_of(rows: &[[f64; 3]]) -> [f64; 3] {
    let unit = |row: &[f64; 3]| {
        let norm = dot(row, row).sqrt();
        row.map(|x| if norm == 0.0 { 0.0 } else { x / norm })
    };
    rows.iter().map(unit).fold([0.0; 3], |sum, row| [0, 1, 2].map(|i| sum[i] + row[i]))
}

pub const LANGUAGE: fn() -> Language = Language::english;

/// Sentences joined up to `max`.
pub fn joined(max: usize) -> Segments {
    Segments::Joined { language: LANGUAGE(), max, whole: usize::MAX }
}

/// A text, its pieces, and the numbers of letters in each.
pub struct Case {
    text: String,
    spans: Vec<Span>,
    /// The numbers of letters in each piece.
    pub rows: Vec<[f64; 3]>,
    /// What each size has on top.
    surcharge: usize,
}

impl Case {
    pub fn new(text: &str, kind: Segments, max: usize) -> Self {
        Self::surcharged(text, kind, max, 0)
    }

    pub fn surcharged(text: &str, kind: Segments, max: usize, surcharge: usize) -> Self {
        let chars = Surcharge::new(Chars::new(Document::new(text)), surcharge);
        let pieces =
            segments::segments(text, Markup::Unknown, &chars, max, kind, no_pulse()).unwrap();
        let spans: Vec<Span> = pieces.spans().collect();
        let rows = spans.iter().map(|span| letters(&text[span.range()])).collect();
        Self { text: text.into(), spans, rows, surcharge }
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Code points of the pieces `from..to`, and the surcharge.
    pub fn size(&self, from: usize, to: usize) -> usize {
        let text = &self.text[self.spans[from].start..self.spans[to - 1].end];
        text.chars().count() + self.surcharge
    }

    pub fn cosine(&self, i: usize, j: usize) -> f64 {
        cosine(&self.rows[i], &self.rows[j])
    }

    pub fn around(&self, i: usize, window: usize) -> Range<usize> {
        i.saturating_sub(window)..(i + window + 1).min(self.len())
    }

    /// The distances of neighbouring windows, each the letters of its text.
    pub fn distances(&self, window: usize) -> Vec<f64> {
        let letters = |i| {
            let around = self.around(i, window);
            letters(&self.text[self.spans[around.start].start..self.spans[around.end - 1].end])
        };
        (1..self.len()).map(|i| 1.0 - cosine(&letters(i - 1), &letters(i))).collect()
    }

    /// What is scored, no chunk's own text having more than `room.hard` units.
    pub fn scored(
        &self,
        embedder: &dyn Embedder,
        kind: Segments,
        scoring: Scoring,
        room: Room,
    ) -> Scored {
        let chars = Surcharge::new(Chars::new(Document::new(&self.text)), self.surcharge);
        let found =
            segments::segments(&self.text, Markup::Unknown, &chars, room.hard, kind, no_pulse())
                .unwrap();
        let pieces = sequence::added_up(&chars, &found, no_pulse()).unwrap();
        let window = if embedder.adds_up() { 0 } else { scoring.window() };
        let pieces = Pieces { window: Some(window), ..pieces };
        let texts: Vec<&str> = pieces.texts(&self.text).collect();
        let mut vectors = embedder.embed(&texts, no_pulse()).unwrap();
        let sequence = Sequence::new(&self.text, &chars, &pieces);
        scored(&sequence, &mut *vectors, scoring, room, no_pulse()).unwrap()
    }
}

/// The chunks of a document, cut in one.
pub fn semantic(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    how: &Semantic,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let strategy = crate::cut::strategy::Strategy::Semantic(how.clone());
    Cutter { strategy, limits, overlap_at }.cut(document, measure, pulse)
}

/// Where verdicts are of the kind that is wanted, whatever their numbers of places.
pub fn ends(verdicts: &[Verdict], wanted: Verdict) -> Vec<usize> {
    (1..=verdicts.len()).filter(|end| verdicts[end - 1].code() == wanted.code()).collect()
}

/// Where the text is cut.
pub fn cuts(verdicts: &[Verdict]) -> Vec<usize> {
    (1..=verdicts.len()).filter(|end| verdicts[end - 1] != Verdict::Whole).collect()
}

/// What is wanted of [`ends`] for the limit.
pub const LIMIT: Verdict = Verdict::Limit { n_places: 0 };

pub fn above(values: &[f64], threshold: f64) -> Vec<usize> {
    (1..=values.len()).filter(|end| values[end - 1] > threshold + TOLERANCE).collect()
}

/// The groups that end at `ends` and at `n`.
pub fn groups(ends: &[usize], n: usize) -> Vec<Range<usize>> {
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(ends.iter().copied().chain([n])).map(|(from, to)| from..to).collect()
}

pub const NO_LIMIT: Room = Room { soft: 500_000, hard: 1_000_000 };

pub fn sentences_of(n: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = String> {
    prop::collection::vec("[A-C][a-c]{2,7}[.!?]", n).prop_map(|sentences| sentences.join(" "))
}

/// Holds chunks against the laws: order, cover, limits, sizes, and the boundaries at their ends.
pub fn check(text: &str, measure: &dyn Measure, hard_max: Option<usize>, chunks: &Chunks) {
    let mut at = 0;
    for (i, span) in chunks.spans().enumerate() {
        let body = chunks.body(i);
        assert!(body.start >= at && span.start <= body.start && span.end == body.end);
        assert!(text[at..body.start].chars().all(is_space), "{:?}", &text[at..body.start]);
        assert!(!text[body.range()].is_empty());
        at = body.end;
        if let Some(hard_max) = hard_max {
            assert_eq!(chunks.sizes()[i], measure.size(span).unwrap());
            assert_eq!(chunks.is_oversize(i), chunks.sizes()[i] > hard_max);
        }
    }
    assert!(text[at..].chars().all(is_space));
    let (boundaries, n) = (chunks.boundaries(), chunks.len());
    let cut = |i: &usize| boundaries.verdicts()[*i] != Verdict::Whole;
    let cuts: Vec<usize> = (0..boundaries.len()).filter(cut).map(|i| boundaries.ats()[i]).collect();
    let ends: Vec<usize> = (1..n).map(|i| chunks.body(i - 1).end).collect();
    assert_eq!(cuts, ends);
    assert!(boundaries.ats().is_sorted());
    assert_eq!(boundaries.text_ends(), [boundaries.len()]);
    let is_score = |score: &f64| score.is_nan() || (-1e-9..2.0 + 1e-9).contains(score);
    assert!(boundaries.scores().iter().all(is_score));
}
