//! Sentence starts of a whole text, so that they can be asked for from anywhere.
//!
//! ```
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::segment::sentence::Language;
//! use chunkwright_text::segment::starts::SentenceStarts;
//!
//! let starts = SentenceStarts::new("One. Two. Three.", Language::english(), no_pulse())?;
//! assert_eq!((starts.get(1), starts.first(6, 16), starts.last(0, 9)), (Some(5), Some(10), Some(5)));
//! assert_eq!(starts.before(10), 2);
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use std::rc::Rc;

use super::sentence::{Language, Sentences};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::unicode::space::skip_space;

/// Where the sentences of one text begin, whitespace before them left out. 8 bytes a sentence; a clone
/// shares them.
#[derive(Clone, Debug)]
pub struct SentenceStarts {
    starts: Rc<[usize]>,
}

impl SentenceStarts {
    /// O(n) in the text's length.
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn new(text: &str, language: Language, pulse: Pulse<'_>) -> Result<Self> {
        let mut starts = Vec::new();
        let (mut sentences, beat) = (Sentences::in_language(text, language), Beat::of_bytes(pulse));
        while let Some(sentence) = sentences.try_next(&beat)? {
            let start = skip_space(&text[..sentence.end], sentence.start);
            if start < sentence.end {
                starts.push(start);
            }
        }
        Ok(Self { starts: starts.into() })
    }

    /// The first one, and those of which `is_free` says so.
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_text::segment::sentence::Language;
    /// use chunkwright_text::segment::starts::SentenceStarts;
    ///
    /// let starts = SentenceStarts::new("One. Two. Three.", Language::english(), no_pulse())?;
    /// let even = starts.only(|at| Ok(at % 2 == 0))?;
    /// assert_eq!((even.get(0), even.get(1), even.get(2)), (Some(0), Some(10), None));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `is_free`.
    pub fn only(&self, is_free: impl Fn(usize) -> Result<bool>) -> Result<Self> {
        let mut kept = Vec::with_capacity(self.starts.len());
        for (i, &start) in self.starts.iter().enumerate() {
            if i == 0 || is_free(start)? {
                kept.push(start);
            }
        }
        Ok(Self { starts: kept.into() })
    }

    /// The first start in `from..to`. O(log n).
    pub fn first(&self, from: usize, to: usize) -> Option<usize> {
        self.get(self.before(from)).filter(|&start| start < to)
    }

    /// The last start in `after + 1..=upto`. O(log n).
    pub fn last(&self, after: usize, upto: usize) -> Option<usize> {
        let n = self.before(upto.saturating_add(1));
        self.get(n.checked_sub(1)?).filter(|&start| start > after)
    }

    /// How many sentences begin before `position`. O(log n).
    pub fn before(&self, position: usize) -> usize {
        self.starts.partition_point(|&start| start < position)
    }

    /// Where sentence number `n` (from 0) begins.
    pub fn get(&self, n: usize) -> Option<usize> {
        self.starts.get(n).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pulse::no_pulse;

    #[test]
    fn starts_are_found_from_both_sides() {
        let text = "  One. Two! Three? ";
        let starts = SentenceStarts::new(text, Language::english(), no_pulse()).unwrap();
        let all: Vec<_> = (0..).map_while(|n| starts.get(n)).collect();
        assert_eq!(all, [2, 7, 12]);
        assert_eq!((starts.first(0, 2), starts.first(0, 3)), (None, Some(2)));
        assert_eq!((starts.first(3, 19), starts.first(13, 19)), (Some(7), None));
        assert_eq!(
            (starts.last(2, 6), starts.last(2, 7), starts.last(0, 19)),
            (None, Some(7), Some(12))
        );
        assert_eq!((starts.before(2), starts.before(3), starts.before(99)), (0, 1, 3));
        let blank = SentenceStarts::new(" \n ", Language::english(), no_pulse()).unwrap();
        assert_eq!((blank.get(0), blank.last(0, 3), blank.first(0, 3)), (None, None, None));
    }
}
