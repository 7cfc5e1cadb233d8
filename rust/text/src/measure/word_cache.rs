//! Cache of the token counts of words.
//!
//! A cache that forgets beats a map that grows: slots are found by the top bits of a hash, keep two words each,
//! and are overwritten without a list of what was used last. Words of a language follow Zipf's law, so the most
//! frequent ones are there whatever was between.

use crate::measure::bpe::hash::hash_bytes;
use crate::measure::bpe::key::Key;

/// Bytes of text for one slot of the cache.
const BYTES_PER_SLOT: usize = 32;
const MIN_BITS: u32 = 5;

/// Token counts of words of up to 15 bytes: 3 MB.
pub type ShortWords = Cache<Key, 16>;
/// Token counts of words of 16 to 31 bytes: 1.3 MB.
pub type LongWords = Cache<WideKey, 14>;

/// Token counts of words, two in each of up to 2^`MAX_BITS` slots: the latest one first.
#[derive(Clone, Debug)]
pub struct Cache<K, const MAX_BITS: u32> {
    slots: Vec<[Entry<K>; 2]>,
    shift: u32,
    n_bytes_met: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry<K> {
    key: K,
    n_tokens: u8,
}

/// Key by which a word is found.
pub trait CacheKey: Copy + Default + Eq {
    /// A hash whose top bits are good.
    fn hash(self) -> u64;
}

impl CacheKey for Key {
    #[inline(always)]
    fn hash(self) -> u64 {
        self.quick_hash()
    }
}

/// Up to 31 bytes, zeros behind them, and their number in the last byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideKey([u8; 32]);

impl WideKey {
    /// The greatest length.
    pub const MAX_LEN: usize = 31;

    /// `bytes`, of which there are up to 31.
    pub fn new(bytes: &[u8]) -> Self {
        let mut key = [0; 32];
        key[..bytes.len()].copy_from_slice(bytes);
        key[Self::MAX_LEN] = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
        Self(key)
    }
}

impl CacheKey for WideKey {
    fn hash(self) -> u64 {
        hash_bytes(&self.0)
    }
}

impl<K: CacheKey, const MAX_BITS: u32> Cache<K, MAX_BITS> {
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
    pub fn get(&mut self, key: K, count: impl FnOnce() -> u8) -> u8 {
        #[allow(clippy::cast_possible_truncation, reason = "the shift leaves at most 16 bits")]
        let slot = (key.hash() >> self.shift) as usize;
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_count_is_that_of_its_word(words in prop::collection::vec("[ab漢]{1,10}", 1..80)) {
            let (mut short, mut long) = (ShortWords::new(), LongWords::new());
            short.grow(0);
            long.grow(0);
            for word in words {
                let bytes = word.as_bytes();
                let count = u8::try_from(bytes.len()).unwrap();
                if bytes.len() <= Key::MAX_LEN {
                    prop_assert_eq!(short.get(Key::load(bytes, bytes.len()), || count), count);
                }
                prop_assert_eq!(long.get(WideKey::new(bytes), || count), count);
            }
        }
    }
}
