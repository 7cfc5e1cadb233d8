//! Key of up to 15 bytes in a register, which most pre-tokens and tokens fit into.
//!
//! Two words of 64 bits compare, hash and slice in a few instructions. Loading reads 16 bytes at once and clears
//! what is too much, so no loop over bytes is left in the way of an encoder.

use super::hash::{HASH_MULTIPLIER, load_word, mix};

/// A short byte string: its bytes, zeros behind them, and in the top byte its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key {
    low: u64,
    high: u64,
}

const LEN_SHIFT: u32 = 56;

/// The first so many bytes of sixteen: read faster than computed.
static MASKS: [[u64; 2]; 16] = masks();

const fn masks() -> [[u64; 2]; 16] {
    let mut masks = [[0; 2]; 16];
    let mut len = 0;
    while len < 16 {
        let mask = (1_u128 << (8 * len)) - 1;
        #[allow(clippy::cast_possible_truncation, reason = "the halves of 128 bits")]
        let halves = [mask as u64, (mask >> 64) as u64];
        masks[len] = halves;
        len += 1;
    }
    masks
}

#[allow(clippy::len_without_is_empty, reason = "nobody asks")]
impl Key {
    /// The greatest length.
    pub const MAX_LEN: usize = 15;

    /// The first `len` of `bytes`; there may be more, and up to 16 of them are read at once.
    #[inline]
    pub fn load(bytes: &[u8], len: usize) -> Self {
        let word = match bytes.first_chunk::<16>() {
            Some(word) => u128::from_le_bytes(*word),
            None => {
                u128::from(load_word(&bytes[..bytes.len().min(8)]))
                    | u128::from(load_word(&bytes[bytes.len().min(8)..])) << 64
            }
        };
        Self::of(word, len)
    }

    /// `len` bytes from byte `start` on.
    #[inline]
    #[must_use]
    pub fn slice(self, start: usize, len: usize) -> Self {
        Self::of((u128::from(self.high) << 64 | u128::from(self.low)) >> (8 * start), len)
    }

    /// Byte number `i`, which is below 15.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the lowest byte is wanted")]
    pub const fn byte(self, i: usize) -> u8 {
        if i < 8 { (self.low >> (8 * i)) as u8 } else { (self.high >> (8 * (i - 8))) as u8 }
    }

    #[inline]
    fn of(word: u128, len: usize) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "the halves of 128 bits")]
        let (low, high) = (word as u64, (word >> 64) as u64);
        let [low_mask, high_mask] = MASKS[len % 16];
        Self { low: low & low_mask, high: high & high_mask | (len as u64) << LEN_SHIFT }
    }

    /// Its bytes, zeros behind them.
    pub const fn padded(self) -> [u8; 16] {
        let word = (self.high as u128) << 64 | self.low as u128;
        (word & !(0xff << (64 + LEN_SHIFT))).to_le_bytes()
    }

    /// Number of bytes.
    #[inline]
    pub const fn len(self) -> usize {
        (self.high >> LEN_SHIFT) as usize
    }

    /// The hash of the vocabulary tables, equal to that of the bytes.
    #[inline]
    pub const fn hash(self) -> u64 {
        let hash = mix((self.len() as u64).wrapping_mul(HASH_MULTIPLIER), self.low);
        if self.len() <= 8 { hash } else { mix(hash, self.high & !(0xff << LEN_SHIFT)) }
    }

    /// A cheaper hash, whose top bits are good.
    #[inline]
    pub const fn quick_hash(self) -> u64 {
        (self.low ^ self.high.rotate_left(29)).wrapping_mul(HASH_MULTIPLIER)
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash::hash_bytes;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_is_its_bytes(bytes in prop::collection::vec(any::<u8>(), 1..40), start in 0_usize..15) {
            let len = bytes.len().min(Key::MAX_LEN);
            let key = Key::load(&bytes, len);
            prop_assert_eq!(key.len(), len);
            prop_assert_eq!(&key.padded()[..len], &bytes[..len]);
            prop_assert_eq!(&key.padded()[len..], &[0; 16][len..]);
            prop_assert_eq!(key.hash(), hash_bytes(&bytes[..len]));
            let start = start.min(len - 1);
            prop_assert_eq!(key.byte(start), bytes[start]);
            prop_assert_eq!(key.slice(start, len - start), Key::load(&bytes[start..len], len - start));
        }
    }
}
