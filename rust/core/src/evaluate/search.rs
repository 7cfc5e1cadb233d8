//! One text looked for in another, so that it can be stopped.

use memchr::memmem::Finder;

use crate::error::Result;
use crate::pulse::Pulse;

/// The pulse is asked whenever so many bytes were looked at, or as many as are looked for if these are more.
const STEP_BYTES: usize = 1 << 18;

/// The first place at or behind byte `from` where `needle` stands. O(distance + needle).
///
/// # Errors
/// What the pulse raises.
pub fn find(
    text: &[u8],
    needle: &Finder<'_>,
    from: usize,
    pulse: Pulse<'_>,
) -> Result<Option<usize>> {
    let n_bytes = needle.needle().len();
    let step = STEP_BYTES.max(n_bytes);
    let mut at = from;
    while at + n_bytes <= text.len() {
        let window = &text[at..text.len().min(at + step + n_bytes)];
        if let Some(found) = needle.find(window) {
            return Ok(Some(at + found));
        }
        pulse()?;
        at += step;
    }
    Ok(None)
}

/// How much of the beginning of a text is also its end: where the next occurrence may begin before one
/// has ended.
pub struct Borders {
    /// For each prefix, by length, the longest of its beginnings that it also ends with.
    of_prefix: Vec<usize>,
}

impl Borders {
    /// O(needle).
    pub fn of(needle: &[u8]) -> Self {
        let mut borders = Self { of_prefix: vec![0; needle.len() + 1] };
        let mut matched = 0;
        for (i, &byte) in needle.iter().enumerate().skip(1) {
            matched = borders.extended(needle, matched, byte);
            borders.of_prefix[i + 1] = matched;
        }
        borders
    }

    /// The longest beginning of `needle` that ends with `byte`, after `matched` bytes of it.
    fn extended(&self, needle: &[u8], mut matched: usize, byte: u8) -> usize {
        while matched > 0 && needle.get(matched) != Some(&byte) {
            matched = self.of_prefix[matched];
        }
        matched + usize::from(needle.get(matched) == Some(&byte))
    }

    /// Where `needle` stands again, having been found to end at byte `end`, for as long as the occurrences
    /// overlap; and where the next one begins at the earliest.
    ///
    /// Looks once at each byte, however much occurrences overlap.
    ///
    /// # Errors
    /// What the pulse raises.
    pub fn overlapping(
        &self,
        text: &[u8],
        needle: &[u8],
        end: usize,
        pulse: Pulse<'_>,
        mut found: impl FnMut(usize),
    ) -> Result<usize> {
        let mut matched = needle.len();
        let mut at = end;
        while let Some(&byte) = text.get(at).filter(|_| matched > 0) {
            matched = self.extended(needle, matched, byte);
            at += 1;
            if matched == needle.len() {
                found(at - matched);
            }
            if at.is_multiple_of(STEP_BYTES) {
                pulse()?;
            }
        }
        Ok(at)
    }
}
