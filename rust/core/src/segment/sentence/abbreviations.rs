//! Lists of abbreviations and of words that open sentences, read in place.
//!
//! `data/abbreviations.txt` has a section for each list: a line `=de` or `=de openers`, then its sorted
//! lines: a key, and behind a blank the letter of its kind. `scripts/generate_abbreviations.py` writes it.

use std::cmp::Ordering;

static TABLE: &str = include_str!("../../../data/abbreviations.txt");

/// A longer word is in no list.
pub const MAX_KEY_BYTES: usize = 24;

/// What may follow an abbreviation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Ends a sentence if a word follows that opens one: `Inc.`
    Plain,
    /// Never ends a sentence, since a name follows: `Dr.`
    Title,
    /// An abbreviation only before a number: `No.`
    Numbered,
    /// Ends a sentence before any capital: `Ph.D.`, `lb.`
    Trailing,
    /// The same, and before a number too: `p.m.`
    Time,
    /// Plain if it has a capital, otherwise a word: `May.`
    Capital,
}

/// Sorted lines of the table.
#[derive(Clone, Copy, Debug)]
pub struct List(&'static str);

impl List {
    /// What stands behind `key` on its line, if it has one. O(log n), no allocation.
    pub fn find(self, key: &str) -> Option<&'static str> {
        let bytes = self.0.as_bytes();
        let (mut low, mut high) = (0, bytes.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let start = memchr::memrchr(b'\n', &bytes[low..middle]).map_or(low, |at| low + at + 1);
            let end = memchr::memchr(b'\n', &bytes[middle..high]).map_or(high, |at| middle + at);
            let line = self.0.get(start..end)?;
            let (found, kind) = key_and_kind(line);
            match key.cmp(found) {
                Ordering::Less => high = start,
                Ordering::Equal => return Some(kind),
                Ordering::Greater => low = (end + 1).min(high),
            }
        }
        None
    }

    /// The kind of the abbreviation `key`, if it is one.
    pub fn kind(self, key: &str) -> Option<Kind> {
        Some(match self.find(key)? {
            "t" => Kind::Title,
            "n" => Kind::Numbered,
            "e" => Kind::Trailing,
            "m" => Kind::Time,
            "c" => Kind::Capital,
            _ => Kind::Plain,
        })
    }
}

/// The two parts of a line; a kind is one letter.
fn key_and_kind(line: &str) -> (&str, &str) {
    match line.as_bytes() {
        [.., b' ', _] => (&line[..line.len() - 2], &line[line.len() - 1..]),
        _ => (line, ""),
    }
}

/// The abbreviations of a language, none if the table has no list. O(table).
pub fn of(language: &str) -> List {
    section(language, "")
}

/// The words that open sentences of a language. O(table).
pub fn openers_of(language: &str) -> List {
    section(language, " openers")
}

/// The languages that the table has abbreviations of.
pub fn languages() -> impl Iterator<Item = &'static str> {
    let titles = TABLE.split('\n').filter_map(|line| line.strip_prefix('='));
    titles.filter(|title| !title.is_empty() && !title.contains(' '))
}

fn section(language: &str, suffix: &str) -> List {
    let starts_section = |rest: &str| {
        let rest = rest.strip_prefix(language).and_then(|rest| rest.strip_prefix(suffix));
        rest.is_some_and(|rest| rest.starts_with('\n'))
    };
    let mut rest = TABLE;
    while let Some(titled) = rest.strip_prefix('=') {
        let end = memchr::memmem::find(titled.as_bytes(), b"\n=").unwrap_or(titled.len());
        if starts_section(titled) {
            let start = language.len() + suffix.len() + 1;
            return List(titled.get(start..end).unwrap_or(""));
        }
        rest = titled.get(end + 1..).unwrap_or("");
    }
    List("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found() {
        for language in languages() {
            for list in [of(language), openers_of(language)] {
                for line in list.0.split('\n').filter(|line| !line.is_empty()) {
                    let (key, kind) = line.split_once(' ').unwrap_or((line, ""));
                    assert_eq!(list.find(key), Some(kind), "{language} {key}");
                    assert!(key.len() <= MAX_KEY_BYTES, "{key}");
                    assert_eq!(list.find(&format!("{key}~")), None);
                }
            }
        }
        assert_eq!(of("en").kind("dr"), Some(Kind::Title));
        assert_eq!(of("en").kind("p.m"), Some(Kind::Time));
        assert_eq!(of("de").kind("z.b"), Some(Kind::Plain));
        assert_eq!(of("en").kind(""), None);
        assert!(of("xx").0.is_empty() && !openers_of("fr").0.is_empty());
    }
}
