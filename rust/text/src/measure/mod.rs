//! Measures: sizes of spans of a text, in code points, bytes, tokens or a caller's own units.
//!
//! A [`Measure`] is prepared once for a text and then answers for any span of it; a [`Ruler`] prepares
//! measures, for texts that are made on the way. [`Counter`] is a caller's own unit, and [`Surcharge`] adds
//! the special tokens of a model.
//!
//! # Exact sizes of spans
//!
//! Strategies ask for the size of many spans of one text: of each chunk that they consider. Tokens of parts do
//! not add up to those of the whole, so a sum is wrong at every seam, and counting each span anew costs O(n) each
//! time. A measure is therefore an index over the text: built in one pass, it answers for any span exactly as if
//! its text stood alone, most in constant time.
//!
//! | measure | unit | built in | size of a span | memory |
//! |---|---|---|---|---|
//! | [`Chars`] | code points | nothing | O(length), several GB/s; O(1) in ASCII | none |
//! | [`Bytes`] | bytes of UTF-8 | nothing | O(1) | none |
//! | [`Tokens`] | byte-pair tokens | O(n) | O(1), O(log n) in a very long word | 0.28 bytes a byte |
//! | [`WordPieces`] | BERT's tokens | O(n) | O(1), and the two words at its ends | 0.28 bytes a byte |
//! | [`UnigramTokens`] | `SentencePiece`'s tokens | O(n) | O(1), and the two parts at its ends | 0.4 bytes a byte |
//! | [`Counter`] | the caller's own | nothing | a call, remembered | a cache |
//!
//! ```
//! use chunkwright_text::document::Document;
//! use chunkwright_text::measure::{Bytes, Chars, Counter, Measure};
//! use chunkwright_text::span::Span;
//!
//! let text = "Größe counts";
//! let chars = Chars::new(Document::new(text));
//! let bytes = Bytes::new(text);
//! let words = Counter::new(text, |span: Span| Ok(text[span.range()].split_whitespace().count()));
//! let all = Span::new(0, text.len());
//! assert_eq!((chars.size(all)?, bytes.size(all)?, words.size(all)?), (12, 14, 2));
//! // How far four units reach from the start: four code points, or as many bytes as end no code point.
//! assert_eq!((chars.longest(0, 4)?, bytes.longest(0, 4)?), (6, 4));
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

pub mod added;
mod bitmap;
pub mod bpe;
pub mod counter;
pub mod part;
pub mod ruler;
pub mod special_tokens;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(feature = "tokenizer_json")]
pub mod tokenizer_json;
mod trie;
pub mod unigram;
pub mod units;
mod word_cache;
pub mod wordpiece;

pub use added::AddedToken;
pub use bpe::{Bpe, Encoder, Memo, TokenIndex};
pub use counter::Counter;
pub use special_tokens::Surcharge;
pub use unigram::{Unigram, UnigramEncoder, UnigramIndex};
pub use units::{Bytes, Chars};
pub use wordpiece::{WordIndex, WordPiece, WordPieceEncoder};

use std::borrow::Borrow;
use std::cell::RefCell;

use self::ruler::Ruler;
use crate::error::Result;
use crate::span::Span;

/// Sizes of the spans of one text.
pub trait Measure {
    /// Size of `span`, exactly as if its text stood alone.
    ///
    /// # Errors
    /// Those of a caller's own counter; native measures have none.
    fn size(&self, span: Span) -> Result<usize>;

    /// The same unit for any text, also one that is put together on the way; none if it knows only spans.
    fn ruler(&self) -> Option<&dyn Ruler> {
        None
    }

    /// The greatest `end` for which `start..end` has at most `max` units; `start` if none has.
    ///
    /// Sizes need not be monotone in the end. The end is a code-point boundary.
    ///
    /// The greatest one, not the first behind which a span is too long: a longer text may have fewer units. So
    /// "a", "ab" and "abc" may be 1, 2 and 1 tokens, and one token reaches to "abc".
    ///
    /// # Errors
    /// Those of a caller's own counter; native measures have none.
    fn longest(&self, start: usize, max: usize) -> Result<usize>;

