//! Letters of one word of the raw text, and the normalised word that they make.

use super::hidden::{HiddenRuns, LONG};
use super::normalizer::{CharRole, Normalizer, Word};
use super::scan::Scanner;

/// The letters of a word, what is hidden between them left out.
pub struct Letters<'a> {
    scanner: &'a Scanner,
    /// As far as the word may reach.
    text: &'a str,
    at: usize,
    runs: &'a HiddenRuns,
}

/// A letter of the raw text.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    /// Where it begins.
    pub at: usize,
    /// The letter.
    pub c: char,
    /// Whether marks do not pass what is hidden before it.
    pub is_parted: bool,
}

impl<'a> Letters<'a> {
    /// Those of the word that begins at `at` and ends at the end of `text` if not before.
    pub const fn new(scanner: &'a Scanner, text: &'a str, at: usize, runs: &'a HiddenRuns) -> Self {
        Self { scanner, text, at, runs }
    }

    /// Where the letters not yet given begin, or the word ends.
    pub const fn at(&self) -> usize {
        self.at
    }
}

impl Iterator for Letters<'_> {
    type Item = Letter;

    /// O(1), as what is hidden is leapt over; O(log n) if there is much of it.
    fn next(&mut self) -> Option<Letter> {
        let (mut is_parted, mut hidden_start) = (false, self.at);
        loop {
            let at = self.at;
            let c = self.text[at..].chars().next()?;
            let next = at + c.len_utf8();
            match self.scanner.kind(c) {
                CharRole::Space | CharRole::Alone => return None,
                CharRole::Letter => {
                    self.at = next;
                    return Some(Letter { at, c, is_parted });
                }
                CharRole::Hidden => {
                    is_parted |= self.scanner.normalizer.parts_marks(c);
                    self.at = next;
                }
            }
            if self.at - hidden_start > LONG {
                if let Some((end, parts)) = self.runs.leap(self.at) {
                    self.at = end.min(self.text.len());
                    is_parted |= parts;
                }
                hidden_start = self.at;
            }
        }
    }
}

impl Word {
    /// Becomes the word that `letters` make, or its first letters, more than `max_letters` of them.
    #[inline]
    pub fn gather(
        &mut self,
        letters: impl IntoIterator<Item = Letter>,
        normalizer: Normalizer,
        max_letters: usize,
    ) {
        self.clear();
        for letter in letters {
            self.add(letter, normalizer);
            if self.letters().len() > max_letters {
                break;
            }
        }
    }

    /// Adds what `normalizer` makes of `letter`.
    #[inline]
    pub fn add(&mut self, letter: Letter, normalizer: Normalizer) {
        if letter.is_parted {
            self.part_marks();
        }
        self.push(normalizer, letter.c);
    }
}
