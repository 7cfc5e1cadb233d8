//! Token counts of spans of one text, as semchunk's counters give them.

use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;

/// Code points that a token is taken to have at most, on average.
const CHARS_PER_TOKEN: usize = 6;

/// Counts the tokens of spans of one text.
pub trait Counts {
    /// Tokens of `span` as a text of its own; a caller's counter may give fractions.
    ///
    /// # Errors
    /// Those of a caller's own counter.
    fn tokens(&self, span: Span) -> Result<f64>;
}

/// The prefix by which a long text is known to be too large without counting it whole.
#[derive(Clone, Copy, Debug)]
pub struct Prefix {
    size: usize,
    /// Code points of a text that is long.
    long: usize,
    /// Code points of the prefix: one token more may begin in what is counted.
    n_chars: usize,
}

impl Prefix {
    /// The prefix for chunks of `size` tokens, of which the longest has `max_token_chars`.
    pub const fn new(size: usize, max_token_chars: usize) -> Self {
        let long = size.saturating_mul(CHARS_PER_TOKEN);
        Self { size, long, n_chars: long.saturating_add(max_token_chars).saturating_sub(1) }
    }
}

/// Counts of a [`Measure`].
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    text: &'a str,
    chars: &'a CharIndex,
    measure: &'a dyn Measure,
    prefix: Option<Prefix>,
}

impl<'a> Tokens<'a> {
    /// Counts of `measure`, which was prepared for `text`, as `chars` was.
    pub const fn new(
        text: &'a str,
        chars: &'a CharIndex,
        measure: &'a dyn Measure,
        prefix: Option<Prefix>,
    ) -> Self {
        Self { text, chars, measure, prefix }
    }

    /// What is counted of `span` instead if that may settle that it is too large.
    fn beginning(&self, span: Span, prefix: Prefix) -> Option<Span> {
        if span.len() <= prefix.long {
            return None;
        }
        let char = |byte: usize| self.chars.byte_to_char(self.text, byte);
        let (start, end) = (char(span.start), char(span.end));
        (end - start > prefix.long).then(|| {
            let end = end.min(start.saturating_add(prefix.n_chars));
            Span::new(span.start, self.chars.char_to_byte(self.text, end))
        })
    }
}

impl Counts for Tokens<'_> {
    #[allow(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    fn tokens(&self, span: Span) -> Result<f64> {
        if let Some(prefix) = self.prefix
            && let Some(beginning) = self.beginning(span, prefix)
            && self.measure.size(beginning)? > prefix.size
        {
            return Ok(prefix.size as f64 + 1.0);
        }
        Ok(self.measure.size(span)? as f64)
    }
}
