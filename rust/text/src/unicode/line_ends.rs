//! Line ends of all systems, told as line feeds: for those who look for lines and paragraphs.
//!
//! Beside `\n` and `\r\n`, texts end lines as Python's `str.splitlines` has it: with `\r`, `\v`, the separators
//! U+001C to U+001E, U+0085, U+2028 and U+2029. A form feed, U+0085, U+2029 and two line ends in a row end a paragraph.

use std::borrow::Cow;

/// The sign of a new page, which ends a paragraph.
pub const FORM_FEED: u8 = b'\x0c';
/// So many bytes are searched at once for other line ends.
const BLOCK: usize = 1 << 12;

/// The same text, each byte in its place, with line feeds for all line ends: as many as a sign has bytes, or one
/// behind blanks. A form feed stays, unless a line ends beside it. O(n); a text that has no others is not copied.
///
/// What is whitespace stays whitespace and all else as it is, so that places of words are the same in both.
///
/// ```
/// use chunkwright_text::unicode::line_ends::unified;
///
/// assert_eq!(unified("one\rtwo\r\n\r\nthree\u{2028}four"), "one\ntwo\r\n\n\nthree  \nfour");
/// assert_eq!(unified("one\u{85}two\u{2029}three\n\x0cfour\x0cfive"), "one\n\ntwo\n\n\nthree\n\nfour\x0cfive");
/// assert!(matches!(unified("one\n\ntwo"), std::borrow::Cow::Borrowed(_)));
/// ```
pub fn unified(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if !has_others(bytes) {
        return Cow::Borrowed(text);
    }
    let mut same = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '\r' if bytes.get(at + 1) == Some(&b'\n') && !same.ends_with('\n') => same.push('\r'),
            '\r' | '\x0b' | '\x1c'..='\x1e' => same.push('\n'),
            '\x0c' => {
                let is_beside = same.ends_with('\n') || begins_with_line_end(&text[at + 1..]);
                same.push(if is_beside { '\n' } else { '\x0c' });
            }
            '\u{85}' => same.push_str("\n\n"),
            '\u{2028}' => same.push_str("  \n"),
            '\u{2029}' => same.push_str("\n\n\n"),
            other => same.push(other),
        }
    }
    Cow::Owned(same)
}

/// The same, where only lines count: a form feed ends one.
pub fn unified_lines(text: &str) -> Cow<'_, str> {
    match unified(text) {
        Cow::Owned(same) if same.contains('\x0c') => Cow::Owned(same.replace('\x0c', "\n")),
        same => same,
    }
}

/// How many line ends `blank` has, all whitespace of a unified text; a form feed counts for two, which are the most.
pub fn n_line_ends(blank: &str) -> usize {
    let ends = memchr::memchr2_iter(b'\n', FORM_FEED, blank.as_bytes());
    let counts = ends.map(|at| if blank.as_bytes()[at] == FORM_FEED { 2 } else { 1 });
    counts.take(2).sum::<usize>().min(2)
}

/// Whether `blank`, all whitespace of a unified text, parts two paragraphs.
///
/// ```
/// use chunkwright_text::unicode::line_ends::{parts_paragraphs, unified};
///
/// for blank in ["\n\n", "\r\r", "\r\n \r\n", "\x0c", "\u{85}", "\u{2029}", "\n\u{2028}"] {
///     assert!(parts_paragraphs(&unified(blank)), "{blank:?}");
/// }
/// for blank in ["\n", "\r\n", " \u{2028}", "\x0b ", "\u{a0}"] {
///     assert!(!parts_paragraphs(&unified(blank)), "{blank:?}");
/// }
/// ```
pub fn parts_paragraphs(blank: &str) -> bool {
    n_line_ends(blank) > 1
}

fn begins_with_line_end(text: &str) -> bool {
    text.starts_with(['\n', '\r', '\x0b', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Whether there are line ends but line feeds. A block at a time, of which nothing is left out, so that the comparisons
/// are made on many bytes at once.
fn has_others(bytes: &[u8]) -> bool {
    let is_control =
        |byte: u8| u8::from(byte.wrapping_sub(0x0b) <= 2) | u8::from(byte.wrapping_sub(0x1c) <= 2);
    let blocks = (0..bytes.len()).step_by(BLOCK);
    blocks.map(|start| &bytes[start..bytes.len().min(start + BLOCK + 2)]).any(|block| {
        let behind = |n: usize| block.get(n..).unwrap_or_default();
        let controls = block.iter().fold(0, |any, &byte| any | is_control(byte));
        let pairs = block.iter().zip(behind(1));
        let pairs = pairs.fold(0, |any, (&a, &b)| any | u8::from(a == 0xc2) & u8::from(b == 0x85));
        let triples = block.iter().zip(behind(1)).zip(behind(2));
        let triples = triples.fold(0, |any, ((&a, &b), &c)| {
            any | u8::from(a == 0xe2) & u8::from(b == 0x80) & u8::from(c & 0xfe == 0xa8)
        });
        controls | pairs | triples != 0
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::unicode::space::is_space;

    #[test]
    fn other_line_ends_are_found_wherever_they_stand() {
        for sign in ["\r", "\x0b", "\x0c", "\x1c", "\x1e", "\u{85}", "\u{2028}", "\u{2029}"] {
            for n in (0..4).chain(BLOCK - 4..BLOCK + 4) {
                assert!(
                    has_others(format!("{}{sign}", "a".repeat(n)).as_bytes()),
                    "{sign:?} at {n}"
                );
                assert!(has_others(format!("{}{sign}b", "é".repeat(n)).as_bytes()));
            }
        }
        assert!(!has_others("a\n\t\x1f é\u{205}\u{2027}\u{202a} 漢\u{a8}".as_bytes()));
    }

    proptest! {
        #[test]
        fn words_stay_in_their_places(text in "[ab漢 \n\r\x0b\x0c\x1c\x1e\u{85}\u{2028}\u{2029}]{0,40}") {
            for same in [unified(&text), unified_lines(&text)] {
                prop_assert_eq!(same.len(), text.len());
                for (at, c) in text.char_indices() {
                    let told = same[at..].chars().next();
                    prop_assert!(told == Some(c) || is_space(c) && told.is_some_and(is_space));
                }
                let is_other = same.contains(['\u{85}', '\u{2028}', '\u{2029}']);
                prop_assert!(!is_other);
            }
        }
    }
}
