//! Hash of the vocabulary tables, and loading a few bytes as a number.
//!
//! The tables that are built in are written by a script in another language, so the hash has to be simple and
//! fixed: words of eight bytes, multiplied and folded. It need not resist collisions made on purpose: the
//! built-in tables are known, and a caller's that collide too often are refused.

/// Odd, with its bits well mixed (2^64 over the golden ratio).
pub const HASH_MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hash of a byte string; `scripts/generate_tables.py` computes the same one.
#[inline]
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = (bytes.len() as u64).wrapping_mul(HASH_MULTIPLIER);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    if rest.is_empty() { hash } else { mix(hash, load_word(rest)) }
}

/// One step of the hash.
#[inline]
pub const fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).rotate_left(23).wrapping_mul(HASH_MULTIPLIER)
}

/// Up to 8 bytes as a little-endian number, without a copy of variable length.
#[inline]
pub fn load_word(bytes: &[u8]) -> u64 {
    let n = bytes.len();
    if let Some(word) = bytes.first_chunk::<8>() {
        u64::from_le_bytes(*word)
    } else if let (Some(low), Some(high)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let high = u64::from(u32::from_le_bytes(*high)) << (8 * (n - 4));
        u64::from(u32::from_le_bytes(*low)) | high
    } else if n > 0 {
        let (first, middle, last) = (bytes[0], bytes[n / 2], bytes[n - 1]);
        u64::from(first) | u64::from(middle) << (8 * (n / 2)) | u64::from(last) << (8 * (n - 1))
    } else {
        0
    }
}
