//! One pass over a text: pre-tokens, and where the tokens in them begin.

use super::hash::HASH_MULTIPLIER;
use super::merge::token_starts;
use super::scan::Pattern;
use super::vocabulary::{NO_RANK, Vocabulary};
use crate::error::Result;
use crate::options::Pulse;

/// Pre-tokens up to this length go through the cache; 99.9 % of them do.
const CACHED_BYTES: usize = 15;
/// The pulse is felt once for so many bytes.
const PULSE_BYTES: usize = 1 << 18;
/// Cache entries for a long text: they fit into the second-level cache.
const MAX_CACHE_BITS: u32 = 14;

/// Takes the tokens of one pre-token after another.
pub trait Sink {
    /// A pre-token at `start`, with a bit for each byte at which a token of it begins.
    fn short(&mut self, start: usize, mask: u16, n_tokens: u8);
    /// A pre-token at `start`, with the offsets in it at which its tokens begin.
    fn long(&mut self, start: usize, token_starts: &[usize]);
}

/// What a pre-token of up to 15 bytes becomes; `key` holds its bytes and, on top, its length.
#[derive(Clone, Copy, Default)]
struct Entry {
    key_low: u64,
    key_high: u64,
    mask: u16,
    n_tokens: u8,
}

/// Finds the tokens of pre-tokens, and remembers the short ones.
pub struct Encoder {
    vocabulary: &'static Vocabulary,
    pattern: Pattern,
    cache: Vec<Entry>,
    cache_shift: u32,
    starts: Vec<usize>,
}

impl Encoder {
    /// An encoder with a cache for a text of `n_bytes`.
    pub fn new(vocabulary: &'static Vocabulary, pattern: Pattern, n_bytes: usize) -> Self {
        let bits = (n_bytes / 16).max(32).ilog2().min(MAX_CACHE_BITS);
        Self {
            vocabulary,
            pattern,
            cache: vec![Entry::default(); 1 << bits],
            cache_shift: 64 - bits,
            starts: Vec::new(),
        }
    }

    /// Passes the pre-tokens of `text` to `sink`, in order.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn encode(&mut self, text: &str, sink: &mut impl Sink, pulse: Pulse<'_>) -> Result<()> {
        let mut start = 0;
        while start < text.len() {
            pulse()?;
            let stop = text.len().min(start + PULSE_BYTES);
            while start < stop {
                let end = self.pattern.next(text, start);
                self.piece(text.as_bytes(), start, end, sink);
                start = end;
            }
        }
        Ok(())
    }

    #[inline]
    fn piece(&mut self, bytes: &[u8], start: usize, end: usize, sink: &mut impl Sink) {
        let n = end - start;
        if n > CACHED_BYTES {
            self.starts.clear();
            token_starts(self.vocabulary, &bytes[start..end], &mut self.starts);
            sink.long(start, &self.starts);
            return;
        }
        let key = key(bytes, start, n);
        #[allow(clippy::cast_possible_truncation, reason = "the halves of 128 bits")]
        let (low, high) = (key as u64, (key >> 64) as u64);
        let hash = (low ^ high.rotate_left(29)).wrapping_mul(HASH_MULTIPLIER);
        #[allow(clippy::cast_possible_truncation, reason = "the shift leaves at most 14 bits")]
        let slot = (hash >> self.cache_shift) as usize;
        let mut entry = self.cache[slot];
        if entry.key_low != low || entry.key_high != high {
            let (mask, n_tokens) = self.tokens_of_short(&bytes[start..end]);
            entry = Entry { key_low: low, key_high: high, mask, n_tokens };
            self.cache[slot] = entry;
        }
        sink.short(start, entry.mask, entry.n_tokens);
    }

    #[cold]
    fn tokens_of_short(&mut self, piece: &[u8]) -> (u16, u8) {
        if self.vocabulary.rank(piece) != NO_RANK {
            return (1, 1);
        }
        self.starts.clear();
        token_starts(self.vocabulary, piece, &mut self.starts);
        let mask = self.starts.iter().fold(0, |mask, start| mask | 1 << start);
        #[allow(clippy::cast_possible_truncation, reason = "at most 15")]
        let n_tokens = self.starts.len() as u8;
        (mask, n_tokens)
    }
}

/// The `n` bytes at `start` as a number, `n` itself in the top byte.
#[inline]
fn key(bytes: &[u8], start: usize, n: usize) -> u128 {
    let word = match bytes[start..].first_chunk::<16>() {
        Some(word) => u128::from_le_bytes(*word) & ((1 << (8 * n)) - 1),
        None => bytes[start..start + n].iter().rev().fold(0, |key, &byte| key << 8 | u128::from(byte)),
    };
    word | (n as u128) << 120
}
