//! Sentence starts near places that are asked for from left to right.
//!
//! A blank line ends a sentence, and the sentences behind a boundary are those of the rest of the text
//! by itself. So what lies between a chunk's start and the last blank line in its reach is not read.
//!
//! ```
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::segment::nearby::Nearby;
//! use chunkwright_text::segment::sentence::Language;
//!
//! let text = "One. Two. Three.\n\nFour. Five.";
//! let mut nearby = Nearby::new(text, Language::english(), no_pulse());
//! assert_eq!(nearby.last(0, 12)?, Some(10)); // "Three"
//! assert_eq!(nearby.first(12, text.len())?, Some(18)); // "Four"
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use std::collections::VecDeque;

use super::sentence::{Language, Sentences};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::span::Span;
use crate::unicode::line_ends::FORM_FEED;
use crate::unicode::space::skip_space;

/// Finds starts of sentences of one text.
pub struct Nearby<'t> {
    text: &'t str,
    language: Language,
    beat: Beat<'t>,
    /// The sentences of `text[base..]`.
    sentences: Sentences<'t>,
    base: usize,
    /// All starts from `from` up to the sentence that begins at `next`, those forgotten left out.
    found: VecDeque<usize>,
    from: usize,
    next: usize,
}

impl<'t> Nearby<'t> {
    /// The sentences of `text`, which is in `language`.
    pub fn new(text: &'t str, language: Language, pulse: Pulse<'t>) -> Self {
        let sentences = Sentences::in_language(text, language);
        let (beat, found) = (Beat::of_bytes(pulse), VecDeque::new());
        Self { text, language, beat, sentences, base: 0, found, from: 0, next: 0 }
    }

    /// The last start in `after + 1..=upto`; O(distance) if `after` never falls.
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn last(&mut self, after: usize, upto: usize) -> Result<Option<usize>> {
        if let Some(paragraph) = self.paragraph(self.next, upto) {
            self.restart(paragraph);
        }
        self.read(upto)?;
        let mut last = self.last_found(after, upto);
        if last.is_none() && self.from > after + 1 {
            self.rewind(after);
            self.read(upto)?;
            last = self.last_found(after, upto);
        }
        let n_forgotten = self.found.partition_point(|&start| start <= after);
        self.found.drain(..n_forgotten);
        self.from = self.from.max(after + 1);
        Ok(last)
    }

    /// The first start in `after + 1..=upto`.
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn first(&mut self, after: usize, upto: usize) -> Result<Option<usize>> {
        if self.from > after + 1 {
            self.rewind(after);
        }
        self.read(upto)?;
        let first = self.found.partition_point(|&start| start <= after);
        Ok(self.found.get(first).copied().filter(|&start| start <= upto))
    }

    fn last_found(&self, after: usize, upto: usize) -> Option<usize> {
        let n = self.found.partition_point(|&start| start <= upto);
        n.checked_sub(1).map(|last| self.found[last]).filter(|&start| start > after)
    }

    /// Finds all starts up to `upto` from the sentence on that is next.
    fn read(&mut self, upto: usize) -> Result<()> {
        while self.next <= upto {
            let Some(Span { start, end }) = self.sentences.try_next(&self.beat)? else { break };
            let start = skip_space(&self.text[..self.base + end], self.base + start);
            self.next = self.base + end;
            if start < self.next {
                self.found.push_back(start);
            }
        }
        Ok(())
    }

    /// The start behind the last blank line in `after..upto`, if it is a start up to `upto`.
    fn paragraph(&self, after: usize, upto: usize) -> Option<usize> {
        let within = self.text.as_bytes().get(after..upto)?;
        let mut feeds = memchr::memrchr2_iter(b'\n', FORM_FEED, within);
        let ends = |&at: &usize| within[at] == FORM_FEED || at > 0 && within[at - 1] == b'\n';
        let line = feeds.find(ends)?;
        Some(skip_space(self.text, after + line)).filter(|&start| start <= upto)
    }

    fn restart(&mut self, start: usize) {
        self.sentences = Sentences::in_language(&self.text[start..], self.language);
        (self.base, self.from, self.next) = (start, start, start);
        self.found.clear();
    }

    /// Begins anew behind the last blank line before `after`: rarely, when the last start did not do.
    fn rewind(&mut self, after: usize) {
        self.restart(self.paragraph(0, after).unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pulse::no_pulse;
    use crate::segment::starts::SentenceStarts;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn starts_are_those_of_the_whole_text(
            text in "([a-cA1 漢]{0,4}([.!?,:)\"] ?|\n| \n|\n\n|\n\n\n|- |1\\. )){0,30}",
            steps in prop::collection::vec((0_usize..30, 0_usize..60, any::<bool>()), 0..20),
        ) {
            let language = Language::english();
            let all = SentenceStarts::new(&text, language, no_pulse()).unwrap();
            let mut nearby = Nearby::new(&text, language, no_pulse());
            let mut after = 0;
            for (step, reach, forwards) in steps {
                after = text.floor_char_boundary((after + step).min(text.len()));
                let upto = text.floor_char_boundary((after + reach).min(text.len()));
                if forwards {
                    let first = all.first(after + 1, upto + 1);
                    prop_assert_eq!(nearby.first(after, upto).unwrap(), first);
                } else {
                    prop_assert_eq!(nearby.last(after, upto).unwrap(), all.last(after, upto));
                }
            }
        }
    }
}
