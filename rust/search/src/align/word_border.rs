//! Borders inside words.

use chunkwright_text::unicode::classes::Class;

/// Whether `at` has letters, numbers or marks on both sides, a code-point boundary of `text`.
///
/// ```
/// use chunkwright_search::align::is_inside_word;
///
/// assert!(is_inside_word("rainfall", 4));
/// assert!(!is_inside_word("rain fall", 4) && !is_inside_word("rain", 4));
/// assert!(is_inside_word("漢字", 3)); // no matter where a reader sees words
/// ```
pub fn is_inside_word(text: &str, at: usize) -> bool {
    let is_of_word = |c: char| {
        let class = Class::of(c);
        class.is_letter() || class.is_number() || class.is_mark()
    };
    text[..at].chars().next_back().is_some_and(is_of_word)
        && text[at..].chars().next().is_some_and(is_of_word)
}
