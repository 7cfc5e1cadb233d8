//! semchunk 3.2.5, as Docling's hybrid chunker calls it: `chunkerify(tokenizer, chunk_size)(text)`.

use super::counts::{Prefix, Tokens};
use super::marks::Marks;
use super::split::{Lengths, Rules, split as split_by};
use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::span::Span;

const MARKS: Marks = Marks::new(&[
    '.', '?', '!', '*', ';', ',', '(', ')', '[', ']', '“', '”', '‘', '’', '\'', '"', '`', ':', '—',
    '…', '/', '\\', '–', '&', '-',
]);

/// The chunks of `text` of at most `size` units of `measure`, in order, as spans that do not overlap.
///
/// `measure` has been prepared for `text`; special tokens are left out of its counts. `max_token_chars`
/// is the length of the longest token of the vocabulary, as `chunkerify` finds it (the longest key of
/// `get_vocab()` in code points, the longest of `token_byte_values()` in bytes): a text of over
/// `6 * size` code points is too large where its beginning is. None for a callable that counts.
///
/// Whitespace at which the text was split is in no chunk, and no chunk is whitespace alone. O(n log n)
/// calls of the measure at worst, some 10 for each chunk.
///
/// # Errors
/// [`Error::Endless`](chunkwright_text::error::Error::Endless) where a single character is over `size`, on which
/// semchunk recurses until Python stops it; [`Error::Position`](chunkwright_text::error::Error::Position) where it
/// fails with an `IndexError` because an empty text is over `size`; those of `measure` and `pulse`.
pub fn split(
    text: &str,
    size: usize,
    max_token_chars: Option<usize>,
    measure: &dyn Measure,
    pulse: Pulse<'_>,
) -> Result<Vec<Span>> {
    let chars = CharIndex::new(text, &[]);
    let prefix = max_token_chars.map(|longest| Prefix::new(size, longest));
    let counts = Tokens::new(text, &chars, measure, prefix);
    #[allow(clippy::cast_precision_loss, reason = "sizes are below 2^53")]
    let rules = Rules { marks: &MARKS, lengths: Lengths::OfPieces, limit: size as f64 };
    split_by(text, &chars, rules, &counts, pulse)
}
