//! Table of BERT's normaliser and pre-tokenizer by code point, read in place.
//!
//! `scripts/generate_bert_table.py` reads the table off the peer, which mixes three Unicode versions. A
//! block number for each 128 code points, the blocks of record numbers, the records, and a pool of code
//! points that they point into.

const MAGIC: &[u8; 8] = b"cwbert01";
const BLOCK: usize = 128;
const N_BLOCK_NUMBERS: usize = 0x11_0000 / BLOCK;

static TABLE: CharTable = CharTable::lay_out(include_bytes!("../../../data/bert_chars.bin"));

struct CharTable {
    block_numbers: &'static [u8],
    blocks: &'static [[u8; 2]],
    records: &'static [[u8; 8]],
    pool: &'static [[u8; 4]],
}

impl CharTable {
    /// Compile-time work, so a malformed table does not build.
    const fn lay_out(table: &'static [u8]) -> Self {
        let (header, rest) = table.split_at(20);
        let mut i = 0;
        while i < MAGIC.len() {
            assert!(header[i] == MAGIC[i], "not a table of BERT's code points");
            i += 1;
        }
        let (block_numbers, rest) = rest.split_at(N_BLOCK_NUMBERS);
        let (blocks, rest) = rest.split_at(2 * BLOCK * header_word(header, 8));
        let (records, pool) = rest.split_at(8 * header_word(header, 12));
        assert!(pool.len() == 4 * header_word(header, 16), "truncated table of BERT's code points");
        Self {
            block_numbers,
            blocks: blocks.as_chunks().0,
            records: records.as_chunks().0,
            pool: pool.as_chunks().0,
        }
    }
}

const fn header_word(header: &[u8], at: usize) -> usize {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
}

/// Record of a code point: flags, combining class, lengths and places of what it becomes.
#[derive(Clone, Copy, Debug)]
pub struct Properties([u8; 8]);

impl Properties {
    /// Removed by `clean_text`.
    pub const CONTROL: u8 = 1;
    /// Parts words and is in none.
    pub const SPACE: u8 = 2;
    /// A word by itself.
    pub const PUNCTUATION: u8 = 4;
    /// A word by itself if Chinese characters are.
    pub const CHINESE: u8 = 8;
    /// Changed by `strip_accents`.
    pub const STRIPS: u8 = 16;
    /// Changed by `lowercase`.
    pub const LOWERS: u8 = 32;
    /// All of its decomposition has a combining class.
    pub const NONSTARTER: u8 = 64;
    /// A Hangul syllable.
    pub const HANGUL: u8 = 128;

    /// The properties of `c`.
    #[inline]
    pub fn of(c: char) -> Self {
        let c = c as usize;
        let block = usize::from(TABLE.block_numbers[c / BLOCK]);
        let record = u16::from_le_bytes(TABLE.blocks[block * BLOCK + c % BLOCK]);
        Self(TABLE.records[usize::from(record)])
    }

    /// The constants above that hold, or'ed together.
    #[inline]
    pub const fn flags(self) -> u8 {
        self.0[0]
    }

    /// Canonical combining class, 0 for a starter.
    pub const fn combining_class(self) -> u8 {
        self.0[1]
    }

    /// The code points left once it is decomposed and its accents are removed, if that changes it.
    pub fn stripped(self) -> impl Iterator<Item = char> {
        pooled(self.0[2], [self.0[4], self.0[5]])
    }

    /// Its lower case, if that is another.
    pub fn lower(self) -> impl Iterator<Item = char> {
        pooled(self.0[3], [self.0[6], self.0[7]])
    }
}

fn pooled(len: u8, at: [u8; 2]) -> impl Iterator<Item = char> {
    let at = usize::from(u16::from_le_bytes(at));
    let points = &TABLE.pool[at..at + usize::from(len)];
    points.iter().filter_map(|point| char::from_u32(u32::from_le_bytes(*point)))
}

/// The two or three letters that a Hangul syllable is composed of (The Unicode Standard, 3.12).
pub fn hangul_letters(syllable: char) -> impl Iterator<Item = char> {
    let number = (syllable as u32).wrapping_sub(0xAC00);
    let (lead, rest) = (number / 588, number % 588);
    let (vowel, trail) = (rest / 28, rest % 28);
    let trail = (trail > 0).then_some(0x11A7 + trail);
    [Some(0x1100 + lead), Some(0x1161 + vowel), trail]
        .into_iter()
        .flatten()
        .filter_map(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_code_points() {
        let stripped = |c| Properties::of(c).stripped().collect::<String>();
        let lower = |c| Properties::of(c).lower().collect::<String>();
        assert_eq!(
            (stripped('é'), stripped('\u{301}'), stripped('e')),
            ("e".into(), String::new(), String::new())
        );
        assert_eq!(
            (lower('É'), lower('İ'), lower('ß')),
            ("é".into(), "i\u{307}".into(), String::new())
        );
        assert_eq!(stripped('\u{1d160}'), "\u{1d158}\u{1d165}\u{1d16e}");
        assert_eq!(Properties::of('漢').flags(), Properties::CHINESE);
        assert_eq!(Properties::of('\u{85}').flags(), Properties::CONTROL | Properties::SPACE);
        assert_eq!(Properties::of('\u{302e}').combining_class(), 224);
    }

    #[test]
    fn hangul_is_decomposed_by_arithmetic() {
        assert_eq!(hangul_letters('각').collect::<String>(), "\u{1100}\u{1161}\u{11a8}");
        assert_eq!(hangul_letters('하').collect::<String>(), "\u{1112}\u{1161}");
        for syllable in '가'..='힣' {
            assert_eq!(Properties::of(syllable).flags(), Properties::HANGUL);
        }
    }
}
