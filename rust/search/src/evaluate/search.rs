//! Substring search that can be stopped: one text, or all occurrences of many.
//!
//! `memmem` is as fast as the memory, but does not stop when it is asked to; so a long text is searched in steps
//! of 256 kB that overlap by the needle's length, with the pulse between them.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memmem::Finder;

use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

/// The pulse is asked whenever so many bytes were looked at, or as many as are looked for if these are more.
const STEP_BYTES: usize = 1 << 18;

/// The first place at or behind byte `from` where `needle` stands. O(distance + needle).
///
/// # Errors
/// Those of the pulse.
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

/// Patterns to be found at once; none is empty.
pub struct Patterns {
    automaton: AhoCorasick,
}

impl Patterns {
    /// O(patterns), and some 60 bytes of memory for each of theirs, as long as few of them end with others.
    ///
    /// # Errors
    /// [`Error::Config`] if they have more bytes than an automaton has states.
    pub fn of<'p>(patterns: impl IntoIterator<Item = &'p [u8]>) -> Result<Self> {
        // What is chosen by default for few patterns has a table row for each of their bytes.
        let mut builder = AhoCorasick::builder();
        let automaton = builder.kind(Some(AhoCorasickKind::ContiguousNFA)).build(patterns);
        let automaton = automaton.map_err(|error| {
            Error::Config(format!("too much text to be looked for at once: {error}"))
        })?;
        Ok(Self { automaton })
    }

    /// Calls `found` with the number and the first byte of all occurrences, also those that overlap, until
    /// that returns false; whether it never did. Those of one pattern are in order.
    ///
    /// O(text + occurrences).
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn each(
        &self,
        text: &[u8],
        pulse: Pulse<'_>,
        mut found: impl FnMut(usize, usize) -> bool,
    ) -> Result<bool> {
        let longest = self.automaton.max_pattern_len();
        let step = STEP_BYTES.max(longest);
        for from in (0..text.len()).step_by(step) {
            pulse()?;
            // Just what begins within the step ends within the window.
            let window = &text[from..text.len().min(from + step + longest.saturating_sub(1))];
            let mut matches = self.automaton.find_overlapping_iter(window);
            if !matches
                .by_ref()
                .filter(|m| m.start() < step)
                .all(|m| found(m.pattern().as_usize(), from + m.start()))
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
