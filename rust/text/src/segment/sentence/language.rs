//! Languages of the rules: abbreviations, words that open sentences, marks.

use std::sync::LazyLock;

use super::abbreviations::{self, List};
use crate::error::{Error, Result};

/// A language that sentences are told apart in.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    code: &'static str,
    pub(super) abbreviations: List,
    pub(super) openers: List,
    pub(super) ordinals: bool,
    pub(super) terminator: Option<char>,
}

/// Languages in which a dot makes a number an ordinal: "12. Juni".
const ORDINALS: &[&str] = &[
    "cs", "da", "de", "et", "fi", "hr", "hu", "is", "lv", "nb", "nn", "no", "pl", "sk", "sl", "sr",
    "tr",
];

/// Languages whose sentences are told apart without a list of abbreviations.
const WITHOUT_LIST: &[&str] = &[
    "bo", "ca", "cs", "et", "fa", "he", "hr", "hu", "hy", "id", "is", "ja", "km", "ko", "lo", "lv",
    "mr", "my", "nb", "ne", "nn", "no", "or", "ro", "sl", "sr", "sv", "th", "tr", "ur", "vi", "zh",
];

/// Those of them that are not in Latin letters: what is, in their texts, is mostly English.
const NOT_LATIN: &[&str] =
    &["bo", "fa", "he", "hy", "ja", "km", "ko", "lo", "mr", "my", "ne", "or", "th", "ur", "zh"];

/// Looked up once, as each chunker asks for it.
static ENGLISH: LazyLock<Language> = LazyLock::new(|| {
    let code = "en";
    let (abbreviations, openers) = (abbreviations::of(code), abbreviations::openers_of(code));
    Language { code, abbreviations, openers, ordinals: false, terminator: None }
});

impl Language {
    /// English, which the rules are best at.
    pub fn english() -> Self {
        *ENGLISH
    }

    /// The language of an ISO 639-1 code, a region behind it or not: `de`, `pt-BR`, `zh_Hant`.
    ///
    /// None if nothing is known of it.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next()?.to_ascii_lowercase();
        let code = Self::codes().find(|&known| known == primary)?;
        let terminator = match code {
            "el" => Some(';'),
            "hy" => Some(':'),
            _ => None,
        };
        let listed = if NOT_LATIN.contains(&code) { "en" } else { code };
        let (abbreviations, openers) = (abbreviations::of(listed), abbreviations::openers_of(code));
        Some(Self { code, abbreviations, openers, ordinals: ORDINALS.contains(&code), terminator })
    }

    /// The same.
    ///
    /// ```
    /// use chunkwright_text::segment::sentence::Language;
    ///
    /// assert_eq!(Language::known("pt-BR")?.code(), "pt"); // the region does not count
    /// let error = Language::known("xx").unwrap_err();
    /// assert!(error.to_string().contains("unknown language 'xx'"));
    /// assert_eq!(Language::codes().count(), 58);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Name`] if nothing is known of it, with the codes that there are.
    pub fn known(code: &str) -> Result<Self> {
        Self::from_code(code).ok_or_else(|| {
            let mut codes: Vec<_> = Self::codes().collect();
            codes.sort_unstable();
            Error::Name { option: "language".into(), got: format!("'{code}'"), known: codes }
        })
    }

    /// All codes that there are.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        abbreviations::languages().chain(WITHOUT_LIST.iter().copied())
    }

    /// Its ISO 639-1 code.
    pub const fn code(&self) -> &'static str {
        self.code
    }

    pub(super) fn is_english(&self) -> bool {
        self.code == "en"
    }
}

impl Default for Language {
    fn default() -> Self {
        Self::english()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_with_a_region_and_without() {
        let found = |code| Language::from_code(code).map(|language| language.code());
        assert_eq!(found("de"), Some("de"));
        assert_eq!(found("pt-BR"), Some("pt"));
        assert_eq!(found("ZH_Hant"), Some("zh"));
        assert_eq!(found("xx"), None);
        assert_eq!(found(""), None);
        assert_eq!(Language::english().code(), Language::codes().next().unwrap());
    }
}
