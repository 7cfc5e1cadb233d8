//! BERT's tokenizers: normaliser, words, WordPiece; counted exactly as Hugging Face's `tokenizers` does.

mod parts;

pub use parts::{AddedToken, BertNormalizer, WordPieceDecoder, WordPieceParts};

use std::sync::Arc;

use crate::error::Result;
use crate::options::Pulse;

/// A WordPiece tokenizer. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct WordPiece {
    parts: Arc<WordPieceParts>,
}

impl WordPiece {
    /// Checks the parts and builds the tables.
    ///
    /// # Errors
    /// [`Error::Tokenizer`](crate::error::Error::Tokenizer) for parts that make no tokenizer, and for
    /// those that are not counted natively.
    pub fn new(parts: WordPieceParts) -> Result<Self> {
        Ok(Self { parts: Arc::new(parts) })
    }

    /// The name it was given.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Number of tokens, added ones included.
    pub fn n_vocab(&self) -> usize {
        todo!()
    }

    /// The text that `ids` stand for, as Hugging Face's decoder gives it.
    ///
    /// # Errors
    /// [`Error::Tokenizer`](crate::error::Error::Tokenizer) for an id that there is not.
    pub fn decode(&self, _ids: &[u32], _skip_special_tokens: bool) -> Result<String> {
        todo!()
    }
}

/// Encodes one text after another and remembers the short words it met.
#[derive(Debug)]
pub struct WordPieceEncoder {}

impl WordPieceEncoder {
    /// An encoder that has met no text.
    pub fn new(_wordpiece: WordPiece) -> Self {
        todo!()
    }

    /// Tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn count(&mut self, _text: &str, _pulse: Pulse<'_>) -> Result<usize> {
        todo!()
    }

    /// The ids of the tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn encode(&mut self, _text: &str, _pulse: Pulse<'_>) -> Result<Vec<u32>> {
        todo!()
    }

    /// An index that counts any span of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn index(&mut self, _text: &str, _pulse: Pulse<'_>) -> Result<WordIndex> {
        todo!()
    }
}

/// Where the words and tokens of one text are.
#[derive(Clone, Debug)]
pub struct WordIndex {}

impl WordIndex {
    /// Tokens of `text[start..end]`, exactly as if it stood alone.
    pub fn count(&self, _text: &str, _start: usize, _end: usize) -> usize {
        todo!()
    }

    /// The greatest end for which `text[start..end]` has at most `max_tokens` tokens.
    pub fn longest(&self, _text: &str, _start: usize, _max_tokens: usize) -> usize {
        todo!()
    }

    /// A start from which `text[start..end]` has at most `max_tokens` tokens, near the least one.
    pub fn longest_back(&self, _text: &str, _end: usize, _max_tokens: usize) -> usize {
        todo!()
    }
}
