//! Whitespace as Python's `str.isspace` has it: Unicode's, and the separators U+001C to U+001F.

/// Whether Python's `str.strip` takes `c` off.
#[inline]
pub const fn is_space(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, '\t'..='\r' | '\x1c'..='\x20');
    }
    matches!(
        c,
        '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// The first byte from `start` on that is no whitespace, or the end of the text. O(distance).
///
/// ```
/// use chunkwright_text::unicode::space::{follows_space, is_space, skip_space, trim_end};
///
/// let text = "one \u{3000}\ntwo  ";
/// assert_eq!(skip_space(text, 3), 8); // an ideographic blank is whitespace, too
/// assert_eq!(trim_end(text, 0, text.len()), 11);
/// assert!(follows_space(text, 8) && !follows_space(text, 9));
/// assert!(is_space('\u{1c}') && !is_space('\u{200b}')); // as in Python
/// ```
pub fn skip_space(text: &str, start: usize) -> usize {
    if text.as_bytes().get(start).is_some_and(u8::is_ascii_graphic) {
        return start;
    }
    let start = text.ceil_char_boundary(start);
    text.len() - text[start..].trim_start_matches(is_space).len()
}

/// The end of `start..end` without the whitespace there. O(distance).
pub fn trim_end(text: &str, start: usize, end: usize) -> usize {
    if start < end && text.as_bytes()[end - 1].is_ascii_graphic() {
        return end;
    }
    let end = text.floor_char_boundary(end);
    start + text[start..end.max(start)].trim_end_matches(is_space).len()
}

/// Whether `at` follows whitespace or begins the text.
pub fn follows_space(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(is_space)
}
