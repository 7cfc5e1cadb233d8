//! Filter of the bytes that a text has: which quotations cannot stand there, without the text.

use flate2::Crc;

use super::index::QuoteIndex;
use chunkwright_text::error::{Error, Result};

/// So many bytes that follow each other are looked up together.
pub const GRAM_BYTES: usize = 6;

/// Bits for each byte of the normalised text: one in twenty grams that are not there is held for one that is.
const BITS_PER_BYTE: usize = 5;

/// Bloom filter of all runs of six bytes of normalised texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteFilter {
    words: Vec<u64>,
}

impl QuoteFilter {
    /// Of what filters hold, and how: one more with each change of how texts are normalised, too.
    pub const VERSION: u32 = 1;

    /// The filter of some texts. O(n).
    pub fn of<'t>(indexes: impl Iterator<Item = &'t QuoteIndex> + Clone) -> Self {
        let forms = indexes.flat_map(QuoteIndex::forms);
        let n_bytes: usize = forms.clone().map(|index| index.normal.bytes().len()).sum();
        let mut filter = Self { words: vec![0; (n_bytes * BITS_PER_BYTE).div_ceil(64).max(1)] };
        for index in forms {
            for gram in grams(index.normal.bytes()) {
                for bit in filter.bits(gram) {
                    filter.words[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        filter
    }

    /// Whether a run of bytes may stand in the texts.
    pub fn may_have(&self, bytes: &[u8]) -> bool {
        grams(bytes).all(|gram| self.has(gram))
    }

    /// Bytes of the longest part between two of `borders` that may stand in the texts; 0 if none of six bytes does.
    pub fn longest(&self, bytes: &[u8], borders: &[usize]) -> usize {
        let (mut longest, mut start) = (0, 0);
        for (at, gram) in grams(bytes).map(Some).chain([None]).enumerate() {
            if gram.is_some_and(|gram| self.has(gram)) {
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

    fn has(&self, gram: u64) -> bool {
        self.bits(gram).into_iter().all(|bit| self.words[bit / 64] >> (bit % 64) & 1 == 1)
    }

    /// The two bits of a gram.
    fn bits(&self, gram: u64) -> [usize; 2] {
        let mixed = |value: u64| {
            let value = (value ^ (value >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            value ^ (value >> 29)
        };
        let n_bits = self.words.len() as u128 * 64;
        // The high half of the product: below the number of bits, and as even as the hash.
        let bit =
            |hash: u64| usize::try_from((u128::from(hash) * n_bits) >> 64).unwrap_or_default();
        let first = mixed(gram.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        [bit(first), bit(mixed(first.wrapping_mul(0x94d0_49bb_1331_11eb)))]
    }

    /// The filter as bytes, bound to the `key` of its texts.
    pub fn to_bytes(&self, key: &[u8]) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let end = [Self::VERSION, checksum(&bytes, key)];
        bytes.extend(end.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// The filter that [`Self::to_bytes`] wrote with the same key.
    ///
    /// # Errors
    /// [`Error::Read`] if the bytes are damaged, of another version, or those of other texts.
    pub fn of_bytes(data: &[u8], key: &[u8]) -> Result<Self> {
        let (words, rest) = data.as_chunks::<8>();
        let damaged = || Error::read("a filter of quotations is damaged");
        let Some(([end @ .., a, b, c, d], words)) = words.split_last() else {
            return Err(damaged());
        };
        let body = &data[..words.len() * 8];
        let is_whole = rest.is_empty()
            && !words.is_empty()
            && *end == Self::VERSION.to_le_bytes()
            && u32::from_le_bytes([*a, *b, *c, *d]) == checksum(body, key);
        if !is_whole {
            return Err(damaged());
        }
        Ok(Self { words: words.iter().map(|word| u64::from_le_bytes(*word)).collect() })
    }
}

/// All runs of six bytes, as numbers.
fn grams(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let mut gram = 0;
    let numbers = bytes.iter().map(move |&byte| {
        gram = (gram << 8 | u64::from(byte)) & ((1 << (8 * GRAM_BYTES)) - 1);
        gram
    });
    numbers.skip(GRAM_BYTES - 1)
}

fn checksum(bytes: &[u8], key: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(key);
    crc.update(bytes);
    crc.sum()
}
