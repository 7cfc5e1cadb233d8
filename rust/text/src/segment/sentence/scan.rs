//! Scanner for places where a sentence may end: terminators and line breaks, found block by block.
//!
//! Most bytes of a text end nothing, so blocks of them are tested at once, without branches, for the few that
//! could be a terminator, a line feed or the first byte of one beyond ASCII; only what is found is looked at as a
//! character.

use super::terminators::terminator;
use crate::unicode::line_ends::FORM_FEED;

/// Bytes looked at together, which the compiler turns into a few vector instructions.
const BLOCK: usize = 32;

/// Bytes of the block with the place in it that are then looked at together.
const PART: usize = 8;

/// The least byte that begins a terminator outside ASCII, U+037E.
const FIRST_LEAD: u8 = 0xcd;

/// The first place from `at` on where a sentence may end, and the character there. O(distance).
///
/// `own` is a terminator that only the text's language has.
pub fn next(text: &str, mut at: usize, own: Option<char>) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    loop {
        at = next_byte(bytes, at, own)?;
        // Continuing bytes are below the leads, so `at` is the first byte of a character.
        let c = text[at..].chars().next()?;
        if c.is_ascii() || terminator(c).is_some() || Some(c) == own {
            return Some((at, c));
        }
        at += c.len_utf8();
    }
}

/// The first byte from `at` on that is a terminator, a line feed, or may begin a terminator.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, blocks of bytes are tested at once"
)]
fn next_byte(bytes: &[u8], at: usize, own: Option<char>) -> Option<usize> {
    let own = own.filter(char::is_ascii).map_or(b'.', |c| c as u8);
    position(bytes, at, |byte| {
        (byte == b'.')
            | (byte == b'!')
            | (byte == b'?')
            | (byte == b'\n')
            | (byte == FORM_FEED)
            | (byte == own)
            | (byte >= FIRST_LEAD)
    })
}

/// The first byte from `at` on that `is_wanted`, which has to be without branches. O(distance).
#[inline(always)]
pub fn position(bytes: &[u8], mut at: usize, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    at = skip_blocks::<BLOCK>(bytes, at, &is_wanted);
    at = skip_blocks::<PART>(bytes, at, &is_wanted);
    bytes[at..].iter().position(|&byte| is_wanted(byte)).map(|offset| at + offset)
}

/// The first block from `at` on with a wanted byte, or what is less than a block at the end.
#[inline(always)]
fn skip_blocks<const N: usize>(
    bytes: &[u8],
    mut at: usize,
    is_wanted: &impl Fn(u8) -> bool,
) -> usize {
    while let Some(block) = bytes[at..].first_chunk::<N>() {
        if block.iter().fold(false, |found, &byte| found | is_wanted(byte)) {
            break;
        }
        at += N;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(text: &str, at: usize, own: Option<char>) -> Option<(usize, char)> {
        let ends =
            |c: char| terminator(c).is_some() || matches!(c, '\n' | '\x0c') || Some(c) == own;
        text.char_indices().find(|&(here, c)| here >= at && ends(c))
    }

    proptest! {
        #[test]
        fn places_are_those_of_a_plain_search(text in "[a-z é漢ない]{0,40}[.!?\n\x0c。…।;\u{37e}ab é“”\u{2029}\u{1f600}]{0,6}[a-z漢]{0,70}[.a]?") {
            for own in [None, Some(';'), Some('\u{37e}')] {
                for (at, _) in text.char_indices() {
                    prop_assert_eq!(next(&text, at, own), naive(&text, at, own));
                }
            }
        }
    }
}
