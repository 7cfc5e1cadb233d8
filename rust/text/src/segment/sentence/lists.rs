//! Enumerations: the marks before items, at the beginning of a line and inside one.
//!
//! "1) bread 2) milk" in one line are two items, but "see 1) and 2)" is text. So a mark inside a line counts only
//! if the sentence began with the mark before it: `1.` before `2.`, `a)` before `b)`. Marks are told apart by
//! their sign and what closes them. A capital before a dot is an initial ("J. Smith") and no mark.

use crate::unicode::space::is_space;

/// Signs that mark the items of a list.
const fn is_bullet(c: char) -> bool {
    matches!(
        c,
        '-' | '*'
            | '+'
            | '•'
            | '‣'
            | '⁃'
            | '◦'
            | '▪'
            | '▫'
            | '●'
            | '○'
            | '■'
            | '□'
            | '·'
            | '–'
            | '—'
    )
}

/// The end of the bullet and the blanks behind it that `at` begins with, or `at`.
pub fn skip_bullet(text: &str, at: usize) -> usize {
    let mut chars = text[at..].chars();
    let Some(bullet) = chars.next().filter(|&c| is_bullet(c)) else { return at };
    let blanks = chars.as_str().len() - chars.as_str().trim_start_matches([' ', '\t']).len();
    // Only a bullet that is nothing else may touch its item.
    if blanks == 0 && !matches!(bullet, '•' | '⁃' | '‣') {
        at
    } else {
        at + bullet.len_utf8() + blanks
    }
}

/// Whether `word` is a number of at most `most` digits.
pub fn is_number(word: &str, most: usize) -> bool {
    (1..=most).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a line that begins at `at` stands for itself: an item, a heading, a row of a table.
pub fn begins_line(text: &str, at: usize) -> bool {
    let line = &text[at..];
    begins_item(text, at)
        || is_heading(text, at)
        || line.starts_with('|')
        || line.starts_with("```")
}

/// Whether a line that begins at `at` begins an item of a list.
pub fn begins_item(text: &str, at: usize) -> bool {
    let line = &text[at..];
    let is_marked = |mark: ListMark| line[mark.len..].starts_with([' ', '\t']);
    skip_bullet(text, at) > at || ListMark::of(line).is_some_and(is_marked)
}

/// Whether the line that begins at `at` is a heading of Markdown.
pub fn is_heading(text: &str, at: usize) -> bool {
    // One sign more than a heading may have: the line is not read to its end.
    let depth = text.as_bytes()[at..].iter().take(7).take_while(|&&byte| byte == b'#').count();
    (1..=6).contains(&depth) && text[at + depth..].starts_with([' ', '\t'])
}

/// A number or letter before an item has up to so many bytes.
pub const MAX_SIGN_BYTES: usize = 5;

/// The mark before an item: `1.`, `1)`, `1.)`, `a.`, `a)`, `(1)`, `iv.`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListMark {
    kind: ListSign,
    closing: &'static str,
    len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListSign {
    Number(u16),
    Letter(u8),
    Other,
}

impl ListMark {
    /// The mark that `text` begins with, if any. O(1).
    pub fn of(text: &str) -> Option<Self> {
        let bracket = usize::from(text.starts_with('('));
        let rest = &text[bracket..];
        let sign = rest.bytes().take(MAX_SIGN_BYTES).take_while(u8::is_ascii_alphanumeric).count();
        let (sign, behind) = rest.split_at(sign);
        let kind = kind(sign)?;
        let closings: &[&str] = if bracket == 1 { &[")"] } else { &[".)", ")", "."] };
        let closing = *closings.iter().find(|closing| behind.starts_with(**closing))?;
        // "J. Smith" begins with an initial.
        let is_initial = closing == "." && sign.starts_with(|c: char| c.is_ascii_uppercase());
        let len = bracket + sign.len() + closing.len();
        (!is_initial).then_some(Self {
            kind,
            closing: if bracket == 1 { "()" } else { closing },
            len,
        })
    }

    /// Whether `next` is the mark of the item behind this one's.
    fn precedes(self, next: Self) -> bool {
        let follows = match (self.kind, next.kind) {
            (ListSign::Number(here), ListSign::Number(next)) => here.checked_add(1) == Some(next),
            (ListSign::Letter(here), ListSign::Letter(next)) => here + 1 == next,
            _ => false,
        };
        follows && self.closing == next.closing
    }
}

fn kind(sign: &str) -> Option<ListSign> {
    match sign.as_bytes() {
        &[letter] if letter.is_ascii_alphabetic() => Some(ListSign::Letter(letter)),
        _ if is_number(sign, 3) => sign.parse().ok().map(ListSign::Number),
        roman
            if !roman.is_empty() && roman.iter().all(|byte| matches!(byte, b'i' | b'v' | b'x')) =>
        {
            Some(ListSign::Other)
        }
        _ => None,
    }
}

/// Where the item begins that has its mark at `at`, if that counts on from `mark`. O(1).
pub fn item_behind(text: &str, mark: ListMark, at: usize) -> Option<usize> {
    let next = ListMark::of(&text[at..])?;
    let begin = bullet_before(text, at).unwrap_or(at);
    let stands_alone =
        text[..begin].ends_with(is_space) && text[at + next.len..].starts_with(is_space);
    (stands_alone && mark.precedes(next)).then_some(begin)
}

/// Where the bullet stands that belongs to the mark at `at`, if there is one.
fn bullet_before(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].strip_suffix(' ').unwrap_or(&text[..at]);
    let bullet = before.chars().next_back().filter(|&c| is_bullet(c))?;
    Some(before.len() - bullet.len_utf8())
}

