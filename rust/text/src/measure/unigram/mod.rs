//! `SentencePiece`'s Unigram tokenizers, counted exactly as Hugging Face's `tokenizers` does.
//!
//! Those of XLM-RoBERTa's family (bge-m3, multilingual-e5), T5, ALBERT, `XLNet`. A text is searched for added
//! tokens, normalised (`normalizer`), cut into words (`words`), and each word is written in the pieces that
//! score best together (`model`). A [`UnigramEncoder`] counts and encodes whole texts; a [`UnigramIndex`]
//! counts any span of one.
//!
//! ```
//! use chunkwright_text::measure::unigram::{
//!     Metaspace, Prepend, Unigram, UnigramEncoder, UnigramParts, Words,
//! };
//! use chunkwright_text::measure::{Measure, UnigramTokens};
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::span::Span;
//!
//! # fn main() -> chunkwright_text::error::Result<()> {
//! let pieces = [("<unk>", 0.0), ("▁", -3.0), ("▁to", -2.0), ("ken", -2.5), ("s", -2.0), ("t", -4.0)];
//! let unigram = Unigram::new(UnigramParts {
//!     name: "tiny".into(),
//!     pieces: pieces.map(|(piece, score)| (piece.to_owned(), score)).into(),
//!     unk_id: 0,
//!     byte_fallback: false,
//!     normalizer: Vec::new(),
//!     words: Words {
//!         at_whitespace: false,
//!         metaspace: Some(Metaspace { replacement: '▁', prepend: Prepend::Always, split: true }),
//!     },
//!     added_tokens: Vec::new(),
//!     decoder: None,
//! })?;
//! let text = "tokens to kens";
//! let mut encoder = UnigramEncoder::new(unigram);
//! assert_eq!(encoder.encode(text, no_pulse())?, [2, 3, 4, 2, 1, 3, 4]);
//! let index = encoder.index(text, no_pulse())?.unwrap();
//! let counts = UnigramTokens::new(text, &index);
//! assert_eq!(counts.size(Span::new(0, 9))?, 4);
//! assert_eq!(counts.longest(0, 4)?, 9);
//! # Ok(())
//! # }
//! ```
//!
//! Unigram (Kudo, *Subword Regularization*, 2018) scores each piece by the logarithm of its probability and
//! writes a text in the pieces whose scores sum up to most: a Viterbi search over the places of the text. What is
//! in one word never depends on another, and texts are cut at blanks before they are encoded, so the search is
//! short.

mod charsmap;
mod cuts;
mod decode;
mod encoder;
mod index;
mod longest;
mod model;
mod normalizer;
mod parts;
mod plain;
mod sums;
mod words;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;

pub use charsmap::Charsmap;
pub use encoder::UnigramEncoder;
pub use index::UnigramIndex;
pub use parts::{Metaspace, MetaspaceDecoder, Prepend, Step, UnigramParts, Words};

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measure::AddedToken;
use crate::measure::added::{AddedTokens, TextSegment};
use crate::pulse::Pulse;
use cuts::Cuts;
use decode::Decoder;
use model::{Lattice, Model};
use normalizer::{Ends, normalize};

/// A Unigram tokenizer. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Unigram {
    tables: Arc<Tables>,
}

#[derive(Debug)]
struct Tables {
    name: String,
    n_vocab: usize,
    steps: Vec<Step>,
    words: Words,
    model: Model,
    added: AddedTokens,
    /// Whether added tokens lie in parts of a text that are encoded by themselves.
    added_are_local: bool,
    cuts: Cuts,
    /// Whether a text that begins with a blank has the same tokens as within a text.
    starts_alike: bool,
    minds_end: bool,
    decoder: Decoder,
}

impl Unigram {
    /// Checks the parts and builds the tables. O(n log n).
    ///
    /// # Errors
    /// [`Error::Tokenizer`] for parts that are not counted natively (two pieces alike, or some bytes but not
    /// all), or that make no tokenizer.
    pub fn new(parts: UnigramParts) -> Result<Self> {
        Tables::new(parts).map(|tables| Self { tables: Arc::new(tables) })
    }

