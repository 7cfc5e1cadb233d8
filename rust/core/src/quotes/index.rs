//! Normalised text in which quotations are looked for.

use memchr::memmem::Finder;

use super::normal::Normal;
use super::quote::{Part, Quote, is_border};
use super::reader::{cluster_end, normalised};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::span::Span;

/// So many places are refused that differ in blanks or lie inside words, before the search of a text ends.
const MAX_REFUSED: usize = 1 << 16;

/// A text, normalised once for many quotations; 2.3 bytes for each byte of it.
///
/// ```
/// use chunkwright_core::pulse::no_pulse;
/// use chunkwright_core::quotes::QuoteIndex;
///
/// let text = "The co-\nordinates of *this*\nplace are lost.";
/// let index = QuoteIndex::new(text, no_pulse())?;
/// let found = index.find(text, "“Coordinates of this place”", 1, no_pulse())?;
/// assert_eq!(&text[found[0].range()], "co-\nordinates of *this*\nplace");
/// # Ok::<(), chunkwright_core::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct QuoteIndex {
    pub(super) normal: Normal,
}

/// A text with its index.
#[derive(Clone, Copy)]
pub struct Source<'t> {
    /// The text.
    pub text: &'t str,
    /// The index of it.
    pub index: &'t QuoteIndex,
}

impl QuoteIndex {
    /// Normalises `text`. O(n).
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn new(text: &str, pulse: Pulse<'_>) -> Result<Self> {
        Ok(Self { normal: normalised(text, &Beat::of_bytes(pulse))? })
    }

    /// The first places of `quote` in `text`, which this is the index of; at most `limit`, none of which overlap.
    ///
    /// A place begins and ends between words, with the punctuation around the quotation as far as it is there.
    ///
    /// # Errors
    /// [`Error::Option`](crate::error::Error::Option) if the quotation is too short; those of the pulse.
    pub fn find(
        &self,
        text: &str,
        quote: &str,
        limit: usize,
        pulse: Pulse<'_>,
    ) -> Result<Vec<Span>> {
        let beat = Beat::of_bytes(pulse);
        let quote = Quote::new(quote, &beat)?;
        let starts = self.starts(&quote, quote.whole(), limit, &beat)?;
        Ok(starts.into_iter().map(|at| self.span(text, &quote, quote.whole(), at)).collect())
    }

    /// Bytes of the normalised text where a part of a quotation begins.
    pub(super) fn starts(
        &self,
        quote: &Quote,
        part: Part,
        limit: usize,
        beat: &Beat<'_>,
    ) -> Result<Vec<usize>> {
        let (bytes, needle) = (self.normal.bytes(), &quote.normal.bytes()[part.start..part.end]);
        let finder = Finder::new(needle);
        let (mut starts, mut at, mut n_refused) = (Vec::new(), 0, 0);
        while starts.len() < limit && n_refused < MAX_REFUSED && !needle.is_empty() {
            let found = finder.find(&bytes[at..]).map(|found| at + found);
            beat.after(found.unwrap_or(bytes.len()) - at + needle.len())?;
            let Some(start) = found else { break };
            let end = start + needle.len();
            let stands = is_border(&self.normal, start) && is_border(&self.normal, end);
            if stands && self.normal.has_blanks_of(start, &quote.normal, part.start, needle.len()) {
                starts.push(start);
                at = end;
            } else {
                n_refused += 1;
                at = start + 1;
            }
        }
        Ok(starts)
    }

    /// The place in `text` of a part of a quotation that stands at byte `at` of the normalised text.
    pub(super) fn span(&self, text: &str, quote: &Quote, part: Part, at: usize) -> Span {
        let (mut start, mut end) = (at, at + part.end - part.start);
        let (bytes, quoted) = (self.normal.bytes(), quote.normal.bytes());
        let n_before = bytes[..start].iter().rev().zip(quoted[..part.start].iter().rev());
        start -= n_before.take_while(|(a, b)| a == b && a.is_ascii()).count();
        let n_behind = bytes[end..].iter().zip(&quoted[part.end..]);
        end += n_behind.take_while(|(a, b)| a == b && a.is_ascii()).count();
        self.source(text, start, end)
    }

    /// The place in `text` of a part of the normalised text that is not empty.
    pub(super) fn source(&self, text: &str, start: usize, end: usize) -> Span {
        let last = self.normal.source(end - 1);
        Span::new(self.normal.source(start), cluster_end(text, last))
    }
}
