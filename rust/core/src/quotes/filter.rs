//! Filter of the bytes that a text has: which quotations cannot stand there, without the text.

use super::index::QuoteIndex;
use crate::error::{Error, Result};

/// So many bytes that follow each other are looked up together.
pub const GRAM_BYTES: usize = 6;

/// Bits for each byte of the normalised text: one in twenty grams that are not there is held for one that is.
const BITS_PER_BYTE: usize = 5;

/// Of the bytes of a filter.
const LAYOUT: u64 = 1;

/// Bloom filter of all runs of six bytes of normalised texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteFilter {
    words: Vec<u64>,
}

impl QuoteFilter {
    /// The filter of some texts. O(n).
    pub fn of<'t>(indexes: impl Iterator<Item = &'t QuoteIndex> + Clone) -> Self {
        let forms = indexes.flat_map(QuoteIndex::forms);
        let n_bytes: usize = forms.clone().map(|index| index.normal.bytes().len()).sum();
        let mut filter = Self { words: vec![0; (n_bytes * BITS_PER_BYTE).div_ceil(64).max(1)] };
        for index in forms {
            for gram in index.normal.bytes().windows(GRAM_BYTES) {
                for bit in filter.bits(gram) {
                    filter.words[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        filter
    }

    /// Whether a run of bytes may stand in the texts.
    pub fn may_have(&self, bytes: &[u8]) -> bool {
        bytes.windows(GRAM_BYTES).all(|gram| self.has(gram))
    }

    /// Bytes of the longest part between two of `borders` that may stand in the texts; 0 if none of six bytes does.
    pub fn longest(&self, bytes: &[u8], borders: &[usize]) -> usize {
        let n_grams = (bytes.len() + 1).saturating_sub(GRAM_BYTES);
        let (mut longest, mut start) = (0, 0);
        for at in 0..=n_grams {
            if at < n_grams && self.has(&bytes[at..at + GRAM_BYTES]) {
                continue;
            }
            let first = borders.partition_point(|&border| border < start);
            let last = borders.partition_point(|&border| border < at + GRAM_BYTES);
            if start < at && first < last {
                longest = longest.max(borders[last - 1] - borders[first]);
            }
            start = at + 1;
        }
        if longest < GRAM_BYTES { 0 } else { longest }
    }

    fn has(&self, gram: &[u8]) -> bool {
        self.bits(gram).into_iter().all(|bit| self.words[bit / 64] >> (bit % 64) & 1 == 1)
    }

    /// The two bits of a gram.
    fn bits(&self, gram: &[u8]) -> [usize; 2] {
        let value = gram.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        let mixed = |value: u64| {
            let value = (value ^ (value >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            value ^ (value >> 29)
        };
        let n_bits = self.words.len() * 64;
        // A remainder is as even as the hash, and as fast as what is looked up behind it.
        let bit = |hash: u64| usize::try_from(hash >> 1).unwrap_or_default() % n_bits;
        let first = mixed(value.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        [bit(first), bit(mixed(first.wrapping_mul(0x94d0_49bb_1331_11eb)))]
    }

    /// The filter as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = std::iter::once(&LAYOUT).chain(&self.words);
        words.flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The filter that [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Read`] if the bytes are of another layout, or cut off.
    pub fn of_bytes(data: &[u8]) -> Result<Self> {
        let (words, rest) = data.as_chunks::<8>();
        let mut words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        if words.len() < 2 || !rest.is_empty() || words[0] != LAYOUT {
            return Err(Error::Read("a filter of quotations is not of the layout known".into()));
        }
        words.remove(0);
        Ok(Self { words })
    }
}
