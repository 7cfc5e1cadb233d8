//! Occurrences of many blocks in a text, by hashes of their beginnings.
//!
//! Each content is looked for by the hash of its first bytes, as many as the greatest power of two that it has, 32 at
//! most; so there is one pass over the text for each of these widths. Where the hash is that of contents, the hash of
//! as many bytes as each of them has tells which one it may be, and that one is compared byte by byte. So contents
//! that begin alike, as rows of a table do, cost as much as they have different lengths.

use std::collections::HashMap;

use super::collapsed::Collapsed;
use super::hashes::Hashes;
use super::word_border::is_inside_word;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;

/// So many occurrences of a block are looked at wherever they stand; of more, those beside its neighbours.
pub const MAX_OCCURRENCES: usize = 64;

/// Widths of the beginnings that are hashed.
const WIDTHS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// So many hashes may be compared in vain for each byte of text and blocks.
const WORK_PER_BYTE: usize = 8;

/// So many bytes are scanned between two beats.
const SCAN_BYTES: usize = 1 << 12;

/// What one or several equal blocks hold.
pub struct Content<'t> {
    text: &'t str,
    /// Whether it may begin, and end, inside a word.
    cuts: [bool; 2],
    /// Where it occurs, ascending: at most [`MAX_OCCURRENCES`] places.
    pub occurrences: Vec<usize>,
    /// Whether it may occur elsewhere, too.
    pub has_more: bool,
}

impl<'t> Content<'t> {
    /// What is looked for; it is not empty.
    pub const fn new(text: &'t str, cuts: [bool; 2]) -> Self {
        Self { text, cuts, occurrences: Vec::new(), has_more: false }
    }

    /// Its length in bytes.
    pub const fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether it stands at byte `at` of `text`, borders included. O(length).
    pub fn stands(&self, text: &str, at: usize) -> bool {
        text.as_bytes()[at..].starts_with(self.text.as_bytes()) && self.may_stand(text, at)
    }

    /// Whether its ends may be where they are if it begins at byte `at` of `text`.
    fn may_stand(&self, text: &str, at: usize) -> bool {
        (self.cuts[0] || !is_inside_word(text, at))
            && (self.cuts[1] || !is_inside_word(text, at + self.len()))
    }

    /// Notes that it stands at byte `at` of `text`, whose hash there is its own, and says so; whether it is to be
    /// looked for any longer.
    fn note(&mut self, text: &str, at: usize, is_found: &mut bool) -> bool {
        if self.may_stand(text, at) && self.stands(text, at) {
            *is_found = true;
            self.has_more = self.occurrences.len() == MAX_OCCURRENCES;
            if !self.has_more {
                self.occurrences.push(at);
            }
        }
        !self.has_more
    }

    const fn width(&self) -> usize {
        let len = if self.text.len() < 32 { self.text.len() } else { 32 };
        1 << len.ilog2()
    }
}

/// Finds where in `text` the `contents` occur.
///
/// # Errors
/// Those of the pulse.
pub fn find(text: &Collapsed<'_>, contents: &mut [Content<'_>], beat: &Beat<'_>) -> Result<()> {
    let text = text.text();
    let longest = contents.iter().map(Content::len).max().unwrap_or(0);
    let hashes = Hashes::new(text.as_bytes(), longest.min(text.len()));
    let mut pool = WORK_PER_BYTE * text.len();
    for width in WIDTHS {
        let mut groups = Groups::new(contents, width);
        if groups.by_hash.is_empty() || text.len() < width {
            continue;
        }
        for at in 0..=text.len() - width {
            if at % SCAN_BYTES == 0 {
                beat.after(SCAN_BYTES)?;
            }
            let hash = hashes.of(at, width);
            if groups.may_have(hash)
                && let Some(group) = groups.by_hash.get_mut(&hash)
            {
                group.compare(text, at, &hashes, contents, &mut pool, beat)?;
            }
        }
    }
    Ok(())
}

/// Contents that begin alike.
#[derive(Default)]
struct Group {
    /// Contents of each length that are still looked for, with their hashes.
    by_len: Vec<(usize, HashMap<u64, Vec<usize>>)>,
    /// Hashes that may be compared in vain before comparisons take from what all share.
    work: usize,
}

impl Group {
    fn push(&mut self, i: usize, content: &Content<'_>) {
        let (len, hash) = (content.len(), Hashes::whole(content.text.as_bytes()));
        let of_len = self.by_len.iter().position(|(other, _)| *other == len).unwrap_or_else(|| {
            self.by_len.push((len, HashMap::new()));
            self.by_len.len() - 1
        });
        self.by_len[of_len].1.entry(hash).or_default().push(i);
        self.work += WORK_PER_BYTE * len;
    }

    /// Notes which of the group's contents stand at byte `at` of `text`.
    fn compare(
        &mut self,
        text: &str,
        at: usize,
        hashes: &Hashes,
        contents: &mut [Content<'_>],
        pool: &mut usize,
        beat: &Beat<'_>,
    ) -> Result<()> {
        let mut i = 0;
        while let Some((len, by_hash)) = self.by_len.get_mut(i) {
            let mut is_found = false;
            let hash = (at + *len <= text.len()).then(|| hashes.of(at, *len));
            if let Some(hash) = hash
                && let Some(alike) = by_hash.get_mut(&hash)
            {
                beat.after(*len)?;
                alike.retain(|&content| contents[content].note(text, at, &mut is_found));
                if alike.is_empty() {
                    by_hash.remove(&hash);
                }
            }
            if !is_found && !pay(&mut self.work, pool) {
                by_hash.values().flatten().for_each(|&content| contents[content].has_more = true);
                by_hash.clear();
            }
            if by_hash.is_empty() {
                self.by_len.swap_remove(i);
            } else {
                i += 1;
            }
        }
        Ok(())
    }
}

/// Whether there is work left, of which one is taken.
const fn pay(own: &mut usize, pool: &mut usize) -> bool {
    let from = if *own > 0 { own } else { pool };
    let is_left = *from > 0;
    *from = from.saturating_sub(1);
    is_left
}

/// Groups of contents by the hash of their beginnings of one width.
struct Groups {
    /// Whether one of the groups has a value of the hash's highest bits.
    filter: Vec<bool>,
    shift: u32,
    by_hash: HashMap<u64, Group>,
}

impl Groups {
    /// Values in the filter for each group.
    const VALUES: usize = 16;

    fn new(contents: &[Content<'_>], width: usize) -> Self {
        let mut by_hash: HashMap<u64, Group> = HashMap::new();
        for (i, content) in contents.iter().enumerate().filter(|(_, c)| c.width() == width) {
            let hash = Hashes::whole(&content.text.as_bytes()[..width]);
            by_hash.entry(hash).or_default().push(i, content);
        }
        let n_values = (by_hash.len() * Self::VALUES).next_power_of_two().max(2);
        let (filter, shift) = (vec![false; n_values], u64::BITS - n_values.trailing_zeros());
        let mut groups = Self { filter, shift, by_hash };
        for hash in groups.by_hash.keys() {
            groups.filter[Self::high(*hash, shift)] = true;
        }
        groups
    }

    /// The highest bits of a hash.
    #[inline]
    fn high(hash: u64, shift: u32) -> usize {
        usize::try_from(hash >> shift).unwrap_or_default()
    }

    #[inline]
    fn may_have(&self, hash: u64) -> bool {
        self.filter[Self::high(hash, self.shift)]
    }
}
