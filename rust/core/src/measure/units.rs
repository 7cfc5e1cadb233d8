//! Code points and bytes.

use super::Measure;
use crate::error::Result;
use crate::offsets::{count_chars, skip_chars, skip_chars_back};
use crate::span::Span;

/// Sizes in code points.
#[derive(Clone, Copy, Debug)]
pub struct Chars<'t> {
    text: &'t str,
    ascii: bool,
}

impl<'t> Chars<'t> {
    /// Code points of `text`; `ascii` says that every byte is one.
    pub const fn new(text: &'t str, ascii: bool) -> Self {
        Self { text, ascii }
    }
}

impl Measure for Chars<'_> {
    fn size(&self, span: Span) -> Result<usize> {
        Ok(if self.ascii { span.len() } else { count_chars(&self.text.as_bytes()[span.range()]) })
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        Ok(if self.ascii {
            start.saturating_add(max).min(self.text.len())
        } else {
            skip_chars(self.text, start, max)
        })
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        Ok(if self.ascii { end.saturating_sub(max) } else { skip_chars_back(self.text, end, max) })
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
