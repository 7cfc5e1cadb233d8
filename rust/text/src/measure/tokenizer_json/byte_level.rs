//! Byte-level BPE in a `tokenizer.json`.
//!
//! Known pipelines, all with a byte-level alphabet and a decoder that undoes it:
//!
//! | normaliser | pre-tokenizer | of |
//! |---|---|---|
//! | none, `NFC`, sequences of these | `ByteLevel` with its own pattern | GPT-2, `RoBERTa` |
//! | the same | `Split` by a known pattern, isolated, then `ByteLevel` without one | Llama 3, Qwen 2, GPT-4 and GPT-4o |
//!
//! Left to the library: a blank added in front, prefixes or suffixes of words, other patterns, merges that are
//! not those of ranks (`ranks`), two tokens of one id. Dropout is a matter of training and is left out.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;

use super::file::File;
use super::ranks::{BpeModel, Ranked, ranked};
use crate::error::{Error, Result};
use crate::measure::AddedToken;
use crate::measure::bpe::{Bpe, BpeParts, Pattern};

#[derive(Deserialize)]
#[serde(tag = "type")]
enum PreTokenizer {
    ByteLevel {
        add_prefix_space: bool,
        #[serde(default = "yes")]
        use_regex: bool,
    },
    Split {
        pattern: SplitPattern,
        behavior: String,
        invert: bool,
    },
    Sequence {
        pretokenizers: Vec<PreTokenizer>,
    },
}

#[derive(Deserialize)]
enum SplitPattern {
    Regex(String),
    String(#[allow(dead_code, reason = "no pattern that is known")] String),
}

const fn yes() -> bool {
    true
}

/// The tokenizer, if its pipeline is known and its tokens are what the native encoder makes; else none.
///
/// # Errors
/// If the model is broken.
pub fn read(name: &str, file: &File<'_>) -> Result<Option<Bpe>> {
    let (Some(pattern), Some(nfc)) = (pattern(&file.pre_tokenizer), nfc(&file.normalizer)) else {
        return Ok(None);
    };
    let model: BpeModel<'_> =
        file.model().map_err(|reason| Error::broken_tokenizer(name, &reason))?;
    if let Some(dropout) = model.dropout.filter(|dropout| !(0.0..=1.0).contains(dropout)) {
        return Err(Error::broken_tokenizer(
            name,
            &format!("model: dropout {dropout} is not between 0 and 1"),
        ));
    }
    let affixes = [&model.continuing_subword_prefix, &model.end_of_word_suffix];
    let is_plain = affixes.iter().all(|affix| affix.as_deref().is_none_or(str::is_empty));
    let decodes_bytes = file.decoder.is_null() || file.decoder["type"] == "ByteLevel";
    if !is_plain || !decodes_bytes {
        return Ok(None);
    }
    let ranked = ranked(&model).map_err(|reason| Error::broken_tokenizer(name, &reason))?;
    let Some(Ranked { tokens, others }) = ranked else { return Ok(None) };
    let added = file.added_tokens(&model.vocab);
    if has_two_of_one_id(&model, &added) {
        return Ok(None);
    }
    Bpe::new(BpeParts {
        name: name.into(),
        tokens: tokens.iter().map(|(bytes, _)| &bytes[..]).collect(),
        ids: tokens.iter().map(|&(_, id)| id).collect(),
        others,
        pattern,
        added,
        nfc,
    })
}

/// Whether an added token that the model lacks gets the id of one that it has: its ids have gaps.
fn has_two_of_one_id(model: &BpeModel<'_>, added: &[AddedToken]) -> bool {
    let is_new = |token: &&AddedToken| !model.vocab.contains_key(&*token.content);
    let new: HashSet<u32> = added.iter().filter(is_new).map(|token| token.id).collect();
    !new.is_empty() && model.vocab.values().any(|id| new.contains(id))
}

/// The pattern of a pre-tokenizer that splits by a known one and writes bytes as characters.
fn pattern(pre_tokenizer: &Value) -> Option<Pattern> {
    match PreTokenizer::deserialize(pre_tokenizer).ok()? {
        PreTokenizer::ByteLevel { add_prefix_space: false, use_regex: true } => Some(Pattern::Gpt2),
        PreTokenizer::Sequence { pretokenizers } => match &pretokenizers[..] {
            [
                PreTokenizer::Split { pattern: SplitPattern::Regex(regex), behavior, invert },
                PreTokenizer::ByteLevel { add_prefix_space: false, use_regex: false },
            ] => {
                // The patterns leave nothing out: that it is isolated or that the rest goes, is the same.
                let is_isolated = behavior == "Isolated" || (behavior == "Removed" && *invert);
                Pattern::of_regex(regex).filter(|_| is_isolated)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a normaliser brings texts into NFC, if it does that or nothing.
fn nfc(normalizer: &Value) -> Option<bool> {
    if normalizer.is_null() {
        return Some(false);
    }
    match normalizer["type"].as_str()? {
        "NFC" => Some(true),
        "Sequence" => {
            let parts: Option<Vec<bool>> =
                normalizer["normalizers"].as_array()?.iter().map(nfc).collect();
            Some(parts?.contains(&true))
        }
        _ => None,
    }
}
