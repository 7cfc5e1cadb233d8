//! Token index: exact Unigram token counts of any span of a text that was encoded once.
//!
//! # Why they are exact
//!
//! A text is cut into parts before blanks (see `cuts`), each of which has the same tokens by itself as in the
//! text; and a span's parts are the text's, but for the two at its ends. So a span's count is the sum of
//! those of its whole parts, and of at most two that are counted anew.
//!
//! Inside a word counts do not add up: which pieces are best depends on all that is before them, down to the
//! rounding of the sums of their scores. So a part that has no blank is encoded from its start.

use super::normalizer::Ends;
use super::sums::Sums;
use super::{Scratch, Unigram};
use crate::error::Result;
use crate::measure::bitmap::Bitmap;
use crate::pulse::no_pulse;

/// The parts of one text and their tokens: about 0.4 bytes for each byte of it.
///
/// Every method takes the text again, which must be the one that the index was built from.
#[derive(Clone, Debug)]
pub struct UnigramIndex {
    pub(super) unigram: Unigram,
    /// Where parts begin.
    pub(super) parts: Bitmap,
    /// The tokens of each.
    pub(super) tokens: Sums,
}

impl UnigramIndex {
    /// Tokens of `text[start..end]`, exactly as if it stood alone. O(length of the parts that are cut).
    pub(in crate::measure) fn count(
        &self,
        text: &str,
        start: usize,
        end: usize,
        scratch: &mut Scratch,
    ) -> Result<usize> {
        let sync = self.first_whole(start).min(end);
        let left = self.part(text, start, sync, start, end, scratch)?;
        if sync == end {
            return Ok(left);
        }
        let last = self.last_start(text, end);
        let right = self.part(text, last, end, start, end, scratch)?;
        Ok(left + self.before(last) - self.before(sync) + right)
    }

    /// Whether texts are cut into parts at all.
    pub(in crate::measure) fn is_quick(&self) -> bool {
        self.unigram.tables().cuts.has_cuts()
    }

    /// Where the first part begins, from `start` on, that counts in a span from `start` on as in the text; or
    /// the end of the text.
    pub(super) fn first_whole(&self, start: usize) -> usize {
        let tables = self.unigram.tables();
        // The first part of the text need not begin with a blank.
        if self.parts.contains(start) && (start == 0 || tables.starts_alike) {
            return start;
        }
        self.parts.at_or_after(start + 1).unwrap_or(usize::MAX)
    }

    /// Where the last part begins that may be whole up to `end`: `end`, if a part ends there.
    pub(super) fn last_start(&self, text: &str, end: usize) -> usize {
        if end == text.len() { end } else { self.parts.at_or_before(end).unwrap_or_default() }
    }

    /// Tokens of the parts before the one that begins at `at`.
    pub(super) fn before(&self, at: usize) -> usize {
        self.tokens.first(self.parts.rank(at))
    }

    /// Tokens of `text[from..to]`, part of the span `start..end`.
    pub(super) fn part(
        &self,
        text: &str,
        from: usize,
        to: usize,
        start: usize,
        end: usize,
        scratch: &mut Scratch,
    ) -> Result<usize> {
        if from == to {
            return Ok(0);
        }
        let ends = Ends { first: from == start, last: to == end };
        self.unigram.tables().count_part(&text[from..to], ends, scratch, no_pulse())
    }
}
