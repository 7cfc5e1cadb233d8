//! Sentences: spans that tile a text, so that every byte belongs to exactly one.

use crate::span::Span;

/// The sentences of a text, in order; whitespace behind a sentence belongs to it. O(n).
#[derive(Clone, Debug)]
pub struct Sentences<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Sentences<'t> {
    /// The sentences of `text`.
    pub const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }
}

impl Iterator for Sentences<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let start = self.at;
        if start == self.text.len() {
            return None;
        }
        let bytes = self.text.as_bytes();
        let ends = memchr::memchr3_iter(b'.', b'!', b'?', &bytes[start..]);
        let end = ends.map(|at| start + at + 1).find(|&end| bytes.get(end) == Some(&b' '));
        self.at = end.map_or(self.text.len(), |end| end + 1);
        Some(Span::new(start, self.at))
    }
}
