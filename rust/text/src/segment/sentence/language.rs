//! Languages of the rules: abbreviations, words that open sentences, marks.

use std::sync::LazyLock;

use super::abbreviations::{self, AbbreviationKind, List};
use super::terminators::DOUBLED;
use crate::error::{Error, Result};

/// A language that sentences are told apart in.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    code: &'static str,
    pub(super) abbreviations: List,
    pub(super) openers: List,
    /// Its frequent short words, which are no abbreviations.
    pub(super) words: List,
    pub(super) ordinals: bool,
    /// The word between a noun and its number, as in "chapter of one".
    pub(super) genitive: Option<&'static str>,
    /// Whether a dot can end a sentence.
    pub(super) dots: bool,
    pub(super) terminator: Option<char>,
}

/// Languages in which a dot makes a number an ordinal: "12. Juni".
const ORDINALS: &[&str] = &[
    "cs", "da", "de", "et", "fi", "hr", "hu", "is", "lt", "lv", "nb", "nn", "no", "pl", "sk", "sl",
    "sr", "tr",
];

/// Languages whose sentences are told apart without a list of abbreviations of their own.
const WITHOUT_LIST: &[&str] =
    &["bo", "fa", "he", "ja", "km", "ko", "lo", "my", "ne", "no", "or", "th", "ur", "zh"];

/// Languages that end sentences with a mark of their own and not with a dot, which is a pause in Armenian.
const WITHOUT_DOTS: &[&str] = &["hy"];

/// Looked up once, as each chunker asks for it.
static ENGLISH: LazyLock<Language> = LazyLock::new(|| {
    let code = "en";
    Language {
        code,
        abbreviations: abbreviations::of(code),
        openers: abbreviations::openers_of(code),
        words: abbreviations::words_of(code),
        ordinals: false,
        genitive: None,
        dots: true,
        terminator: None,
    }
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
            "am" | "hy" => Some(':'),
            "th" => Some(' '),
            _ => None,
        };
        let listed = if code == "no" { "nb" } else { code };
        Some(Self {
            code,
            abbreviations: abbreviations::of(listed),
            openers: abbreviations::openers_of(listed),
            words: abbreviations::words_of(listed),
            ordinals: ORDINALS.contains(&code),
            genitive: (code == "sw").then_some(" ya"),
            dots: !WITHOUT_DOTS.contains(&code),
            terminator,
        })
    }

    /// The same.
    ///
    /// ```
    /// use chunkwright_text::segment::sentence::Language;
    ///
    /// assert_eq!(Language::known("pt-BR")?.code(), "pt"); // the region does not count
    /// let error = Language::known("xx").unwrap_err();
    /// assert!(error.to_string().contains("unknown language 'xx'"));
    /// assert_eq!(Language::codes().count(), 62);
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

    /// Whether `mark` ends a sentence only if it stands twice, as the blank of Ethiopic and the colon for it do.
    pub(super) fn is_doubled(&self, mark: char) -> bool {
        mark == DOUBLED || (mark == ':' && self.code == "am")
    }

    /// Its ISO 639-1 code.
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The kind of the abbreviation `key`: of the language's own list, or of the English one, which has the
    /// titles of all scripts, unless it is a word of the language.
    pub(super) fn kind(&self, key: &str) -> Option<AbbreviationKind> {
        let own = self.abbreviations.kind(key);
        if own.is_some() || self.is_english() || self.words.find(key).is_some() {
            return own;
        }
        ENGLISH.abbreviations.kind(key)
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
