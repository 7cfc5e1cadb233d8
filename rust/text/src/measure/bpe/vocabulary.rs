//! Vocabulary: tokens and their ranks, in hash tables.
//!
//! The tables of the built-in vocabularies are read in place: nothing is built at load.
//! `scripts/generate_tables.py` writes them, little-endian: a header (magic, number of tokens, bits of
//! the slot index, longest token, bytes of all tokens), the reach table, the ranks of all pairs of
//! bytes, the hash slots, the offsets of the tokens in rank order, and their bytes. Those of a caller's
//! vocabulary have the same layout in memory (`tables`).
//!
//! A lookup is one hash of the bytes and, on average, one probe. The *reach* table says for each pair of first
//! bytes how long the tokens are that begin so, which bounds the search for the longest one.

use std::borrow::Cow;

use super::hash::{HASH_MULTIPLIER, hash_bytes, load_word};
use super::ids::Ids;
use super::key::Key;

const MAGIC: &[u8; 8] = b"cwbpe002";
const HEADER_BYTES: usize = 24;
pub(super) const REACH_BYTES: usize = 1 << 16;
pub(super) const N_PAIRS: usize = 1 << 16;
/// So many bytes may be read from the start of any token.
pub(super) const TOKEN_PADDING: usize = 16;
pub(super) const EMPTY_SLOT: u32 = u32::MAX;
pub(super) const RANK_BITS: u32 = 18;
const TAG_SHIFT: u32 = 20;

/// Rank of what is no token: greater than every rank.
pub const NO_RANK: u32 = u32::MAX;

/// A number as the tables hold it.
pub(super) type Word = [u8; 4];

/// Byte strings with ranks, of which the lower one is merged first.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pub(super) name: Cow<'static, str>,
    pub(super) reach: Cow<'static, [u8]>,
    pub(super) pairs: Cow<'static, [Word]>,
    pub(super) slots: Cow<'static, [Word]>,
    pub(super) offsets: Cow<'static, [Word]>,
    pub(super) tokens: Cow<'static, [u8]>,
    pub(super) slot_shift: u32,
    pub(super) max_len: usize,
    /// Whether each string of one to three ASCII digits is a token.
    pub(super) has_all_numbers: bool,
    /// Whether there may be tokens that their own bytes are not merged to.
    pub(super) may_have_unmade: bool,
    pub(super) ids: Ids,
}

impl Vocabulary {
    /// Lays the parts of a table out; compile-time work, so a malformed table does not build.
    #[allow(clippy::panic, reason = "evaluated at compile time only")]
    const fn from_table(name: &'static str, table: &'static [u8], has_all_numbers: bool) -> Self {
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
            name: Cow::Borrowed(name),
            reach: Cow::Borrowed(reach),
            pairs: Cow::Borrowed(pairs.as_chunks().0),
            slots: Cow::Borrowed(slots.as_chunks().0),
            offsets: Cow::Borrowed(offsets.as_chunks().0),
            tokens: Cow::Borrowed(tokens),
            slot_shift,
            max_len,
            has_all_numbers,
            may_have_unmade: false,
            ids: Ids::Ranks,
        }
    }

    /// Name, as tiktoken gives it to one that is built in.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of tokens; special tokens are none.
    pub fn n_tokens(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether each string of one to three ASCII digits is a token.
    pub const fn has_all_numbers(&self) -> bool {
        self.has_all_numbers
    }

    /// Whether there may be tokens that their own bytes are not merged to: such a one is found only as
    /// a whole pre-token.
    pub const fn may_have_unmade(&self) -> bool {
        self.may_have_unmade
    }

    /// The ids that the vocabulary's owner gives its tokens.
    pub const fn ids(&self) -> &Ids {
        &self.ids
    }

    /// Length of the longest token, in bytes.
    pub const fn max_len(&self) -> usize {
        self.max_len
    }

    /// The bytes of token `rank`.
    pub fn token(&self, rank: u32) -> Option<&[u8]> {
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
        let (mut at, tag) = slot_and_tag(hash, self.slot_shift);
        let slots = &*self.slots;
        loop {
            let slot = u32::from_le_bytes(slots[at]);
            if slot == EMPTY_SLOT {
                return NO_RANK;
            }
            let rank = slot & ((1 << RANK_BITS) - 1);
            if slot >> RANK_BITS == tag && is_it(rank) {
                return rank;
            }
            at = (at + 1) & (slots.len() - 1);
        }
    }

    /// An upper bound of the length of the tokens that `bytes` begins with, at least 2.
    pub fn reach(&self, bytes: &[u8]) -> usize {
        self.reaches()(bytes)
    }

    /// [`Vocabulary::reach`] to be asked many times.
    pub fn reaches(&self) -> impl Fn(&[u8]) -> usize {
        let reach = &*self.reach;
        move |bytes| match bytes.get(..3) {
            Some(first) => usize::from(reach[reach_slot(first)]).clamp(2, bytes.len()),
            None => bytes.len(),
        }
    }
}

