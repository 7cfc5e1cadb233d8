//! Token index: exact WordPiece token counts of any span of a text that was encoded once.
//!
//! # Why they are exact
//!
//! What a code point becomes (a letter, nothing, a space, a word by itself) depends on that code point
//! alone, so the words of a span are those of the text, cut off at the span's ends. A word's count depends
//! on its letters alone:
//!
//! - Normalising maps each code point by itself. Only marks change places, with marks next to them in the
//!   same word: what is between words never is a mark, and a control character is removed before.
//! - Words are encoded one by one, and what stands alone is one token, known or not.
//! - An added token begins and ends with what stands alone, so it lies between words. None overlaps
//!   another, so a span's are those that lie in it as a whole, and a part of one is plain text.
//!
//! So a span's count is that of the words in it, which a bitmap has, and of at most two parts of words (or
//! of added tokens), which are encoded anew. A word of more than `max_input_chars_per_word` letters is one
//! unknown token, so a look at the letters of a part ends after so many; long runs of what is hidden
//! between them (accents, control characters) are leapt over.

use super::hidden::HiddenRuns;
use super::letters::{Letter, Letters};
use super::normalizer::{CharRole, Word};
use super::{Tables, WordPiece};
use crate::measure::bitmap::Bitmap;
use crate::span::Span;

/// The words and tokens of one text: 0.28 bytes for each byte of it.
///
/// Every method takes the text again, which must be the one that the index was built from.
#[derive(Clone, Debug)]
pub struct WordIndex {
    pub(super) wordpiece: WordPiece,
    /// Where words, what stands alone, and added tokens begin.
    pub(super) units: Bitmap,
    /// As many as a unit has tokens, from where it begins on.
    pub(super) tokens: Bitmap,
    /// The added tokens.
    pub(super) added: Vec<Span>,
    /// Long runs of hidden code points.
    pub(super) hidden: HiddenRuns,
}

impl WordIndex {
    /// Tokens of `text[start..end]`, exactly as if it stood alone.
    ///
    /// O(1) if the span cuts no word, else O(length of the word), and O(log n) in a long one.
    pub fn count(&self, text: &str, start: usize, end: usize) -> usize {
        if self.added.is_empty() {
            return self.count_words(text, start, end);
        }
        let (mut start, mut end, mut n_tokens) = (start, end, 0);
        if let Some(cut) = self.added_around(start) {
            let part_end = cut.end.min(end);
            n_tokens += self.parts(text, start, part_end).map(|part| part.n_tokens).sum::<usize>();
            start = part_end;
        }
        if let Some(cut) = self.added_around(end).filter(|cut| cut.start >= start) {
            n_tokens += self.parts(text, cut.start, end).map(|part| part.n_tokens).sum::<usize>();
            end = cut.start;
        }
        n_tokens + self.count_words(text, start, end)
    }

    /// Tokens of a span that cuts no added token.
    fn count_words(&self, text: &str, start: usize, end: usize) -> usize {
        let (left, sync) = self.left_part(&text[..end], start);
        if sync >= end {
            return left;
        }
        let (unit, right) = self.right_part(text, end);
        left + self.tokens.rank(unit) - self.tokens.rank(sync) + right
    }

    /// The tokens of the part of a word that `cut` begins with, and where the first whole unit begins.
    pub(super) fn left_part(&self, cut: &str, start: usize) -> (usize, usize) {
        if start == cut.len() || self.units.contains(start) {
            return (0, start);
        }
        let next = self.units.at_or_after(start + 1).unwrap_or(cut.len());
        (self.count_part(cut, start), next)
    }

    /// The end of the last whole unit of a span that ends at `end`, and the tokens of what is behind it.
    pub(super) fn right_part(&self, text: &str, end: usize) -> (usize, usize) {
        let scanner = &self.wordpiece.tables().scanner;
        let is_cut = !self.units.contains(end)
            && scanner.kind_at(text, end).is_some_and(|(kind, _)| kind != CharRole::Space);
        match self.units.at_or_before(end) {
            Some(unit) if is_cut => (unit, self.count_part(&text[..end], unit)),
            _ => (end, 0),
        }
    }

    /// The tokens of the word, or part of one, that begins at `start` and ends in `cut` or with it.
    pub(super) fn count_part(&self, cut: &str, start: usize) -> usize {
        self.count_letters(self.letters(cut, start))
    }

    /// The tokens of the word that `letters` make.
    pub(super) fn count_letters(&self, letters: impl IntoIterator<Item = Letter>) -> usize {
        let Tables { scanner, model, .. } = self.wordpiece.tables();
        let mut word = Word::default();
        word.gather(letters, scanner.normalizer, model.max_letters());
        model.count(word.letters())
    }

    /// The letters of the word, or part of one, that begins at `start` and ends in `cut` or with it.
    pub(super) fn letters<'a>(&'a self, cut: &'a str, start: usize) -> Letters<'a> {
        Letters::new(&self.wordpiece.tables().scanner, cut, start, &self.hidden)
    }

    /// The added token that a cut at `at` would divide.
    pub(super) fn added_around(&self, at: usize) -> Option<Span> {
        let before = self.added.partition_point(|span| span.start < at);
        self.added[..before].last().copied().filter(|span| at < span.end)
    }

    /// The units of `text[start..end]`, which is a part of an added token, and is cut into words itself.
    pub(super) fn parts<'a>(
        &'a self,
        text: &'a str,
        start: usize,
        end: usize,
    ) -> impl Iterator<Item = WordPart> + 'a {
        let (cut, mut at) = (&text[..end], start);
        std::iter::from_fn(move || {
            let start = at;
            let (kind, next) = self.wordpiece.tables().scanner.kind_at(cut, start)?;
            at = match kind {
                CharRole::Alone | CharRole::Space => next,
                CharRole::Letter | CharRole::Hidden => self.word_end(cut, start),
            };
            let n_tokens = if kind == CharRole::Alone { 1 } else { self.count_part(cut, start) };
            Some(WordPart { start, n_tokens })
        })
    }

    /// The end of the word of `cut` that begins at `at`.
    fn word_end(&self, cut: &str, at: usize) -> usize {
        let mut letters = self.letters(cut, at);
        while letters.next().is_some() {}
        letters.at()
    }
}

/// A unit in a part of an added token.
pub(super) struct WordPart {
    /// Where it begins.
    pub start: usize,
    /// Tokens that it has.
    pub n_tokens: usize,
}
