//! Token indexes of parts of one text, so that several threads can share the work.
//!
//! Pre-tokens do not reach over a *context-free boundary*, whatever stands on its other side, and a text
//! that ends at one is split as if it went on. So each part is encoded by itself, and the bitmaps of all
//! parts, one behind the other, are those of the text. There are two kinds:
//!
//! - Before a blank or tab that follows no whitespace: only whitespace looks at what is to its right, and
//!   nothing takes a blank but at its own start.
//! - After a newline that is followed by neither whitespace nor a slash (which `o200k_base` lets
//!   punctuation and newlines swallow): a run of whitespace up to its last newline is one pre-token, or
//!   the end of one of punctuation. Not with GPT-2's pattern, in which a run of whitespace before a word
//!   leaves its last newline out.

use super::bitmap::Bitmap;
use super::{Bpe, Encoder, Pattern, TokenIndex};
use crate::error::Result;
use crate::pulse::Pulse;
use crate::span::Span;
use crate::unicode::classes::Class;

/// Where the pre-tokens and tokens of one part of a text begin.
#[derive(Clone, Debug)]
pub struct IndexPart {
    start: usize,
    pieces: Bitmap,
    tokens: Bitmap,
}

impl Encoder {
    /// Encodes one of the [`Bpe::parts`] of `text`. O(n) in the part's length.
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn index_part(&mut self, text: &str, part: Span, pulse: Pulse<'_>) -> Result<IndexPart> {
        let [pieces, tokens] = self.bitmaps(&text[part.range()], pulse)?;
        Ok(IndexPart { start: part.start, pieces, tokens })
    }
}

impl TokenIndex {
    /// The index of a text of `n_bytes` from all of its parts, the same as if it had been made at once.
    ///
    /// O(n), but some fifty times faster than encoding.
    pub fn join(bpe: Bpe, n_bytes: usize, parts: &[IndexPart]) -> Self {
        let (mut pieces, mut tokens) = (Bitmap::new(n_bytes + 1), Bitmap::new(n_bytes + 1));
        for part in parts {
            pieces.insert_all(part.start, &part.pieces);
            tokens.insert_all(part.start, &part.tokens);
        }
        Self::new(bpe, pieces.finish(), tokens.finish())
    }
}

impl Bpe {
    /// Cuts `text` at context-free boundaries into parts of at least `n_bytes`, the last one excepted.
    ///
    /// A text without such boundaries is one part. O(parts), but for stretches without boundaries. To be
    /// asked of a text that [`Bpe::is_plain`].
    ///
    /// ```
    /// use chunkwright_text::measure::bpe::parts::IndexPart;
    /// use chunkwright_text::measure::{Bpe, Encoder, Measure, TokenIndex, Tokens};
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_text::span::Span;
    ///
    /// let text = "One line of words.\nAnother one, a little longer.\nAnd a third.";
    /// let bpe = Bpe::named("o200k_base").unwrap();
    /// let parts = bpe.parts(text, 16);
    /// assert!(parts.len() > 1);
    /// // Each part could be encoded by a thread of its own.
    /// let mut encoder = Encoder::new(bpe.clone());
    /// let encoded: Vec<IndexPart> = parts
    ///     .iter()
    ///     .map(|part| encoder.index_part(text, *part, no_pulse()))
    ///     .collect::<Result<_, _>>()?;
    /// let index = TokenIndex::join(bpe, text.len(), &encoded);
    /// let all = Span::new(0, text.len());
    /// assert_eq!(Tokens::new(text, &index).size(all)?, encoder.count(text, no_pulse())?);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn parts(&self, text: &str, n_bytes: usize) -> Vec<Span> {
        let (mut parts, mut start) = (Vec::new(), 0);
        while start < text.len() {
            let end = boundary(self.pattern, text, start.saturating_add(n_bytes.max(1)));
            parts.push(Span::new(start, end));
            start = end;
        }
        parts
    }
}

/// The first context-free boundary from byte `from` on, or the end of the text.
fn boundary(pattern: Pattern, text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    memchr::memchr3_iter(b' ', b'\t', b'\n', rest)
        .find_map(|offset| boundary_at(pattern, text, from + offset))
        .unwrap_or(text.len())
}

/// The boundary before the blank or tab at `at`, or behind the newline there, if it is one.
fn boundary_at(pattern: Pattern, text: &str, at: usize) -> Option<usize> {
    if text.as_bytes()[at] == b'\n' {
        let next = text[at + 1..].chars().next()?;
        let begins = next != '/' && !Class::of(next).is_space();
        return (begins && pattern != Pattern::Gpt2).then_some(at + 1);
    }
    let last = text[..at].chars().next_back()?;
    (!Class::of(last).is_space()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::super::samples::vocabularies;
    use super::*;
    use crate::measure::Memo;
    use crate::pulse::no_pulse;
    use proptest::prelude::*;

    fn joined(bpe: Bpe, text: &str, parts: &[Span]) -> TokenIndex {
        let mut encoder = Encoder::new(bpe.clone());
        let part = |&part: &Span| encoder.index_part(text, part, no_pulse()).unwrap();
        TokenIndex::join(bpe, text.len(), &parts.iter().map(part).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn parts_join_to_the_whole(
            text in "[a-bA-BsſД漢9!/' \u{301}\u{a0}\u{2028}\r\n\t ]{0,60}",
            n_bytes in 0_usize..12,
            bpe in prop::sample::select(vocabularies()),
        ) {
            let parts = bpe.parts(&text, n_bytes);
            prop_assert!(parts.iter().rev().skip(1).all(|part| part.len() >= n_bytes));
            let whole = Encoder::new(bpe.clone()).index(&text, no_pulse()).unwrap();
            let joined = joined(bpe, &text, &parts);
            prop_assert_eq!(whole.pieces, joined.pieces);
            prop_assert_eq!(whole.tokens, joined.tokens);
        }
    }

    #[test]
    fn boundaries_are_found_in_every_script() {
        let bpe = Bpe::named("o200k_base").unwrap();
        let parts = |text: &str, n_bytes| bpe.parts(text, n_bytes);
        assert_eq!(parts("one two  three", 1).len(), 3);
        assert_eq!(parts("漢字。\n\n漢字。\r\n漢字", 1).len(), 3);
        assert_eq!(parts("end!\n/path", 1).len(), 1);
        assert_eq!(parts(&"x".repeat(1000), 10).len(), 1);
        assert!(parts("", 1).is_empty());
        let empty = joined(bpe.clone(), "", &[]);
        assert_eq!(empty.longest("", 0, 5, &mut Memo::default()), 0);
    }
}
