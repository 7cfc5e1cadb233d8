//! Static embeddings: a vector for each token of a vocabulary; that of a text is their mean.
//!
//! The vectors of tokens were weighted and reduced once by the model's maker (`model2vec`), so a text costs one
//! row of the table for each token, and no model has to run. The mean is computed in 64 bits from the first token
//! to the last, so it is the same on every machine.
//!
//! ```
//! use chunkwright_text::error::Result;
//! use chunkwright_text::pulse::{Pulse, no_pulse};
//! use chunkwright_text::vectors::statics::{Pooling, Static, TokenIds};
//! use chunkwright_text::vectors::Embedder;
//!
//! /// A token a word: its number of letters.
//! #[derive(Debug)]
//! struct Lengths;
//!
//! impl TokenIds for Lengths {
//!     fn ids(&self, text: &str, _: Pulse<'_>) -> Result<Vec<u32>> {
//!         text.split(' ').map(|word| Ok(u32::try_from(word.len()).unwrap_or(0))).collect()
//!     }
//! }
//!
//! let rows = vec![0.0_f32, 0.0, 1.0, 0.0, 0.0, 1.0]; // of tokens 0, 1 and 2
//! let embedder = Static::new(Lengths, rows, 2, Pooling::default())?;
//! let vectors = embedder.embed(&["a a bb", "bb"], no_pulse())?;
//! let mut row = Vec::new();
//! vectors.push_row(1, &mut row);
//! assert_eq!(row, [0.0, 1.0]);
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use std::fmt::Debug;

use super::dense::Dense;
use super::{Embedded, Embedder, room_for};
use crate::error::{Error, Result};
use crate::pulse::{Pulse, no_pulse};

/// The pulse is felt once for so many bytes of short texts, each counted as this much longer than it is.
const PULSE_BYTES: usize = 1 << 18;
const TEXT_BYTES: usize = 16;

/// The pulse is felt once for so many tokens of a long text.
const PULSE_TOKENS: usize = 1 << 16;

/// Tokenizer that gives texts the ids of their tokens.
pub trait TokenIds: Debug + Send + Sync {
    /// The ids of the tokens of `text`.
    ///
    /// # Errors
    /// Those of the tokenizer, and those of `pulse`.
    fn ids(&self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>>;
}

/// How the vectors of tokens become that of a text.
#[derive(Clone, Debug, Default)]
pub struct Pooling {
    /// The weight of each token, by its id; 1 without.
    pub weights: Option<Vec<f64>>,
    /// The row of each token, by its id; the id itself if there are none.
    pub mapping: Option<Vec<usize>>,
    /// The token that is left out.
    pub unknown: Option<u32>,
    /// Code points of a text that are looked at.
    pub max_chars: Option<usize>,
    /// Tokens of a text that are looked at, unknown ones included.
    pub max_tokens: Option<usize>,
    /// Whether vectors are made unit length.
    pub normalize: bool,
}

/// Static embeddings, as `model2vec` has them: needs no model, only a table.
///
/// A text without a known token has the vector of zeros.
#[derive(Debug)]
pub struct Static<I, R> {
    tokens: I,
    rows: R,
    n_dims: usize,
    pooling: Pooling,
}

impl<I: TokenIds, R: AsRef<[f32]>> Static<I, R> {
    /// Embeddings of `n_dims` numbers each, one row behind the other.
    ///
    /// # Errors
    /// [`Error::Config`] if the table has no whole number of rows, or one is named that it lacks.
    pub fn new(tokens: I, rows: R, n_dims: usize, pooling: Pooling) -> Result<Self> {
        let n = rows.as_ref().len();
        if n_dims == 0 || n % n_dims != 0 {
            return Err(Error::Config(format!("{n} numbers do not make rows of {n_dims}")));
        }
        let n_rows = n / n_dims;
        let mut rows_of_tokens = pooling.mapping.iter().flatten().enumerate();
        if let Some((token, row)) = rows_of_tokens.find(|&(_, &row)| row >= n_rows) {
            let message = format!("token {token} is mapped to row {row} of {n_rows}");
            return Err(Error::Config(message));
        }
        Ok(Self { tokens, rows, n_dims, pooling })
    }

