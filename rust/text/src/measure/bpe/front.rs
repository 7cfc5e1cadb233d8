//! Pre-processing of a text before it is split into pre-tokens: added tokens are taken out, and the rest
//! is normalised.
//!
//! A text that has no added token and is in NFC already passes unchanged: it is plain, and may have an index.
//! Else each span is counted by itself, as what is added or joined may reach over its ends.

use std::borrow::Cow;

use unicode_normalization_alignments::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::error::Result;
use crate::measure::AddedToken;
use crate::measure::added::{AddedTokens, TextSegment};

/// Added tokens, and whether texts are brought into NFC.
#[derive(Clone, Debug)]
pub struct Front {
    added: AddedTokens,
    nfc: bool,
}

impl Front {
    /// Ready to find `added`, and to normalise if `nfc`.
    ///
    /// # Errors
    /// Those of [`AddedTokens::new`].
    pub fn new(added: Vec<AddedToken>, nfc: bool) -> Result<Self> {
        let normalize = |text: &str| if nfc { to_nfc(text).into_owned() } else { text.to_owned() };
        Ok(Self { added: AddedTokens::new(added, normalize)?, nfc })
    }

    /// Whether `text` and all its spans stay as they are.
    pub fn is_plain(&self, text: &str) -> bool {
        (!self.nfc || is_surely_nfc(text)) && !self.added.occur_in(text)
    }

    /// The parts of `text`.
    pub fn segments<'t>(&self, text: &'t str) -> Vec<TextSegment<'t>> {
        self.added.segments(text, |part| if self.nfc { to_nfc(part) } else { part.into() })
    }
}

/// Whether `text` is in NFC by the quick check, which holds for each part of a text that it holds for.
fn is_surely_nfc(text: &str) -> bool {
    text.is_ascii() || matches!(is_nfc_quick(text.chars()), IsNormalized::Yes)
}

/// By the crate that `tokenizers` normalises with, whose Unicode version counts.
fn to_nfc(text: &str) -> Cow<'_, str> {
    if is_surely_nfc(text) { text.into() } else { text.nfc().map(|(c, _)| c).collect() }
}
