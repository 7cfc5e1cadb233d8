//! Byte offsets to code points and lines, computed once at the edge.
//!
//! Units stand in the names: `byte` counts UTF-8 bytes, `char` code points, `line` lines from 1.
//! A position is the number of units before it.
//!
//! The core counts bytes, since slices of a `str` are cheap only there; Python and JavaScript count code points
//! or UTF-16 units, editors lines. So positions are converted once, where they leave: many ascending ones by a
//! sweep, single ones by an index with a sample every 512 bytes (1.6 % of the text). In ASCII text both are the
//! identity.
//!
//! ```
//! use chunkwright_text::offsets::{CharIndex, CharSweep, LineSweep, count_chars, skip_chars};
//!
//! let text = "Größe\n漢字";
//! assert_eq!((text.len(), count_chars(text.as_bytes())), (14, 8));
//!
//! let index = CharIndex::new(text, &[]);
//! assert_eq!(index.byte_to_char(text, 8), 6); // where the second line begins
//! assert_eq!(index.char_to_byte(text, 6), 8);
//! assert_eq!(skip_chars(text, 8, 1), 11);
//!
//! let mut sweep = CharSweep::new(text, false, &[]);
//! assert_eq!([0, 4, 8, 14].map(|byte| sweep.at(byte)), [0, 3, 6, 8]);
//! assert_eq!([0, 8].map(|byte| LineSweep::new(text).at(byte)), [1, 2]);
//! ```

/// Bytes between two samples of [`CharIndex`].
const SAMPLE_BYTES: usize = 512;

/// Number of code points in `bytes`, which hold whole code points.
///
/// O(n), several GB/s: a code point begins at every byte that does not continue one.
pub fn count_chars(bytes: &[u8]) -> usize {
    let mut total = 0;
    for block in bytes.chunks(128) {
        let continuing = block.iter().map(|&byte| u8::from(byte.cast_signed() < -64)).sum::<u8>();
        total += block.len() - usize::from(continuing);
    }
    total
}

/// Turns a run of byte positions into code points by one sweep.
///
/// O(text) for positions that ascend, however many; a position behind the last one costs the
/// distance.
#[derive(Clone, Debug)]
pub struct CharSweep<'t> {
    text: &'t str,
    ascii: bool,
    pairs: &'t [usize],
    byte: usize,
    char: usize,
}

impl<'t> CharSweep<'t> {
    /// Starts at the beginning of `text`; `ascii` says that every byte is a code point, and the
    /// characters at the bytes `pairs` count twice.
    pub const fn new(text: &'t str, ascii: bool, pairs: &'t [usize]) -> Self {
        Self { text, ascii, pairs, byte: 0, char: 0 }
    }

    /// Code points before `byte`.
    pub fn at(&mut self, byte: usize) -> usize {
        if self.ascii {
            return byte;
        }
        let bytes = self.text.as_bytes();
        if byte >= self.byte {
            self.char += count_chars(&bytes[self.byte..byte]);
        } else {
            self.char -= count_chars(&bytes[byte..self.byte]);
        }
        self.byte = byte;
        self.char + self.pairs.partition_point(|&pair| pair < byte)
    }
}

/// Random access between bytes and code points: O(1) one way, O(log n) the other.
///
/// Memory: 8 bytes for each 512 bytes of text; none for ASCII.
#[derive(Clone, Debug)]
pub struct CharIndex {
    /// Code points before byte `512 * i`; empty for ASCII.
    samples: Vec<usize>,
    n_chars: usize,
    /// The bytes of characters that count twice.
    pairs: Vec<usize>,
}

impl CharIndex {
    /// O(n) in the text's length; the characters at the bytes `pairs` count twice.
    pub fn new(text: &str, pairs: &[usize]) -> Self {
        if text.is_ascii() {
            return Self { samples: Vec::new(), n_chars: text.len(), pairs: Vec::new() };
        }
        let mut n_chars = 0;
        let mut samples = Vec::with_capacity(text.len() / SAMPLE_BYTES + 1);
        for block in text.as_bytes().chunks(SAMPLE_BYTES) {
            samples.push(n_chars);
            n_chars += count_chars(block);
        }
        Self { samples, n_chars: n_chars + pairs.len(), pairs: pairs.to_vec() }
    }

    /// Length of the text in code points.
    pub const fn n_chars(&self) -> usize {
        self.n_chars
    }

    /// Code points before `byte`, a code-point boundary of the `text` that this was built from.
    pub fn byte_to_char(&self, text: &str, byte: usize) -> usize {
        self.plain_char(text, byte) + self.pairs.partition_point(|&pair| pair < byte)
    }

