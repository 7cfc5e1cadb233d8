//! Lists of abbreviations and of words that open sentences, read in place by an index of their keys.
//!
//! `data/abbreviations.txt` has a section for each list: a line `=de`, `=de openers` or `=de words`, then its
//! sorted lines: a key, and behind a blank the letter of its kind. `scripts/generate_abbreviations.py` writes it.
//!
//! Each list is one text that is compiled in; when a language is first used, an index of its keys is made: a
//! table of hashes whose entries are places in that text, 4 bytes each. A lookup is one probe on average, and a
//! comparison of bytes.

use std::sync::{LazyLock, OnceLock};

static TABLE: &str = include_str!("../../../data/abbreviations.txt");

/// The sections of the table, in its order.
static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let sections = TABLE.split("\n=").map(|section| {
        let section = section.trim_start_matches('=');
        let (title, lines) = section.split_once('\n').unwrap_or((section, ""));
        Section { title, lines, slots: OnceLock::new() }
    });
    sections.filter(|section| !section.title.is_empty()).collect()
});

/// What a list is where the table has none.
static NONE: Section = Section { title: "", lines: "", slots: OnceLock::new() };

/// So many slots for a key, at least: most words are in no list, and then seldom meet a key.
const SPARSE: usize = 4;

/// A longer word is in no list.
pub const MAX_KEY_BYTES: usize = 24;

/// Kind of an abbreviation, by what may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbbreviationKind {
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
    /// Plain if it has none, otherwise a word: `max.`, in German.
    Lower,
}

/// A list of the table, and where its keys are.
#[derive(Debug)]
struct Section {
    title: &'static str,
    lines: &'static str,
    /// By a key's hash, 1 more than where its line begins in `lines`; 0 where none does. Made when first
    /// used.
    slots: OnceLock<Box<[u32]>>,
}

impl Section {
    fn slots(&self) -> &[u32] {
        self.slots.get_or_init(|| {
            let n_keys = self.lines.split('\n').count();
            let mut slots = vec![0; (SPARSE * n_keys).next_power_of_two()].into_boxed_slice();
            let mut next = 0;
            for line in self.lines.split('\n') {
                let start = next;
                next += line.len() + 1;
                let (key, _) = key_and_kind(line);
                // A list without keys has one line all the same.
                if key.is_empty() {
                    continue;
                }
                let mut slot = hash(key) & (slots.len() - 1);
                while slots[slot] != 0 {
                    slot = (slot + 1) & (slots.len() - 1);
                }
                slots[slot] = u32::try_from(start + 1).unwrap_or_default();
            }
            slots
        })
    }
}

/// The hash of a key, FNV-1a with its better half folded onto the other.
fn hash(key: &str) -> usize {
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    usize::try_from((hash ^ (hash >> 32)) & u64::from(u32::MAX)).unwrap_or_default()
}

/// Keys with their kinds.
#[derive(Clone, Copy, Debug)]
pub struct List(&'static Section);

impl List {
    /// Whether it has no keys.
    pub const fn is_empty(self) -> bool {
        self.0.lines.is_empty()
    }

    /// What stands behind `key` on its line, if it has one. O(1) for what is no longer than a key, no
    /// allocation but for the first.
    pub fn find(self, key: &str) -> Option<&'static str> {
        let slots = self.0.slots();
        let mut slot = hash(key);
        loop {
            slot &= slots.len() - 1;
            let start = slots[slot].checked_sub(1)?;
            let rest = self.0.lines.get(start as usize..)?;
            if let Some(kind) = rest.strip_prefix(key).and_then(kind_on) {
                return Some(kind);
            }
            slot += 1;
        }
    }

    /// The kind of the abbreviation `key`, if it is one.
    pub fn kind(self, key: &str) -> Option<AbbreviationKind> {
        Some(match self.find(key)? {
            "t" => AbbreviationKind::Title,
            "n" => AbbreviationKind::Numbered,
            "e" => AbbreviationKind::Trailing,
            "m" => AbbreviationKind::Time,
            "c" => AbbreviationKind::Capital,
            "l" => AbbreviationKind::Lower,
            _ => AbbreviationKind::Plain,
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

/// What stands behind a key on its line, if `rest` begins with the end of the key.
fn kind_on(rest: &'static str) -> Option<&'static str> {
    match rest.as_bytes() {
        [] | [b'\n', ..] => Some(""),
        [b' ', _] | [b' ', _, b'\n', ..] => Some(&rest[1..2]),
        _ => None,
    }
}

/// The abbreviations of a language, none if the table has no list. O(number of lists).
pub fn of(language: &str) -> List {
    section(|title| title == language)
}

/// The words that open sentences of a language. O(number of lists).
pub fn openers_of(language: &str) -> List {
    section(|title| title.strip_suffix(" openers") == Some(language))
}

/// The frequent short words of a language, which are no abbreviations. O(number of lists).
pub fn words_of(language: &str) -> List {
    section(|title| title.strip_suffix(" words") == Some(language))
}

/// The languages that the table has abbreviations of.
pub fn languages() -> impl Iterator<Item = &'static str> {
    let titles = SECTIONS.iter().map(|section| section.title);
    titles.filter(|title| !title.contains(' '))
}

fn section(is_wanted: impl Fn(&str) -> bool) -> List {
    List(SECTIONS.iter().find(|section| is_wanted(section.title)).unwrap_or(&NONE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found() {
        for language in languages() {
            for list in [of(language), openers_of(language), words_of(language)] {
                for line in list.0.lines.split('\n').filter(|line| !line.is_empty()) {
                    let (key, kind) = line.split_once(' ').unwrap_or((line, ""));
                    assert_eq!(list.find(key), Some(kind), "{language} {key}");
                    assert!(key.len() <= MAX_KEY_BYTES, "{key}");
                    assert_eq!(list.find(&format!("{key}~")), None);
                }
            }
        }
        assert_eq!(of("en").kind("dr"), Some(AbbreviationKind::Title));
        assert_eq!(of("en").kind("p.m"), Some(AbbreviationKind::Time));
        assert_eq!(of("de").kind("z.b"), Some(AbbreviationKind::Plain));
        assert_eq!((of("en").kind(""), of("am").find(""), of("xx").find("")), (None, None, None));
        assert!(of("xx").0.lines.is_empty() && !openers_of("fr").0.lines.is_empty());
    }
}
