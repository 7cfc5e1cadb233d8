//! Lines near a place of a text, looked for within bounded distances.

use memchr::{memchr2, memrchr2};

use crate::unicode::line_ends::FORM_FEED;
use crate::unicode::space::is_space;

/// A line that counts as blank is read so far.
const MAX_BLANKS: usize = 512;
/// A tab reaches to the next multiple of so many columns.
const TAB: usize = 4;

/// A line without its line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its first byte.
    pub start: usize,
    /// Its line feed, or the end of the text.
    pub end: usize,
}

impl Line {
    /// The line that `at` stands in, unless it has more than `max` bytes.
    pub fn around(text: &str, at: usize, max: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let low = at.saturating_sub(max + 1);
        let start = match memrchr2(b'\n', FORM_FEED, &bytes[low..at]) {
            Some(feed) => low + feed + 1,
            None if low == 0 => 0,
            None => return None,
        };
        let high = bytes.len().min((start + max + 1).max(at));
        let end = match memchr2(b'\n', FORM_FEED, &bytes[at..high]) {
            Some(feed) => at + feed,
            None if high == bytes.len() => high,
            None => return None,
        };
        Some(Self { start, end })
    }

    /// The line above, unless there is none or it has more than `max` bytes.
    pub fn above(self, text: &str, max: usize) -> Option<Self> {
        Self::around(text, self.start.checked_sub(1)?, max)
    }

    /// The line below, unless there is none or it has more than `max` bytes.
    pub fn below(self, text: &str, max: usize) -> Option<Self> {
        if self.end == text.len() { None } else { Self::around(text, self.end + 1, max) }
    }

    /// Its text, without the whitespace at both ends.
    pub fn trimmed(self, text: &str) -> &str {
        text[self.start..self.end].trim_matches(is_space)
    }

    /// The columns before its first letter.
    pub fn indent(self, text: &str) -> usize {
        let blanks = text[self.start..self.end].bytes().take_while(|b| matches!(b, b' ' | b'\t'));
        blanks.fold(0, next_column)
    }

    /// Whether what stands above it is blank, or nothing at all.
    pub fn follows_blank(self, text: &str) -> bool {
        self.start == 0
            || text.as_bytes()[self.start - 1] == FORM_FEED
            || is_blank(text[..self.start - 1].chars().rev())
    }

    /// Whether what stands below it is blank, or nothing at all.
    pub fn precedes_blank(self, text: &str) -> bool {
        self.end == text.len() || ends_paragraph(text, self.end)
    }
}

/// Whether the line break at `at` ends a paragraph: blank, or the end of the text, is what follows.
pub fn ends_paragraph(text: &str, at: usize) -> bool {
    text.as_bytes()[at] == FORM_FEED || is_blank(text[at + 1..].chars())
}

/// The column behind a byte that stands at `column`.
pub const fn next_column(column: usize, byte: u8) -> usize {
    if byte == b'\t' { column + TAB - column % TAB } else { column + 1 }
}

/// Whether whitespace reaches to the next line feed or form feed, or the end of the text.
fn is_blank(chars: impl Iterator<Item = char>) -> bool {
    let mut chars = chars.take(MAX_BLANKS);
    let is_end = |c| matches!(c, '\n' | '\x0c');
    chars.find(|&c| is_end(c) || !is_space(c)).is_none_or(is_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_neighbours() {
        let text = "One\n\n \ttwo \r\nThree";
        let two = Line::around(text, 8, 9).unwrap();
        assert_eq!((two.trimmed(text), two.indent(text)), ("two", 4));
        assert!(two.follows_blank(text) && !two.precedes_blank(text));
        assert_eq!(two.below(text, 9).unwrap().trimmed(text), "Three");
        assert_eq!(two.below(text, 9).unwrap().below(text, 9), None);
        let blank = two.above(text, 9).unwrap();
        assert_eq!((blank.start, blank.end), (4, 4));
        let one = blank.above(text, 9).unwrap();
        assert_eq!((one.start, one.end, one.above(text, 9)), (0, 3, None));
        assert!(one.follows_blank(text) && one.precedes_blank(text));
    }

    #[test]
    fn long_lines_are_none() {
        let text = "a\nxxxxxxxxxx\nb";
        for at in 0..=text.len() {
            let lengths =
                [9, 10].map(|max| Line::around(text, at, max).map(|line| line.end - line.start));
            let is_long = (2..13).contains(&at);
            assert_eq!(lengths, if is_long { [None, Some(10)] } else { [Some(1); 2] }, "{at}");
        }
    }
}
