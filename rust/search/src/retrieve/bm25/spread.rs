//! Spread of a rare term over the texts around those that have it.

use std::ops::Range;

use super::Bm25;
use super::block::gain;
use super::context::{Context, LEAST_COUNT};
use super::query::Query;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;

/// One term's counts, and what they give to the texts around.
#[derive(Debug)]
pub struct Spread {
    /// The texts that have the term, ascending.
    texts: Vec<usize>,
    /// Of each text: how often it has the term, and what its neighbours give it. 0 between terms.
    own: Vec<f32>,
    around: Vec<f32>,
    /// The texts for which one of both is not 0; some may be there twice.
    reached: Vec<Range<usize>>,
}

impl Spread {
    pub fn new(n_texts: usize) -> Self {
        let (own, around) = (vec![0.0; n_texts], vec![0.0; n_texts]);
        Self { texts: Vec::new(), own, around, reached: Vec::new() }
    }

    /// Adds what a term gives to `scores`.
    pub fn add(
        &mut self,
        query: &Query,
        term: usize,
        index: &Bm25,
        context: &Context,
        scores: &mut [f32],
        beat: &Beat<'_>,
    ) -> Result<()> {
        let (Context { decays, shares, norms }, weight) = (context, query.weight(term));
        for (number, (first, segment)) in index.numbered().enumerate() {
            if let Some(postings) = query.postings(term, number, segment) {
                beat.after(postings.len())?;
                postings.for_each(|text, count| self.has(first + text, count));
            }
        }
        self.forward(decays, beat)?;
        self.backward(decays, beat)?;
        self.drain(beat, |text, own, around| {
            scores[text] += gain(weight, own + shares[text] * around, norms[text]);
        })
    }

    /// Notes that a text behind all others has the term so many times.
    fn has(&mut self, text: usize, count: f32) {
        self.texts.push(text);
        self.own[text] = count;
    }

    /// Adds to each text what those before it give.
    fn forward(&mut self, decays: &[f32], beat: &Beat<'_>) -> Result<()> {
        let mut end = 0;
        for &start in &self.texts {
            if start < end {
                continue;
            }
            let mut sum = self.own[start];
            end = start + 1;
            while end < decays.len() {
                let given = decays[end] * sum;
                if given < LEAST_COUNT {
                    break;
                }
                self.around[end] += given;
                sum = given + self.own[end];
                end += 1;
            }
            self.reached.push(start..end);
            beat.after(end - start)?;
        }
        Ok(())
    }

    /// Adds to each text what those behind it give.
    fn backward(&mut self, decays: &[f32], beat: &Beat<'_>) -> Result<()> {
        let mut start = decays.len();
        for &last in self.texts.iter().rev() {
            if last >= start {
                continue;
            }
            let mut sum = self.own[last];
            start = last;
            while start > 0 {
                let given = decays[start] * sum;
                if given < LEAST_COUNT {
                    break;
                }
                start -= 1;
                self.around[start] += given;
                sum = given + self.own[start];
            }
            self.reached.push(start..last + 1);
            beat.after(last + 1 - start)?;
        }
        Ok(())
    }

    /// Calls `give` once with each text that was reached, and what it has, and clears all of it.
    fn drain(&mut self, beat: &Beat<'_>, mut give: impl FnMut(usize, f32, f32)) -> Result<()> {
        self.texts.clear();
        for range in self.reached.drain(..) {
            beat.after(range.len())?;
            for text in range {
                let (own, around) =
                    (std::mem::take(&mut self.own[text]), std::mem::take(&mut self.around[text]));
                if own + around > 0.0 {
                    give(text, own, around);
                }
            }
        }
        Ok(())
    }
}
