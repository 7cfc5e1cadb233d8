//! Starts of words: behind whitespace, and in scripts that write none, as UAX #29 has them.

use unicode_segmentation::UnicodeSegmentation;

use crate::offsets::{skip_chars, skip_chars_back};
use crate::segment::grapheme;
use crate::unicode::space::{follows_space, is_space, skip_space, trim_end};

/// Words are told apart within so many code points; a longer one is taken for no word.
const CONTEXT_CHARS: usize = 64;

/// The first start of a word in `start..end`, if there is one.
///
/// ```
/// use chunkwright_text::segment::word::{first_start, last_start};
///
/// assert_eq!(first_start("one two three", 1, 13), Some(4));
/// assert_eq!(last_start("one two three", 0, 13), Some(8));
/// ```
pub fn first_start(text: &str, start: usize, end: usize) -> Option<usize> {
    first_behind_space(text, start, end).or_else(|| first_inside(text, start, end))
}

fn first_behind_space(text: &str, start: usize, end: usize) -> Option<usize> {
    let at =
        if follows_space(text, start) { start } else { start + text[start..end].find(is_space)? };
    Some(skip_space(&text[..end], at)).filter(|&word| word < end)
}

/// The first start of a word that follows no whitespace: one of letters or digits.
fn first_inside(text: &str, start: usize, end: usize) -> Option<usize> {
    let known = skip_chars_back(text, start, CONTEXT_CHARS);
    let words = text[known..end].split_word_bound_indices().map(|(at, word)| (known + at, word));
    let starts = words.filter(|(_, word)| word.chars().next().is_some_and(char::is_alphanumeric));
    // Words begin before vowel signs of Thai and Lao, which are of one grapheme with what stands before them.
    let is_whole = |at: &usize| grapheme::floor(text, known, *at) == *at;
    starts.map(|(at, _)| at).filter(|&at| at >= start && at > known).find(is_whole)
}

/// The last start of a word in `start + 1..=end`, if there is one behind whitespace.
pub fn last_start(text: &str, start: usize, end: usize) -> Option<usize> {
    let mut at = end;
    loop {
        let (offset, blank) = text[start..at].char_indices().rfind(|&(_, c)| is_space(c))?;
        let word = start + offset + blank.len_utf8();
        let begins_word = text[word..].chars().next().is_some_and(|c| !is_space(c));
        if begins_word && word > start {
            return Some(word);
        }
        at = start + offset;
    }
}

/// The last end of a word in `start + 1..=end`, if there is one within reach: before whitespace, and in scripts
/// that write none, as UAX #29 has it.
pub fn last_end(text: &str, start: usize, end: usize) -> Option<usize> {
    let is_whole = text[end..].chars().next().is_none_or(is_space);
    if is_whole {
        return Some(trim_end(text, start, end)).filter(|&at| at > start);
    }
    let known = skip_chars_back(text, end, CONTEXT_CHARS).max(start);
    let behind_space = last_start(text, known, end).map(|at| trim_end(text, start, at));
    behind_space.filter(|&at| at > start).or_else(|| last_inside(text, known, end))
}

/// The last end of a word of letters or digits in `start + 1..=end`, before no whitespace.
fn last_inside(text: &str, start: usize, end: usize) -> Option<usize> {
    let known = skip_chars(text, end, CONTEXT_CHARS);
    let words = text[start..known].split_word_bound_indices();
    let ends = words.map(|(at, word)| (start + at + word.len(), word));
    let whole = ends.filter(|(_, word)| word.chars().next().is_some_and(char::is_alphanumeric));
    whole.map(|(at, _)| at).take_while(|&at| at <= end).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_from_both_sides() {
        let text = "ab  cd ef";
        assert_eq!(first_start(text, 0, 9), Some(0));
        assert_eq!(first_start(text, 1, 9), Some(4));
        assert_eq!(first_start(text, 2, 9), Some(4));
        assert_eq!(first_start(text, 8, 9), None);
        assert_eq!(first_start(text, 1, 4), None);
        assert_eq!(last_start(text, 0, 9), Some(7));
        assert_eq!(last_start(text, 0, 7), Some(7));
        assert_eq!(last_start(text, 0, 6), Some(4));
        assert_eq!(last_start(text, 4, 6), None);
    }

    #[test]
    fn a_word_ends_before_a_blank() {
        let text = "ab  cd ef";
        let ends = [9, 8, 7, 6, 5, 4, 3, 2, 1].map(|end| last_end(text, 0, end));
        let expected = [9, 6, 6, 6, 2, 2, 2, 2].map(Some);
        assert_eq!(ends[..8], expected);
        assert_eq!(ends[8], None);
        assert_eq!(last_end(text, 2, 4), None);
        assert_eq!(last_end("漢字かな", 0, 9), Some(9));
        assert_eq!(last_end("漢字かな", 0, 6), Some(6));
        assert_eq!(last_end("one-two", 0, 6), Some(3));
        assert_eq!(last_end(&"x".repeat(500), 0, 300), None);
    }

    #[test]
    fn no_word_begins_within_a_grapheme() {
        for text in ["\u{e01}\u{e33}\u{e25}\u{e31}\u{e07}", "\u{e81}\u{eb3}\u{ea5}\u{eb1}\u{e87}"] {
            assert_eq!(first_start(text, 3, text.len()), Some(6));
        }
    }

    #[test]
    fn scripts_without_blanks_have_words() {
        let text = "漢字かな";
        assert_eq!(first_start(text, 3, 12), Some(3));
        assert_eq!(first_start("one-two", 2, 7), Some(4));
        assert_eq!(first_start("paragraph.", 4, 10), None);
        assert_eq!(first_start(&"x".repeat(500), 200, 500), None);
    }
}
