//! Opening phrases of a sentence, as "In the morning at 6 a.m.", rather than sentences.
//!
//! "We met at 5 p.m. | He left." is two sentences, and "In the morning at 6 a.m. Sue woke up." is one: the words
//! before the dot are only those that such a phrase is made of, and a sentence needs more. English only: in other
//! languages a phrase like that ends with another word order or another mark.

use super::rules::Context;
use crate::unicode::space::is_space;

/// A phrase that opens a sentence, as "In the morning at 6 a.m.", has up to so many bytes.
const MAX_FRONT_BYTES: usize = 64;

/// Words that such a phrase is made of, besides numbers, names and abbreviations.
const FRONT_WORDS: &[&str] = &[
    "a",
    "about",
    "after",
    "afternoon",
    "an",
    "and",
    "around",
    "as",
    "at",
    "before",
    "between",
    "by",
    "day",
    "during",
    "evening",
    "from",
    "in",
    "just",
    "morning",
    "night",
    "of",
    "on",
    "or",
    "since",
    "the",
    "to",
    "today",
    "tomorrow",
    "until",
    "yesterday",
];

impl Context<'_> {
    /// Whether all before the dot at `at` is a phrase like "In the morning at 6 a.m.", which opens a
    /// sentence rather than being one.
    pub(super) fn is_front(&self, at: usize) -> bool {
        let known =
            self.text.floor_char_boundary(at.saturating_sub(MAX_FRONT_BYTES)).max(self.start);
        let behind_colon = self.text[known..at].rsplit_once(": ").map(|(_, phrase)| phrase);
        let whole = (known == self.start).then_some(&self.text[known..at]);
        let Some(phrase) = behind_colon.or(whole).filter(|_| self.language.is_english()) else {
            return false;
        };
        let mut words = phrase.split(is_space).filter(|word| !word.is_empty());
        let is_front_word = |word: &str| FRONT_WORDS.contains(&word);
        let first = words.next().unwrap_or("").to_ascii_lowercase();
        is_front_word(&first)
            && words.all(|word| {
                let bare = word.trim_end_matches([',', ';', '.']);
                is_front_word(bare)
                    || !bare.starts_with(|c: char| c.is_ascii_lowercase())
                    || bare.contains('.')
            })
    }
}
