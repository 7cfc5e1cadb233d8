//! Words around a dot: the one before it, and what comes next.
//!
//! Words are looked at where they stand and never collected: the one before a dot by going back at most as far as
//! the longest abbreviation, the one behind by leaving out a few quotes and brackets. Keys of the lists are in
//! lower case, so a word is written into a buffer on the stack for the lookup.

use super::abbreviations::{AbbreviationKind, List, MAX_KEY_BYTES};
use super::language::Language;
use super::lists::ListMark;
use super::terminators::{is_dash, is_opener};
use crate::unicode::space::is_space;

/// Quotes and blanks are passed over up to this many code points to find the next word.
const MAX_OPENERS: usize = 8;

/// A longer word opens no sentence that anybody has listed.
const MAX_OPENER_BYTES: usize = 24;

/// A word before a dot, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    pub start: usize,
    pub text: &'t str,
}

/// The word that ends at `at`, looked for within `start..at`: letters, digits, and dots and hyphens
/// among them. Empty if there is none, or if it is longer than any abbreviation.
pub fn before(text: &str, start: usize, at: usize) -> Word<'_> {
    // Tokenized text has a blank before its dots.
    let end = if text[start..at].ends_with(' ') { at - 1 } else { at };
    let mut word = end;
    for c in text[start..end].chars().rev() {
        if !(c.is_alphanumeric() || matches!(c, '.' | '-' | '°' | '§' | '\u{331}')) {
            break;
        }
        word -= c.len_utf8();
        if end - word > MAX_KEY_BYTES {
            return Word { start: end, text: "" };
        }
    }
    Word { start: word, text: &text[word..end] }
}

/// The kind of the abbreviation that `word` is, as a whole or behind its last dot or hyphen.
pub fn kind(word: &str, abbreviations: List) -> Option<AbbreviationKind> {
    let word = word.trim_start_matches(|c: char| c == '.' || is_dash(c));
    let mut chars = word.chars();
    if chars.next().is_some_and(char::is_uppercase) && chars.next().is_none() {
        return None;
    }
    let found = listed(word, abbreviations);
    found.or_else(|| {
        let mark = word.bytes().rposition(|byte| matches!(byte, b'.' | b'-'))?;
        let part = &word[mark + 1..];
        listed(part, abbreviations).filter(|_| part.len() > 1)
    })
}

fn listed(word: &str, abbreviations: List) -> Option<AbbreviationKind> {
    let has_capital = word.starts_with(char::is_uppercase);
    // `7a.m.` has its number without a blank.
    let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let mut buffer = [0; MAX_KEY_BYTES];
    let kind = abbreviations.kind(lowered(letters, &mut buffer)?)?;
    Some(match kind {
        // In texts without capitals "dec." is still one before a number.
        AbbreviationKind::Capital if !has_capital => AbbreviationKind::Numbered,
        kind => kind,
    })
}

/// `word` in lower case, in `buffer`; none if it does not fit.
fn lowered<'b>(word: &str, buffer: &'b mut [u8; MAX_KEY_BYTES]) -> Option<&'b str> {
    if word.is_ascii() {
        let room = buffer.get_mut(..word.len())?;
        room.copy_from_slice(word.as_bytes());
        room.make_ascii_lowercase();
        return std::str::from_utf8(room).ok();
    }
    let mut length = 0;
    for c in word.chars().flat_map(char::to_lowercase) {
        let room = buffer.get_mut(length..length + c.len_utf8())?;
        length += c.encode_utf8(room).len();
    }
    std::str::from_utf8(&buffer[..length]).ok()
}

/// Whether `word` is one letter, or letters with a dot behind each but the last: `U.S`.
pub fn is_initials(word: &str) -> bool {
    let mut letters = word.split('.');
    letters.all(|letter| {
        let mut chars = letter.chars();
        let first = chars.next();
        first.is_some_and(|c| c.is_lowercase() || c.is_uppercase()) && chars.next().is_none()
    })
}

/// Whether `word` is a Roman number in capitals.
pub fn is_roman(word: &str) -> bool {
    (1..=8).contains(&word.len())
        && word.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X' | b'L' | b'C'))
}

/// Text behind a place, by how it begins.
#[derive(Clone, Copy, Debug)]
pub struct Next<'t> {
    /// The text from its first word on, quotes and brackets before it left out.
    pub rest: &'t str,
    /// Its first character, none at the end of the text.
    pub first: Option<char>,
    /// Whether the mark of an item, as `(a)`, stands before it.
    is_item: bool,
}

impl<'t> Next<'t> {
    /// The rest of `text` from `at` on.
    pub fn at(text: &'t str, at: usize) -> Self {
        let rest = &text[at..];
        let skipped: usize = rest
            .chars()
            .take(MAX_OPENERS)
            .take_while(|&c| is_opener(c) || is_space(c))
            .map(char::len_utf8)
            .sum();
        let is_item = rest.starts_with('(') && ListMark::of(rest).is_some();
        let rest = &rest[skipped..];
        Self { rest, first: rest.chars().next(), is_item }
    }

