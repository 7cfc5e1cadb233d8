//! Labels of headings: a noun and its number, before the name of what they count.
//!
//! "Chapter 1. The Beginning." is one sentence in every language: no statement is a noun and a number. What a chapter
//! is called no list has to say; that the sentence has nothing else is enough. In Swahili a genitive stands between them
//! ("Sura ya 1."). The number may have parts ("Section 3.1.") or be a Roman one.

use super::rules::Context;
use super::words::{self, Word};

/// The noun of a label has so many letters, at least: "He 5." is none.
const MIN_LETTERS: usize = 3;
/// A longer phrase is no label.
const MAX_LABEL_BYTES: usize = 64;
/// A number of more digits is that of a year or an amount.
const MAX_DIGITS: usize = 3;

impl Context<'_> {
    /// Whether the sentence is a label so far, and `word` its number. O(1).
    pub(super) fn is_label(&self, word: Word<'_>) -> bool {
        if word.text.as_bytes().first().is_none_or(u8::is_ascii_lowercase)
            || !(is_place(word.text) || words::is_roman(word.text))
        {
            return false;
        }
        let before = &self.text[self.item..word.start];
        if before.len() > MAX_LABEL_BYTES {
            return false;
        }
        let Some(phrase) = before.strip_suffix([' ', '\u{a0}']) else { return false };
        let noun = self.language.genitive.and_then(|link| phrase.strip_suffix(link));
        is_noun(noun.map_or(phrase, str::trim_end))
    }
}

/// Whether `word` is a number, or numbers with dots between: `3.1`.
fn is_place(word: &str) -> bool {
    let is_part = |part: &str| {
        (1..=MAX_DIGITS).contains(&part.chars().count()) && part.chars().all(char::is_numeric)
    };
    word.starts_with(char::is_numeric) && word.split('.').all(is_part)
}

fn is_noun(noun: &str) -> bool {
    let begins = noun.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    begins
        && noun.chars().filter(|c| c.is_alphabetic()).nth(MIN_LETTERS - 1).is_some()
        && noun.chars().skip(1).all(is_caseless_or_lower)
}

fn is_caseless_or_lower(c: char) -> bool {
    c.is_alphanumeric() && !c.is_uppercase() && !c.is_ascii_digit() || words::joins_letters(c)
}
