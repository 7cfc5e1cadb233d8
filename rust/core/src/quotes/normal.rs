//! Normalised form of a text, in which quotations are compared, with the place of each byte in the source.

/// A text without what a quotation may change: see the [module](super) for what that is.
///
/// Blanks are left out of the bytes; beside them stand marks where one is between two words. Memory: 2.3 bytes for
/// each byte.
#[derive(Clone, Debug, Default)]
pub struct Normal {
    bytes: Vec<u8>,
    /// Bytes before which a word begins that a blank parts from the word before.
    blanks: Bits,
    /// Bytes before which a sign is left out, such as a hyphen, which may part two words or not.
    loose: Bits,
    /// For each byte how much further than the one before its character begins in the source.
    steps: Vec<u8>,
    /// Bytes whose characters are known to begin at a place in the source, at least one of [`ANCHOR_BYTES`].
    anchors: Vec<(usize, usize)>,
    /// Where the character of the last byte begins.
    last: usize,
}

/// So many steps are added up at most.
const ANCHOR_BYTES: usize = 256;

/// What stands between two characters that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing.
    #[default]
    None,
    /// Whitespace.
    Blank,
    /// A sign that is left out, with whitespace around or without: a hyphen, a bracket.
    Loose,
}

impl Normal {
    /// Appends a character, of which `bytes` are left, and which begins at `start` in the source; `gap` stands before.
    #[inline]
    pub fn push(&mut self, bytes: &[u8], start: usize, gap: Gap) {
        match gap {
            Gap::None => {}
            Gap::Blank => self.blanks.set(self.bytes.len()),
            Gap::Loose => self.loose.set(self.bytes.len()),
        }
        for &byte in bytes {
            self.push_byte(byte, start);
        }
    }

    #[inline]
    fn push_byte(&mut self, byte: u8, start: usize) {
        let step = u8::try_from(start - self.last).ok();
        let step = step.filter(|_| !self.bytes.len().is_multiple_of(ANCHOR_BYTES));
        if step.is_none() {
            self.anchors.push((self.bytes.len(), start));
        }
        self.steps.push(step.unwrap_or(0));
        self.bytes.push(byte);
        self.last = start;
    }

    /// The bytes, which are UTF-8.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The part `start..end` as text; empty if it cuts a character.
    pub fn text(&self, start: usize, end: usize) -> &str {
        self.bytes.get(start..end).and_then(|part| str::from_utf8(part).ok()).unwrap_or_default()
    }

    /// Where in the source the character of a byte begins. O(1).
    pub fn source(&self, byte: usize) -> usize {
        let anchor = self.anchors.partition_point(|&(at, _)| at <= byte).saturating_sub(1);
        let Some(&(at, start)) = self.anchors.get(anchor) else { return 0 };
        start + self.steps[at + 1..=byte].iter().map(|&step| usize::from(step)).sum::<usize>()
    }

    /// Whether a blank or a sign that is left out stands before the byte.
    pub fn has_gap(&self, byte: usize) -> bool {
        self.blanks.get(byte) || self.loose.get(byte)
    }

    /// Blanks and signs that are left out, between words, before the bytes `start + 1..end`.
    pub fn n_gaps(&self, start: usize, end: usize) -> usize {
        (start + 1..end).filter(|&byte| self.has_gap(byte)).count()
    }

    /// Whether what stands before byte `at` may stand before byte `other_at` of `other`.
    pub fn has_gap_of(&self, at: usize, other: &Self, other_at: usize) -> bool {
        let is_loose = self.loose.get(at) || other.loose.get(other_at);
        is_loose || self.blanks.get(at) == other.blanks.get(other_at)
    }

    /// Whether the `len` bytes at `at` have blanks where those at `other_at` of `other` have them, but for the first:
    /// where one has a sign that is left out, the other may have any, a blank or nothing. 64 bytes at once.
    pub fn has_blanks_of(&self, at: usize, other: &Self, other_at: usize, len: usize) -> bool {
        (0..len).step_by(64).all(|done| {
            let (at, other_at) = (at + done, other_at + done);
            let differ = self.blanks.window(at) ^ other.blanks.window(other_at);
            let loose = self.loose.window(at) | other.loose.window(other_at);
            let within = u64::MAX >> (64 - (len - done).min(64));
            let first = u64::from(done == 0);
            differ & !loose & within & !first == 0
        })
    }
}

/// Set of numbers.
#[derive(Clone, Debug, Default)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    fn set(&mut self, i: usize) {
        if self.words.len() <= i / 64 {
            self.words.resize(i / 64 + 1, 0);
        }
        self.words[i / 64] |= 1 << (i % 64);
    }

    fn get(&self, i: usize) -> bool {
        self.window(i) & 1 == 1
    }

    /// The bits from `i` on, 64 of them.
    fn window(&self, i: usize) -> u64 {
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        let low = word(i / 64) >> (i % 64);
        // In two steps, for none is left to shift if there is nothing to shift.
        low | (word(i / 64 + 1) << (63 - i % 64) << 1)
    }
}
