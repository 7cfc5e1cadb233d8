//! BERT's pipeline in a `tokenizer.json`.
//!
//! Known are `BertNormalizer` (or none) with `BertPreTokenizer`, and the decoder `WordPiece`: BERT, `MiniLM`, BGE,
//! E5 and most sentence models in English. Added tokens must not look at what is around them.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use super::file::File;
use crate::error::{Error, Result};
use crate::measure::wordpiece::{BertNormalizer, WordPiece, WordPieceDecoder, WordPieceParts};

#[derive(Deserialize)]
struct Model<'a> {
    #[serde(borrow)]
    vocab: HashMap<Cow<'a, str>, u32>,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Normalizer {
    BertNormalizer {
        clean_text: bool,
        handle_chinese_chars: bool,
        strip_accents: Option<bool>,
        lowercase: bool,
    },
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Decoder {
    WordPiece { prefix: String, cleanup: bool },
}

impl From<Normalizer> for BertNormalizer {
    fn from(normalizer: Normalizer) -> Self {
        let Normalizer::BertNormalizer {
            clean_text,
            handle_chinese_chars,
            strip_accents,
            lowercase,
        } = normalizer;
        Self { clean_text, handle_chinese_chars, strip_accents, lowercase }
    }
}

impl From<Decoder> for WordPieceDecoder {
    fn from(decoder: Decoder) -> Self {
        let Decoder::WordPiece { prefix, cleanup } = decoder;
        Self { prefix, cleanup }
    }
}

/// The tokenizer, if its pipeline is BERT's; none if it is another, or one that is not counted
/// natively.
///
/// # Errors
/// If the model is broken.
pub fn read(name: &str, file: &File<'_>) -> Result<Option<WordPiece>> {
    let model: Model<'_> = file.model().map_err(|reason| Error::broken_tokenizer(name, &reason))?;
    let (Ok(normalizer), Ok(decoder)) = (
        <Option<Normalizer>>::deserialize(&file.normalizer),
        <Option<Decoder>>::deserialize(&file.decoder),
    ) else {
        return Ok(None);
    };
    if file.pre_tokenizer["type"] != "BertPreTokenizer" {
        return Ok(None);
    }
    let added_tokens = file.added_tokens(&model.vocab);
    let vocab = model.vocab.into_iter().map(|(token, id)| (token.into_owned(), id));
    let parts = WordPieceParts {
        name: name.into(),
        vocab: vocab.collect(),
        unk_token: model.unk_token,
        continuing_subword_prefix: model.continuing_subword_prefix,
        max_input_chars_per_word: model.max_input_chars_per_word,
        normalizer: normalizer.map(Into::into),
        added_tokens,
        decoder: decoder.map(Into::into),
    };
    Ok(WordPiece::new(parts).ok())
}
