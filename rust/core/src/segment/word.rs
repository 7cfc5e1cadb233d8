//! Starts of words: behind whitespace, and in scripts that write none, as UAX #29 has them.

use unicode_segmentation::UnicodeSegmentation;

use crate::offsets::skip_chars_back;
use crate::unicode::space::{follows_space, is_space, skip_space};

/// Words are told apart within so many code points; a longer one is taken for no word.
const CONTEXT_CHARS: usize = 64;

/// The first start of a word in `start..end`, if there is one.
///
/// ```
/// use chunkwright_core::segment::word::{first_start, last_start};
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
    starts.map(|(at, _)| at).find(|&at| at >= start && at > known)
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
    fn scripts_without_blanks_have_words() {
        let text = "漢字かな";
        assert_eq!(first_start(text, 3, 12), Some(3));
        assert_eq!(first_start("one-two", 2, 7), Some(4));
        assert_eq!(first_start("paragraph.", 4, 10), None);
        assert_eq!(first_start(&"x".repeat(500), 200, 500), None);
    }
}
