//! BERT's normaliser, one code point at a time, and what it makes of a word.
//!
//! | step of BERT's | here |
//! |---|---|
//! | `clean_text`: controls go, whitespace is a blank | [`CharRole::Hidden`], [`CharRole::Space`] |
//! | `handle_chinese_chars`: blanks around ideographs | [`CharRole::Alone`] |
//! | `strip_accents`: decomposed, marks go | letters of the table, or hidden |
//! | `lowercase` | letters of the table |
//! | pre-tokenizer: punctuation stands alone | [`CharRole::Alone`] |
//!
//! Done one after another on whole texts, as the original does it, each step copies the text, and no place of the
//! result is one of the raw text any more. Code point by code point they are a lookup; marks that stand together
//! are sorted by their class within the word, as canonical ordering wants it.

use super::chars::{Properties, hangul_letters};
use super::parts::BertNormalizer;

/// The steps that are on.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "four independent steps")]
pub struct Normalizer {
    clean: bool,
    chinese: bool,
    strip: bool,
    lower: bool,
}

/// Role of a code point of the raw text once the text is normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharRole {
    /// One or more code points of a word.
    Letter,
    /// Nothing: what stands on either side of it is one word.
    Hidden,
    /// Between words.
    Space,
    /// A word by itself: always one token.
    Alone,
}

impl Normalizer {
    /// The steps of `normalizer`; without one there are none.
    pub fn new(normalizer: Option<BertNormalizer>) -> Self {
        let Some(options) = normalizer else {
            return Self { clean: false, chinese: false, strip: false, lower: false };
        };
        Self {
            clean: options.clean_text,
            chinese: options.handle_chinese_chars,
            strip: options.strip_accents.unwrap_or(options.lowercase),
            lower: options.lowercase,
        }
    }

    /// The role of `c`.
    #[inline]
    pub fn kind(self, c: char) -> CharRole {
        let properties = Properties::of(c);
        let flags = properties.flags();
        let is = |flag| flags & flag != 0;
        if self.clean && is(Properties::CONTROL) {
            CharRole::Hidden
        } else if is(Properties::SPACE) {
            CharRole::Space
        } else if is(Properties::PUNCTUATION) || self.chinese && is(Properties::CHINESE) {
            CharRole::Alone
        } else if self.strip && is(Properties::STRIPS) {
            stripped_kind(properties)
        } else {
            CharRole::Letter
        }
    }

    /// Whether blanks are put around `c`, as a Chinese character.
    pub fn is_spaced(self, c: char) -> bool {
        self.chinese && Properties::of(c).flags() & Properties::CHINESE != 0
    }

    /// Whether `c`, which is hidden, keeps the marks before it and after it from changing places.
    pub fn parts_marks(self, c: char) -> bool {
        let flags = Properties::of(c).flags();
        let is_removed_first = self.clean && flags & Properties::CONTROL != 0;
        !is_removed_first && flags & Properties::NONSTARTER == 0
    }

    /// The letters that `c`, which is not hidden, becomes.
    pub fn letters(self, c: char) -> impl Iterator<Item = char> {
        let flags = Properties::of(c).flags();
        let stripped =
            (self.strip && flags & Properties::STRIPS != 0).then(|| Properties::of(c).stripped());
        let hangul = (self.strip && flags & Properties::HANGUL != 0).then(|| hangul_letters(c));
        let itself = (stripped.is_none() && hangul.is_none()).then_some(c);
        let letters =
            stripped.into_iter().flatten().chain(hangul.into_iter().flatten()).chain(itself);
        letters.flat_map(move |letter| self.lowered(letter))
    }

    fn lowered(self, c: char) -> impl Iterator<Item = char> {
        let properties = Properties::of(c);
        let lowers = self.lower && properties.flags() & Properties::LOWERS != 0;
        let lower = lowers.then(|| properties.lower());
        lower.into_iter().flatten().chain((!lowers).then_some(c))
    }
}

/// The kind of what accents are stripped from.
fn stripped_kind(properties: Properties) -> CharRole {
    match properties.stripped().next() {
        None => CharRole::Hidden,
        Some(base) if Properties::of(base).flags() & Properties::PUNCTUATION != 0 => {
            CharRole::Alone
        }
        Some(_) => CharRole::Letter,
    }
}

/// A word, normalised.
#[derive(Clone, Debug, Default)]
pub struct Word {
    letters: Vec<char>,
    /// The letters from here on have a combining class, by which they are sorted.
    marks_start: usize,
    is_reordered: bool,
}

impl Word {
    /// Its code points.
    pub fn letters(&self) -> &[char] {
        &self.letters
    }

    /// Whether marks changed places.
    pub const fn is_reordered(&self) -> bool {
        self.is_reordered
    }

    /// Makes it the empty word.
    pub fn clear(&mut self) {
        self.letters.clear();
        self.marks_start = 0;
        self.is_reordered = false;
    }

    /// Adds what `normalizer` makes of `c`, which is not hidden.
    #[inline]
    pub fn push(&mut self, normalizer: Normalizer, c: char) {
        if c.is_ascii() {
            let lower = if normalizer.lower { c.to_ascii_lowercase() } else { c };
            self.push_starter(lower);
        } else {
            for letter in normalizer.letters(c) {
                self.push_letter(normalizer, letter);
            }
        }
    }

    /// Notes that what comes later does not change places with what is there.
    pub fn part_marks(&mut self) {
        self.marks_start = self.letters.len();
    }

    fn push_starter(&mut self, letter: char) {
        self.letters.push(letter);
        self.part_marks();
    }

    fn push_letter(&mut self, normalizer: Normalizer, letter: char) {
        let class = Properties::of(letter).combining_class();
        // Decomposition sorts marks, and nothing else does.
        if class == 0 || !normalizer.strip {
            return self.push_starter(letter);
        }
        let of = |mark: &char| Properties::of(*mark).combining_class();
        let marks = &self.letters[self.marks_start..];
        let at = self.marks_start + marks.partition_point(|mark| of(mark) <= class);
        self.is_reordered |= at < self.letters.len();
        self.letters.insert(at, letter);
    }
}
