//! Tokenizers as `tokenizer.json` describes them: what is known is counted natively, the rest by the
//! crate `tokenizers`.
//!
//! | pipeline | counted |
//! |---|---|
//! | byte-level BPE with a known pattern, NFC or no normaliser | natively, spans in O(1) |
//! | BERT's normaliser and words, WordPiece | natively, spans in O(1) |
//! | everything else | whole spans by the crate, with the feature `hf` |
//!
//! Truncation, padding and dropout, which a file may carry from training, are left out. A file is
//! another's: what is wrong with it is an error, and what would take time or memory without bound is
//! refused.

mod byte_level;
mod file;
mod ranks;
mod specials;
mod word_piece;

pub use specials::Specials;

use crate::error::{Error, Result};
use crate::measure::bpe::Bpe;
#[cfg(feature = "hf")]
use crate::measure::hf::Hf;
use crate::measure::wordpiece::WordPiece;
use file::File;

/// What a `tokenizer.json` describes.
#[derive(Debug)]
pub struct TokenizerJson {
    /// What counts.
    pub model: Model,
    /// The special tokens that the model expects around a text; none if they depend on the text.
    pub specials: Option<Specials>,
}

/// What counts the tokens.
#[derive(Debug)]
pub enum Model {
    /// Byte-level BPE, counted natively.
    Bpe(Bpe),
    /// WordPiece, counted natively.
    WordPiece(WordPiece),
    /// Anything else, counted by the crate `tokenizers`.
    #[cfg(feature = "hf")]
    Other(Box<Hf>),
}

impl TokenizerJson {
    /// Reads the text of a `tokenizer.json`, which errors call `name`. O(n log n).
    ///
    /// # Errors
    /// [`Error::Tokenizer`] that says what is wrong with it.
    pub fn parse(name: &str, json: &str) -> Result<Self> {
        let file = File::parse(json).map_err(|reason| Error::broken_tokenizer(name, &reason))?;
        let specials = Specials::of(&file.post_processor)
            .map_err(|reason| Error::broken_tokenizer(name, &reason))?;
        let native = match file.model_type() {
            Some("BPE") => byte_level::read(name, &file)?.map(Model::Bpe),
            Some("WordPiece") => word_piece::read(name, &file)?.map(Model::WordPiece),
            _ => None,
        };
        let model = match native {
            Some(model) => model,
            None => other(name, json, &file)?,
        };
        Ok(Self { model, specials })
    }
}

#[cfg(feature = "hf")]
fn other(name: &str, json: &str, file: &File<'_>) -> Result<Model> {
    let growth = file.growth().map_err(|reason| Error::broken_tokenizer(name, &reason))?;
    Hf::new(name, json, growth).map(Box::new).map(Model::Other)
}

#[cfg(not(feature = "hf"))]
fn other(name: &str, _json: &str, _file: &File<'_>) -> Result<Model> {
    Err(Error::broken_tokenizer(
        name,
        "it is not counted natively, and this build lacks the feature `hf`",
    ))
}

#[cfg(test)]
mod tests;
