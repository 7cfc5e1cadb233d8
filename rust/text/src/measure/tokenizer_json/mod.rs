//! Tokenizers as `tokenizer.json` describes them: what is known is counted natively, the rest is left to the
//! library that owns the format.
//!
//! | pipeline | counted |
//! |---|---|
//! | byte-level BPE with a known pattern, NFC or no normaliser | natively, spans in O(1) |
//! | BERT's normaliser and words, WordPiece | natively, spans in O(1) |
//! | `SentencePiece`'s normalisers, blanks as `▁`, Unigram | natively, spans in O(1) but for the words at their ends |
//! | everything else | by the caller, who has the library |
//!
//! Truncation, padding and dropout, which a file may carry from training, are left out. A file is
//! another's: what is wrong with it is an error, and what would take time or memory without bound is
//! refused.

mod byte_level;
mod file;
mod ranks;
mod specials;
mod unigram;
mod word_piece;

pub use specials::Specials;

use crate::error::{Error, Result};
use crate::measure::bpe::Bpe;
use crate::measure::unigram::Unigram;
use crate::measure::wordpiece::WordPiece;
use file::File;

/// Tokenizer that a `tokenizer.json` describes.
#[derive(Debug)]
pub struct TokenizerJson {
    /// The model, which counts.
    pub model: Model,
    /// The special tokens that the model expects around a text; none if they depend on the text.
    pub specials: Option<Specials>,
}

/// Model of a tokenizer, by who counts its tokens.
#[derive(Debug)]
pub enum Model {
    /// Byte-level BPE, counted natively.
    Bpe(Bpe),
    /// WordPiece, counted natively.
    WordPiece(WordPiece),
    /// Unigram, counted natively.
    Unigram(Unigram),
    /// Anything else: the library that owns the format has to count it.
    Foreign(Foreign),
}

/// Facts about a tokenizer that is not counted natively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// How many times longer its normaliser may make a text.
    pub growth: usize,
}

impl TokenizerJson {
    /// Reads the text of a `tokenizer.json`, which errors call `name`. O(n log n).
    ///
    /// ```
    /// use chunkwright_text::measure::WordPieceEncoder;
    /// use chunkwright_text::measure::tokenizer_json::{Model, TokenizerJson};
    /// use chunkwright_text::pulse::no_pulse;
    ///
    /// let json = r###"{
    ///     "model": {
    ///         "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
    ///         "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "rain": 1, "##y": 2}
    ///     },
    ///     "normalizer": {
    ///         "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
    ///         "strip_accents": null, "lowercase": true
    ///     },
    ///     "pre_tokenizer": {"type": "BertPreTokenizer"}
    /// }"###;
    /// let Model::WordPiece(model) = TokenizerJson::parse("tiny", json)?.model else { unreachable!() };
    /// assert_eq!(WordPieceEncoder::new(model).encode("Rainy day", no_pulse())?, [1, 2, 0]);
    ///
    /// let error = TokenizerJson::parse("broken.json", "{").unwrap_err();
    /// assert!(error.to_string().contains("broken.json"));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Tokenizer`] that says what is wrong with it.
    pub fn parse(name: &str, json: &str) -> Result<Self> {
        let broken = |reason: String| Error::broken_tokenizer(name, &reason);
        let file = File::parse(json).map_err(broken)?;
        let specials = Specials::of(&file.post_processor).map_err(broken)?;
        unigram::check_tables(&file.normalizer).map_err(broken)?;
        let native = match file.model_type() {
            Some("BPE") => byte_level::read(name, &file)?.map(Model::Bpe),
            Some("WordPiece") => word_piece::read(name, &file)?.map(Model::WordPiece),
            Some("Unigram") => {
                let growth = file.growth().map_err(broken)?;
                unigram::read(name, &file, growth)?.map(Model::Unigram)
            }
            _ => None,
        };
        let model = match native {
            Some(model) => model,
            None => Model::Foreign(Foreign { growth: file.growth().map_err(broken)? }),
        };
        Ok(Self { model, specials })
    }
}

#[cfg(test)]
mod tests;
