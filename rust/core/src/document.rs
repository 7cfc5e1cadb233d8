//! A text on its way through the engine.

use crate::offsets::CharSweep;

/// A text, and what is known about it before anything is cut.
///
/// Whatever reads structured formats adds its element table here (kind, level, page and span of each
/// element); a plain text has none.
#[derive(Clone, Copy, Debug)]
pub struct Document<'t> {
    text: &'t str,
    is_ascii: bool,
}

impl<'t> Document<'t> {
    /// A plain text. O(n): looks whether it is ASCII.
    pub fn new(text: &'t str) -> Self {
        Self { text, is_ascii: text.is_ascii() }
    }

    /// A plain text of `n_chars` code points, which the caller knows.
    pub const fn with_n_chars(text: &'t str, n_chars: usize) -> Self {
        Self { text, is_ascii: text.len() == n_chars }
    }

    /// The text that all spans point into.
    pub const fn text(self) -> &'t str {
        self.text
    }

    /// Whether every byte is a code point.
    pub const fn is_ascii(self) -> bool {
        self.is_ascii
    }

    /// A sweep that turns ascending byte positions into code points.
    pub const fn char_sweep(self) -> CharSweep<'t> {
        CharSweep::new(self.text, self.is_ascii)
    }
}
