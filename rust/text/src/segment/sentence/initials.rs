//! Initials and abbreviations that their shape tells: letters with dots among them.
//!
//! `U.S`, `J.-P` and `म.प्र` are initials, which have one letter or syllable before each dot. `t.ex`, `Fr.o.m`, `D.Lgs`
//! and `Reg.-Bez` are dotted: no word has a dot behind its first letter, or a dot before a hyphen. Some write a blank
//! behind the dot (`î. Hr.`). Names of files and addresses have dots, too, so not every dotted word is one.

use super::language::Language;
use super::words::{is_vowel, joins_letters};

/// A part of a dotted abbreviation has so many letters, at most.
const MAX_PART_LETTERS: usize = 4;

/// Whether `word` is one letter, or letters with a dot behind each but the last: `U.S`, `म.प्र`.
pub fn is_initials(word: &str) -> bool {
    if word.is_ascii() && !word.contains('-') {
        let is_fit = |(i, byte): (usize, u8)| match i % 2 {
            0 => byte.is_ascii_alphabetic(),
            _ => byte == b'.',
        };
        return word.len() % 2 == 1 && word.bytes().enumerate().all(is_fit);
    }
    let is_row = word.contains('.');
    word.split('.').enumerate().all(|(i, letter)| {
        // French joins initials by a hyphen: `J.-P`.
        let letter = if i > 0 { letter.strip_prefix('-').unwrap_or(letter) } else { letter };
        let Some(first) = letter.chars().next() else { return false };
        let rest = &letter[first.len_utf8()..];
        (rest.is_empty() && is_letter(first))
            || (is_row && (is_syllable(letter) || is_pair(letter)))
    })
}

/// Whether `c` is a letter that may stand for a name, as those of syllables and ideographs do not.
fn is_letter(c: char) -> bool {
    // Letters of Hebrew, Arabic, the scripts of India, Thai and Ethiopic have no case.
    c.is_lowercase()
        || c.is_uppercase()
        || (c.is_alphabetic()
            && matches!(c, '\u{590}'..='\u{dff}' | '\u{e01}'..='\u{e2e}' | '\u{1200}'..='\u{137f}'))
}

/// Whether `letters` are a letter and one before or behind it that belongs to it, as a preposition of Amharic or the
/// name of a Latin letter does: `በአ.ሜ`, `ዩ.ኤስ`.
fn is_pair(letters: &str) -> bool {
    letters.chars().count() == 2
        && letters.chars().all(|c| matches!(c, '\u{590}'..='\u{6ff}' | '\u{1200}'..='\u{137f}'))
}

/// Whether `letter` is one syllable of a script of India: consonants that are joined, and a vowel sign.
fn is_syllable(letter: &str) -> bool {
    let (mut joined, mut n_letters) = (true, 0);
    letter.chars().all(|c| {
        if !matches!(c, '\u{900}'..='\u{dff}') {
            return false;
        }
        if joins_letters(c) {
            joined = true;
        } else if !is_sign_of_india(c) {
            n_letters += usize::from(!joined);
            joined = false;
        }
        n_letters == 0
    })
}

/// Whether `c` is a vowel sign or the like, which stands with a letter of a script of India.
const fn is_sign_of_india(c: char) -> bool {
    // All blocks of these scripts are laid out alike.
    matches!(c, '\u{900}'..='\u{dff}')
        && matches!(c as u32 & 0x7f, 0x00..=0x03 | 0x3e..=0x4c | 0x62..=0x63)
}

/// Whether `word` is an abbreviation by its dots: `t.ex`, `Fr.o.m`, `D.Lgs`, `Reg.-Bez`.
///
/// In English one with a capital, since there `x.py` and `a.out` are more frequent.
pub fn is_dotted(word: &str, language: &Language) -> bool {
    let parts = || word.split('.').map(|part| part.strip_prefix('-').unwrap_or(part));
    let is_short = |part: &str| {
        part.chars().all(|c| c.is_alphabetic() || joins_letters(c))
            && (1..=MAX_PART_LETTERS).contains(&part.chars().count())
    };
    if !word.contains('.') || !parts().all(is_short) {
        return false;
    }
    if word.contains(".-") || (parts().nth(2).is_some() && parts().any(is_one_letter)) {
        return true;
    }
    let is_lower = || !language.is_english() && !word.contains(char::is_uppercase);
    parts().next().is_some_and(is_one_letter)
        && (is_lower() || parts().skip(1).all(is_without_vowels))
}

