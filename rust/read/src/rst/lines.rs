//! Lines of a text, each with its indentation, and the extents of what is indented below one.

use chunkwright_text::unicode::space::is_space;
use unicode_width::UnicodeWidthChar;

/// So many columns apart are the stops of tabs.
const TAB: usize = 8;

/// A line, or what of it a block has.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Where it begins.
    pub start: usize,
    /// Its first byte that is no blank; behind the mark of an item, the first one of its text.
    pub at: usize,
    /// Its end, without blanks.
    pub end: usize,
    /// The column of its first byte that is no blank.
    pub column: usize,
}

impl Line {
    /// Whether nothing stands in it.
    pub const fn is_blank(&self) -> bool {
        self.at == self.end
    }

    /// What stands in it.
    pub fn said<'t>(&self, text: &'t str) -> &'t str {
        &text[self.at..self.end]
    }
}

/// The lines of `text` from `start` on. O(n).
pub fn lines(text: &str, start: usize) -> Vec<Line> {
    let (bytes, mut start) = (text.as_bytes(), start);
    let n_lines = memchr::memchr2_iter(b'\n', b'\r', &bytes[start..]).count() + 1;
    let mut lines = Vec::with_capacity(n_lines);
    while start < bytes.len() {
        let feed = memchr::memchr2(b'\n', b'\r', &bytes[start..]);
        let stop = feed.map_or(bytes.len(), |feed| start + feed);
        let said = text[start..stop].trim_end_matches(is_space);
        let at = said.find(|c| !is_blank(c)).unwrap_or(said.len());
        let column = column_of(&said[..at]);
        lines.push(Line { start, at: start + at, end: start + said.len(), column });
        start = stop + if text[stop..].starts_with("\r\n") { 2 } else { 1 };
    }
    lines
}

/// Whether it may indent a line.
pub const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{b}' | '\u{c}')
}

/// The column behind `said`, which begins a line.
pub fn column_of(said: &str) -> usize {
    said.chars().fold(0, |column, c| if c == '\t' { column / TAB * TAB + TAB } else { column + 1 })
}

/// The column behind a character of a table that stands at `column`: a wide one takes two, as docutils has it, and any
/// other one.
pub fn next_column(column: usize, c: char) -> usize {
    match c {
        '\t' => column / TAB * TAB + TAB,
        _ => column + c.width().unwrap_or(1).max(1),
    }
}

/// One past the last line from `first` on, before `end`, that is blank or indented deeper than `base`, blank
/// ones at the end left out; `first` if there is none.
pub fn indented(lines: &[Line], first: usize, end: usize, base: usize) -> usize {
    extent(lines, first, end, |line| line.column > base)
}

/// The same, of lines that are indented by `column` or deeper.
pub fn within(lines: &[Line], first: usize, end: usize, column: usize) -> usize {
    extent(lines, first, end, |line| line.column >= column)
}

fn extent(lines: &[Line], first: usize, end: usize, is_in: impl Fn(&Line) -> bool) -> usize {
    let mut last = first;
    for (i, line) in lines[first..end].iter().enumerate() {
        if line.is_blank() {
            continue;
        }
        if !is_in(line) {
            break;
        }
        last = first + i + 1;
    }
    last
}

/// One past the last line from `first` on, before `end`, that is not blank and is indented by `base`.
pub fn flush(lines: &[Line], first: usize, end: usize, base: usize) -> usize {
    let is_in = |line: &&Line| !line.is_blank() && line.column <= base;
    first + lines[first..end].iter().take_while(is_in).count()
}

/// The first line from `first` on that is not blank, or `end`.
pub fn skip_blank(lines: &[Line], first: usize, end: usize) -> usize {
    first + lines[first..end].iter().take_while(|line| line.is_blank()).count()
}

/// The first line from `first` on that is blank, or `end`.
pub fn to_blank(lines: &[Line], first: usize, end: usize) -> usize {
    first + lines[first..end].iter().take_while(|line| !line.is_blank()).count()
}

/// The least indentation of some lines; none if all are blank.
pub fn least(lines: &[Line]) -> Option<usize> {
    lines.iter().filter(|line| !line.is_blank()).map(|line| line.column).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_indentation() {
        let text = "a \r\n\t b\r  c\n \n\u{c}d";
        let found: Vec<_> =
            lines(text, 0).iter().map(|line| (line.said(text), line.column)).collect();
        assert_eq!(found, [("a", 0), ("b", 9), ("c", 2), ("", 0), ("d", 1)]);
    }

    #[test]
    fn what_is_indented_ends_before_blank_lines() {
        let text = "a\n  b\n\n c\n\nd";
        let lines = lines(text, 0);
        assert_eq!(indented(&lines, 1, 6, 0), 4);
        assert_eq!(within(&lines, 1, 6, 2), 2);
        assert_eq!(indented(&lines, 5, 6, 0), 5);
        assert_eq!(least(&lines[1..4]), Some(1));
    }
}
