//! Code points and bytes.

use super::Measure;
use crate::document::Document;
use crate::error::Result;
use crate::offsets::{count_chars, skip_chars, skip_chars_back};
use crate::span::Span;

/// Sizes in code points.
#[derive(Clone, Copy, Debug)]
pub struct Chars<'t> {
    document: Document<'t>,
}

impl<'t> Chars<'t> {
    /// Code points of the document's text.
    pub const fn new(document: Document<'t>) -> Self {
        Self { document }
    }
}

impl Measure for Chars<'_> {
    fn size(&self, span: Span) -> Result<usize> {
        let bytes = self.document.text().as_bytes();
        Ok(if self.document.is_ascii() { span.len() } else { count_chars(&bytes[span.range()]) })
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        let text = self.document.text();
        Ok(if self.document.is_ascii() {
            start.saturating_add(max).min(text.len())
        } else {
            skip_chars(text, start, max)
        })
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        let text = self.document.text();
        Ok(if self.document.is_ascii() {
            end.saturating_sub(max)
        } else {
            skip_chars_back(text, end, max)
        })
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
