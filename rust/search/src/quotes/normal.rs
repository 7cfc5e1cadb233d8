//! Normalised form of a text, in which quotations are compared, with the place of each byte in the source.

use super::joints::{self, Joint, Kind};

/// A text without what a quotation may change: see the [module](super) for what that is.
///
/// Blanks are left out of the bytes; beside them stand marks where one is between two words, and the [`Joint`]s.
/// Memory: 2.5 bytes for each byte, and 16 for each joint.
#[derive(Clone, Debug, Default)]
pub struct Normal {
    bytes: Vec<u8>,
    /// Bytes before which a word begins that a blank parts from the word before.
    blanks: Bits,
    /// Bytes before which any blank stands.
    spaces: Bits,
    /// Bytes of capitals.
    capitals: Bits,
    joints: Vec<Joint>,
    /// For each byte how much further than the one before its character begins in the source.
    steps: Vec<u8>,
    /// Bytes whose characters are known to begin at a place in the source, at least one of [`ANCHOR_BYTES`].
    anchors: Vec<(usize, usize)>,
    /// Where the character of the last byte begins.
    last: usize,
    /// Characters that are written as entities: where they begin and end in the source.
    entities: Vec<(usize, usize)>,
}

/// So many steps are added up at most.
const ANCHOR_BYTES: usize = 256;

/// What stands before a character that is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gap {
    /// A blank that parts two words.
    pub is_blank: bool,
    /// Any blank.
    pub is_space: bool,
}

impl Normal {
    /// One of nothing yet, of a source with entities: where they begin and end there.
    pub fn with_entities(entities: Vec<(usize, usize)>) -> Self {
        Self { entities, ..Self::default() }
    }

    /// Appends a character, of which `bytes` are left, and which begins at `start` in the source; `gap` stands before.
    #[inline]
    pub fn push(&mut self, bytes: &[u8], start: usize, gap: Gap, is_capital: bool) {
        if gap.is_blank {
            self.blanks.set(self.bytes.len());
        }
        if gap.is_space {
            self.spaces.set(self.bytes.len());
        }
        for &byte in bytes {
            if is_capital {
                self.capitals.set(self.bytes.len());
            }
            self.push_byte(byte, start);
        }
    }

    /// Appends a joint before the next byte.
    pub fn join(&mut self, joint: Joint) {
        joints::push(&mut self.joints, joint);
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

    /// Where the entity that begins at a place in the source ends there.
    pub fn entity_end(&self, start: usize) -> Option<usize> {
        let at = self.entities.binary_search_by_key(&start, |&(start, _)| start).ok()?;
        Some(self.entities[at].1)
    }

    /// The joints before the bytes `start..end`.
    pub fn joints(&self, start: usize, end: usize) -> &[Joint] {
        joints::within(&self.joints, start, end)
    }

    /// Whether a word ends before the byte for a blank, or for a sign that is left out.
    pub fn parts_words(&self, byte: usize) -> bool {
        self.blanks.get(byte) || self.joints(byte, byte + 1).iter().any(|j| j.parts_words())
    }

    /// Whether a quotation mark or the end of a paragraph stands before the byte, where that counts.
    pub fn has_break(&self, byte: usize) -> bool {
        self.joints(byte, byte + 1).iter().any(|joint| joint.is(Kind::Break))
    }

    /// Whether the byte stands for another letter or digit, as one above the line.
    pub fn has_form(&self, byte: usize) -> bool {
        self.joints(byte, byte + 1).iter().any(|joint| joint.is(Kind::Form))
    }

    /// Whether the byte is of a capital.
    pub fn is_capital(&self, byte: usize) -> bool {
        self.capitals.get(byte)
    }

    /// Whether any blank stands before the byte.
    pub fn has_space(&self, byte: usize) -> bool {
        self.spaces.get(byte)
    }

    /// Places between words in `start + 1..end`.
    pub fn n_gaps(&self, start: usize, end: usize) -> usize {
        (start + 1..end).filter(|&byte| self.parts_words(byte)).count()
    }

    /// Whether what stands before byte `at` may stand before byte `other_at` of `other`.
    pub fn has_gap_of(&self, at: usize, other: &Self, other_at: usize) -> bool {
        let (own, others) = (self.joints(at, at + 1), other.joints(other_at, other_at + 1));
        let is_blank = self.blanks.get(at) == other.blanks.get(other_at) || share(own, others);
        is_blank && joints::are_alike(own, at, others, other_at)
    }

    /// Whether the `len` bytes at `at` have blanks and joints where those at `other_at` of `other` have them, but for
    /// the first. 64 bytes at once.
    pub fn has_gaps_of(&self, at: usize, other: &Self, other_at: usize, len: usize) -> bool {
        if len < 2 {
            return true;
        }
        let own = self.joints(at + 1, at + len);
        let others = other.joints(other_at + 1, other_at + len);
        if !joints::are_alike(own, at, others, other_at) {
            return false;
        }
        let shares = |i: usize| {
            share(
                joints::within(own, at + i, at + i + 1),
                joints::within(others, other_at + i, other_at + i + 1),
            )
        };
        differing(&self.blanks, at, &other.blanks, other_at, len).all(|i| i == 0 || shares(i))
    }

    /// Whether the `len` bytes at `at` stand for the letters that those at `other_at` of `other` stand for: capital SS
    /// for ß, a capital I for ı.
    pub fn has_forms_of(&self, at: usize, other: &Self, other_at: usize, len: usize) -> bool {
        self.forms_stand(at, other, other_at, len) && other.forms_stand(other_at, self, at, len)
    }

    fn forms_stand(&self, at: usize, other: &Self, other_at: usize, len: usize) -> bool {
        self.joints(at, at + len).iter().all(|joint| {
            let Some(form) = joint.form() else { return true };
            let there = joint.at - at + other_at;
            let is_capital = |byte: usize| other.capitals.get(byte);
            other.joints(there, there + 1).iter().any(|other| other.is_same(*joint))
                || form == 'ı' && is_capital(there)
                || form == 'ß' && is_capital(there) && is_capital(there + 1)
        })
    }

    /// Which of the `len` bytes at `at` are capitals and those at `other_at` of `other` are not, or the reverse.
    pub fn differing_capitals<'a>(
        &'a self,
        at: usize,
        other: &'a Self,
        other_at: usize,
        len: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        differing(&self.capitals, at, &other.capitals, other_at, len)
    }
}

/// Whether both have the same sign, as a dash, around which no blank counts.
fn share(own: &[Joint], others: &[Joint]) -> bool {
    let is_sign = |joint: &&Joint| !joint.is_of_letter();
    own.iter().filter(is_sign).any(|joint| others.iter().any(|other| joint.is_same(*other)))
}

/// The numbers of the `len` bits that differ.
fn differing<'a>(
    own: &'a Bits,
    at: usize,
    other: &'a Bits,
    other_at: usize,
    len: usize,
) -> impl Iterator<Item = usize> + 'a {
    (0..len).step_by(64).flat_map(move |done| {
        let within = u64::MAX >> (64 - (len - done).min(64));
        let mut differ = (own.window(at + done) ^ other.window(other_at + done)) & within;
        std::iter::from_fn(move || {
            let bit = differ.trailing_zeros() as usize;
            differ &= differ.wrapping_sub(1);
            (bit < 64).then_some(done + bit)
        })
    })
}

/// Set of numbers.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Adds a number.
    pub fn set(&mut self, i: usize) {
        if self.words.len() <= i / 64 {
            self.words.resize(i / 64 + 1, 0);
        }
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Whether a number is in it.
    pub fn get(&self, i: usize) -> bool {
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