    /// Code points before `byte`, each counted once.
    fn plain_char(&self, text: &str, byte: usize) -> usize {
        let Some(&before) = self.samples.get(byte / SAMPLE_BYTES) else {
            return if self.samples.is_empty() { byte } else { self.n_chars - self.pairs.len() };
        };
        before + count_chars(&text.as_bytes()[byte / SAMPLE_BYTES * SAMPLE_BYTES..byte])
    }

    /// The byte where code point `char` begins; the text's length for its number of code points.
    ///
    /// Inside a character that counts twice, where that begins.
    pub fn char_to_byte(&self, text: &str, char: usize) -> usize {
        if self.samples.is_empty() {
            return char;
        }
        let char = char - self.pairs.partition_point(|&pair| self.byte_to_char(text, pair) < char);
        let block = self.samples.partition_point(|&before| before <= char).saturating_sub(1);
        skip_chars(text, block * SAMPLE_BYTES, char - self.samples[block])
    }
}

/// The byte `n` code points after `byte`, or the end of the text if there are fewer.
///
/// `byte` may lie inside a code point, which is then not counted. O(distance), word by word.
pub fn skip_chars(text: &str, byte: usize, n: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = byte;
    let mut left = n;
    // A block of so many bytes cannot hold more code points than are left.
    while left >= 64 && bytes.len() - at > 64 {
        let step = left.min(bytes.len() - at).min(4096);
        left -= count_chars(&bytes[at..at + step]);
        at += step;
    }
    while at < bytes.len() && (left > 0 || !text.is_char_boundary(at)) {
        left -= usize::from(text.is_char_boundary(at));
        at += 1;
    }
    at
}

/// The byte `n` code points before `byte`, or 0 if there are fewer. O(distance).
///
/// ```
/// use chunkwright_text::offsets::skip_chars_back;
///
/// assert_eq!(skip_chars_back("漢字 b", 6, 1), 3);
/// assert_eq!(skip_chars_back("漢字 b", 6, 9), 0);
/// ```
pub fn skip_chars_back(text: &str, byte: usize, n: usize) -> usize {
    let mut before = text[..byte].char_indices().rev();
    match n {
        0 => byte,
        n => before.nth(n - 1).map_or(0, |(at, _)| at),
    }
}

/// Turns ascending byte positions into line numbers (from 1) by one sweep; lines end at `\n`, as in `grep -n`.
#[derive(Clone, Debug)]
pub struct LineSweep<'t> {
    text: &'t str,
    byte: usize,
    line: usize,
}

impl<'t> LineSweep<'t> {
    /// Starts at the first line of `text`.
    pub const fn new(text: &'t str) -> Self {
        Self { text, byte: 0, line: 1 }
    }

    /// The line that `byte` is on.
    pub fn at(&mut self, byte: usize) -> usize {
        let newlines = |from: usize, to: usize| {
            memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..to]).count()
        };
        if byte >= self.byte {
            self.line += newlines(self.byte, byte);
        } else {
            self.line -= newlines(byte, self.byte);
        }
        self.byte = byte;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sweeps_and_index_agree_with_counting(text in "[aé漢🚀\n ]{0,600}", repeat in 1_usize..4) {
            let text = text.repeat(repeat);
            let index = CharIndex::new(&text, &[]);
            let mut sweep = CharSweep::new(&text, text.is_ascii(), &[]);
            let mut lines = LineSweep::new(&text);
            for (char, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(sweep.at(byte), char);
                prop_assert_eq!(index.byte_to_char(&text, byte), char);
                prop_assert_eq!(index.char_to_byte(&text, char), byte);
                prop_assert_eq!(lines.at(byte), 1 + text[..byte].matches('\n').count());
            }
            prop_assert_eq!(index.n_chars(), text.chars().count());
            prop_assert_eq!(index.char_to_byte(&text, index.n_chars()), text.len());
            prop_assert_eq!(index.byte_to_char(&text, text.len()), index.n_chars());
            prop_assert_eq!(sweep.at(0), 0);
            prop_assert_eq!(lines.at(0), 1);
        }

        #[test]
        fn pairs_count_twice(text in "[aé🚀]{0,300}") {
            let rockets = text.match_indices('🚀').map(|(at, _)| at);
            let pairs: Vec<usize> = rockets.enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, at)| at).collect();
            let index = CharIndex::new(&text, &pairs);
            let mut sweep = CharSweep::new(&text, text.is_ascii(), &pairs);
            let mut chars = 0;
            for (byte, _) in text.char_indices() {
                prop_assert_eq!(sweep.at(byte), chars);
                prop_assert_eq!(index.byte_to_char(&text, byte), chars);
                prop_assert_eq!(index.char_to_byte(&text, chars), byte);
                chars += 1;
                if pairs.contains(&byte) {
                    prop_assert_eq!(index.char_to_byte(&text, chars), byte);
                    chars += 1;
                }
            }
            prop_assert_eq!(index.n_chars(), chars);
            prop_assert_eq!(index.char_to_byte(&text, chars), text.len());
        }
    }
}
