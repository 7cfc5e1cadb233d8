//! The token counts of the short words that were met.

use crate::measure::bpe::key::Key;

/// Bytes of text for one slot of the cache.
const BYTES_PER_SLOT: usize = 32;
const MIN_BITS: u32 = 5;
/// 3 MB.
const MAX_BITS: u32 = 16;

/// Token counts of words of up to 15 bytes, two in a slot: the latest one first.
#[derive(Clone, Debug)]
pub struct Cache {
    slots: Vec<[Entry; 2]>,
    shift: u32,
    n_bytes_met: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: Key,
    n_tokens: u8,
}

impl Cache {
    /// A cache that holds nothing.
    pub const fn new() -> Self {
        Self { slots: Vec::new(), shift: 64, n_bytes_met: 0 }
    }

    /// Makes room for what has been met and `n_bytes` more; it is empty if that takes growing.
    pub fn grow(&mut self, n_bytes: usize) {
        self.n_bytes_met = self.n_bytes_met.saturating_add(n_bytes);
        let bits = (self.n_bytes_met / BYTES_PER_SLOT).max(1).ilog2().clamp(MIN_BITS, MAX_BITS);
        // Emptied at each fourfold growth only, so that many small texts keep it warm.
        let is_due = self.slots.is_empty() || bits >= 64 - self.shift + 2;
        if is_due || (bits == MAX_BITS && self.shift != 64 - MAX_BITS) {
            self.slots = vec![[Entry::default(); 2]; 1 << bits];
            self.shift = 64 - bits;
        }
    }

    /// The count of the word `key`, which `count` computes if it is not there.
    #[inline(always)]
    pub fn get(&mut self, key: Key, count: impl FnOnce() -> u8) -> u8 {
        #[allow(clippy::cast_possible_truncation, reason = "the shift leaves at most 16 bits")]
        let slot = (key.quick_hash() >> self.shift) as usize;
        let [first, second] = &mut self.slots[slot];
        if first.key != key {
            std::mem::swap(first, second);
            if first.key != key {
                *first = Entry { key, n_tokens: count() };
            }
        }
        first.n_tokens
    }
}
