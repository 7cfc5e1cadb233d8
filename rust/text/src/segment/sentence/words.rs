//! Words around a dot: the one before it, and what comes next.
//!
//! Words are looked at where they stand and never collected: the one before a dot by going back at most as far as
//! the longest abbreviation, the one behind by leaving out a few quotes and brackets. Keys of the lists are in
//! lower case, so a word is written into a buffer on the stack for the lookup.

use super::abbreviations::{AbbreviationKind, MAX_KEY_BYTES};
use super::language::Language;
use super::lists::ListMark;
use super::terminators::{is_dash, is_opener};
use crate::unicode::space::is_space;

/// Quotes and blanks are passed over up to this many code points to find the next word.
const MAX_OPENERS: usize = 8;

/// A longer word opens no sentence that anybody has listed.
const MAX_OPENER_BYTES: usize = 24;

/// Days, which follow a time in English.
const DAYS: &[&str] =
    &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// Months, likewise; `May` is too often another word.
const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Months of German, the one language with ordinals that writes them with a capital.
const GERMAN_MONTHS: &[&str] = &[
    "Januar",
    "Jänner",
    "Februar",
    "Feber",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// A longer word is no abbreviation, unless a list has it; the lists have the words up to this length.
const MAX_CUT_LETTERS: usize = 4;

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
        if !(c.is_alphanumeric() || matches!(c, '.' | '-' | '°' | '§') || joins_letters(c)) {
            break;
        }
        word -= c.len_utf8();
        if end - word > MAX_KEY_BYTES {
            return Word { start: end, text: "" };
        }
    }
    Word { start: word, text: &text[word..end] }
}

/// Signs within words that are no letters: viramas and dots below, and what joins letters.
pub const fn joins_letters(c: char) -> bool {
    !c.is_ascii()
        && matches!(
            c,
            '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}' | '\u{93c}' | '\u{94d}' | '\u{9bc}' | '\u{9cd}'
            | '\u{a3c}' | '\u{a4d}' | '\u{abc}' | '\u{acd}' | '\u{b3c}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}'
            | '\u{ccd}' | '\u{d4d}' | '\u{dca}' | '\u{e47}'..='\u{e4e}' | '\u{1037}' | '\u{1039}'
            | '\u{103a}' | '\u{200c}' | '\u{200d}' | '״' | '׳'
        )
}

/// How names of streets end, by language, where they are written short before the number of a house: `Hauptstr. 5`.
const STREETS: [(&str, &str); 5] =
    [("de", "str"), ("nl", "str"), ("nb", "gt"), ("nn", "gt"), ("no", "gt")];

/// The kind of the abbreviation that `word` is, as a whole or behind its last dot or hyphen.
pub fn kind(word: &str, language: &Language) -> Option<AbbreviationKind> {
    let word = word.trim_start_matches(|c: char| c == '.' || is_dash(c));
    let mut chars = word.chars();
    if chars.next().is_some_and(char::is_uppercase) && chars.next().is_none() {
        return None;
    }
    let found = listed(word, language);
    let found = found.or_else(|| {
        let mark = word.bytes().rposition(|byte| matches!(byte, b'.' | b'-'))?;
        let part = &word[mark + 1..];
        listed(part, language).filter(|_| part.len() > 1)
    });
    let is_street = || {
        let ends = |&(code, end): &(&str, &str)| code == language.code() && word.ends_with(end);
        STREETS.iter().any(ends)
    };
    found.or_else(|| is_street().then_some(AbbreviationKind::Numbered))
}

fn listed(word: &str, language: &Language) -> Option<AbbreviationKind> {
    let has_capital = word.starts_with(char::is_uppercase);
    // `7a.m.` has its number without a blank.
    let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let mut buffer = [0; MAX_KEY_BYTES];
    let kind = language.kind(lowered(letters, &mut buffer)?)?;
    Some(match kind {
        // In texts without capitals "dec." is still one before a number.
        AbbreviationKind::Capital if !has_capital => AbbreviationKind::Numbered,
        AbbreviationKind::Lower if has_capital => AbbreviationKind::Numbered,
        // Lists of Italian have acronyms in small letters: "NATO." ends with a full stop.
        AbbreviationKind::Plain if !language.is_english() && is_acronym(word) => {
            AbbreviationKind::Numbered
        }
        kind => kind,
    })
}

