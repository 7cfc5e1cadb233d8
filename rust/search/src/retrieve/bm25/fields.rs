//! Fields of texts: what is known of each beside its words, such as the path of its file.
//!
//! A field is scored by an index of its own, so a word is as rare as it is in this field, and its count is
//! saturated by itself; the weighted score is added to that of the text. A weight is no part of an index: it is
//! chosen anew for each search. The field [`DOCUMENT`] holds no texts: it is made of the texts' own words, those of
//! one document taken together.

use std::sync::Arc;

use super::documents::Documents;
use super::query::Query;
use super::segment::Segment;
use super::{Bm25, Saturation};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::terms::subwords::Subwords;

/// The greatest weight of a field.
pub const MAX_FIELD_WEIGHT: f64 = 1e6;

/// The field that is made of all words of a text's document.
pub const DOCUMENT: &str = "document";

/// A field that texts may have.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What its score counts, if nothing else is said; that of the text itself counts 1.
    pub weight: f64,
    /// What it holds, in one sentence.
    pub help: &'static str,
}

/// The fields, in the order in which their scores are added.
///
/// Weights were chosen on one half of `ContextBench` and on functions of the library of Python (`docs/search-words.md`).
pub const FIELDS: [Field; 3] = [
    Field { name: "path", weight: 1.0, help: "The path of a source file." },
    Field {
        name: "scope",
        weight: 1.5,
        help: "The names of the definitions that a chunk of source code is in.",
    },
    Field { name: DOCUMENT, weight: 1.0, help: "All words of a source file." },
];

/// The field of this name.
///
/// ```
/// use chunkwright_search::retrieve::bm25::{FIELDS, field};
///
/// assert_eq!(field("path")?.weight, FIELDS[0].weight);
/// assert!(field("colour").is_err());
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if there is none.
pub fn field(name: &str) -> Result<&'static Field> {
    FIELDS.iter().find(|field| field.name == name).ok_or_else(|| {
        let known: Vec<String> = FIELDS.iter().map(|field| format!("{:?}", field.name)).collect();
        Error::Config(format!("unknown field {name:?}; known are {}", known.join(" and ")))
    })
}

/// The weight of the field of this name, checked.
///
/// # Errors
/// [`Error::Config`] if there is no such field, or the weight is negative, too large or not finite.
pub fn checked_weight(name: &str, weight: f64) -> Result<f64> {
    let field = field(name)?;
    if (0.0..=MAX_FIELD_WEIGHT).contains(&weight) {
        return Ok(weight);
    }
    let name = field.name;
    Err(Error::Config(format!(
        "the weight of the field {name:?} must be between 0 and {MAX_FIELD_WEIGHT}, got {weight}"
    )))
}

/// The fields of the texts of an index, with their weights.
#[derive(Debug)]
pub struct Fields {
    n_texts: usize,
    saturation: Saturation,
    subwords: Option<Subwords>,
    /// In the order of [`FIELDS`]: that of names and weights is no matter.
    indexes: Vec<(usize, Bm25, f64)>,
    documents: Option<(Documents, f64)>,
}

impl Fields {
    /// None of the texts of `index`; fields count by the same [`Saturation`] and [`Subwords`].
    pub fn new(index: &Bm25) -> Self {
        Self {
            n_texts: index.n_texts(),
            saturation: index.saturation,
            subwords: index.subwords,
            indexes: Vec::new(),
            documents: None,
        }
    }

