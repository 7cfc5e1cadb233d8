//! Contexts of texts: what their neighbours add to their terms and lengths.

use super::Bm25;
use crate::retrieve::neighbours::Neighbours;
use chunkwright_text::error::{Error, Result};

/// What is left of a term after so many texts that it is less is let go.
pub(super) const LEAST_COUNT: f32 = 1.0 / 1_048_576.0;

/// The greatest weight of a context.
pub const MAX_WEIGHT: f64 = 1e6;

/// What neighbours add to texts: each is scored as if it had its neighbours' terms too, which count `weight`
/// times what [`Neighbours`] say, and as if it were so much longer.
///
/// So the words that a text has itself gain little, as those do that it has often; but a word counts that only
/// its neighbours have, such as the name of what they are on. How many texts have a term is still a matter of
/// their own words.
#[derive(Debug)]
pub struct Context {
    /// What the text before each counts for it.
    pub(super) decays: Vec<f32>,
    /// How much each text takes of what its neighbours give.
    pub(super) shares: Vec<f32>,
    pub(super) norms: Vec<f32>,
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

/// Refuses what is of more or fewer texts than `index`.
pub(super) fn check(index: &Bm25, n: usize) -> Result<()> {
    let n_texts = index.n_texts();
    if n == n_texts {
        return Ok(());
    }
    Err(Error::Config(format!("neighbours must be those of {n_texts} texts, got {n}")))
}
