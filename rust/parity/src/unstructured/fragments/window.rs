//! Window onto an oversized text: as much of it as one cut has to look at.
//!
//! Whether a prefix fits does not depend on what follows it. So it is enough to look at more than the
//! longest prefix that fits; how much more is [`MARGIN_BYTES`].

use super::rest::Rest;
use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::offsets::skip_chars;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::skip_space;

/// If no prefix that ends in the last so many bytes of a window fits, no longer one does.
///
/// Suppose that a longer one had few enough tokens. Those that end in the window are a prefix with
/// fewer, which fits too when it is encoded by itself: that may cost a few tokens more, at the piece in
/// which it ends, but as many tokens less are had some tokens earlier. A token has at most 255 bytes.
const MARGIN_BYTES: usize = 2048;

/// A window of this size mostly holds `max` units.
pub const fn min_bytes(max: usize) -> usize {
    max.saturating_mul(8).saturating_add(MARGIN_BYTES)
}

/// Whether a window of `end` bytes, of which the longest prefix that fits has `reach`, is large enough.
pub const fn holds(end: usize, reach: usize) -> bool {
    reach.saturating_add(MARGIN_BYTES) <= end
}

/// The end of a window of `n_bytes` from `start` on: it does not end within whitespace.
pub fn end(text: &str, start: usize, n_bytes: usize, stop: usize) -> usize {
    let end = start.saturating_add(n_bytes).min(stop);
    skip_space(&text[..stop], text.floor_char_boundary(end))
}

/// The head of a rest and some of the source behind it, joined.
pub struct Window<'t> {
    source: &'t str,
    n_head: usize,
    span: Span,
    n_bytes: usize,
    text: String,
}

impl<'t> Window<'t> {
    /// A window that mostly holds `max` units: `max` code points and one more for sure, if it is
    /// `in_chars`.
    pub fn new(source: &'t str, rest: &Rest, max: usize, in_chars: bool) -> Self {
        let Rest { head, span, .. } = rest;
        let n_bytes = if in_chars {
            skip_chars(&source[..span.end], span.start, max.saturating_add(1)) - span.start
        } else {
            min_bytes(max)
        };
        let mut window =
            Self { source, n_head: head.len(), span: *span, n_bytes, text: head.clone() };
        window.fill();
        window
    }

    /// What is seen.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is large enough for `max` units of `measure`, if that measures anything but code points.
    pub fn holds(&self, measure: Option<&dyn Measure>, max: usize) -> Result<bool> {
        let is_whole = self.text.len() - self.n_head == self.span.len();
        match measure {
            Some(measure) if !is_whole => Ok(holds(self.text.len(), measure.longest(0, max)?)),
            _ => Ok(true),
        }
    }

    /// Looks twice as far.
    pub fn double(&mut self) {
        self.n_bytes = self.n_bytes.saturating_mul(2);
        self.fill();
    }

    fn fill(&mut self) {
        self.text.truncate(self.n_head);
        let end = end(self.source, self.span.start, self.n_bytes, self.span.end);
        self.text.push_str(&self.source[self.span.start..end]);
    }
}
