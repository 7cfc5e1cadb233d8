//! BERT's tokenizers, counted exactly as Hugging Face's `tokenizers` does.
//!
//! A text is searched for added tokens (`added`), cut into words (`scan`), and each word normalised
//! (`normalizer`) and encoded by itself (`model`). A [`WordPieceEncoder`] counts and encodes whole texts; a
//! [`WordIndex`] counts any span of one.
//!
//! ```
//! use chunkwright_text::measure::wordpiece::{BertNormalizer, WordPiece, WordPieceParts};
//! use chunkwright_text::measure::{Measure, WordPieceEncoder, WordPieces};
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::span::Span;
//!
//! # fn main() -> chunkwright_text::error::Result<()> {
//! let tokens = ["[UNK]", "un", "##aff", "##able", "!"];
//! let wordpiece = WordPiece::new(WordPieceParts {
//!     name: "tiny".into(),
//!     vocab: tokens.map(String::from).into_iter().zip(0..).collect(),
//!     unk_token: "[UNK]".into(),
//!     continuing_subword_prefix: "##".into(),
//!     max_input_chars_per_word: 100,
//!     normalizer: Some(BertNormalizer {
//!         clean_text: true,
//!         handle_chinese_chars: true,
//!         strip_accents: None,
//!         lowercase: true,
//!     }),
//!     added_tokens: Vec::new(),
//!     decoder: None,
//! })?;
//! let text = "Unaffable! Unáffable?";
//! let mut encoder = WordPieceEncoder::new(wordpiece);
//! assert_eq!(encoder.encode(text, no_pulse())?, [1, 2, 3, 4, 1, 2, 3, 0]);
//! let index = encoder.index(text, no_pulse())?;
//! let counts = WordPieces::new(text, &index);
//! assert_eq!(counts.size(Span::new(0, 5))?, 2);
//! assert_eq!(counts.longest(0, 4)?, 11);
//! # Ok(())
//! # }
//! ```
//!
//! WordPiece (Schuster and Nakajima, *Japanese and Korean Voice Search*, 2012; Devlin et al., *BERT*, 2018) takes
//! from each word the longest piece of the vocabulary that it begins with, then the longest that goes on, until
//! nothing is left; a word that cannot be written so is one unknown token. The work is linear in the word, since
//! a trie walks it once for each piece and pieces are short.

mod added;
pub(in crate::measure) mod chars;
mod decode;
mod encoder;
mod hidden;
mod index;
mod letters;
mod longest;
mod model;
mod normalizer;
mod parts;
mod pass;
mod scan;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;

pub use encoder::WordPieceEncoder;
pub use index::WordIndex;
pub use parts::{BertNormalizer, WordPieceDecoder, WordPieceParts};

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measure::AddedToken;
use added::AddedTokens;
use decode::Decoder;
use model::Model;
use normalizer::Normalizer;
use scan::Scanner;

/// Words of so many letters are looked at in one go.
const MOST_LETTERS: usize = 1000;

/// A WordPiece tokenizer. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct WordPiece {
    tables: Arc<Tables>,
}

#[derive(Debug)]
struct Tables {
    name: String,
    n_vocab: usize,
    scanner: Scanner,
    model: Model,
    added: AddedTokens,
    decoder: Decoder,
}

impl WordPiece {
    /// Checks the parts and builds the tables. O(n log n).
    ///
    /// Refused are parts for which counts would not be local, or words not short: an added token that
    /// words may run into or another one overlap, or that has whitespace or `single_word`; a
    /// `max_input_chars_per_word` over 1000; the id 2^32 - 1. A tokenizer of whole texts has to count those.
    ///
    /// # Errors
    /// [`Error::Tokenizer`] for parts that are refused, or that lack the unknown token.
    pub fn new(parts: WordPieceParts) -> Result<Self> {
        Tables::new(parts).map(|tables| Self { tables: Arc::new(tables) })
    }

    /// The name it was given.
    pub fn name(&self) -> &str {
        &self.tables.name
    }

    /// Number of tokens, added ones included.
    pub fn n_vocab(&self) -> usize {
        self.tables.n_vocab
    }

    /// The text that `ids` stand for, as the file's decoder gives it. O(length of the text).
    ///
    /// # Errors
    /// [`Error::Tokenizer`] for an id that there is not.
    pub fn decode(&self, ids: &[u32], skip_special_tokens: bool) -> Result<String> {
        self.tables.decoder.decode(&self.tables.name, ids, skip_special_tokens)
    }

    fn tables(&self) -> &Tables {
        &self.tables
    }
}

impl Tables {
    fn new(parts: WordPieceParts) -> Result<Self> {
        let WordPieceParts { name, vocab, mut added_tokens, .. } = parts;
        let refused = |what: String| Err(Error::Tokenizer(format!("{name}: {what}")));
        let max_letters = parts.max_input_chars_per_word;
        if max_letters > MOST_LETTERS {
            return refused(format!(
                "max_input_chars_per_word is {max_letters}, over {MOST_LETTERS}: not counted natively"
            ));
        }
        if vocab.iter().any(|&(_, id)| id == u32::MAX) {
            return refused(format!(
                "an id is {}, which is none here: not counted natively",
                u32::MAX
            ));
        }
        let ids: HashMap<&str, u32> =
            vocab.iter().map(|(token, id)| (token.as_str(), *id)).collect();
        let Some(&unk_id) = ids.get(parts.unk_token.as_str()) else {
            return refused(format!("unk_token {:?} is not in the vocabulary", parts.unk_token));
        };
        added_tokens.retain(|token| !token.content.is_empty());
        let n_vocab = number(&mut added_tokens, &ids);
        let scanner = Scanner::new(Normalizer::new(parts.normalizer));
        let added = match AddedTokens::new(&added_tokens, scanner.normalizer) {
            Ok(added) => added,
            Err(error) => return refused(error.to_string()),
        };
        let model = Model::new(&vocab, &parts.continuing_subword_prefix, unk_id, max_letters);
        let decoder = Decoder::new(vocab, &added_tokens, scanner.normalizer, parts.decoder);
        Ok(Self { name, n_vocab, scanner, model, added, decoder })
    }
}

/// Gives added tokens the ids that the peer does, whatever the file says: the vocabulary's, or the next
/// ones behind as many as the vocabulary has tokens. Gives the number of all tokens.
fn number(added_tokens: &mut [AddedToken], ids: &HashMap<&str, u32>) -> usize {
    let mut new_ids = HashMap::new();
    for token in added_tokens {
        let next = ids.len() + new_ids.len();
        let next = u32::try_from(next).unwrap_or(u32::MAX);
        token.id = match ids.get(token.content.as_str()) {
            Some(&id) => id,
            None => *new_ids.entry(token.content.clone()).or_insert(next),
        };
    }
    ids.len() + new_ids.len()
}
