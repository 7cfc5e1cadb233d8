//! A quotation as it is looked for, and parts of it.

use super::chars::{Sign, is_margin};
use super::normal::Normal;
use super::reader::normalised;
use crate::error::{Error, Result};
use crate::pulse::Beat;

/// Fewer characters would be found by chance. Blanks between words count, marks on letters do not.
pub const MIN_QUOTE_CHARS: usize = 12;

/// A quotation.
pub struct Quote {
    /// Its normalised form.
    pub normal: Normal,
}

/// A part of a quotation: bytes of its normalised form that begin and end between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Quote {
    /// Reads the quotation. O(n).
    ///
    /// # Errors
    /// [`Error::Option`] if it is too short; those of the pulse.
    pub fn new(text: &str, beat: &Beat<'_>) -> Result<Self> {
        let quote = Self { normal: normalised(text, beat)? };
        let n_chars = quote.n_chars(quote.whole());
        if n_chars < MIN_QUOTE_CHARS {
            let shown: String = text.chars().take(40).collect();
            let message = format!(
                "quote must have at least {MIN_QUOTE_CHARS} characters without punctuation around it, got \
                 {n_chars}: {shown:?}"
            );
            return Err(Error::option("quote", message));
        }
        Ok(quote)
    }

    /// All but the punctuation at both ends.
    pub fn whole(&self) -> Part {
        self.trimmed(Part { start: 0, end: self.normal.bytes().len() })
    }

    /// A part without the punctuation at its ends.
    pub fn trimmed(&self, Part { start, end }: Part) -> Part {
        let text = self.normal.text(start, end);
        let start = start + (text.len() - text.trim_start_matches(is_margin).len());
        Part { start, end: start + text.trim_matches(is_margin).len() }
    }

    /// Characters and blanks of a part.
    pub fn n_chars(&self, Part { start, end }: Part) -> usize {
        let chars = self.normal.text(start, end).chars();
        chars.filter(|&c| Sign::of(c) != Sign::Mark).count() + self.normal.n_gaps(start, end)
    }

    /// Whether a part is long enough to be no coincidence: as a quotation, and of two words.
    pub fn is_long(&self, part: Part) -> bool {
        let n_inner =
            |part: Part| (part.start + 1..part.end).find(|&at| is_border(&self.normal, at));
        part.start < part.end && self.n_chars(part) >= MIN_QUOTE_CHARS && n_inner(part).is_some()
    }

    /// Where parts may begin and end, ascending.
    pub fn borders(&self) -> Vec<usize> {
        let Part { start, end } = self.whole();
        (start..=end).filter(|&at| is_border(&self.normal, at)).collect()
    }
}

/// Whether `at` lies between two characters and not inside a word.
pub fn is_border(normal: &Normal, at: usize) -> bool {
    let bytes = normal.bytes();
    if at == 0 || at == bytes.len() {
        return true;
    }
    if bytes[at].cast_signed() < -64 {
        return false;
    }
    let next = char_at(normal, at).map_or(Sign::Other, Sign::of);
    next != Sign::Mark
        && (next != Sign::Word || normal.has_gap(at) || base_before(normal, at) != Sign::Word)
}

/// The character at a byte.
fn char_at(normal: &Normal, at: usize) -> Option<char> {
    let end = normal.bytes().len().min(at + 4);
    let whole = (at + 1..=end).find(|&end| !normal.text(at, end).is_empty())?;
    normal.text(at, whole).chars().next()
}

/// The sign of the character before a byte, without its marks.
fn base_before(normal: &Normal, mut at: usize) -> Sign {
    while at > 0 {
        at -= 1;
        match char_at(normal, at).map(Sign::of) {
            None | Some(Sign::Mark) => {}
            Some(sign) => return sign,
        }
    }
    Sign::Other
}
