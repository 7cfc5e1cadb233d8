//! Unigram encoder: token counts and ids of one text after another.

use super::index::UnigramIndex;
use super::normalizer::Ends;
use super::sums::Sums;
use super::{Scratch, Tables, Unigram};
use crate::error::Result;
use crate::measure::bitmap::Bitmap;
use crate::measure::bpe::key::Key;
use crate::measure::word_cache::{LongWords, ShortWords, WideKey};
use crate::pulse::{Pulse, no_pulse};

/// More tokens than the cache holds.
const UNCACHED: u8 = u8::MAX;
/// The pulse is felt once for so many bytes.
const PULSE_BYTES: usize = 1 << 18;

/// Encodes one text after another and remembers the words it met.
///
/// Memory: up to 4.5 MB, less as long as it has met little text, and 50 bytes for each byte of the longest
/// part of a text that has no blank in it.
#[derive(Debug)]
pub struct UnigramEncoder {
    unigram: Unigram,
    short_words: ShortWords,
    long_words: LongWords,
    scratch: Scratch,
}

impl UnigramEncoder {
    /// An encoder that has met no text.
    pub fn new(unigram: Unigram) -> Self {
        Self {
            unigram,
            short_words: ShortWords::new(),
            long_words: LongWords::new(),
            scratch: Scratch::default(),
        }
    }

    /// Tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn count(&mut self, text: &str, pulse: Pulse<'_>) -> Result<usize> {
        let unigram = self.unigram.clone();
        let tables = unigram.tables();
        let mut total = 0;
        if tables.is_divisible(text) {
            self.each_part(text, pulse, |_, n_tokens| total += n_tokens)?;
        } else if tables.added_are_local && tables.treats_parts_alike() {
            for (range, id) in tables.added.raw_parts(text) {
                match id {
                    Some(_) => total += 1,
                    None => self.each_part(&text[range], pulse, |_, n| total += n)?,
                }
            }
        } else {
            total = self.encode(text, pulse)?.len();
        }
        Ok(total)
    }

    /// An index that counts any span of `text`; none if added tokens are in it of which spans may have
    /// others. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn index(&mut self, text: &str, pulse: Pulse<'_>) -> Result<Option<UnigramIndex>> {
        if !self.unigram.tables().is_divisible(text) {
            return Ok(None);
        }
        let (mut parts, mut tokens) = (Bitmap::new(text.len() + 1), Sums::default());
        self.each_part(text, pulse, |start, n_tokens| {
            parts.insert(start);
            tokens.push(n_tokens);
        })?;
        let unigram = self.unigram.clone();
        Ok(Some(UnigramIndex { unigram, parts: parts.finish(), tokens }))
    }

    /// The ids of the tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn encode(&mut self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        self.unigram.tables().encode(text, &mut self.scratch, &mut ids, pulse)?;
        Ok(ids)
    }

    /// Gives `take` the start of each part of a divisible `text`, and its tokens.
    fn each_part(
        &mut self,
        text: &str,
        pulse: Pulse<'_>,
        mut take: impl FnMut(usize, usize),
    ) -> Result<()> {
        let Self { unigram, short_words, long_words, scratch } = self;
        short_words.grow(text.len());
        long_words.grow(text.len());
        let tables = unigram.tables();
        let (mut start, mut next_pulse) = (0, 0);
        while start < text.len() {
            if start >= next_pulse {
                pulse()?;
                next_pulse = start + PULSE_BYTES;
            }
            let end = tables.cuts.next(text, start);
            let ends = Ends { first: start == 0, last: end == text.len() };
            let is_known = tables.counts_alike(ends);
            let (part, rest) = (&text[start..end], &text.as_bytes()[start..]);
            let count = || tables.count_cached(part, ends, scratch);
            let n_tokens = match part.len() {
                len if is_known && len <= Key::MAX_LEN => {
                    short_words.get(Key::load(rest, len), count)
                }
                len if is_known && len <= WideKey::MAX_LEN => {
                    long_words.get(WideKey::new(part.as_bytes()), count)
                }
                _ => UNCACHED,
            };
            let n_tokens = match n_tokens {
                UNCACHED => tables.count_part(part, ends, scratch, pulse)?,
                n_tokens => usize::from(n_tokens),
            };
            take(start, n_tokens);
            start = end;
        }
        Ok(())
    }
}

impl Tables {
    /// Whether a part has the same tokens at these ends of a text as within it.
    #[inline]
    const fn counts_alike(&self, ends: Ends) -> bool {
        (!ends.first || self.starts_alike) && (!ends.last || !self.minds_end)
    }

    /// Tokens of a short part, or [`UNCACHED`] if they are many.
    #[inline(never)]
    fn count_cached(&self, part: &str, ends: Ends, scratch: &mut Scratch) -> u8 {
        let counted = self.count_part(part, ends, scratch, no_pulse());
        counted.map_or(UNCACHED, |n_tokens| u8::try_from(n_tokens).unwrap_or(UNCACHED))
    }
}
