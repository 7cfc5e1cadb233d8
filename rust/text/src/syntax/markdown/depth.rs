//! Lines that nest quotes and lists deeper than anybody does.
//!
//! The parser looks at all open quotes and items for each line, so that without a bound a short line with
//! thousands of marks would make all that follow slow.
//!
//! A line of `> > > > …`, or one that is indented by thousands of blanks in a list, is not written by people. Its
//! own words stay as text, and the parser begins anew behind it: so its work per line is bounded, and what stands
//! before and behind is read as ever.

use memchr::{memchr2, memchr3};

use crate::span::Span;

/// Marks of quotes and items in columns behind this one are text. An item takes two columns, a quote one.
const MAX_COLUMN: usize = 200;
const TAB: usize = 4;

/// The lines from `start` on, with their ends, whose marks reach behind the column.
pub fn deep_lines(text: &str, start: usize) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = start;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let line = at;
            let is_deep = is_deep(&bytes[line..]);
            let end = memchr2(b'\n', b'\r', &bytes[line..]);
            at = end.map_or(bytes.len(), |end| line + end + 1);
            if is_deep {
                return Some(Span::new(line, at));
            }
        }
        None
    })
}

/// Whether a mark stands behind the column, with nothing but marks before it. O(the marks).
fn is_deep(line: &[u8]) -> bool {
    let (mut at, mut column) = (0, 0);
    while let Some(&byte) = line.get(at) {
        if matches!(byte, b' ' | b'\t') {
            (at, column) = (at + 1, column + if byte == b'\t' { TAB } else { 1 });
            continue;
        }
        let Some(length) = mark(&line[at..]) else { return false };
        if column > MAX_COLUMN {
            return true;
        }
        (at, column) = (at + length, column + length);
    }
    false
}

/// The length of the mark of a quote, an item or a footnote that `line` begins with.
fn mark(line: &[u8]) -> Option<usize> {
    let is_ended = |at: usize| matches!(line.get(at), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
    match line[0] {
        b'>' => Some(1),
        b'-' | b'+' | b'*' => is_ended(1).then_some(1),
        b'0'..=b'9' => {
            let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_item = matches!(line.get(digits), Some(b'.' | b')')) && is_ended(digits + 1);
            is_item.then_some(digits + 1)
        }
        b'[' if line.get(1) == Some(&b'^') => {
            let end = memchr3(b']', b'\n', b'\r', line)?;
            line[end..].starts_with(b"]:").then_some(end + "]:".len())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(text: &str) -> Vec<&str> {
        deep_lines(text, 0).map(|line| &text[line.range()]).collect()
    }

    #[test]
    fn lines_of_many_marks_are_deep() {
        let lines = [">".repeat(300), "- ".repeat(150), "-\t".repeat(60), "12. ".repeat(80)];
        let notes = "[^note]: ".repeat(40);
        for line in lines.iter().chain([&notes]) {
            let line = format!("{line}a\n");
            assert_eq!(deep(&format!("a\n{line}b\r\n{line}")), [&line, &line]);
        }
        let indented = format!("{}- a", " ".repeat(250));
        assert_eq!(deep(&indented), [&indented]);
    }

    #[test]
    fn other_lines_are_not() {
        let indented = format!("{}a - b", " ".repeat(250));
        for line in ["> ".repeat(60), "-".repeat(300), indented, "-a".repeat(300), "1".repeat(300)]
        {
            assert_eq!(deep(&line), [""; 0], "{line}");
        }
        assert_eq!(deep(""), [""; 0]);
    }
}
