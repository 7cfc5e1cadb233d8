//! BM25 scores of texts together with their neighbours.

use super::Bm25;
use super::context::{Context, check};
use super::query::Query;
use super::spread::Spread;
use super::tiles::{TERMS, Tiles};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};

/// Measured: a term of one text in 64 reaches one in six or so, and takes as long as its part of a full group.
const RARITY: u64 = 64;

/// A group of terms costs as much as so many of these, whether it is full or not.
const TERMS_OF_A_GROUP: u64 = 4;

/// An index whose texts are scored with their [`Context`]; it has room for one query.
#[derive(Debug)]
pub struct InContext<'i> {
    index: &'i Bm25,
    context: &'i Context,
    /// A term is spread by itself if it is in less than one text of so many.
    pub(super) rarity: u64,
    spread: Spread,
    tiles: Tiles,
}

impl Bm25 {
    /// The index, its texts scored with their contexts. 8 bytes a text.
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Context, Saturation};
    /// use chunkwright_search::retrieve::neighbours::Neighbours;
    ///
    /// let texts = ["The reactor was built in 1956.", "It was shut down in 2003.", "Dogs bark."];
    /// let index = Bm25::new(&texts, Saturation::new(1.2, 0.75)?, None, no_pulse())?;
    /// let neighbours = Neighbours::new(&[0, 0, 1], &[8, 7, 3], 200.0)?;
    /// let context = Context::new(&index, &neighbours, 0.5)?;
    /// let (mut alone, mut together) = (Vec::new(), Vec::new());
    /// index.push_scores("reactor", &mut alone, no_pulse())?;
    /// index.in_context(&context)?.push_scores("reactor", &mut together, no_pulse())?;
    /// assert_eq!(alone[1], 0.0); // it does not say the word
    /// assert!(together[1] > 0.0 && together[2] == 0.0); // but stands beside it
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`](chunkwright_text::error::Error::Config) if the contexts are those of more or fewer texts.
    pub fn in_context<'i>(&'i self, context: &'i Context) -> Result<InContext<'i>> {
        check(self, context.norms.len())?;
        let (spread, tiles) = (Spread::new(self.n_texts()), Tiles::default());
        Ok(InContext { index: self, context, rarity: RARITY, spread, tiles })
    }
}

impl InContext<'_> {
    /// Adds the score of each text for `query` to `out`, and returns the query's [`bound`](Bm25::bound). O(the
    /// texts) for each term that many have; of another one O(the texts that have it, or are so near to one which
    /// has it that it counts 2^-20).
    ///
    /// # Errors
    /// Those of `pulse`; it is of no use then.
    pub fn push_scores(
        &mut self,
        query: &str,
        out: &mut Vec<f32>,
        pulse: Pulse<'_>,
    ) -> Result<f64> {
        let beat = Beat::of_numbers(pulse);
        let query = Query::new(query, self.index, &beat)?;
        let start = out.len();
        out.resize(start + self.index.n_texts(), 0.0);
        let scores = &mut out[start..];
        let n_rare = self.n_rare(&query);
        for term in 0..n_rare {
            self.spread.add(&query, term, self.index, self.context, scores, &beat)?;
        }
        for first in (n_rare..query.n_terms()).step_by(TERMS) {
            let terms = first..query.n_terms().min(first + TERMS);
            self.tiles.add(&query, terms, self.index, self.context, scores, &beat)?;
        }
        Ok(query.bound())
    }

    /// How many terms are spread by themselves: the weightiest, which come first and are in the fewest texts.
    fn n_rare(&self, query: &Query) -> usize {
        let (n_terms, n_texts) = (query.n_terms(), self.index.n_texts() as u64);
        let is_rare = |with: u64, rarity: u64| with.saturating_mul(rarity) < n_texts;
        let n_rare =
            (0..n_terms).take_while(|&term| is_rare(query.n_with(term), self.rarity)).count();
        // As many as are left over from full groups may be cheaper than one more group.
        let left = (n_terms - n_rare) % TERMS;
        let with = (n_rare..n_rare + left).map(|term| query.n_with(term)).sum();
        if is_rare(with, self.rarity / TERMS_OF_A_GROUP) { n_rare + left } else { n_rare }
    }
}
