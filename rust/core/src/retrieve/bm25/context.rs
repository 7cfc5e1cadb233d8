//! BM25 scores of texts together with their neighbours.

use std::ops::Range;

use super::Bm25;
use super::block::gain;
use super::query::Query;
use crate::error::{Error, Result};
use crate::pulse::{Beat, Pulse};
use crate::retrieve::neighbours::Neighbours;

/// What is left of a term after so many texts that it is less is let go.
pub const LEAST_COUNT: f32 = 1.0 / 1_048_576.0;

/// What neighbours add to texts: each is scored as if it had its neighbours' terms too, which count `weight`
/// times what [`Neighbours`] say, and as if it were so much longer.
///
/// So the words that a text has itself gain little, as those do that it has often; but a word counts that only
/// its neighbours have, such as the name of what they are on. How many texts have a term is still a matter of
/// their own words.
#[derive(Debug)]
pub struct Context {
    /// What the text before each counts for it.
    decays: Vec<f32>,
    /// How much each text takes of what its neighbours give.
    shares: Vec<f32>,
    norms: Vec<f32>,
}

impl Context {
    /// The contexts of the texts of `index`. O(n) time, 12 bytes a text.
    ///
    /// # Errors
    /// [`Error::Config`] if there are neighbours of more or fewer texts, or `weight` is negative or not finite.
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub fn new(index: &Bm25, neighbours: &Neighbours, weight: f64) -> Result<Self> {
        check(index, neighbours.len())?;
        if !(0.0..=MAX_WEIGHT).contains(&weight) {
            let message = format!("weight must be between 0 and {MAX_WEIGHT}, got {weight}");
            return Err(Error::Config(message));
        }
        let own: Vec<f64> = index.lengths().collect();
        let mut given = Vec::new();
        neighbours.given(&own, &mut given);
        let shares = neighbours.factors().iter().map(|factor| weight * factor);
        let around = shares.clone().zip(&given).map(|(share, given)| share * given);
        let lengths = own.iter().zip(around).map(|(own, around)| own + around);
        Ok(Self {
            decays: neighbours.decays().iter().map(|&decay| decay as f32).collect(),
            norms: index.saturation.norms(lengths),
            shares: shares.map(|share| share as f32).collect(),
        })
    }
}

fn check(index: &Bm25, n: usize) -> Result<()> {
    let n_texts = index.n_texts();
    if n == n_texts {
        return Ok(());
    }
    Err(Error::Config(format!("neighbours must be those of {n_texts} texts, got {n}")))
}

/// An index whose texts are scored with their [`Context`]; it has room for one query.
#[derive(Debug)]
pub struct InContext<'i> {
    index: &'i Bm25,
    context: &'i Context,
    spread: Spread,
}

impl Bm25 {
    /// The index, its texts scored with their contexts. 8 bytes a text.
    ///
    /// ```
    /// use chunkwright_core::pulse::no_pulse;
    /// use chunkwright_core::retrieve::bm25::{Bm25, Context, Saturation};
    /// use chunkwright_core::retrieve::neighbours::Neighbours;
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
    /// # Ok::<(), chunkwright_core::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if the contexts are those of more or fewer texts.
    pub fn in_context<'i>(&'i self, context: &'i Context) -> Result<InContext<'i>> {
        check(self, context.norms.len())?;
        Ok(InContext { index: self, context, spread: Spread::new(self.n_texts()) })
    }
}

/// The greatest weight of a context.
pub const MAX_WEIGHT: f64 = 1e6;

impl InContext<'_> {
    /// Adds the score of each text for `query` to `out`. O(the texts that have a term of the query, or are so
    /// near to one which has it that it counts 2^-20).
    ///
    /// # Errors
    /// Those of `pulse`; it is of no use then.
    pub fn push_scores(&mut self, query: &str, out: &mut Vec<f32>, pulse: Pulse<'_>) -> Result<()> {
        let beat = Beat::of_numbers(pulse);
        let query = Query::new(query, self.index, &beat)?;
        let start = out.len();
        out.resize(start + self.index.n_texts(), 0.0);
        for term in 0..query.n_terms() {
            self.add(&query, term, &mut out[start..], &beat)?;
        }
        Ok(())
    }

    /// Adds what a term gives to `scores`.
    fn add(
        &mut self,
        query: &Query,
        term: usize,
        scores: &mut [f32],
        beat: &Beat<'_>,
    ) -> Result<()> {
        let Self { index, context, spread } = self;
        let Context { decays, shares, norms } = context;
        let weight = query.weight(term);
        for (number, (first, segment)) in index.numbered().enumerate() {
            if let Some(postings) = query.postings(term, number, segment) {
                beat.after(postings.len())?;
                postings.for_each(|text, count| spread.has(first + text, count));
            }
        }
        spread.forward(decays, beat)?;
        spread.backward(decays, beat)?;
        spread.drain(beat, |text, own, around| {
            scores[text] += gain(weight, own + shares[text] * around, norms[text]);
        })
    }
}

/// One term's counts, and what they give to the texts around.
#[derive(Debug)]
struct Spread {
    /// The texts that have the term, ascending.
    texts: Vec<usize>,
    /// Of each text: how often it has the term, and what its neighbours give it. 0 between terms.
    own: Vec<f32>,
    around: Vec<f32>,
    /// The texts for which one of both is not 0; some may be there twice.
    reached: Vec<Range<usize>>,
}

impl Spread {
    fn new(n_texts: usize) -> Self {
        let (own, around) = (vec![0.0; n_texts], vec![0.0; n_texts]);
        Self { texts: Vec::new(), own, around, reached: Vec::new() }
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