    /// Whether it begins with a letter in lower case.
    pub fn begins_lower(self) -> bool {
        self.first.is_some_and(char::is_lowercase)
    }

    /// Whether it goes on in lower case: but not with a name or symbol like `iPhone`, `p53`, `β-ray`.
    pub fn is_lower(self) -> bool {
        let second = self.rest.chars().nth(1);
        let is_symbol = second.is_some_and(|c| c.is_uppercase() || c.is_numeric() || is_dash(c));
        self.begins_lower() && !is_symbol && !self.is_item
    }

    /// Whether it is the English `I`, which has a capital inside sentences too.
    pub fn is_english_i(self) -> bool {
        let behind = self.rest.strip_prefix('I');
        behind.is_some_and(|rest| rest.starts_with([' ', '\'', '’']))
    }

    pub fn is_digit(self) -> bool {
        self.first.is_some_and(char::is_numeric)
    }

    /// Whether it goes on with a number as those write it who number chapters: `3`, `IV`, `B`.
    pub fn is_label(self) -> bool {
        let word = self.word();
        self.is_digit() || (!self.is_lone_letter_word() && (is_roman(word) || word.len() == 1))
    }

    /// Whether it goes on with a word that opens sentences.
    pub fn is_opener(self, language: &Language) -> bool {
        let word = self.word();
        // One letter before a dot is an initial.
        let is_initial = self.rest[word.len()..].starts_with('.') && word.chars().nth(1).is_none();
        (!is_initial && language.openers.find(word).is_some())
            || (language.is_english() && self.is_lone_letter_word())
    }

    /// Whether it goes on with a word of prose that opens sentences, rather than with a part of a name.
    pub fn opens_glued(self, language: &Language) -> bool {
        if !self.first.is_some_and(char::is_uppercase) {
            return false;
        }
        let word = self.word();
        let behind = &self.rest[word.len()..];
        (behind.starts_with(' ') && language.openers.find(word).is_some())
            || (behind.starts_with(". ")
                && kind(word, language.abbreviations) == Some(AbbreviationKind::Title))
    }

    /// The English words `A` and `I`, if no initial or number is meant.
    fn is_lone_letter_word(self) -> bool {
        let mut rest = self.rest.chars();
        match (rest.next(), rest.next()) {
            (Some('I'), Some('\'' | '’')) => true,
            (Some('A' | 'I'), Some(' ')) => rest.next().is_some_and(char::is_lowercase),
            _ => false,
        }
    }

    fn word(self) -> &'t str {
        let end =
            self.rest.char_indices().find(|&(at, c)| at > MAX_OPENER_BYTES || !c.is_alphabetic());
        &self.rest[..end.map_or(self.rest.len(), |(at, _)| at)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_before_a_dot() {
        let before = |text, start, at| before(text, start, at).text;
        assert_eq!(before("see Dr", 0, 6), "Dr");
        assert_eq!(before("(U.S", 0, 4), "U.S");
        assert_eq!(before("Mr ", 0, 3), "Mr");
        assert_eq!(before("see Dr", 5, 6), "r");
        let long = "x".repeat(40);
        assert_eq!(before(&long, 0, 40), "");
        assert_eq!(before("", 0, 0), "");
    }

    #[test]
    fn abbreviations_are_found_behind_numbers_and_dots() {
        let english = Language::english().abbreviations;
        assert_eq!(kind("7A.M", english), Some(AbbreviationKind::Time));
        assert_eq!(kind("x.Inc", english), Some(AbbreviationKind::Plain));
        assert_eq!(kind("Ill", english), Some(AbbreviationKind::Capital));
        assert_eq!(kind("ill", english), Some(AbbreviationKind::Numbered));
        assert_eq!(kind("p", english), Some(AbbreviationKind::Numbered));
        assert_eq!(kind("P", english), None);
        assert_eq!(kind("word", english), None);
        assert!(is_initials("U.S") && is_initials("É") && !is_initials("US") && !is_initials("漢"));
    }

    #[test]
    fn what_comes_next() {
        let english = Language::english();
        let next = |text| Next::at(text, 0);
        assert!(next("\"The end").is_opener(&english) && !next("Theodore").is_opener(&english));
        assert!(next("It's").is_opener(&english) && next("I was").is_opener(&english));
        assert!(!next("I. Newton").is_opener(&english) && !next("A B").is_opener(&english));
        assert!(next("(he").is_lower() && !next("iPhone").is_lower());
        assert!(!next("p53 was").is_lower() && !next("β-ray").is_lower() && next("a b").is_lower());
        assert!(next("IV").is_label() && next("7").is_label() && !next("I am").is_label());
    }
}
