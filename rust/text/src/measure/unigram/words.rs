//! Words of a normalised text, as the pre-tokenizer cuts it.
//!
//! They are written into one string: where words are cut at the character for a blank, each word but the
//! first begins with it, so that the string shows where they begin.

use super::parts::{Metaspace, Prepend, Words};

impl Words {
    /// The character before which a word ends.
    pub fn mark(self) -> Option<char> {
        self.metaspace.filter(|metaspace| metaspace.split).map(|metaspace| metaspace.replacement)
    }

    /// Whether a normalised `c` begins a new word, or stands between two.
    pub fn parts(self, c: char) -> bool {
        let Some(mark) = self.mark() else { return false };
        c == ' ' || c == mark || self.at_whitespace && c.is_whitespace()
    }

    /// Appends the words of `text`, a part between added tokens, with which the text `starts` or not; tells
    /// `note` of each character where it is in `text`, and where in `to`. O(n).
    pub fn write(
        self,
        text: &str,
        starts: bool,
        to: &mut String,
        mut note: impl FnMut(usize, usize),
    ) {
        let metaspace = self.metaspace.unwrap_or(Metaspace::NOTHING);
        if !self.at_whitespace {
            return metaspace.write(text, 0, starts, to, &mut note);
        }
        let mut at = 0;
        for word in text.split_inclusive(char::is_whitespace) {
            metaspace.write(word.trim_end(), at, starts, to, &mut note);
            at += word.len();
        }
    }
}

impl Metaspace {
    /// Leaves a text as it is.
    const NOTHING: Self = Self { replacement: ' ', prepend: Prepend::Never, split: false };

    /// Appends the words of `text`, which begins at `start`.
    fn write(
        self,
        text: &str,
        start: usize,
        starts: bool,
        to: &mut String,
        note: &mut impl FnMut(usize, usize),
    ) {
        let is_put = match self.prepend {
            Prepend::Always => true,
            Prepend::First => starts,
            Prepend::Never => false,
        };
        if is_put && !text.is_empty() && !text.starts_with([' ', self.replacement]) {
            to.push(self.replacement);
        }
        for (at, c) in text.char_indices() {
            note(start + at, to.len());
            to.push(if c == ' ' { self.replacement } else { c });
        }
    }
}
