//! Byte-pair encodings, counted exactly as their owners count: OpenAI's as tiktoken's `encode_ordinary`,
//! those of a `tokenizer.json` as the crate `tokenizers`.
//!
//! A text is split by the vocabulary's pattern (`scan`) and each pre-token encoded by itself
//! (`merge`). An [`Encoder`] counts and encodes whole texts; a [`TokenIndex`] counts any span of one.
//!
//! Byte-pair encoding (Gage, *A New Algorithm for Data Compression*, 1994; Sennrich, Haddow and Birch, *Neural
//! Machine Translation of Rare Words with Subword Units*, 2016) begins with the bytes of a pre-token and joins,
//! again and again, the pair of neighbours that was joined first when the vocabulary was learnt.
//!
//! ```
//! use chunkwright_text::measure::{Bpe, Encoder};
//! use chunkwright_text::pulse::no_pulse;
//!
//! let bpe = Bpe::named("cl100k_base").unwrap();
//! let mut encoder = Encoder::new(bpe.clone());
//! let ids = encoder.encode("unbelievable rain", no_pulse())?;
//! assert_eq!(ids, [359, 32898, 24694, 11422]);
//! assert_eq!(bpe.decode(&ids[..1])?, b"un");
//! // Where the tokens begin, in bytes:
//! assert_eq!(encoder.token_starts("unbelievable rain", no_pulse())?, [0, 2, 7, 12]);
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

mod encoder;
mod front;
#[doc(hidden)]
pub mod hash;
mod ids;
mod index;
#[doc(hidden)]
pub mod key;
mod longest;
mod merge;
pub mod parts;
mod pattern;
mod plain;
mod run_memo;
mod runs;
mod samples;
mod scan;
pub(super) mod swar;
mod tables;
pub(crate) mod vocabulary;

pub use encoder::Encoder;
pub use index::TokenIndex;
pub use merge::Memo;
pub use pattern::Pattern;

use std::collections::HashMap;
use std::sync::Arc;

use super::bitmap;
use crate::error::{Error, Result};
use crate::measure::AddedToken;
use front::Front;
use merge::{last_joint, token_starts};
use vocabulary::{CL100K_BASE, GPT2, NO_RANK, O200K_BASE, R50K_BASE, Vocabulary};

/// A vocabulary with its pattern, cheap to clone.
#[derive(Clone, Debug)]
pub struct Bpe {
    vocabulary: Arc<Vocabulary>,
    pattern: Pattern,
    front: Option<Arc<Front>>,
    /// Tokens that no text is encoded to but that have ids, and added ones.
    others: Arc<HashMap<u32, Box<[u8]>>>,
}

/// Parts of a vocabulary that is not built in.
#[derive(Clone, Debug)]
pub struct BpeParts<'a> {
    /// Name, for messages.
    pub name: String,
    /// The bytes of each token, in the order in which they are merged.
    pub tokens: Vec<&'a [u8]>,
    /// The id of each token.
    pub ids: Vec<u32>,
    /// Ids and bytes of what no text is encoded to, but may be decoded.
    pub others: Vec<(u32, Vec<u8>)>,
    /// The pattern that splits a text into pre-tokens.
    pub pattern: Pattern,
    /// Tokens that are taken out of a text first.
    pub added: Vec<AddedToken>,
    /// Whether a text is brought into NFC first.
    pub nfc: bool,
}

/// Names of the vocabularies that are built in.
pub const NAMES: [&str; 4] = ["cl100k_base", "o200k_base", "gpt2", "r50k_base"];

impl Bpe {
    /// The vocabulary of that name, if it is one of [`NAMES`].
    pub fn named(name: &str) -> Option<Self> {
        let (vocabulary, pattern) = match name {
            "cl100k_base" => (&CL100K_BASE, Pattern::Cl100k),
            "o200k_base" => (&O200K_BASE, Pattern::O200k),
            "gpt2" => (&GPT2, Pattern::Gpt2),
            "r50k_base" => (&R50K_BASE, Pattern::Gpt2),
            _ => return None,
        };
        // What is cloned are references to the tables.
        Some(Self {
            vocabulary: Arc::new(vocabulary.clone()),
            pattern,
            front: None,
            others: Arc::default(),
        })
    }

