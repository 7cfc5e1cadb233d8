//! Quotations and parentheses that are short, which hold their sentences together.
//!
//! A reader does not take `He said "Stop. Wait." and left.` apart inside the quotation. But an opening quote that
//! is never closed, or pages later, must not hold a whole text together: so the closing mark has to follow within
//! 160 bytes, in the same paragraph. Straight quotes look alike on both sides; the side is told by the blanks and
//! marks beside them, and a single one is taken for an apostrophe unless it closes behind punctuation.

use super::scan;
use crate::unicode::space::is_space;

/// The closing mark must follow within so many bytes.
const REACH_BYTES: usize = 160;

/// The opening mark must stand within so many bytes before.
pub const BACK_BYTES: usize = 512;

/// A mark's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Opens,
    Closes,
}

/// Whether `at` lies inside a quotation or parenthesis that began behind `start` and ends soon.
///
/// O(1): looks at a bounded number of bytes on either side.
pub fn holds(text: &str, start: usize, at: usize) -> bool {
    let Some((mark, Side::Closes)) = first_mark(text, at) else { return false };
    let known = text.floor_char_boundary(at.saturating_sub(BACK_BYTES)).max(start);
    let opens = text[known..at].char_indices().rev().find_map(|(offset, c)| {
        // A quote at the beginning of a sentence opens, also with a blank behind it.
        if known + offset == start && matches!(c, '"' | '\'') {
            return Some(true);
        }
        if !pairs(c, mark) {
            return None;
        }
        // Among blanks it cannot be told: nothing is held.
        if c == '\'' && is_among_blanks(text, known + offset) {
            return Some(false);
        }
        Some(side(text, known + offset, c)? == Side::Opens)
    });
    opens == Some(true)
}

/// Whether the first mark behind `at` closes something.
pub fn closes_soon(text: &str, at: usize) -> bool {
    matches!(first_mark(text, at), Some((_, Side::Closes)))
}

/// The first mark of its paragraph from `at` on, within reach.
fn first_mark(text: &str, at: usize) -> Option<(char, Side)> {
    let ahead = ahead(text, at);
    let mut offset = 0;
    loop {
        offset = scan::position(ahead.as_bytes(), offset, may_be_mark)?;
        let c = ahead[offset..].chars().next()?;
        if let Some(side) = side(text, at + offset, c) {
            return Some((c, side));
        }
        offset += c.len_utf8();
    }
}

/// The text behind `at` in its paragraph, within reach.
pub fn ahead(text: &str, at: usize) -> &str {
    let reach = text.floor_char_boundary((at + REACH_BYTES).min(text.len()));
    let ahead = &text[at..reach];
    let end = memchr::memchr_iter(b'\n', ahead.as_bytes())
        .find(|&end| ahead[end + 1..].starts_with('\n'));
    &ahead[..end.unwrap_or(ahead.len())]
}

/// Whether a mark may begin with `byte`, which is never inside a character.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, blocks of bytes are tested at once"
)]
const fn may_be_mark(byte: u8) -> bool {
    (byte == b'"')
        | (byte == b'\'')
        | (byte == b'`')
        | (byte == b'(')
        | (byte == b')')
        | (byte == b'[')
        | (byte == b']')
        | (byte >= 0xc2)
}

/// On which side of what it encloses the mark `c` at `at` stands; none if it is no mark.
fn side(text: &str, at: usize, c: char) -> Option<Side> {
    Some(match c {
        '(' | '[' | '„' | '「' | '『' | '（' | '《' | '【' => Side::Opens,
        ')' | ']' | '”' | '」' | '』' | '）' | '》' | '】' => Side::Closes,
        '\'' | '`' | '‘' | '’' => return single_side(text, at, c),
        '"' | '“' | '«' | '»' => {
            let before =
                text[..at].chars().next_back().is_none_or(|c| is_space(c) || may_precede(c));
            let behind = text[at + c.len_utf8()..]
                .chars()
                .next()
                .is_none_or(|c| is_space(c) || may_follow(c));
            match (before, behind, c) {
                (true, false, _) | (true, true, '«') | (false, false, '“' | '«') => Side::Opens,
                _ => Side::Closes,
            }
        }
        _ => return None,
    })
}

/// A single quote is mostly an apostrophe: it opens before a word, and closes only behind punctuation.
fn single_side(text: &str, at: usize, c: char) -> Option<Side> {
    let before = text[..at].chars().next_back();
    let behind = text[at + c.len_utf8()..].chars().next();
    if before.is_none_or(|c| is_space(c) || may_precede(c)) {
        return behind.is_some_and(char::is_alphabetic).then_some(Side::Opens);
    }
    let closes = before.is_some_and(|c| matches!(c, '.' | ',' | '!' | '?' | '…'));
    (closes && behind.is_none_or(|c| is_space(c) || may_follow(c))).then_some(Side::Closes)
}

const fn may_precede(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '–' | '—' | '-' | ':' | '*' | '_')
}

const fn may_follow(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '}' | '–' | '—' | '-' | '*' | '_' | '\''
    )
}

/// Whether `opener` begins what `closer` ends.
const fn pairs(opener: char, closer: char) -> bool {
    match closer {
        ')' => matches!(opener, '(' | ')'),
        ']' => matches!(opener, '[' | ']'),
        '"' => opener == '"',
        '\'' | '’' => matches!(opener, '\'' | '`' | '‘' | '’'),
        '”' | '“' => matches!(opener, '“' | '”' | '„'),
        '«' | '»' => matches!(opener, '«' | '»'),
        '」' => matches!(opener, '「' | '」'),
        '』' => matches!(opener, '『' | '』'),
        '）' => matches!(opener, '（' | '）'),
        '》' => matches!(opener, '《' | '》'),
        '】' => matches!(opener, '【' | '】'),
        _ => false,
    }
}

/// Whether the quote at `at` has a blank on either side.
fn is_among_blanks(text: &str, at: usize) -> bool {
    text[..at].ends_with(' ') && blank_and_quote(text, at - 1).is_some()
}

/// The length of the blank and the quote at `at`, if a blank or the end follows.
pub fn blank_and_quote(text: &str, at: usize) -> Option<usize> {
    let quotes = text[at..].strip_prefix(' ')?;
    let n_quotes = match quotes.as_bytes() {
        [b'\'', b'\'', ..] => 2,
        [b'\'' | b'"', ..] => 1,
        _ => return None,
    };
    let behind = &quotes[n_quotes..];
    (behind.is_empty() || behind.starts_with(is_space)).then_some(1 + n_quotes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(text: &str) -> bool {
        let at = text.find('|').unwrap();
        holds(&text.replacen('|', "", 1), 0, at)
    }

    #[test]
    fn a_short_enclosure_holds_together() {
        assert!(held("He said \"One.| Two.\" Then"));
        assert!(held("(One.| Two.) Three"));
        assert!(held("„Eins.| Zwei.“ Drei"));
        assert!(held("« Un.| Deux. » Trois"));
        assert!(held("《一！|二》三"));
        assert!(held("'One.| It's two,' he said"));
    }

    #[test]
    fn what_is_not_enclosed_is_free() {
        assert!(!held("it,\" he said.| \"Then"));
        assert!(!held("(One) two.| Three) four"));
        assert!(!held("(One.|\n\nTwo)"));
        assert!(!held(&format!("(One.| {})", "x".repeat(200))));
        assert!(!held("One.| Two (three)"));
        assert!(!held("'Tis one.| The boys' two"));
    }
}
