//! Spread of frequent terms over all texts, several terms beside each other.
//!
//! What a term gives to the texts around is a running sum, of which each step waits for the one before. The sums
//! of eight terms do not wait for each other, so they are taken at once; and texts are gone over in tiles of whole
//! documents, so that what is read again lies in the processor's cache. The sums are those of
//! [`Spread`](super::spread::Spread), to the last bit.

use std::ops::Range;

use super::Bm25;
use super::block::{Postings, gain};
use super::context::{Context, LEAST_COUNT};
use super::query::Query;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;

/// So many terms are summed up beside each other.
pub const TERMS: usize = 8;

/// A tile ends at the first document that begins behind so many texts.
const TILE: usize = 1024;

/// A number for each of the terms.
type Each = [f32; TERMS];

/// Counts of terms in the texts of a tile, and what these give to the texts around.
#[derive(Debug, Default)]
pub struct Tiles {
    own: Vec<Each>,
    around: Vec<Each>,
}

impl Tiles {
    /// Adds what the terms give to `scores`, one after the other.
    pub fn add(
        &mut self,
        query: &Query,
        terms: Range<usize>,
        index: &Bm25,
        context: &Context,
        scores: &mut [f32],
        beat: &Beat<'_>,
    ) -> Result<()> {
        let Context { decays, shares, norms } = context;
        let mut weights = [0.0; TERMS];
        for (weight, term) in weights.iter_mut().zip(terms.clone()) {
            *weight = query.weight(term);
        }
        let segments: Vec<Texts<'_>> = (index.numbered().enumerate())
            .map(|(number, (first, segment))| Texts {
                first,
                end: first + segment.n_texts(),
                postings: terms.clone().map(|term| query.postings(term, number, segment)).collect(),
            })
            .collect();
        let mut start = 0;
        while start < scores.len() {
            let end = tile_end(decays, start);
            beat.after(TERMS * (end - start))?;
            self.count(&segments, start..end);
            forward(&decays[start..end], &self.own, &mut self.around);
            backward(&decays[start..end], &self.own, &mut self.around);
            let texts = self.own.iter().zip(&self.around);
            let given = shares[start..end].iter().zip(&norms[start..end]);
            for ((score, (own, around)), (share, norm)) in
                scores[start..end].iter_mut().zip(texts).zip(given)
            {
                let gains: Each = std::array::from_fn(|term| {
                    gain(weights[term], own[term] + share * around[term], *norm)
                });
                *score = gains.iter().fold(*score, |score, gain| score + gain);
            }
            start = end;
        }
        Ok(())
    }

    /// Counts the terms in the texts of a tile.
    fn count(&mut self, segments: &[Texts<'_>], tile: Range<usize>) {
        self.own.clear();
        self.own.resize(tile.len(), [0.0; TERMS]);
        self.around.resize(tile.len(), [0.0; TERMS]);
        let first = segments.partition_point(|texts| texts.end <= tile.start);
        for texts in segments[first..].iter().take_while(|texts| texts.first < tile.end) {
            let range = tile.start.max(texts.first)..tile.end.min(texts.end);
            let inner = range.start - texts.first..range.end - texts.first;
            for (term, postings) in texts.postings.iter().enumerate() {
                if let Some(postings) = postings {
                    postings.for_each_in(inner.clone(), |text, count| {
                        self.own[texts.first + text - tile.start][term] = count;
                    });
                }
            }
        }
    }
}

/// The texts of a segment, with the postings of the terms.
struct Texts<'s> {
    first: usize,
    end: usize,
    postings: Vec<Option<Postings<'s>>>,
}

/// Where the tile ends that begins at `start`: between two documents.
fn tile_end(decays: &[f32], start: usize) -> usize {
    let least = decays.len().min(start + TILE);
    let more = decays[least..].iter().position(|&decay| decay == 0.0);
    more.map_or(decays.len(), |more| least + more)
}

/// What the texts before give to each, in place of what `around` held.
#[inline(never)]
fn forward(decays: &[f32], own: &[Each], around: &mut [Each]) {
    let mut sum = [0.0; TERMS];
    for ((&decay, own), around) in decays.iter().zip(own).zip(around) {
        for term in 0..TERMS {
            around[term] = kept(decay * sum[term]);
            sum[term] = around[term] + own[term];
        }
    }
}

/// Adds what the texts behind give to each.
#[inline(never)]
fn backward(decays: &[f32], own: &[Each], around: &mut [Each]) {
    let (mut sum, mut decay) = ([0.0; TERMS], 0.0);
    for ((&next, own), around) in decays.iter().zip(own).zip(around).rev() {
        for term in 0..TERMS {
            let given = kept(decay * sum[term]);
            around[term] += given;
            sum[term] = given + own[term];
        }
        decay = next;
    }
}

/// What is left of a count; nothing if it is next to nothing.
#[inline(always)]
fn kept(given: f32) -> f32 {
    if given < LEAST_COUNT { 0.0 } else { given }
}