    /// A start from which `start..end` has at most `max` units, near the least one there is.
    ///
    /// # Errors
    /// Those of a caller's own counter; native measures have none.
    fn longest_back(&self, end: usize, max: usize) -> Result<usize>;

    /// Whether a size takes constant time, however long the span is.
    fn is_quick(&self) -> bool {
        true
    }
}

impl<M: Measure + ?Sized> Measure for &M {
    fn size(&self, span: Span) -> Result<usize> {
        (**self).size(span)
    }

    fn ruler(&self) -> Option<&dyn Ruler> {
        (**self).ruler()
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        (**self).longest(start, max)
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        (**self).longest_back(end, max)
    }

    fn is_quick(&self) -> bool {
        (**self).is_quick()
    }
}

/// Token counts of one text, by an index of one's own or a borrowed one.
#[derive(Debug)]
pub struct Tokens<'t, I = &'t TokenIndex> {
    text: &'t str,
    index: I,
    memo: RefCell<Memo>,
}

impl<'t, I: Borrow<TokenIndex>> Tokens<'t, I> {
    /// The counts that `index` holds; it must have been built from `text`.
    pub fn new(text: &'t str, index: I) -> Self {
        Self { text, index, memo: RefCell::default() }
    }
}

impl<I: Borrow<TokenIndex>> Measure for Tokens<'_, I> {
    fn size(&self, span: Span) -> Result<usize> {
        let memo = &mut self.memo.borrow_mut();
        Ok(self.index.borrow().count(self.text, span.start, span.end, memo))
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        Ok(self.index.borrow().longest(self.text, start, max, &mut self.memo.borrow_mut()))
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        Ok(self.index.borrow().longest_back(self.text, end, max, &mut self.memo.borrow_mut()))
    }
}

/// WordPiece token counts of one text, by an index of one's own or a borrowed one.
#[derive(Clone, Copy, Debug)]
pub struct WordPieces<'t, I = &'t WordIndex> {
    text: &'t str,
    index: I,
}

impl<'t, I: Borrow<WordIndex>> WordPieces<'t, I> {
    /// The counts that `index` holds; it must have been built from `text`.
    pub const fn new(text: &'t str, index: I) -> Self {
        Self { text, index }
    }
}

impl<I: Borrow<WordIndex>> Measure for WordPieces<'_, I> {
    fn size(&self, span: Span) -> Result<usize> {
        Ok(self.index.borrow().count(self.text, span.start, span.end))
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        Ok(self.index.borrow().longest(self.text, start, max))
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        Ok(self.index.borrow().longest_back(self.text, end, max))
    }
}

/// Unigram token counts of one text, by an index of one's own or a borrowed one.
#[derive(Debug)]
pub struct UnigramTokens<'t, I = &'t UnigramIndex> {
    text: &'t str,
    index: I,
    scratch: RefCell<unigram::Scratch>,
}

impl<'t, I: Borrow<UnigramIndex>> UnigramTokens<'t, I> {
    /// The counts that `index` holds; it must have been built from `text`.
    pub fn new(text: &'t str, index: I) -> Self {
        Self { text, index, scratch: RefCell::default() }
    }
}

impl<I: Borrow<UnigramIndex>> Measure for UnigramTokens<'_, I> {
    fn size(&self, span: Span) -> Result<usize> {
        let scratch = &mut self.scratch.borrow_mut();
        self.index.borrow().count(self.text, span.start, span.end, scratch)
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        self.index.borrow().longest(self.text, start, max, &mut self.scratch.borrow_mut())
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        self.index.borrow().longest_back(self.text, end, max, &mut self.scratch.borrow_mut())
    }

    fn is_quick(&self) -> bool {
        self.index.borrow().is_quick()
    }
}
