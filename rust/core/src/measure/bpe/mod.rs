//! Byte-pair encodings of OpenAI's vocabularies, counted exactly as tiktoken's `encode_ordinary`.
//!
//! A text is split by the vocabulary's pattern (`scan`) and each pre-token encoded by itself
//! (`merge`). An [`Encoder`] counts and encodes whole texts; a [`TokenIndex`] counts any span of one.

mod classes;
mod encoder;
pub(super) mod hash;
mod index;
pub(super) mod key;
mod longest;
mod merge;
mod scan;
pub(super) mod swar;
pub(crate) mod vocabulary;

pub use encoder::Encoder;
pub use index::TokenIndex;
pub use merge::Memo;

use super::bitmap;
use crate::error::{Error, Result};
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
        self.vocabulary.n_tokens()
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