/// Where to look for a hash first, and what is kept of it there.
#[inline]
pub(super) const fn slot_and_tag(hash: u64, slot_shift: u32) -> (usize, u32) {
    #[allow(clippy::cast_possible_truncation, reason = "the shift leaves fewer than 32 bits")]
    let at = (hash >> slot_shift) as usize;
    #[allow(clippy::cast_possible_truncation, reason = "the low bits of the tag are wanted")]
    let tag = (hash >> TAG_SHIFT) as u32 & (u32::MAX >> RANK_BITS);
    (at, tag)
}

/// Where the reach of tokens that begin with `first`, three bytes, is kept.
#[inline]
pub(super) fn reach_slot(first: &[u8]) -> usize {
    (load_word(first).wrapping_mul(HASH_MULTIPLIER) >> 48) as usize
}

const fn header_word(header: &[u8], at: usize) -> usize {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
}

static R50K_TABLE: &[u8] = include_bytes!("../../../data/r50k_base.bin");

/// OpenAI's `r50k_base` (GPT-3's first models).
pub static R50K_BASE: Vocabulary = Vocabulary::from_table("r50k_base", R50K_TABLE, false);

/// OpenAI's `gpt2`: the tokens of `r50k_base` under the name of the model that they were made for.
pub static GPT2: Vocabulary = Vocabulary::from_table("gpt2", R50K_TABLE, false);

/// OpenAI's `cl100k_base` (GPT-3.5, GPT-4, text-embedding-3).
pub static CL100K_BASE: Vocabulary =
    Vocabulary::from_table("cl100k_base", include_bytes!("../../../data/cl100k_base.bin"), true);

/// OpenAI's `o200k_base` (GPT-4o and later).
pub static O200K_BASE: Vocabulary =
    Vocabulary::from_table("o200k_base", include_bytes!("../../../data/o200k_base.bin"), true);

#[cfg(test)]
mod tests {
    use super::super::merge::last_joint;
    use super::*;

    #[test]
    fn every_token_has_its_rank() {
        for vocabulary in [&R50K_BASE, &CL100K_BASE, &O200K_BASE] {
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
                assert!(token.len() == 1 || last_joint(vocabulary, token).is_some(), "{token:?}");
            }
            let has_all = (0..1000).all(|number| {
                [format!("{number}"), format!("{number:02}"), format!("{number:03}")]
                    .iter()
                    .all(|digits| vocabulary.rank(digits.as_bytes()) != NO_RANK)
            });
            assert_eq!(vocabulary.has_all_numbers(), has_all);
            assert_eq!(vocabulary.rank(b"no token at all"), NO_RANK);
            assert_eq!(vocabulary.rank_of_pair(0xff, 0xff), NO_RANK);
            assert_eq!(vocabulary.token(u32::MAX), None);
        }
    }
}