/// Whether `word` is three capitals or more, without dots.
fn is_acronym(word: &str) -> bool {
    word.chars().nth(2).is_some() && word.chars().all(char::is_uppercase)
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

/// Whether `word`, which is in no list, looks like an abbreviation before a number: short, in lower case, and cut off
/// behind a consonant.
pub fn is_cut_off(word: &str, language: &Language) -> bool {
    if language.words.is_empty() || word.len() > 2 * MAX_CUT_LETTERS {
        return false;
    }
    let n_letters = word.chars().filter(|c| c.is_lowercase()).count();
    n_letters == word.chars().count()
        && (2..=MAX_CUT_LETTERS).contains(&n_letters)
        && !word.ends_with(is_vowel)
        && language.words.find(word).is_none()
}

/// Whether `c` is a vowel of an alphabet with capitals.
pub const fn is_vowel(c: char) -> bool {
    matches!(
        c,
        'a' | 'e' | 'i' | 'o' | 'u' | 'y' | '\u{df}'..='\u{e6}' | '\u{e8}'..='\u{ef}' | '\u{f2}'..='\u{f6}'
        | '\u{f8}'..='\u{fd}' | 'ă' | 'ā' | 'ą' | 'ē' | 'ę' | 'ė' | 'ě' | 'ī' | 'į' | 'ı' | 'ő' | 'ū' | 'ů'
        | 'ű' | 'ų' | 'ơ' | 'ư' | '\u{1ea0}'..='\u{1ef9}' | 'а' | 'е' | 'и' | 'о' | 'у' | 'ы' | 'э' | 'ю' | 'я'
        | 'ё' | 'і' | 'ї' | 'є' | 'й' | 'ъ' | 'ь' | 'α' | 'ε' | 'η' | 'ι' | 'ο' | 'υ' | 'ω' | 'ά' | 'έ' | 'ή' | 'ί'
        | 'ό' | 'ύ' | 'ώ'
    )
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

    /// Whether it begins with a letter of an alphabet without capitals, which a pause may stand before.
    pub fn is_without_case(self) -> bool {
        self.first.is_some_and(|c| matches!(c, '\u{590}'..='\u{10ff}' | '\u{1200}'..='\u{137f}'))
    }

    pub fn is_digit(self) -> bool {
        self.first.is_some_and(char::is_numeric)
    }

    /// Whether it goes on with a number as those write it who number chapters: `3`, `IV`, `B`.
    pub fn is_label(self) -> bool {
        if self.is_digit() {
            return true;
        }
        let word = self.word();
        if word.is_ascii() {
            return !self.is_lone_letter_word() && (is_roman(word) || word.len() == 1);
        }
        // Letters are words, too, as the Russian А is.
        let is_letter = word.chars().nth(1).is_none() && word.starts_with(char::is_uppercase);
        is_letter && !self.rest[word.len()..].starts_with(' ')
    }

    /// Whether it goes on with the day or month of a time: "at 9 a.m. Monday", but not "Monday's".
    pub fn is_date(self) -> bool {
        let word = self.word();
        let behind = &self.rest[word.len()..];
        DAYS.iter().chain(MONTHS).any(|name| {
            // A short form has a dot behind it.
            word == *name || (word.len() >= 3 && name.starts_with(word) && behind.starts_with('.'))
        }) && !behind.starts_with(['\'', '’'])
    }

    /// Whether it goes on with a German month, which has a capital: "3. Mai".
    pub fn is_german_month(self) -> bool {
        let word = self.word();
        GERMAN_MONTHS.iter().any(|name| {
            word == *name
                || (name.starts_with(word) && self.rest[word.len()..].starts_with('.'))
                    && word.len() >= 3
        })
    }

    /// The number of ASCII digits that it begins with, and what stands behind them.
    pub fn digits(self) -> (usize, &'t str) {
        let n_digits = self.rest.bytes().take(5).take_while(u8::is_ascii_digit).count();
        (n_digits, &self.rest[n_digits..])
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
            || (behind.starts_with(". ") && kind(word, language) == Some(AbbreviationKind::Title))
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
        let english = &Language::english();
        assert_eq!(kind("7A.M", english), Some(AbbreviationKind::Time));
        assert_eq!(kind("x.Inc", english), Some(AbbreviationKind::Plain));
        assert_eq!(kind("Ill", english), Some(AbbreviationKind::Capital));
        assert_eq!(kind("ill", english), Some(AbbreviationKind::Numbered));
        assert_eq!(kind("p", english), Some(AbbreviationKind::Numbered));
        assert_eq!(kind("P", english), None);
        assert_eq!(kind("word", english), None);
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
