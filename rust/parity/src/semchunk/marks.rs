//! Marks at which a text is split, by rank.

/// Rank of what is no mark.
const NONE: u8 = u8::MAX;

/// Marks from the most to the least desirable.
#[derive(Debug)]
pub struct Marks {
    chars: &'static [char],
    ascii: [u8; 128],
}

impl Marks {
    /// Marks in the order of their ranks; those beyond ASCII lie in U+2000 to U+203F.
    pub const fn new(chars: &'static [char]) -> Self {
        let mut ascii = [NONE; 128];
        let mut rank = 0;
        while rank < chars.len() {
            if chars[rank].is_ascii() {
                ascii[chars[rank] as usize] = rank_code(rank);
            }
            rank += 1;
        }
        Self { chars, ascii }
    }

    /// The mark of that rank.
    pub fn char(&self, rank: u8) -> char {
        self.chars[usize::from(rank)]
    }

    /// The rank of `c`, if it is a mark.
    #[inline]
    pub fn rank(&self, c: char) -> Option<u8> {
        if c.is_ascii() {
            return Some(self.ascii[c as usize]).filter(|&rank| rank != NONE);
        }
        if !matches!(c, '\u{2000}'..='\u{203f}') {
            return None;
        }
        self.chars.iter().position(|&mark| mark == c).map(rank_code)
    }

    /// The least rank of a mark in `text`.
    pub fn first(&self, text: &str) -> Option<u8> {
        let bytes = text.as_bytes();
        let mut least = NONE;
        for (at, &byte) in bytes.iter().enumerate() {
            if byte < 0x80 {
                least = least.min(self.ascii[usize::from(byte)]);
            } else if byte == 0xe2 && bytes.get(at + 1) == Some(&0x80) {
                let rank = text[at..].chars().next().and_then(|c| self.rank(c));
                least = least.min(rank.unwrap_or(NONE));
            }
            if least == 0 {
                break;
            }
        }
        Some(least).filter(|&rank| rank != NONE)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "there are 25 marks")]
const fn rank_code(rank: usize) -> u8 {
    rank as u8
}