    /// A vocabulary of a caller's; none if its tokens do not fit the tables
    /// (256 bytes each of which is a token, at most 2¹⁸ − 1 different tokens of at most 255 bytes).
    ///
    /// ```
    /// use chunkwright_text::measure::bpe::{BpeParts, Pattern};
    /// use chunkwright_text::measure::{Bpe, Encoder};
    /// use chunkwright_text::pulse::no_pulse;
    ///
    /// // All bytes, and two tokens that are joined: "ra", then "in".
    /// let bytes: Vec<[u8; 1]> = (0..=u8::MAX).map(|byte| [byte]).collect();
    /// let mut tokens: Vec<&[u8]> = bytes.iter().map(<[u8; 1]>::as_slice).collect();
    /// tokens.extend([&b"ra"[..], b"in"]);
    /// let ids = (0..258).collect();
    /// let bpe = Bpe::new(BpeParts {
    ///     name: "tiny".into(),
    ///     tokens,
    ///     ids,
    ///     others: Vec::new(),
    ///     pattern: Pattern::Gpt2,
    ///     added: Vec::new(),
    ///     nfc: false,
    /// })?;
    /// let mut encoder = Encoder::new(bpe.unwrap());
    /// assert_eq!(encoder.encode("rain", no_pulse())?, [256, 257]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Tokenizer`] if there are too many added tokens to search for.
    pub fn new(parts: BpeParts<'_>) -> Result<Option<Self>> {
        let BpeParts { name, tokens, ids, others, pattern, added, nfc } = parts;
        let contents = added.iter().map(|token| (token.id, token.content.as_bytes().into()));
        let others = others.into_iter().map(|(id, bytes)| (id, bytes.into()));
        let others = Arc::new(others.chain(contents).collect());
        let has_front = nfc || !added.is_empty();
        let front = if has_front { Some(Arc::new(Front::new(added, nfc)?)) } else { None };
        let vocabulary = Vocabulary::from_tokens(name, &tokens, ids).map(Arc::new);
        Ok(vocabulary.map(|vocabulary| Self { vocabulary, pattern, front, others }))
    }

    /// Name as tiktoken gives it to one that is built in, else the caller's.
    pub fn name(&self) -> &str {
        self.vocabulary.name()
    }

    /// The regular expression that splits a text into pre-tokens.
    pub const fn pattern(&self) -> &'static str {
        self.pattern.as_str()
    }

    /// Number of tokens in the vocabulary, special ones excluded.
    pub fn n_vocab(&self) -> usize {
        self.vocabulary.n_tokens()
    }

    /// Bytes of the longest token, special ones excluded.
    pub fn max_token_bytes(&self) -> usize {
        self.vocabulary.max_len()
    }

    /// Whether nothing happens to `text` before it is split, so that a [`TokenIndex`] may count its
    /// spans. O(n); always so with a vocabulary that is built in.
    pub fn is_plain(&self, text: &str) -> bool {
        self.front.as_ref().is_none_or(|front| front.is_plain(text))
    }

    /// The bytes that `ids` stand for, which need not be valid UTF-8.
    ///
    /// # Errors
    /// [`Error::UnknownToken`] for an id that the vocabulary lacks; special tokens are such, unless
    /// they are added tokens of a caller's vocabulary.
    pub fn decode(&self, ids: &[u32]) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(4 * ids.len());
        for &id in ids {
            bytes.extend_from_slice(self.token(id).ok_or_else(|| self.unknown(id))?);
        }
        Ok(bytes)
    }

    fn token(&self, id: u32) -> Option<&[u8]> {
        let rank = self.vocabulary.ids().rank_of(id);
        let other = || self.others.get(&id).map(|bytes| &bytes[..]);
        rank.and_then(|rank| self.vocabulary.token(rank)).or_else(other)
    }

    /// The largest id that can be decoded.
    pub fn max_id(&self) -> u32 {
        let others = self.others.keys().copied().max().unwrap_or(0);
        self.vocabulary.ids().max(self.n_vocab()).max(others)
    }

    fn unknown(&self, id: u32) -> Error {
        Error::UnknownToken { id, vocabulary: self.name().to_owned(), max: self.max_id() }
    }

    /// Tokens of one pre-token.
    fn count_piece(&self, piece: &[u8]) -> usize {
        if self.vocabulary.rank(piece) != NO_RANK {
            return 1;
        }
        let mut starts = Vec::new();
        token_starts(&self.vocabulary, piece, &mut starts);
        starts.len()
    }
}

/// For each of `tokens`, which are in the order of their ranks: where the two tokens meet that are
/// joined to it when its bytes are encoded; none where they are not, or are one byte.
///
/// None if the tables cannot hold the tokens. O(n log n) in the bytes of all tokens.
pub fn last_joints(tokens: &[&[u8]]) -> Option<Vec<Option<usize>>> {
    let vocabulary = Vocabulary::from_tokens(String::new(), tokens, Vec::new())?;
    Some(tokens.iter().map(|token| last_joint(&vocabulary, token)).collect())
}
