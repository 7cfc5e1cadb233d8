//! Byte-pair encodings of OpenAI's vocabularies, counted exactly as tiktoken's `encode_ordinary`.
//!
//! A text is split by the vocabulary's pattern ([`scan`]) and each pre-token encoded by itself
//! ([`merge`]). [`Bpe`] counts and encodes whole texts, [`TokenIndex`] counts any span of one.

mod bitmap;
mod classes;
mod encoder;
mod hash;
mod index;
mod merge;
mod scan;
mod swar;
pub(crate) mod vocabulary;

pub use index::TokenIndex;

use crate::error::{Error, Result};
use crate::options::Pulse;
use encoder::{Encoder, Sink};
use merge::token_starts;
use scan::Pattern;
use vocabulary::{CL100K_BASE, NO_RANK, O200K_BASE, Vocabulary};

/// A vocabulary with its pattern.
#[derive(Clone, Copy, Debug)]
pub struct Bpe {
    vocabulary: &'static Vocabulary,
    pattern: Pattern,
}

/// Names of the vocabularies that are built in.
pub const NAMES: [&str; 2] = ["cl100k_base", "o200k_base"];

struct Total(usize);

impl Sink for Total {
    #[inline]
    fn short(&mut self, _start: usize, _mask: u16, n_tokens: u8) {
        self.0 += usize::from(n_tokens);
    }

    fn long(&mut self, _start: usize, token_starts: &[usize]) {
        self.0 += token_starts.len();
    }
}

struct Starts(Vec<usize>);

impl Sink for Starts {
    fn short(&mut self, start: usize, mask: u16, _n_tokens: u8) {
        self.0.extend((0..16).filter(|i| mask >> i & 1 == 1).map(|i| start + i));
    }

    fn long(&mut self, start: usize, token_starts: &[usize]) {
        self.0.extend(token_starts.iter().map(|offset| start + offset));
    }
}

impl Bpe {
    /// The vocabulary of that name, if it is one of [`NAMES`].
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "cl100k_base" => Some(Self { vocabulary: &CL100K_BASE, pattern: Pattern::Cl100k }),
            "o200k_base" => Some(Self { vocabulary: &O200K_BASE, pattern: Pattern::O200k }),
            _ => None,
        }
    }

    /// Name as tiktoken gives it.
    pub const fn name(self) -> &'static str {
        self.vocabulary.name()
    }

    /// The regular expression that splits a text into pre-tokens, as tiktoken gives it.
    pub const fn pattern(self) -> &'static str {
        self.pattern.as_str()
    }

    /// Number of tokens in the vocabulary, special ones excluded.
    pub const fn n_vocab(self) -> usize {
        self.vocabulary.len()
    }

    /// Tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn count(self, text: &str, pulse: Pulse<'_>) -> Result<usize> {
        let mut total = Total(0);
        self.encoder(text).encode(text, &mut total, pulse)?;
        Ok(total.0)
    }

    /// Where the tokens of `text` begin, in bytes, which may lie inside a code point. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn token_starts(self, text: &str, pulse: Pulse<'_>) -> Result<Vec<usize>> {
        let mut starts = Starts(Vec::new());
        self.encoder(text).encode(text, &mut starts, pulse)?;
        Ok(starts.0)
    }

    /// The ids of the tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn encode(self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
        let starts = self.token_starts(text, pulse)?;
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let ids = starts.iter().zip(ends);
        Ok(ids.map(|(&start, end)| self.vocabulary.rank(&text.as_bytes()[start..end])).collect())
    }

    /// The bytes that `ids` stand for, which need not be valid UTF-8.
    ///
    /// # Errors
    /// [`Error::UnknownToken`] for an id that the vocabulary lacks; special tokens are such.
    pub fn decode(self, ids: &[u32]) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(4 * ids.len());
        for &id in ids {
            bytes.extend_from_slice(self.vocabulary.token(id).ok_or_else(|| self.unknown(id))?);
        }
        Ok(bytes)
    }

    fn unknown(self, id: u32) -> Error {
        #[allow(clippy::cast_possible_truncation, reason = "ids have 18 bits")]
        let max = self.n_vocab() as u32 - 1;
        Error::UnknownToken { id, vocabulary: self.name(), max }
    }

    fn encoder(self, text: &str) -> Encoder {
        Encoder::new(self.vocabulary, self.pattern, text.len())
    }

    /// Tokens of one pre-token.
    fn count_piece(self, piece: &[u8]) -> usize {
        if self.vocabulary.rank(piece) != NO_RANK {
            return 1;
        }
        let mut starts = Vec::new();
        token_starts(self.vocabulary, piece, &mut starts);
        starts.len()
    }
}