    /// Adds the vector of `text` to `out`; `sum` is overwritten.
    fn push(
        &self,
        text: &str,
        sum: &mut Vec<f64>,
        out: &mut Vec<f32>,
        pulse: Pulse<'_>,
    ) -> Result<()> {
        sum.clear();
        sum.resize(self.n_dims, 0.0);
        let ids = self.tokens.ids(self.shortened(text), pulse)?;
        let ids = &ids[..ids.len().min(self.pooling.max_tokens.unwrap_or(usize::MAX))];
        let mut n_tokens = 0_u32;
        for ids in ids.chunks(PULSE_TOKENS) {
            pulse()?;
            for &id in ids.iter().filter(|&&id| Some(id) != self.pooling.unknown) {
                let (row, weight) = self.of_token(id)?;
                n_tokens += 1;
                for (sum, &x) in sum.iter_mut().zip(row) {
                    *sum += weight * f64::from(x);
                }
            }
        }
        let by = self.divisor(sum, n_tokens);
        #[allow(clippy::cast_possible_truncation, reason = "that is how much is kept")]
        out.extend(sum.iter().map(|x| (x / by) as f32));
        Ok(())
    }

    /// What the sum of the vectors of so many tokens is divided by.
    fn divisor(&self, sum: &[f64], n_tokens: u32) -> f64 {
        if !self.pooling.normalize {
            return f64::from(n_tokens.max(1));
        }
        let norm = super::dot::dot(sum, sum).sqrt();
        if norm == 0.0 { 1.0 } else { norm }
    }

    /// As much of `text` as is looked at.
    fn shortened<'t>(&self, text: &'t str) -> &'t str {
        // No code point has less than a byte.
        let Some(max) = self.pooling.max_chars.filter(|&max| max < text.len()) else { return text };
        text.char_indices().nth(max).map_or(text, |(at, _)| &text[..at])
    }

    /// The vector of a token, and what it counts.
    fn of_token(&self, id: u32) -> Result<(&[f32], f64)> {
        let lacks = || Error::Model(format!("the model has no vector for token {id}"));
        let token = id as usize;
        let row = match &self.pooling.mapping {
            Some(mapping) => *mapping.get(token).ok_or_else(lacks)?,
            None => token,
        };
        let weight = match &self.pooling.weights {
            Some(weights) => *weights.get(token).ok_or_else(lacks)?,
            None => 1.0,
        };
        let start = row * self.n_dims;
        let row = self.rows.as_ref().get(start..start + self.n_dims).ok_or_else(lacks)?;
        Ok((row, weight))
    }
}

