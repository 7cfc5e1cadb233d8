//! Sentences: spans that tile a text, so that every byte belongs to exactly one.
//!
//! `scan` finds the places where a sentence may end, `rules` decides at each from the words and marks
//! around it. Both look only at the sentence itself and a bounded way ahead, so the work is linear on
//! every text, and the sentences from a boundary on are those of the rest of the text by itself.
//!
//! Rules decide, not a model: a period ends a sentence unless the word before it is an abbreviation, an initial
//! or a number that goes on, a quotation holds it, or the next word does not open a sentence. That is the
//! approach of UAX #29 with what its rules leave to a language: of 62 languages 48 have lists of abbreviations,
//! which know whether a name or a number follows, and 32 lists of words that open sentences.
//! `docs/sentences.md` says how good that is, beside other programs.
//!
//! ```
//! use chunkwright_text::segment::sentence::{Language, Sentences};
//!
//! let text = "Dr. Smith came at 5 p.m. on Monday. He left.";
//! let sentences: Vec<&str> = Sentences::new(text).map(|span| &text[span.range()]).collect();
//! assert_eq!(sentences, ["Dr. Smith came at 5 p.m. on Monday. ", "He left."]);
//!
//! let text = "Das dauert z. B. zwei Tage. Dann nicht.";
//! let german = Language::from_code("de").unwrap();
//! assert_eq!(Sentences::in_language(text, german).count(), 2);
//! ```

mod abbreviations;
mod dots;
mod enclosure;
mod fronts;
mod initials;
mod labels;
mod language;
mod lists;
mod ordinals;
mod rules;
mod runs;
mod scan;
mod spaced;
pub mod stops;
mod terminators;
mod thai;
mod words;

pub use language::Language;
pub(crate) use lists::{begins_item, begins_line};
pub(in crate::segment) use terminators::{is_closer, terminator};

use crate::error::Result;
use crate::pulse::{Beat, no_pulse};
use crate::span::Span;
use crate::unicode::space::skip_space;
use rules::{Context, Verdict};

/// Whether a character ends sentences: one of Unicode's `Sentence_Terminal`, or `…`.
///
/// ```
/// use chunkwright_text::segment::sentence::ends_sentence;
///
/// assert!(".?…。؟۔։።".chars().all(ends_sentence) && !ends_sentence(','));
/// ```
pub const fn ends_sentence(c: char) -> bool {
    terminator(c).is_some()
}

/// The sentences of a text, in order; whitespace behind a sentence belongs to it, and whitespace at the
/// beginning of the text to the first one.
///
/// Paragraphs are parted as [`parts_paragraphs`](crate::unicode::line_ends::parts_paragraphs) has it of a text with
/// [unified](crate::unicode::line_ends::unified) line ends.
///
/// O(n) for all of them. Nothing is looked for before it is asked for.
#[derive(Clone, Debug)]
pub struct Sentences<'t> {
    text: &'t str,
    at: usize,
    language: Language,
    /// Where the sentence ends that `at` lies in, if it was cut into the items of a list.
    known: Option<usize>,
}

impl<'t> Sentences<'t> {
    /// The sentences of `text`, which is English.
    pub fn new(text: &'t str) -> Self {
        Self::in_language(text, Language::english())
    }

    /// The sentences of `text`, which is in `language`.
    pub const fn in_language(text: &'t str, language: Language) -> Self {
        Self { text, at: 0, language, known: None }
    }

    /// The next sentence, as [`Iterator::next`] gives it; `beat` counts its bytes.
    ///
    /// # Errors
    /// Those of the pulse; the same sentence can then be asked for again.
    pub fn try_next(&mut self, beat: &Beat<'_>) -> Result<Option<Span>> {
        let start = self.at;
        if start == self.text.len() {
            return Ok(None);
        }
        let end = match self.known {
            Some(end) => end,
            None => self.end(start, beat)?,
        };
        let item = lists::next_item(self.text, skip_space(self.text, start), end);
        let sentence = Span::new(start, item.unwrap_or(end));
        beat.after(sentence.len())?;
        self.known = item.map(|_| end);
        self.at = sentence.end;
        Ok(Some(sentence))
    }

    /// Where the sentence that begins at `at` ends, and the whitespace behind it.
    fn end(&self, at: usize, beat: &Beat<'_>) -> Result<usize> {
        let start = skip_space(self.text, at);
        let context = Context::new(self.text, start, &self.language);
        let mut from = start;
        while let Some((place, mark)) = scan::next(self.text, from, self.language.terminator) {
            beat.after(place - from)?;
            match context.judge(place, mark) {
                Verdict::Ends(end) => return Ok(end),
                Verdict::GoesOn(behind) => from = behind,
            }
        }
        Ok(self.text.len())
    }
}

impl Iterator for Sentences<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        // A pulse that never stops the work gives no error.
        self.try_next(&Beat::of_bytes(no_pulse())).ok().flatten()
    }
}

#[cfg(test)]
mod tests;
