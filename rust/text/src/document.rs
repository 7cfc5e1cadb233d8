//! Document: a text, and the element table over it.
//!
//! A document borrows all that it is made of and is `Copy`, so it is handed to functions by value. Whatever made
//! it, file or database, stays with the caller; a strategy sees a text and, if there are any, elements that are
//! spans of it.
//!
//! ```
//! use chunkwright_text::document::Document;
//! use chunkwright_text::elements::{Element, Kind};
//! use chunkwright_text::span::Span;
//!
//! let text = "Rain\n\nIt fell.";
//! let elements = [
//!     Element { kind: Kind::Heading, level: 1, span: Span::new(0, 4), ..Element::default() },
//!     Element { span: Span::new(6, 14), ..Element::default() },
//! ];
//! let document = Document::new(text).with_elements(&elements);
//! assert_eq!(document.elements().map(<[_]>::len), Some(2));
//! assert_eq!(document.n_chars(elements[1].span), 8);
//! ```

use crate::elements::Element;
use crate::markup::Markup;
use crate::offsets::{CharSweep, count_chars};
use crate::span::Span;
use crate::turns::{self, Turn};

/// A text with its element table, if a reader made one.
#[derive(Clone, Copy, Debug)]
pub struct Document<'t> {
    text: &'t str,
    is_ascii: bool,
    pairs: &'t [usize],
    elements: Option<&'t [Element]>,
    captions: &'t [(usize, usize)],
    turns: &'t [(usize, Turn)],
    kind: Option<usize>,
    markup: Markup,
}

impl<'t> Document<'t> {
    /// A plain text. O(n): looks whether it is ASCII.
    pub fn new(text: &'t str) -> Self {
        Self::plain(text, text.is_ascii(), &[])
    }

    /// A plain text of `n_chars` code points as the caller counts them: twice for each character at
    /// one of the bytes `pairs` (ascending), which the caller holds as two surrogates.
    pub const fn with_n_chars(text: &'t str, n_chars: usize, pairs: &'t [usize]) -> Self {
        Self::plain(text, text.len() == n_chars, pairs)
    }

    const fn plain(text: &'t str, is_ascii: bool, pairs: &'t [usize]) -> Self {
        let markup = Markup::Unknown;
        Self {
            text,
            is_ascii,
            pairs,
            elements: None,
            captions: &[],
            turns: &[],
            kind: None,
            markup,
        }
    }

    /// The same text with an element table, whose spans are ascending, disjoint and lie in it.
    #[must_use]
    pub const fn with_elements(self, elements: &'t [Element]) -> Self {
        Self { elements: Some(elements), ..self }
    }

    /// The part of it before byte `end`, where a code point ends: its text, without elements. O(n) outside ASCII.
    #[must_use]
    pub fn up_to(self, end: usize) -> Self {
        let text = &self.text[..end];
        let is_ascii = self.is_ascii || text.is_ascii();
        let pairs = &self.pairs[..self.pairs.partition_point(|&pair| pair < end)];
        Self { text, is_ascii, pairs, elements: None, ..self }
    }

    /// The same document, whose captions, ascending, say which table or figure they are of.
    #[must_use]
    pub const fn with_captions(self, captions: &'t [(usize, usize)]) -> Self {
        Self { captions, ..self }
    }

    /// The captions that say which table or figure they are of: their numbers, each with that of the latter.
    pub const fn captions(self) -> &'t [(usize, usize)] {
        self.captions
    }

    /// The same document, of whose elements some, ascending, are turns of speakers.
    #[must_use]
    pub const fn with_turns(self, turns: &'t [(usize, Turn)]) -> Self {
        Self { turns, ..self }
    }

    /// What is known of the turns among its elements, by their numbers.
    pub const fn turns(self) -> &'t [(usize, Turn)] {
        self.turns
    }

    /// Where the text names the speaker in whose words it goes on at `at`; none where nobody is named, or a turn
    /// begins. O(log n).
    pub fn speaker_label(self, at: usize) -> Option<Span> {
        turns::label_at(self.turns, self.elements.unwrap_or_default(), at)
    }

    /// The name of a speaker that `at` stands inside of, if it does. O(log n).
    pub fn label_around(self, at: usize) -> Option<Span> {
        turns::label_around(self.turns, self.elements.unwrap_or_default(), at)
    }

    /// Where the words of the turn begin in which `text` ends, if `text` begins before them: behind the name of the
    /// speaker. O(log n).
    pub fn words_in(self, text: Span) -> Option<usize> {
        turns::words_in(self.turns, self.elements.unwrap_or_default(), text)
    }

    /// The same document, told to be of one of the caller's kinds, which have numbers.
    #[must_use]
    pub const fn with_kind(self, kind: Option<usize>) -> Self {
        Self { kind, ..self }
    }

    /// The number of the kind that the caller tells it to be of, if it does.
    pub const fn kind(self) -> Option<usize> {
        self.kind
    }

    /// The same document, which is known to be written in `markup`.
    #[must_use]
    pub const fn written_in(self, markup: Markup) -> Self {
        Self { markup, ..self }
    }

    /// The markup of its text, as far as its reader knows.
    pub const fn markup(self) -> Markup {
        self.markup
    }

    /// Its elements in reading order; none of a plain text.
    pub const fn elements(self) -> Option<&'t [Element]> {
        self.elements
    }

    /// The text that all spans point into.
    pub const fn text(self) -> &'t str {
        self.text
    }

    /// Whether every byte is a code point.
    pub const fn is_ascii(self) -> bool {
        self.is_ascii
    }

    /// A sweep that turns ascending byte positions into code points.
    pub const fn char_sweep(self) -> CharSweep<'t> {
        CharSweep::new(self.text, self.is_ascii, self.pairs)
    }

    /// The bytes of the characters that the caller counts twice, ascending.
    pub const fn pairs(self) -> &'t [usize] {
        self.pairs
    }

    /// Whether the caller counts some characters twice.
    pub const fn has_pairs(self) -> bool {
        !self.pairs.is_empty()
    }

    /// The characters in `span` that the caller counts twice.
    pub fn n_pairs(self, span: Span) -> usize {
        let before = |end: usize| self.pairs.partition_point(|&pair| pair < end);
        before(span.end) - before(span.start)
    }

    /// Code points in `span`.
    pub fn n_chars(self, span: Span) -> usize {
        if self.is_ascii {
            return span.len();
        }
        count_chars(&self.text.as_bytes()[span.range()]) + self.n_pairs(span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_as_the_whole_does() {
        let text = "a🌧b é🌧";
        let whole = Document::with_n_chars(text, 8, &[1, 9]);
        for end in [0, 1, 5, 6, 7, 9, 13] {
            let part = whole.up_to(end);
            let all = Span::new(0, end);
            assert_eq!((part.text(), part.n_chars(all)), (&text[..end], whole.n_chars(all)));
            assert_eq!(part.char_sweep().at(end), whole.char_sweep().at(end));
            assert_eq!(part.is_ascii(), end < 2);
            assert!(part.elements().is_none());
        }
    }
}
