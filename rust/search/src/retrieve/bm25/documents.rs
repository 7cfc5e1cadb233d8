//! Documents of texts: BM25 scores of the words of all texts of a document together.
//!
//! A file that speaks to a long question as a whole is told from one of which a single chunk happens to. Nothing is
//! indexed for it: the counts of a document's texts are summed up while a query is answered.

use std::collections::HashMap;

use super::Bm25;
use super::block::gain;
use super::query::Query;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Beat;

/// The document of a text that takes no part.
const NONE: u32 = u32::MAX;

/// The documents of the texts of an index.
#[derive(Debug)]
pub struct Documents {
    /// The number of each text's document among those that take part.
    of_texts: Vec<u32>,
    /// What is added to a term's count in the denominator, for each document.
    norms: Vec<f32>,
}

impl Documents {
    /// The documents of the texts of `index` by their numbers; texts with a negative one take no part: they are given
    /// nothing, and say nothing of how rare a term is. O(the texts).
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Documents, Fields, Saturation};
    ///
    /// let texts = ["rain falls", "on hills", "rain falls", "on cars"];
    /// let index = Bm25::new(&texts, Saturation::new(1.2, 0.75)?, None, no_pulse())?;
    /// let mut fields = Fields::new(&index);
    /// fields.set_documents(Documents::new(&index, &[1, 1, 7, 7])?, 1.0)?;
    /// let mut scores = Vec::new();
    /// index.push_scores("rain on hills", &mut scores, no_pulse())?;
    /// assert!(scores[0] == scores[2]);
    /// fields.add_scores(&index, "rain on hills", &mut scores, no_pulse())?;
    /// assert!(scores[0] > scores[2]); // the rain on the hills
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if they are of more or fewer texts, or there are too many.
    pub fn new(index: &Bm25, numbers: &[i64]) -> Result<Self> {
        let (mut known, mut of_texts) = (HashMap::new(), Vec::with_capacity(numbers.len()));
        let mut lengths: Vec<f64> = Vec::new();
        check(numbers.len(), index.n_texts())?;
        for (&number, length) in numbers.iter().zip(index.lengths()) {
            if number < 0 {
                of_texts.push(NONE);
                continue;
            }
            let own = *known.entry(number).or_insert(lengths.len());
            if own == lengths.len() {
                lengths.push(0.0);
            }
            lengths[own] += length;
            let too_many = |_| Error::Config("there are too many documents".into());
            of_texts.push(u32::try_from(own).map_err(too_many)?);
        }
        Ok(Self { of_texts, norms: index.saturation.norms(lengths.iter().copied()) })
    }

    /// Refuses what is of more or fewer texts than an index.
    pub(super) fn check(&self, n_texts: usize) -> Result<()> {
        check(self.of_texts.len(), n_texts)
    }

    /// Adds the score of each text's document to `out`, and returns what none exceeds.
    pub(super) fn push_scores(
        &self,
        index: &Bm25,
        query: &Query,
        out: &mut Vec<f32>,
        beat: &Beat<'_>,
    ) -> Result<f64> {
        let mut scores = vec![0.0_f32; self.norms.len()];
        let bound = self.each_term(index, query, beat, |weight, document, count| {
            scores[document] += gain(weight, count, self.norms[document]);
        })?;
        let of_documents = self.of_texts.iter().map(|&document| scores.get(document as usize));
        out.extend(of_documents.map(|score| score.copied().unwrap_or(0.0)));
        Ok(bound)
    }

    /// What no score of a document exceeds.
    pub(super) fn bound(&self, index: &Bm25, query: &Query, beat: &Beat<'_>) -> Result<f64> {
        self.each_term(index, query, beat, |_, _, _| {})
    }

    /// Calls `give` with the weight of each term and each document that has it, and how often; returns the sum of
    /// the weights.
    fn each_term(
        &self,
        index: &Bm25,
        query: &Query,
        beat: &Beat<'_>,
        mut give: impl FnMut(f32, usize, f32),
    ) -> Result<f64> {
        let (mut counts, mut found) = (vec![0.0_f32; self.norms.len()], Vec::new());
        let mut bound = 0.0;
        for term in 0..query.n_terms() {
            for (number, (first, segment)) in index.numbered().enumerate() {
                let Some(postings) = query.postings(term, number, segment) else { continue };
                beat.after(postings.len())?;
                postings.for_each(|text, count| {
                    let document = self.of_texts[first + text] as usize;
                    if count > 0.0
                        && let Some(sum) = counts.get_mut(document)
                    {
                        if *sum == 0.0 {
                            found.push(document);
                        }
                        *sum += count;
                    }
                });
            }
            if found.is_empty() {
                continue;
            }
            let idf = index.saturation.weight(self.norms.len() as u64, found.len() as u64);
            let weight = query.share(term) * idf;
            bound += f64::from(weight);
            for document in found.drain(..) {
                give(weight, document, std::mem::take(&mut counts[document]));
            }
        }
        Ok(bound)
    }
}

fn check(n: usize, n_texts: usize) -> Result<()> {
    if n == n_texts {
        return Ok(());
    }
    Err(Error::Config(format!("documents must be those of {n_texts} texts, got {n}")))
}