impl<I: TokenIds, R: AsRef<[f32]> + Debug + Send + Sync> Embedder for Static<I, R> {
    fn embed<'t>(&self, texts: &[&'t str], pulse: Pulse<'_>) -> Result<Embedded<'t>> {
        let mut rows = room_for(texts.len(), self.n_dims)?;
        let (mut sum, mut n_bytes) = (Vec::new(), 0);
        for text in texts {
            n_bytes += text.len() + TEXT_BYTES;
            // Whether to go on is no cheap question where it is put to Python.
            let pulse = if n_bytes < PULSE_BYTES { no_pulse() } else { pulse };
            if n_bytes >= PULSE_BYTES {
                n_bytes = 0;
                pulse()?;
            }
            self.push(text, &mut sum, &mut rows, pulse)?;
        }
        Ok(Box::new(Dense::new(rows, self.n_dims)?))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Each letter from `a` on is a token.
    #[derive(Debug)]
    struct Letters;

    impl TokenIds for Letters {
        fn ids(&self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
            pulse()?;
            Ok(text.bytes().map(|byte| u32::from(byte - b'a')).collect())
        }
    }

    const ROWS: [f32; 6] = [1.0, 0.0, 0.0, 2.0, 4.0, 4.0];

    fn embedded(pooling: Pooling, texts: &[&str]) -> Result<Vec<f32>> {
        let embedder = Static::new(Letters, ROWS, 2, pooling)?;
        let vectors = embedder.embed(texts, no_pulse())?;
        assert_eq!((vectors.len(), vectors.n_dims()), (texts.len(), 2));
        let mut rows = Vec::new();
        (0..vectors.len()).for_each(|i| vectors.push_row(i, &mut rows));
        Ok(rows)
    }

    #[test]
    fn a_text_is_the_mean_of_its_tokens() {
        let rows = embedded(Pooling::default(), &["ab", "", "c", "aabc"]).unwrap();
        assert_eq!(rows, [0.5, 1.0, 0.0, 0.0, 4.0, 4.0, 1.5, 1.5]);
    }

    #[test]
    fn tokens_are_weighed_mapped_and_left_out() {
        let mapping = Some(vec![2, 1, 0, 2]);
        let weights = Some(vec![1.0, 10.0, 100.0, 0.5]);
        let pooling = Pooling { mapping, weights, unknown: Some(1), ..Pooling::default() };
        let rows = embedded(pooling, &["a", "b", "abc", "dd"]).unwrap();
        assert_eq!(rows, [4.0, 4.0, 0.0, 0.0, 52.0, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn only_the_beginning_is_looked_at() {
        let pooling = Pooling { max_tokens: Some(2), unknown: Some(0), ..Pooling::default() };
        assert_eq!(embedded(pooling, &["abcc"]).unwrap(), [0.0, 2.0]);
        let pooling = Pooling { max_chars: Some(1), ..Pooling::default() };
        assert_eq!(embedded(pooling, &["bac", ""]).unwrap(), [0.0, 2.0, 0.0, 0.0]);
    }

    #[test]
    fn vectors_are_made_unit_length_if_asked() {
        let pooling = Pooling { normalize: true, ..Pooling::default() };
        assert_eq!(embedded(pooling, &["b", "", "aaabb"]).unwrap(), [0.0, 1.0, 0.0, 0.0, 0.6, 0.8]);
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        let error = |pooling, texts: &[&str]| embedded(pooling, texts).unwrap_err().to_string();
        let pooling = Pooling { mapping: Some(vec![0, 3]), ..Pooling::default() };
        assert_eq!(error(pooling, &[]), "token 1 is mapped to row 3 of 3");
        assert_eq!(error(Pooling::default(), &["ad"]), "the model has no vector for token 3");
        let pooling = Pooling { weights: Some(vec![1.0]), ..Pooling::default() };
        assert_eq!(error(pooling, &["ab"]), "the model has no vector for token 1");
        assert!(Static::new(Letters, ROWS, 4, Pooling::default()).is_err());
        assert!(Static::new(Letters, ROWS, 0, Pooling::default()).is_err());
    }

    #[test]
    fn long_work_can_be_stopped() {
        let embedder = Static::new(Letters, ROWS, 2, Pooling::default()).unwrap();
        let texts = vec!["abc"; PULSE_BYTES / 3 + 1];
        let stop = || Err(Error::Interrupted);
        assert!(matches!(embedder.embed(&texts, &stop), Err(Error::Interrupted)));
        assert!(embedder.embed(&texts[..10], &stop).is_ok());
        assert!(embedder.embed(&vec![""; PULSE_BYTES], &stop).is_err());
    }

    #[test]
    fn so_can_the_sum_of_a_long_text() {
        let embedder = Static::new(Letters, ROWS, 2, Pooling::default()).unwrap();
        let n_felt = Cell::new(0);
        let count = || {
            n_felt.set(n_felt.get() + 1);
            Ok(())
        };
        embedder.embed(&[&"abc".repeat(2 * PULSE_TOKENS)], &count).unwrap();
        assert!(n_felt.get() > 6, "{n_felt:?}");
    }
}
