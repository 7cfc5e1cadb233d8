//! `SentencePiece`'s Unigram in a `tokenizer.json`.
//!
//! Known are the parts that `SentencePiece`'s converters write: a chain of `Precompiled`, the normal forms,
//! `Lowercase`, `StripAccents`, `Nmt`, `Strip`, `Prepend`, `Replace` of a string or of runs of blanks;
//! `Metaspace`, alone or behind `WhitespaceSplit`; the decoder `Metaspace`. What depends on where in the raw text
//! a word stands (`prepend_scheme: first`) is known only where no step moves the start.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;

use super::file::File;
use crate::error::{Error, Result};
use crate::measure::unigram::{
    Charsmap, Metaspace, MetaspaceDecoder, Prepend, Step, Unigram, UnigramParts, Words,
};

/// A normaliser that makes a text so many times longer is left to the library, which is watched.
const MOST_GROWTH: usize = 16;

#[derive(Deserialize)]
struct Model {
    vocab: Vec<(String, f64)>,
    #[serde(default)]
    unk_id: Option<usize>,
    #[serde(default)]
    byte_fallback: bool,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Normalizer {
    Precompiled {
        precompiled_charsmap: String,
    },
    #[serde(rename = "NFC")]
    Nfc {},
    #[serde(rename = "NFD")]
    Nfd {},
    #[serde(rename = "NFKC")]
    Nfkc {},
    #[serde(rename = "NFKD")]
    Nfkd {},
    Lowercase {},
    StripAccents {},
    Nmt {},
    Strip {
        strip_left: bool,
        strip_right: bool,
    },
    Prepend {
        prepend: String,
    },
    Replace {
        pattern: Pattern,
        content: String,
    },
    Sequence {
        normalizers: Vec<Normalizer>,
    },
}

#[derive(Deserialize)]
enum Pattern {
    String(String),
    Regex(String),
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum PreTokenizer {
    WhitespaceSplit {},
    Metaspace {
        replacement: char,
        add_prefix_space: Option<bool>,
        #[serde(default)]
        prepend_scheme: Scheme,
        split: Option<bool>,
    },
    Sequence {
        pretokenizers: Vec<PreTokenizer>,
    },
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Decoder {
    Metaspace {
        replacement: char,
        add_prefix_space: Option<bool>,
        #[serde(default)]
        prepend_scheme: Scheme,
    },
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Scheme {
    #[default]
    Always,
    First,
    Never,
}

/// Says what is wrong with the tables of a normaliser.
///
/// # Errors
/// What is wrong.
pub fn check_tables(normalizer: &Value) -> std::result::Result<(), String> {
    for part in normalizer["normalizers"].as_array().into_iter().flatten() {
        check_tables(part)?;
    }
    match normalizer["precompiled_charsmap"].as_str() {
        Some(table) if normalizer["type"] == "Precompiled" => charsmap(table).map(drop),
        _ => Ok(()),
    }
}

fn charsmap(table: &str) -> std::result::Result<Charsmap, String> {
    let table = STANDARD.decode(table);
    Charsmap::new(&table.map_err(|error| format!("precompiled_charsmap: {error}"))?)
}

/// The tokenizer, if its pipeline is known; none if it is another, or one that is not counted natively.
///
/// # Errors
/// If the model is broken.
pub fn read(name: &str, file: &File<'_>, growth: usize) -> Result<Option<Unigram>> {
    let model: Model = file.model().map_err(|reason| Error::broken_tokenizer(name, &reason))?;
    let normalizer = <Option<Normalizer>>::deserialize(&file.normalizer);
    let pre_tokenizer = <Option<PreTokenizer>>::deserialize(&file.pre_tokenizer);
    let decoder = <Option<Decoder>>::deserialize(&file.decoder);
    let (Ok(normalizer), Ok(pre_tokenizer), Ok(decoder)) = (normalizer, pre_tokenizer, decoder)
    else {
        return Ok(None);
    };
    let mut steps = Vec::new();
    let has_steps = normalizer.is_none_or(|normalizer| normalizer.add_to(&mut steps).is_some());
    let words = pre_tokenizer.as_ref().map_or(Some(Words::default()), words);
    let unk_id = model.unk_id.and_then(|id| u32::try_from(id).ok());
    let ids = model.vocab.iter().map(|(piece, _)| piece.as_str().into()).zip(0..);
    let added_tokens = file.added_tokens(&ids.collect::<HashMap<_, _>>());
    let has_normalized = added_tokens.iter().any(|token| token.normalized);
    let is_known = has_steps
        && growth <= MOST_GROWTH
        && words.is_some_and(|it| knows_start(it, &steps, has_normalized));
    let (true, Some(words), Some(unk_id)) = (is_known, words, unk_id) else {
        return Ok(None);
    };
    let parts = UnigramParts {
        name: name.into(),
        added_tokens,
        pieces: model.vocab,
        unk_id,
        byte_fallback: model.byte_fallback,
        normalizer: steps,
        words,
        decoder: decoder.map(Into::into),
    };
    Unigram::native(parts)
}

/// Whether the first word of a text is told: the library tells it by the place in the raw text, which moves
/// by what is removed or joined at the start, and stays behind an added token whose normal form is longer.
fn knows_start(words: Words, steps: &[Step], has_normalized: bool) -> bool {
    let is_first = words.metaspace.is_some_and(|it| it.prepend == Prepend::First);
    let is_told = !steps.iter().any(moves_start) && (!has_normalized || steps.is_empty());
    !is_first || is_told
}

/// Whether a step may leave a text with another place at its start.
fn moves_start(step: &Step) -> bool {
    match step {
        Step::StripAccents | Step::Nmt | Step::Strip { left: true, .. } => true,
        Step::Replace { pattern, content } => content.is_empty() || pattern.chars().count() > 1,
        Step::ReplaceBlanks { least, content } => {
            content.is_empty() || *least > 1 && !matches!(&content[..], " " | "\u{2581}")
        }
        _ => false,
    }
}

impl Normalizer {
    /// Adds its steps; none if one is not known.
    fn add_to(self, steps: &mut Vec<Step>) -> Option<()> {
        steps.push(match self {
            Self::Sequence { normalizers } => {
                return normalizers.into_iter().try_for_each(|part| part.add_to(steps));
            }
            Self::Precompiled { precompiled_charsmap } => {
                Step::Precompiled(charsmap(&precompiled_charsmap).ok()?)
            }
            Self::Nfc {} => Step::Nfc,
            Self::Nfd {} => Step::Nfd,
            Self::Nfkc {} => Step::Nfkc,
            Self::Nfkd {} => Step::Nfkd,
            Self::Lowercase {} => Step::Lowercase,
            Self::StripAccents {} => Step::StripAccents,
            Self::Nmt {} => Step::Nmt,
            Self::Strip { strip_left: left, strip_right: right } => Step::Strip { left, right },
            Self::Prepend { prepend } => Step::Prepend(prepend),
            Self::Replace { pattern: Pattern::String(pattern), content } => {
                Step::Replace { pattern: Some(pattern).filter(|it| !it.is_empty())?, content }
            }
            Self::Replace { pattern: Pattern::Regex(regex), content } => match regex.as_str() {
                " {2,}" => Step::ReplaceBlanks { least: 2, content },
                " +" | " {1,}" => Step::ReplaceBlanks { least: 1, content },
                _ => return None,
            },
        });
        Some(())
    }
}

fn words(pre_tokenizer: &PreTokenizer) -> Option<Words> {
    match pre_tokenizer {
        PreTokenizer::WhitespaceSplit {} => Some(Words { at_whitespace: true, metaspace: None }),
        PreTokenizer::Metaspace { replacement, add_prefix_space, prepend_scheme, split } => {
            let prepend = match (add_prefix_space, prepend_scheme) {
                (_, Scheme::Never) => Prepend::Never,
                // The library takes no such file.
                (Some(false), _) => return None,
                (_, Scheme::Always) => Prepend::Always,
                (_, Scheme::First) => Prepend::First,
            };
            // A blank that stands for itself is left to the library.
            let is_known = !replacement.is_whitespace();
            let split = split.unwrap_or(true);
            let metaspace = Metaspace { replacement: *replacement, prepend, split };
            is_known.then_some(Words { at_whitespace: false, metaspace: Some(metaspace) })
        }
        PreTokenizer::Sequence { pretokenizers } => match &pretokenizers[..] {
            [only] => words(only),
            [PreTokenizer::WhitespaceSplit {}, rest @ PreTokenizer::Metaspace { .. }] => {
                let Words { metaspace, .. } = words(rest)?;
                // Which of the words is the first, and that they are apart, the library's offsets tell.
                let is_known = |it: &Metaspace| it.prepend == Prepend::Always && it.split;
                let metaspace = Some(metaspace.filter(is_known)?);
                Some(Words { at_whitespace: true, metaspace })
            }
            _ => None,
        },
    }
    .filter(|words| !words.at_whitespace || words.metaspace.is_some())
}

impl From<Decoder> for MetaspaceDecoder {
    fn from(decoder: Decoder) -> Self {
        let Decoder::Metaspace { replacement, add_prefix_space, prepend_scheme } = decoder;
        let is_never = prepend_scheme == Scheme::Never || add_prefix_space == Some(false);
        Self { replacement, drops_first: !is_never }
    }
}
