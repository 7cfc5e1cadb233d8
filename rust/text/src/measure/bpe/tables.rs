//! Tables of a vocabulary that is not built in, made in memory.

use std::borrow::Cow;

use super::hash::hash_bytes;
use super::ids::Ids;
use super::vocabulary::{
    EMPTY_SLOT, N_PAIRS, NO_RANK, RANK_BITS, REACH_BYTES, TOKEN_PADDING, Vocabulary, Word,
    reach_slot, slot_and_tag,
};

/// The reach table holds lengths in a byte.
const MAX_TOKEN_BYTES: usize = u8::MAX as usize;
/// A token is looked for in so many slots at most: more occur only if hashes were made to collide.
const MAX_PROBES: usize = 256;

impl Vocabulary {
    /// The vocabulary of `tokens`, which are in the order of their ranks, and their `ids`.
    ///
    /// None if the tables cannot hold it: a byte is no token by itself, a token is empty, there twice
    /// or longer than 255 bytes, there are more than 2¹⁸ − 1, or their hashes collide on purpose.
    /// O(bytes of all tokens), and 320 kB beside them.
    pub fn from_tokens(name: String, tokens: &[&[u8]], ids: Vec<u32>) -> Option<Self> {
        let max_len = tokens.iter().map(|token| token.len()).max()?;
        let is_odd = |token: &&[u8]| token.is_empty() || token.len() > MAX_TOKEN_BYTES;
        if tokens.len() >= 1 << RANK_BITS || tokens.iter().any(is_odd) {
            return None;
        }
        let slot_bits = (2 * tokens.len()).ilog2() + 1;
        let mut vocabulary = Self {
            name: Cow::Owned(name),
            reach: reach_table(tokens).into(),
            pairs: pair_table(tokens).into(),
            slots: hash_slots(tokens, slot_bits)?.into(),
            offsets: offset_table(tokens).into(),
            tokens: [&tokens.concat()[..], &[0; TOKEN_PADDING]].concat().into(),
            slot_shift: 64 - slot_bits,
            max_len,
            has_all_numbers: false,
            may_have_unmade: true,
            ids: Ids::new(ids),
        };
        let ranks = || (0_u32..).zip(tokens);
        let is_whole = (0..=u8::MAX).all(|byte| vocabulary.rank(&[byte]) != NO_RANK)
            && ranks().all(|(rank, token)| vocabulary.rank(token) == rank);
        vocabulary.has_all_numbers = numbers().all(|n| vocabulary.rank(n.as_bytes()) != NO_RANK);
        is_whole.then_some(vocabulary)
    }
}

/// All strings of one to three digits.
fn numbers() -> impl Iterator<Item = String> {
    (1..4).flat_map(|len| {
        (0..10_usize.pow(len)).map(move |n| format!("{n:0len$}", len = len as usize))
    })
}

/// For each hash of three bytes: the length of the longest token that begins with them.
fn reach_table(tokens: &[&[u8]]) -> Vec<u8> {
    let mut reach = vec![0; REACH_BYTES];
    for token in tokens {
        if let Some(first) = token.get(..3) {
            let longest: &mut u8 = &mut reach[reach_slot(first)];
            *longest = (*longest).max(u8::try_from(token.len()).unwrap_or(u8::MAX));
        }
    }
    reach
}

/// The rank of each two bytes.
fn pair_table(tokens: &[&[u8]]) -> Vec<Word> {
    let mut pairs = vec![NO_RANK.to_le_bytes(); N_PAIRS];
    for (rank, token) in (0_u32..).zip(tokens) {
        if let [first, second] = **token {
            pairs[usize::from(first) << 8 | usize::from(second)] = rank.to_le_bytes();
        }
    }
    pairs
}

/// An open-addressing table: each slot is a rank below a tag of the hash, or empty.
fn hash_slots(tokens: &[&[u8]], bits: u32) -> Option<Vec<Word>> {
    let mut slots = vec![EMPTY_SLOT.to_le_bytes(); 1 << bits];
    for (rank, token) in (0_u32..).zip(tokens) {
        let (first, tag) = slot_and_tag(hash_bytes(token), 64 - bits);
        let places = (first..first + MAX_PROBES).map(|at| at & (slots.len() - 1));
        let free = places.into_iter().find(|&at| slots[at] == EMPTY_SLOT.to_le_bytes())?;
        slots[free] = (tag << RANK_BITS | rank).to_le_bytes();
    }
    Some(slots)
}

/// Where each token begins among the bytes of all, and where the last one ends.
fn offset_table(tokens: &[&[u8]]) -> Vec<Word> {
    let ends = tokens.iter().scan(0_usize, |end, token| {
        *end += token.len();
        Some(*end)
    });
    // At most 2^18 tokens of 255 bytes.
    [0].into_iter()
        .chain(ends)
        .map(|at| u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::CL100K_BASE;
    use super::*;

    fn bytes() -> Vec<Vec<u8>> {
        (0..=u8::MAX).map(|byte| vec![byte]).collect()
    }

    fn build(tokens: &[Vec<u8>]) -> Option<Vocabulary> {
        let tokens: Vec<&[u8]> = tokens.iter().map(Vec::as_slice).collect();
        let ids = (0..u32::try_from(tokens.len()).unwrap()).collect();
        Vocabulary::from_tokens("test".into(), &tokens, ids)
    }

    #[test]
    fn tables_in_memory_are_those_of_the_script() {
        let n = u32::try_from(CL100K_BASE.n_tokens()).unwrap();
        let tokens: Vec<&[u8]> = (0..n).map(|rank| CL100K_BASE.token(rank).unwrap()).collect();
        let made = Vocabulary::from_tokens("made".into(), &tokens, (0..n).collect()).unwrap();
        assert_eq!(made.reach, CL100K_BASE.reach);
        assert_eq!(made.pairs, CL100K_BASE.pairs);
        assert_eq!(made.slots, CL100K_BASE.slots);
        assert_eq!(made.offsets, CL100K_BASE.offsets);
        assert_eq!(made.tokens, CL100K_BASE.tokens);
        assert_eq!(made.slot_shift, CL100K_BASE.slot_shift);
        assert!(made.has_all_numbers && matches!(made.ids, Ids::Ranks));
    }

    #[test]
    fn what_the_tables_cannot_hold_is_refused() {
        let with = |token: &[u8]| build(&[bytes(), vec![token.to_vec()]].concat());
        assert!(with(b"ab").is_some_and(|vocabulary| vocabulary.rank(b"ab") == 256));
        assert!(!with(b"ab").unwrap().has_all_numbers);
        assert!(with(b"a").is_none());
        assert!(with(b"").is_none());
        assert!(with(&[b'a'; 255]).is_some());
        assert!(with(&[b'a'; 256]).is_none());
        assert!(build(&bytes()[1..]).is_none());
        assert!(build(&[]).is_none());
    }
}