/// Whether `word` is the last part of a dotted abbreviation with blanks between its parts: `î. Hr`, `v. Chr`.
///
/// `before` is the text before it. O(1).
pub fn is_spaced_part(before: &str, word: &str) -> bool {
    if !is_without_vowels(word) || word.chars().count() > MAX_PART_LETTERS {
        return false;
    }
    let Some(before) = before.strip_suffix([' ', '\u{a0}', '\u{202f}']) else { return false };
    let mut chars = before.strip_suffix('.').unwrap_or("").chars().rev();
    chars.next().is_some_and(char::is_lowercase) && !chars.next().is_some_and(char::is_alphanumeric)
}

fn is_one_letter(part: &str) -> bool {
    part.chars().nth(1).is_none()
}

/// Whether `part` begins with a capital and has small letters behind it, but no vowel: `Hr`, `Lgs`.
fn is_without_vowels(part: &str) -> bool {
    let mut chars = part.chars();
    chars.next().is_some_and(|c| c.is_uppercase() && !c.to_lowercase().any(is_vowel))
        && chars.clone().next().is_some()
        && chars.all(|c| c.is_lowercase() && !is_vowel(c))
}

/// Names of the Latin letters in Urdu, of which initials are made.
const URDU_LETTERS: &[&str] = &[
    "اے",
    "بی",
    "سی",
    "ڈی",
    "ای",
    "ایف",
    "جی",
    "ایچ",
    "آئی",
    "جے",
    "کے",
    "ایل",
    "ایم",
    "این",
    "او",
    "پی",
    "کیو",
    "آر",
    "ایس",
    "ٹی",
    "یو",
    "وی",
    "ڈبلیو",
    "ایکس",
    "وائی",
    "زیڈ",
];

/// The full stop of Urdu.
pub const URDU_STOP: char = '۔';

/// Whether the stop at the end of `before` stands behind an initial in a row of them, `rest` being the text behind
/// it: `بی۔ بی۔ سی۔`. O(1).
pub fn is_urdu_row(before: &str, rest: &str) -> bool {
    let letter_before = |text: &'_ str| {
        let text = text.strip_suffix(URDU_STOP)?;
        let word = |name: &&&str| {
            let behind = text.strip_suffix(**name);
            behind.is_some_and(|behind| !behind.ends_with(char::is_alphabetic))
        };
        URDU_LETTERS.iter().find(word).map(|name| text.len() - name.len())
    };
    let Some(start) = letter_before(before) else { return false };
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let is_next =
        |name: &&str| rest.strip_prefix(*name).is_some_and(|rest| rest.starts_with(URDU_STOP));
    letter_before(before[..start].trim_end_matches(' ')).is_some()
        || URDU_LETTERS.iter().any(is_next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_have_one_letter_before_each_dot() {
        for word in ["U.S", "É", "J.-P", "Ж.-П", "म.प्र"] {
            assert!(is_initials(word), "{word}");
        }
        for word in ["US", "漢", "J-P", "-P", "J.-Pa"] {
            assert!(!is_initials(word), "{word}");
        }
    }

    #[test]
    fn dotted_abbreviations_are_told_from_names_of_files() {
        let english = Language::english();
        let swedish = Language::from_code("sv").unwrap();
        for word in ["t.ex", "Fr.o.m", "bl.a.t", "D.Lgs", "e.Kr", "Reg.-Bez", "Ch.-L"] {
            assert!(is_dotted(word, &swedish), "{word}");
        }
        for word in ["x.py", "a.out", "J.Lee", "U", "main.c", "J-P", "Node.js", "p.53"] {
            assert!(!is_dotted(word, &english), "{word}");
        }
    }

    #[test]
    fn a_blank_may_stand_in_them() {
        assert!(is_spaced_part("500 î. ", "Hr") && is_spaced_part("v.\u{a0}", "Chr"));
        for (before, word) in
            [("am ", "Hr"), ("km. ", "Hr"), ("A. ", "Hr"), ("b. ", "Ja"), ("b. ", "PDF")]
        {
            assert!(!is_spaced_part(before, word), "{before}{word}");
        }
    }

    #[test]
    fn urdu_initials_stand_in_a_row() {
        assert!(is_urdu_row("بی۔", " بی۔ سی۔") && is_urdu_row("بی۔ سی۔", " نے"));
        assert!(!is_urdu_row("بی۔", " نے") && !is_urdu_row("گیا۔", " بی۔") && !is_urdu_row("", ""));
    }
}