    /// The same; none for parts that are not counted natively.
    ///
    /// # Errors
    /// [`Error::Tokenizer`] for parts that make no tokenizer.
    pub fn native(parts: UnigramParts) -> Result<Option<Self>> {
        if is_native(&parts) { Self::new(parts).map(Some) } else { Ok(None) }
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

/// Added tokens with the texts that are looked for, to which the library decodes them, too.
fn sought(
    name: &str,
    added: &[AddedToken],
    normalized: impl Fn(&str) -> String,
) -> Result<Vec<AddedToken>> {
    let mut sought = added.to_vec();
    for token in sought.iter_mut().filter(|token| token.normalized) {
        let content = normalized(&token.content);
        if content.is_empty() {
            let content: String = token.content.chars().take(80).collect();
            let what = format!("its normalizer leaves nothing of the added token {content:?}");
            return Err(Error::broken_tokenizer(name, &what));
        }
        token.content = content;
    }
    Ok(sought)
}

impl Tables {
    fn new(parts: UnigramParts) -> Result<Self> {
        let UnigramParts { name, pieces, unk_id, normalizer: steps, words, .. } = parts;
        if usize::try_from(unk_id).is_ok_and(|unk_id| unk_id >= pieces.len()) {
            return Err(Error::broken_tokenizer(&name, "unk_id is no id of a piece"));
        }
        let Some(model) = Model::new(&pieces, unk_id, parts.byte_fallback) else {
            let what = "pieces are alike, or lack some bytes: not counted natively";
            return Err(Error::Tokenizer(format!("{name}: {what}")));
        };
        let whole = |text: &str| {
            let mut normal = String::new();
            normalize(&steps, text, Ends::BOTH, &mut normal);
            normal
        };
        let sought = sought(&name, &parts.added_tokens, whole)?;
        let added = AddedTokens::new(parts.added_tokens.clone(), whole)?;
        let added_are_local = added.lie_in_words(|c| words.parts(c));
        let ids = parts.added_tokens.iter().map(|token| token.id);
        let n_new = ids.filter(|&id| id as usize >= pieces.len()).collect::<HashSet<_>>().len();
        Ok(Self {
            n_vocab: pieces.len() + n_new,
            decoder: Decoder::new(pieces, &sought, parts.decoder),
            cuts: Cuts::new(&steps, words),
            starts_alike: !steps.iter().any(Step::minds_start),
            minds_end: steps.iter().any(Step::minds_end),
            name,
            steps,
            words,
            model,
            added,
            added_are_local,
        })
    }

    /// Whether the parts of `text` can be counted by themselves.
    fn is_divisible(&self, text: &str) -> bool {
        self.added_are_local && !self.added.occur_in_raw(text)
    }

    /// Whether what is between added tokens has the tokens of a text.
    fn treats_parts_alike(&self) -> bool {
        self.words.metaspace.is_none_or(|metaspace| metaspace.prepend != Prepend::First)
    }

    /// Tokens of a part of a divisible text that has these `ends` of it. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    fn count_part(
        &self,
        part: &str,
        ends: Ends,
        scratch: &mut Scratch,
        pulse: Pulse<'_>,
    ) -> Result<usize> {
        let Scratch { normal, words, lattice } = scratch;
        normal.clear();
        normalize(&self.steps, part, ends, normal);
        let mut n_tokens = 0;
        for (i, segment) in self.added.normalized_segments(normal).into_iter().enumerate() {
            match segment {
                TextSegment::Added(_) => n_tokens += 1,
                TextSegment::Text(part) => {
                    words.clear();
                    self.words.write(&part, ends.first && i == 0, words, |_, _| ());
                    lattice.run(&self.model, words, self.words.mark(), pulse)?;
                    n_tokens += lattice.n_tokens(words.len());
                }
            }
        }
        Ok(n_tokens)
    }

    /// Appends the ids of a whole text. O(n).
    fn encode(
        &self,
        text: &str,
        scratch: &mut Scratch,
        ids: &mut Vec<u32>,
        pulse: Pulse<'_>,
    ) -> Result<()> {
        let normal = |part: &str| {
            let mut normal = String::new();
            normalize(&self.steps, part, Ends::BOTH, &mut normal);
            Cow::Owned(normal)
        };
        pulse()?;
        let Scratch { words, lattice, .. } = scratch;
        for (i, segment) in self.added.segments(text, normal).into_iter().enumerate() {
            match segment {
                TextSegment::Added(id) => ids.push(id),
                TextSegment::Text(part) => {
                    words.clear();
                    self.words.write(&part, i == 0, words, |_, _| ());
                    lattice.run(&self.model, words, self.words.mark(), pulse)?;
                    lattice.ids(&self.model, words, self.words.mark(), ids);
                }
            }
        }
        Ok(())
    }
}

/// Whether all that the model does is known.
fn is_native(parts: &UnigramParts) -> bool {
    Model::is_native(&parts.pieces, parts.byte_fallback)
}

/// Room for what is made of a part of a text; kept from part to part for its memory.
#[derive(Clone, Debug, Default)]
pub(in crate::measure) struct Scratch {
    normal: String,
    words: String,
    lattice: Lattice,
}
