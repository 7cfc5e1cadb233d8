//! Words in the plain sense: runs between whitespace.

use super::space::{follows_space, is_space, skip_space};

/// The first start of a word in `start..end`, if there is one.
pub fn first_start(text: &str, start: usize, end: usize) -> Option<usize> {
    let at =
        if follows_space(text, start) { start } else { start + text[start..end].find(is_space)? };
    Some(skip_space(&text[..end], at)).filter(|&word| word < end)
}

/// The last start of a word in `start + 1..=end`, if there is one.
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
}
