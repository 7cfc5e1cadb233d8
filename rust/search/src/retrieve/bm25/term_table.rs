//! Sorted table of terms, in which a term is found by halving.
//!
//! It is made of arrays alone, so it is stored as it is, and opened by one pass over it.

use std::cmp::Ordering;
use std::ops::Range;

use chunkwright_text::error::{Error, Result};
use chunkwright_text::measure::bpe::hash::load_word;
use chunkwright_text::segment::terms::accents::MARK;

/// What a word without accents ends with.
const BARE: u8 = MARK as u8;

/// Terms in the order of their bytes, with their numbers, by which postings know them.
#[derive(Debug, Default)]
pub struct TermTable {
    /// All terms, one behind the other, and where each ends.
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<u32>,
    /// The number of each in the order of first occurrences: so the postings of terms that came together lie
    /// together, and a segment is built faster by a fifth.
    pub(super) numbers: Vec<u32>,
    /// The first eight bytes of each: what is halved first, as it lies together in memory.
    heads: Vec<u64>,
    /// Whether there is a word that stands for those with accents.
    has_bare: bool,
}

impl TermTable {
    /// The table of terms with their numbers. O(n log n).
    ///
    /// # Errors
    /// [`Error::Config`] if they have more bytes than 32 bits count.
    pub fn of<'t>(terms: impl Iterator<Item = (&'t [u8], u32)>) -> Result<Self> {
        let mut terms: Vec<(u128, &[u8], u32)> =
            terms.map(|(term, number)| (head(term), term, number)).collect();
        terms.sort_unstable_by(|(head, term, _), (other_head, other, _)| {
            head.cmp(other_head).then_with(|| term.cmp(other))
        });
        let mut table = Self::default();
        for (_, term, number) in terms {
            table.bytes.extend_from_slice(term);
            let end = u32::try_from(table.bytes.len());
            let too_many = |_| Error::Config("the terms of an index have too many bytes".into());
            table.ends.push(end.map_err(too_many)?);
            table.numbers.push(number);
        }
        table.set_heads();
        Ok(table)
    }

    /// The table of these parts, if terms are in their order, each once, and each has its number. O(n).
    pub fn of_parts(bytes: Vec<u8>, ends: Vec<u32>, numbers: Vec<u32>) -> Option<Self> {
        let mut table = Self { bytes, ends, numbers, heads: Vec::new(), has_bare: false };
        if !table.is_sound() {
            return None;
        }
        table.set_heads();
        Some(table)
    }

    fn set_heads(&mut self) {
        self.heads = self.iter().map(short_head).collect();
        self.has_bare = self.bytes.contains(&BARE);
    }

    /// How many terms there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is a word that stands for those with accents.
    pub const fn has_bare(&self) -> bool {
        self.has_bare
    }

    /// The terms, in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|place| &self.bytes[self.range(place)])
    }

    /// The number of `term`, if it is there. O(log n).
    pub fn find(&self, term: &[u8]) -> Option<u32> {
        if !self.has_bare && term.last() == Some(&BARE) {
            return None;
        }
        let head = short_head(term);
        let mut low = self.heads.partition_point(|&other| other < head);
        let mut high = low + self.heads[low..].partition_point(|&other| other == head);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.bytes[self.range(middle)].cmp(term) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(self.numbers[middle]),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Whether terms are in their order, each once, and each has its number.
    fn is_sound(&self) -> bool {
        let n = self.len();
        let mut seen = vec![false; n];
        let is_new = |&number: &u32| {
            seen.get_mut(number as usize).is_some_and(|seen| !std::mem::replace(seen, true))
        };
        self.ends.is_sorted()
            && self.ends.last().copied().unwrap_or(0) as usize == self.bytes.len()
            && self.numbers.len() == n
            && self.numbers.iter().all(is_new)
            && self.iter().is_sorted_by(|term, next| term < next)
    }

    fn range(&self, place: usize) -> Range<usize> {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[place] as usize
    }
}

/// The first eight bytes, in whose order terms are but for equal ones; zeros where a term has fewer.
#[inline]
fn short_head(term: &[u8]) -> u64 {
    match term.first_chunk::<8>() {
        Some(head) => u64::from_be_bytes(*head),
        None => load_word(term).swap_bytes(),
    }
}

/// The first sixteen bytes, which are compared at once; zeros where a term has fewer.
fn head(term: &[u8]) -> u128 {
    let mut head = [0; 16];
    let n = term.len().min(head.len());
    head[..n].copy_from_slice(&term[..n]);
    u128::from_be_bytes(head)
}