    /// Adds a field by segments of its texts, of which there is one for each text of the index; empty where a
    /// text has none.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Fields, Saturation, Segment};
    ///
    /// let index = Bm25::new(&["def run", "def run"], Saturation::new(1.2, 0.75)?, None, no_pulse())?;
    /// let mut fields = Fields::new(&index);
    /// let paths = Segment::new(&["src/cache.py", "src/main.py"], None, no_pulse())?;
    /// fields.push("path", vec![Arc::new(paths)], 2.0)?;
    /// let mut scores = Vec::new();
    /// index.push_scores("run the cache", &mut scores, no_pulse())?;
    /// fields.add_scores(&index, "run the cache", &mut scores, no_pulse())?;
    /// assert!(scores[0] > scores[1]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] as [`checked_weight`], if it is made of the texts' words or is there already, if there
    /// are more or fewer texts, or a segment has other subwords.
    pub fn push(&mut self, name: &str, segments: Vec<Arc<Segment>>, weight: f64) -> Result<()> {
        let (weight, place) = (checked_weight(name, weight)?, place_of(name));
        if name == DOCUMENT || self.indexes.iter().any(|&(other, ..)| other == place) {
            return Err(Error::Config(format!("the field {name:?} cannot be given here")));
        }
        let index = Bm25::of_segments(segments, self.saturation, self.subwords)?;
        if index.n_texts() != self.n_texts {
            let (wanted, got) = (self.n_texts, index.n_texts());
            let message = format!("the field {name:?} must be of {wanted} texts, got {got}");
            return Err(Error::Config(message));
        }
        let at = self.indexes.partition_point(|&(other, ..)| other < place);
        self.indexes.insert(at, (place, index, weight));
        Ok(())
    }

    /// Adds the field [`DOCUMENT`].
    ///
    /// # Errors
    /// [`Error::Config`] as [`checked_weight`], or if the documents are those of more or fewer texts.
    pub fn set_documents(&mut self, documents: Documents, weight: f64) -> Result<()> {
        let weight = checked_weight(DOCUMENT, weight)?;
        documents.check(self.n_texts)?;
        self.documents = Some((documents, weight));
        Ok(())
    }

    /// Adds what the fields give to the `scores` of the texts of `index` for `query`; returns what that can be at
    /// most. O(the postings of the query's terms in the fields and, for documents, in the texts).
    ///
    /// # Errors
    /// [`Error::Config`] if they are fields of another index; those of `pulse`.
    pub fn add_scores(
        &self,
        index: &Bm25,
        query: &str,
        scores: &mut [f32],
        pulse: Pulse<'_>,
    ) -> Result<f64> {
        if scores.len() != self.n_texts || index.n_texts() != self.n_texts {
            let got = scores.len();
            return Err(Error::Config(format!(
                "fields must be of {got} texts, got {}",
                self.n_texts
            )));
        }
        let (mut bound, mut own) = (0.0, Vec::new());
        for (_, field, weight) in self.weighty() {
            own.clear();
            bound += weight * field.push_scores(query, &mut own, pulse)?;
            add(scores, &own, *weight);
        }
        if let Some((documents, weight)) = self.weighty_documents() {
            let query = Query::new(query, index, &Beat::of_bytes(pulse))?;
            own.clear();
            let beat = Beat::of_numbers(pulse);
            bound += weight * documents.push_scores(index, &query, &mut own, &beat)?;
            add(scores, &own, *weight);
        }
        Ok(bound)
    }

    /// What they add to a score for `query` at most.
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn bound(&self, index: &Bm25, query: &str, pulse: Pulse<'_>) -> Result<f64> {
        let mut bound = 0.0;
        for (_, field, weight) in self.weighty() {
            bound += weight * field.bound(query, pulse)?;
        }
        if let Some((documents, weight)) = self.weighty_documents() {
            let query = Query::new(query, index, &Beat::of_bytes(pulse))?;
            let beat = Beat::of_numbers(pulse);
            bound += weight * documents.bound(index, &query, &beat)?;
        }
        Ok(bound)
    }

    fn weighty(&self) -> impl Iterator<Item = &(usize, Bm25, f64)> {
        self.indexes.iter().filter(|(_, _, weight)| *weight > 0.0)
    }

    fn weighty_documents(&self) -> Option<&(Documents, f64)> {
        self.documents.as_ref().filter(|(_, weight)| *weight > 0.0)
    }
}

/// The place of a field in [`FIELDS`]; behind all others if it is none.
fn place_of(name: &str) -> usize {
    FIELDS.iter().position(|field| field.name == name).unwrap_or(FIELDS.len())
}

#[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
fn add(scores: &mut [f32], own: &[f32], weight: f64) {
    let weight = weight as f32;
    for (score, own) in scores.iter_mut().zip(own) {
        *score += weight * own;
    }
}
