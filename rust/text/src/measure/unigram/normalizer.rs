//! Normaliser of a Unigram tokenizer: a chain of steps, each on the whole of what the one before left.
//!
//! | step | what it does |
//! |---|---|
//! | `Precompiled` | maps grapheme clusters by the model's own table: most of NFKC, and full-width forms |
//! | `NFC`, `NFD`, `NFKC`, `NFKD` | Unicode's normal forms (UAX #15), in the version that the library has |
//! | `Lowercase`, `StripAccents` | by code point; accents are the marks that a normal form before has set apart |
//! | `Nmt` | drops control characters, and makes blanks of other whitespace |
//! | `Strip`, `Prepend` | at the ends of a text only, so a part of a text has to know which ends it has |
//! | `Replace` | a string, or runs of blanks, by another string |
//!
//! Steps are applied to the parts of a text and not to all of it; that this is the same is what `cuts` shows.

use std::mem::swap;

use unicode_normalization_alignments::UnicodeNormalization;
use unicode_normalization_alignments::char::is_combining_mark;

use super::parts::Step;
use crate::measure::wordpiece::chars::Properties;

/// Which ends of a text a part of it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Whether the text begins with it.
    pub first: bool,
    /// Whether the text ends with it.
    pub last: bool,
}

impl Ends {
    /// Those of a whole text.
    pub const BOTH: Self = Self { first: true, last: true };
}

/// Appends what `steps` make of `text`, a part of a text that has these `ends`. O(n) for each step.
pub fn normalize(steps: &[Step], text: &str, ends: Ends, to: &mut String) {
    let Some((last, before)) = steps.split_last() else { return to.push_str(text) };
    let mut current = String::new();
    let mut next = String::new();
    let mut from = text;
    for step in before {
        next.clear();
        step.apply(from, ends, &mut next);
        swap(&mut current, &mut next);
        from = &current;
    }
    last.apply(from, ends, to);
}

impl Step {
    /// Appends what the step makes of `text`.
    pub fn apply(&self, text: &str, ends: Ends, to: &mut String) {
        match self {
            Self::Precompiled(map) => map.apply(text, to),
            Self::Nfc | Self::Nfd | Self::Nfkc | Self::Nfkd if text.is_ascii() => to.push_str(text),
            Self::Nfc => to.extend(text.nfc().map(|(c, _)| c)),
            Self::Nfd => to.extend(text.nfd().map(|(c, _)| c)),
            Self::Nfkc => to.extend(text.nfkc().map(|(c, _)| c)),
            Self::Nfkd => to.extend(text.nfkd().map(|(c, _)| c)),
            Self::Lowercase => text.chars().for_each(|c| push_lower(c, to)),
            Self::StripAccents => to.extend(text.chars().filter(|&c| !is_combining_mark(c))),
            Self::Nmt => to.extend(text.chars().filter_map(nmt)),
            Self::Strip { left, right } => {
                let text = if *left && ends.first { text.trim_start() } else { text };
                to.push_str(if *right && ends.last { text.trim_end() } else { text });
            }
            Self::Prepend(before) => {
                if ends.first && !text.is_empty() {
                    to.push_str(before);
                }
                to.push_str(text);
            }
            Self::Replace { pattern, content } => {
                let mut rest = text;
                while let Some((before, behind)) = rest.split_once(pattern) {
                    to.extend([before, content]);
                    rest = behind;
                }
                to.push_str(rest);
            }
            Self::ReplaceBlanks { least, content } => replace_blanks(text, *least, content, to),
        }
    }

    /// Whether it does something else at the start of a text than in it.
    pub const fn minds_start(&self) -> bool {
        matches!(self, Self::Strip { left: true, .. } | Self::Prepend(_))
    }

    /// Whether it does something else at the end of a text than in it.
    pub const fn minds_end(&self) -> bool {
        matches!(self, Self::Strip { right: true, .. })
    }
}

fn replace_blanks(text: &str, least: usize, content: &str, to: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(' ') {
        let n_blanks = rest[at..].bytes().take_while(|&byte| byte == b' ').count();
        to.push_str(&rest[..at]);
        to.push_str(if n_blanks >= least { content } else { &rest[at..at + n_blanks] });
        rest = &rest[at + n_blanks..];
    }
    to.push_str(rest);
}

/// The table has the peer's version of Unicode.
fn push_lower(c: char, to: &mut String) {
    if c.is_ascii() {
        return to.push(c.to_ascii_lowercase());
    }
    let properties = Properties::of(c);
    if properties.flags() & Properties::LOWERS == 0 {
        to.push(c);
    } else {
        to.extend(properties.lower());
    }
}

/// What `SentencePiece`'s rules for machine translation make of a code point.
const fn nmt(c: char) -> Option<char> {
    match c {
        '\u{1}'..='\u{8}' | '\u{b}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{8f}' | '\u{9f}' => None,
        '\t'
        | '\n'
        | '\u{c}'
        | '\r'
        | '\u{1680}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2581}'
        | '\u{feff}'
        | '\u{fffd}' => Some(' '),
        _ => Some(c),
    }
}
