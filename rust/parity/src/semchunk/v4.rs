//! semchunk 4.1.1: `chunk(text, chunk_size, token_counter)` without overlap.

use super::counts::Counts;
use super::marks::Marks;
use super::split::{Lengths, Rules, split as split_by};
use chunkwright_text::error::Result;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::span::Span;

const MARKS: Marks = Marks::new(&[
    '.', '?', '!', ';', ',', '(', ')', '[', ']', '“', '”', '‘', '’', '\'', '"', '`', '*', ':', '—',
    '…', '/', '\\', '–', '&', '-',
]);

/// The chunks of `text`, of which `chars` is the index, that `counts` finds at most `limit` large: in
/// order, as spans that do not overlap.
///
/// # Errors
/// As for [`v3::split`](super::v3::split), and [`Error::Config`](chunkwright_text::error::Error::Config) where
/// `limit` leaves no room, for which semchunk raises `ValueError`.
pub fn split(
    text: &str,
    chars: &CharIndex,
    limit: f64,
    counts: &dyn Counts,
    pulse: Pulse<'_>,
) -> Result<Vec<Span>> {
    let rules = Rules { marks: &MARKS, lengths: Lengths::WithSplitters, limit };
    split_by(text, chars, rules, counts, pulse)
}