/// Where the item behind that of `start..end` begins, if both stand in one line of text:
/// "1) bread 2) milk". O(distance).
pub fn next_item(text: &str, start: usize, end: usize) -> Option<usize> {
    let item = skip_bullet(text, start);
    let mark = ListMark::of(&text[item..end])?;
    let mut at = item + mark.len;
    while let Some(offset) = text[at..end].find(is_space) {
        let sign = at + offset + text[at + offset..].chars().next().map_or(1, char::len_utf8);
        let inner = skip_bullet(&text[..end], sign);
        let next = ListMark::of(&text[inner..end]).filter(|&next| mark.precedes(next));
        if next.is_some_and(|next| text[inner + next.len..end].starts_with(is_space)) {
            return Some(sign);
        }
        at = sign;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_from_words_and_initials() {
        for mark in ["1.", "1)", "12.)", "a.", "b)", "(1)", "(a)", "iv.", "ii)", "A)"] {
            assert_eq!(ListMark::of(mark).map(|mark| mark.len), Some(mark.len()), "{mark}");
        }
        for word in ["J.", "1998.", "the.", "(see)", "1", "a", "", ")", "(1."] {
            assert_eq!(ListMark::of(word), None, "{word}");
        }
    }

    #[test]
    fn lines_that_stand_for_themselves() {
        for line in ["- a", "* a", "1. a", "a) b", "(2) c", "# T", "| a |", "• x", "```"] {
            assert!(begins_line(line, 0), "{line}");
        }
        for line in ["-a", "word", "#tag", "1.5 m", "J. Smith", "2000. Then", ""] {
            assert!(!begins_line(line, 0), "{line}");
        }
        assert!(is_heading("## Title", 0) && !is_heading("#tag", 0) && !is_heading("word", 0));
    }

    #[test]
    fn items_follow_their_predecessor() {
        let next = |text: &str| next_item(text, 0, text.len());
        assert_eq!(next("1) one 2) two"), Some(7));
        assert_eq!(next("• 9. one • 10. two"), Some("• 9. one ".len()));
        assert_eq!(next("a. one b. two"), Some(7));
        assert_eq!(next("1) one 3) two"), None);
        assert_eq!(next("1. one 2) two"), None);
        assert_eq!(next("one 2) two"), None);
    }
}
