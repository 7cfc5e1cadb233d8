//! The tokens of a vocabulary and their ranks, read in place from a table made beforehand.
//!
//! `scripts/generate_tables.py` writes the tables, little-endian: a header (magic, number of tokens,
//! bits of the slot index, longest token, bytes of all tokens), the reach table, the ranks of all pairs
//! of bytes, the hash slots, the offsets of the tokens in rank order, and their bytes. Nothing is built
//! at load.

use super::hash::{HASH_MULTIPLIER, hash_bytes, load_word};
use super::key::Key;

const MAGIC: &[u8; 8] = b"cwbpe002";
const HEADER_BYTES: usize = 24;
const REACH_BYTES: usize = 1 << 16;
const N_PAIRS: usize = 1 << 16;
/// So many bytes may be read from the start of any token.
const TOKEN_PADDING: usize = 16;
const EMPTY_SLOT: u32 = u32::MAX;
const RANK_BITS: u32 = 18;
const TAG_SHIFT: u32 = 20;

/// Rank of what is no token: greater than every rank.
pub const NO_RANK: u32 = u32::MAX;

/// Byte strings with ranks; the rank is the token's id, and the lower one is merged first.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    name: &'static str,
    reach: &'static [u8],
    pairs: &'static [[u8; 4]],
    slots: &'static [[u8; 4]],
    offsets: &'static [[u8; 4]],
    tokens: &'static [u8],
    slot_shift: u32,
    max_len: usize,
}

impl Vocabulary {
    /// Lays the parts of a table out; compile-time work, so a malformed table does not build.
    #[allow(clippy::panic, reason = "evaluated at compile time only")]
    const fn from_table(name: &'static str, table: &'static [u8]) -> Self {
        let (header, rest) = table.split_at(HEADER_BYTES);
        let mut i = 0;
        while i < MAGIC.len() {
            assert!(header[i] == MAGIC[i], "not a vocabulary table");
            i += 1;
        }
        let n_tokens = header_word(header, 8);
        let slot_bits = header_word(header, 12);
        let (reach, rest) = rest.split_at(REACH_BYTES);
        let (pairs, rest) = rest.split_at(4 * N_PAIRS);
        let (slots, rest) = rest.split_at(4 << slot_bits);
        let (offsets, tokens) = rest.split_at(4 * (n_tokens + 1));
        assert!(
            tokens.len() == header_word(header, 20) + TOKEN_PADDING,
            "truncated vocabulary table"
        );
        #[allow(clippy::cast_possible_truncation, reason = "at most 32")]
        let slot_shift = 64 - slot_bits as u32;
        let max_len = header_word(header, 16);
        Self {
            name,
            reach,
            pairs: pairs.as_chunks().0,
            slots: slots.as_chunks().0,
            offsets: offsets.as_chunks().0,
            tokens,
            slot_shift,
            max_len,
        }
    }

    /// Name as tiktoken gives it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Number of tokens; special tokens are none.
    pub const fn n_tokens(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Length of the longest token, in bytes.
    pub const fn max_len(&self) -> usize {
        self.max_len
    }

    /// The bytes of token `rank`.
    pub fn token(&self, rank: u32) -> Option<&'static [u8]> {
        let i = rank as usize;
        let (&start, &end) = (self.offsets.get(i)?, self.offsets.get(i + 1)?);
        self.tokens.get(u32::from_le_bytes(start) as usize..u32::from_le_bytes(end) as usize)
    }

    /// The rank of `bytes`, or [`NO_RANK`]. O(length), one probe on average.
    pub fn rank(&self, bytes: &[u8]) -> u32 {
        if bytes.len() <= Key::MAX_LEN {
            return self.rank_of(Key::load(bytes, bytes.len()));
        }
        if bytes.len() > self.max_len {
            return NO_RANK;
        }
        self.find(hash_bytes(bytes), |rank| self.token(rank) == Some(bytes))
    }

    /// The rank of up to 15 bytes in a register, or [`NO_RANK`].
    #[inline]
    pub fn rank_of(&self, key: Key) -> u32 {
        self.find(key.hash(), |rank| {
            let i = rank as usize;
            let start = u32::from_le_bytes(self.offsets[i]) as usize;
            let end = u32::from_le_bytes(self.offsets[i + 1]) as usize;
            end - start == key.len() && Key::load(&self.tokens[start..], key.len()) == key
        })
    }

    /// The rank of two bytes, or [`NO_RANK`]: the lookup that an encoding begins with, byte by byte.
    #[inline]
    pub fn rank_of_pair(&self, first: u8, second: u8) -> u32 {
        u32::from_le_bytes(self.pairs[usize::from(first) << 8 | usize::from(second)])
    }

    /// The rank in the slots of `hash` for which `is_it` holds.
    #[inline]
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> u32 {
        #[allow(clippy::cast_possible_truncation, reason = "the shift leaves fewer than 32 bits")]
        let mut at = (hash >> self.slot_shift) as usize;
        #[allow(clippy::cast_possible_truncation, reason = "the low bits of the tag are wanted")]
        let tag = (hash >> TAG_SHIFT) as u32 & (u32::MAX >> RANK_BITS);
        loop {
            let slot = u32::from_le_bytes(self.slots[at]);
            if slot == EMPTY_SLOT {
                return NO_RANK;
            }
            let rank = slot & ((1 << RANK_BITS) - 1);
            if slot >> RANK_BITS == tag && is_it(rank) {
                return rank;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// An upper bound of the length of the tokens that `bytes` begins with, at least 2.
    pub fn reach(&self, bytes: &[u8]) -> usize {
        let Some(first) = bytes.get(..3) else { return bytes.len() };
        let hash = load_word(first).wrapping_mul(HASH_MULTIPLIER);
        usize::from(self.reach[(hash >> 48) as usize]).clamp(2, bytes.len())
    }
}

const fn header_word(header: &[u8], at: usize) -> usize {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
}

/// OpenAI's `cl100k_base` (GPT-3.5, GPT-4, text-embedding-3).
pub static CL100K_BASE: Vocabulary =
    Vocabulary::from_table("cl100k_base", include_bytes!("../../../data/cl100k_base.bin"));

/// OpenAI's `o200k_base` (GPT-4o and later).
pub static O200K_BASE: Vocabulary =
    Vocabulary::from_table("o200k_base", include_bytes!("../../../data/o200k_base.bin"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_its_rank() {
        for vocabulary in [&CL100K_BASE, &O200K_BASE] {
            for rank in 0..u32::try_from(vocabulary.n_tokens()).unwrap() {
                let token = vocabulary.token(rank).unwrap();
                assert_eq!(vocabulary.rank(token), rank);
                if token.len() <= Key::MAX_LEN {
                    assert_eq!(vocabulary.rank_of(Key::load(token, token.len())), rank);
                }
                if let [first, second] = *token {
                    assert_eq!(vocabulary.rank_of_pair(first, second), rank);
                }
                assert!(vocabulary.reach(token) >= token.len());
            }
            assert_eq!(vocabulary.rank(b"no token at all"), NO_RANK);
            assert_eq!(vocabulary.rank_of_pair(0xff, 0xff), NO_RANK);
            assert_eq!(vocabulary.token(u32::MAX), None);
        }
    }
}
