//! Stored form of a segment: its arrays as bytes, between a header and a checksum.
//!
//! Numbers are little-endian. The bytes may be of anybody: a search counts on nothing that was not checked here.

use flate2::Crc;
use memchr::memchr_iter;

use super::block::{Block, LARGE, Large, MAX_TEXTS};
use super::segment::Segment;
use super::term_table::TermTable;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::segment::terms;
use chunkwright_text::segment::terms::subwords::Subwords;

/// What the bytes begin with: that it is a segment, of which form, and of which terms.
#[allow(clippy::cast_possible_truncation, reason = "it is small")]
const MAGIC: [u8; 8] = [b'c', b'w', b'b', b'm', b'2', b'5', 0, terms::VERSION as u8];

/// The checksum at the end.
const CHECKSUM_BYTES: usize = 4;

/// The kinds of subwords by their numbers in the header.
const SUBWORDS: [Option<Subwords>; 3] = [None, Some(Subwords::Prefix), Some(Subwords::FourGrams)];

impl Segment {
    /// The segment as bytes, which [`Segment::of_bytes`] reads. O(n).
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::Segment;
    ///
    /// let segment = Segment::new(&["rain in spain", "sun"], None, no_pulse())?;
    /// let mut bytes = segment.to_bytes();
    /// assert_eq!(Segment::of_bytes(&bytes)?.n_texts(), 2);
    /// bytes[20] ^= 1;
    /// assert!(Segment::of_bytes(&bytes).is_err());
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { subwords, lengths, terms, block } = self;
        let mut bytes = MAGIC.to_vec();
        let kind = SUBWORDS.iter().position(|known| known == subwords).unwrap_or(0);
        let sizes = [
            kind,
            lengths.len(),
            terms.len(),
            terms.bytes.len(),
            block.common.len(),
            block.texts.len(),
            block.large.len(),
        ];
        // None is above what 32 bits count: builders see to it.
        let sizes = sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        for numbers in [&sizes[..], lengths, &terms.ends, &terms.numbers] {
            push(numbers, &mut bytes);
        }
        for numbers in [&block.common, &block.common_with, &block.ends] {
            push(numbers, &mut bytes);
        }
        for large in &block.large {
            push(&[large.term, u32::from(large.text), large.count], &mut bytes);
        }
        bytes.extend(block.texts.iter().flat_map(|text| text.to_le_bytes()));
        bytes.extend_from_slice(&block.counts);
        bytes.extend_from_slice(&terms.bytes);
        let checksum = checksum(&bytes);
        push(&[checksum], &mut bytes);
        bytes
    }

    /// The segment that `bytes` hold. O(n).
    ///
    /// # Errors
    /// [`Error::Read`] if they are none of [`Segment::to_bytes`], of another version, or damaged.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self> {
        let Some((body, given)) = bytes.split_last_chunk::<CHECKSUM_BYTES>() else {
            return Err(damaged("they are too few"));
        };
        let Some(parts) = body.strip_prefix(&MAGIC) else {
            return Err(damaged("their first bytes are not those of this version"));
        };
        if u32::from_le_bytes(*given) != checksum(body) {
            return Err(damaged("they are not those that were written"));
        }
        Self::of_parts(&mut Parts(parts)).ok_or_else(|| damaged("parts do not fit together"))
    }

    fn of_parts(parts: &mut Parts<'_>) -> Option<Self> {
        let sizes: [u32; 7] = parts.numbers(7)?.try_into().ok()?;
        let [kind, n_texts, n_terms, n_term_bytes, n_common, n_rare_postings, n_large] =
            sizes.map(|size| size as usize);
        let subwords = *SUBWORDS.get(kind)?;
        let lengths = parts.numbers(n_texts)?;
        let (ends, numbers) = (parts.numbers(n_terms)?, parts.numbers(n_terms)?);
        let (common, common_with) = (parts.numbers(n_common)?, parts.numbers(n_common)?);
        let rare_ends = parts.numbers(n_terms.checked_sub(n_common)?)?;
        let large = parts.numbers(n_large.checked_mul(3)?)?;
        let texts = parts.take(n_rare_postings.checked_mul(2)?)?.as_chunks::<2>().0;
        let n_counts = n_common.checked_mul(n_texts)?.checked_add(n_rare_postings)?;
        let counts = parts.take(n_counts)?.to_vec();
        let term_bytes = parts.take(n_term_bytes)?.to_vec();
        let large = large.as_chunks::<3>().0.iter().map(|&[term, text, count]| {
            Some(Large { term, text: u16::try_from(text).ok()?, count })
        });
        let block = Block {
            n_texts,
            common,
            common_with,
            ends: rare_ends,
            texts: texts.iter().map(|&text| u16::from_le_bytes(text)).collect(),
            counts,
            large: large.collect::<Option<_>>()?,
        };
        let terms = TermTable::of_parts(term_bytes, ends, numbers)?;
        let segment = Self { subwords, lengths, terms, block };
        (parts.0.is_empty() && segment.is_sound()).then_some(segment)
    }

    fn is_sound(&self) -> bool {
        self.lengths.len() <= MAX_TEXTS && self.block.is_sound(self.terms.len())
    }
}

impl Block {
    /// Whether all terms have their postings, and all postings are of texts of the block, in order.
    fn is_sound(&self, n_terms: usize) -> bool {
        let n_postings = self.texts.len();
        let mut start = 0;
        let is_list = |&end: &u32| {
            let texts = self.texts.get(start..end as usize);
            start = end as usize;
            texts.is_some_and(|texts| {
                texts.is_sorted_by(|text, next| text < next)
                    && texts.last().is_some_and(|&last| usize::from(last) < self.n_texts)
            })
        };
        let rows = self.counts[n_postings..].chunks_exact(self.n_texts.max(1));
        let n_with = |row: &[u8]| row.iter().filter(|&&count| count > 0).count();
        let is_large = |large: &Large| {
            (large.term as usize) < n_terms
                && usize::from(large.text) < self.n_texts
                && large.count >= u32::from(LARGE)
        };
        let order = |large: &Large| (large.term, large.text);
        self.common.is_sorted_by(|term, next| term < next)
            && self.common.last().is_none_or(|&last| (last as usize) < n_terms)
            && self.ends.iter().all(is_list)
            && self.ends.last().copied().unwrap_or(0) as usize == n_postings
            && rows.map(n_with).eq(self.common_with.iter().map(|&n| n as usize))
            && self.large.iter().all(is_large)
            && self.large.is_sorted_by(|large, next| order(large) < order(next))
            && memchr_iter(LARGE, &self.counts).count() == self.large.len()
    }
}

/// What is left of the bytes.
struct Parts<'b>(&'b [u8]);

impl<'b> Parts<'b> {
    fn take(&mut self, n_bytes: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(n_bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn numbers(&mut self, n: usize) -> Option<Vec<u32>> {
        let (words, _) = self.take(n.checked_mul(4)?)?.as_chunks::<4>();
        Some(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
    }
}

fn push(numbers: &[u32], bytes: &mut Vec<u8>) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn damaged(why: &str) -> Error {
    Error::read(format!("the bytes are not a segment of a BM25 index: {why}"))
}
