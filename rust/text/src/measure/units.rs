//! Measures in code points and in bytes.
//!
//! Neither needs an index. In ASCII, which [`Document`] knows of its text, a code point is a byte; else code
//! points are counted by the bytes that begin one, 128 at a time.

use super::Measure;
use crate::document::Document;
use crate::error::Result;
use crate::offsets::{skip_chars, skip_chars_back};
use crate::span::Span;

/// Sizes in code points.
///
/// ```
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::{Chars, Measure};
/// use chunkwright_text::span::Span;
///
/// let text = "漢字 kanji";
/// let chars = Chars::new(Document::new(text));
/// assert_eq!(chars.size(Span::new(0, 6))?, 2);
/// assert_eq!(&text[..chars.longest(0, 3)?], "漢字 ");
/// assert_eq!(&text[chars.longest_back(text.len(), 2)?..], "ji");
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chars<'t> {
    document: Document<'t>,
}

impl<'t> Chars<'t> {
    /// Code points of the document's text.
    pub const fn new(document: Document<'t>) -> Self {
        Self { document }
    }

    /// How many code points too many `span` has, if its characters that count twice make it too long.
    fn excess(&self, span: Span, max: usize) -> Option<usize> {
        if !self.document.has_pairs() {
            return None;
        }
        self.document.n_chars(span).checked_sub(max).filter(|&excess| excess > 0)
    }
}

impl Measure for Chars<'_> {
    fn size(&self, span: Span) -> Result<usize> {
        Ok(self.document.n_chars(span))
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        let text = self.document.text();
        if self.document.is_ascii() {
            return Ok(start.saturating_add(max).min(text.len()));
        }
        let mut end = skip_chars(text, start, max);
        // Characters that count twice are rare: each step back takes off as many as there are.
        while let Some(excess) = self.excess(Span::new(start, end), max) {
            end = skip_chars_back(text, end, excess.div_ceil(2));
        }
        Ok(end)
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        let text = self.document.text();
        if self.document.is_ascii() {
            return Ok(end.saturating_sub(max));
        }
        let mut start = skip_chars_back(text, end, max);
        while let Some(excess) = self.excess(Span::new(start, end), max) {
            start = skip_chars(text, start, excess.div_ceil(2));
        }
        Ok(start)
    }
}

/// Sizes in UTF-8 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'t> {
    text: &'t str,
}

impl<'t> Bytes<'t> {
    /// Bytes of `text`.
    pub const fn new(text: &'t str) -> Self {
        Self { text }
    }
}

impl Measure for Bytes<'_> {
    fn size(&self, span: Span) -> Result<usize> {
        Ok(span.len())
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        let end = start.saturating_add(max).min(self.text.len());
        Ok(self.text.floor_char_boundary(end).max(start))
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        Ok(self.text.ceil_char_boundary(end.saturating_sub(max)).min(end))
    }
}
