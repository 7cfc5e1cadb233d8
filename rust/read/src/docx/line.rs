//! Line of text: the pieces of a paragraph with single blanks between words, its links and pages.

use std::borrow::Cow;
use std::rc::Rc;

use crate::links::is_refused;
use chunkwright_text::read::link::Link;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// A piece of text.
#[derive(Clone, Debug)]
pub struct Piece<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Its target if it is a link.
    pub target: Option<Rc<str>>,
    /// Whether it is an equation.
    pub is_equation: bool,
    /// The page that it is on; 0 if that is not known.
    pub page: i64,
}

/// A text, the links in it, and the pages that it is on.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The text.
    pub text: String,
    /// The links.
    pub links: Vec<Link>,
    /// Behind how many bytes that are no blanks each page begins, and its number.
    pub pages: Vec<(usize, i64)>,
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl Line {
    /// It with a text in front of it. O(n).
    pub fn behind(mut self, front: &str) -> Self {
        let (n, n_solid) = (front.len(), n_solid(front));
        self.text.insert_str(0, front);
        for link in &mut self.links {
            link.span = Span::new(link.span.start + n, link.span.end + n);
        }
        for (before, _) in self.pages.iter_mut().filter(|(before, _)| *before > 0) {
            *before += n_solid;
        }
        self
    }

    /// It on pages that are later by a number.
    pub fn later(mut self, n: i64) -> Self {
        self.pages.iter_mut().for_each(|(_, page)| *page += n);
        self
    }

    /// Where in the text its pages begin, each with its number. O(n).
    pub fn page_starts(&self) -> Vec<(usize, i64)> {
        if self.pages.len() < 2 {
            return self.pages.iter().map(|&(_, page)| (0, page)).collect();
        }
        let (mut starts, mut pages, mut n_before) = (Vec::new(), self.pages.iter().peekable(), 0);
        for (at, c) in self.text.char_indices().filter(|&(_, c)| !is_space(c)) {
            while let Some((_, page)) = pages.next_if(|(before, _)| *before <= n_before) {
                starts.push((at, *page));
            }
            n_before += c.len_utf8();
        }
        starts
    }

    /// The texts of lines as one, with their pages, and without their links. O(n).
    pub fn joined<'a>(lines: impl IntoIterator<Item = &'a Self>, between: &str) -> Self {
        let (mut joined, mut n_before, mut is_first) = (Self::default(), 0, true);
        for line in lines {
            if !std::mem::take(&mut is_first) {
                joined.text.push_str(between);
            }
            joined.text.push_str(&line.text);
            for &(before, page) in &line.pages {
                if joined.pages.last().is_none_or(|&(_, last)| last != page) {
                    joined.pages.push((n_before + before, page));
                }
            }
            n_before += n_solid(&line.text);
        }
        joined
    }

    /// The line of pieces, without blanks that nothing stands between. O(n).
    pub fn new<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> Self {
        let mut writer = Writer::default();
        for piece in pieces {
            writer.count(&piece);
            let text = with_single_blanks(&piece.text);
            let text = match writer.line.text.chars().next_back() {
                None | Some(' ' | '\n') => text.trim_start_matches(' '),
                Some(_) => &text,
            };
            if text.starts_with('\n') && writer.line.text.ends_with(' ') {
                writer.line.text.pop();
            }
            writer.push(text, piece.target);
        }
        let text = &writer.line.text;
        let shown = text.trim_matches(is_space).len();
        let first = text.len() - text.trim_start_matches(is_space).len();
        writer.finish(first, shown)
    }

    /// The line of pieces of code, whose blanks are kept but for those at its end. O(n).
    pub fn of_code<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> Self {
        let mut writer = Writer::default();
        for piece in pieces {
            writer.count(&piece);
            writer.push(&piece.text, piece.target);
        }
        let shown = writer.line.text.trim_end_matches(is_space).len();
        writer.finish(0, shown)
    }
}

/// A line that is written.
#[derive(Default)]
struct Writer {
    line: Line,
    n_solid: usize,
    /// Where the next piece begins if it goes on with the last link.
    next: usize,
}

impl Writer {
    /// Counts what stands in a piece, and notes its page.
    fn count(&mut self, piece: &Piece<'_>) {
        let n_own = n_solid(&piece.text);
        let is_new = self.line.pages.last().is_none_or(|&(_, page)| page != piece.page);
        if n_own > 0 && piece.page != 0 && is_new {
            self.line.pages.push((self.n_solid, piece.page));
        }
        self.n_solid += n_own;
    }

    fn push(&mut self, text: &str, target: Option<Rc<str>>) {
        let at = self.line.text.len();
        self.line.text.push_str(text);
        let Some(target) = target.filter(|target| !text.is_empty() && !is_refused(target)) else {
            return;
        };
        let start = at + text.len() - text.trim_start_matches(is_space).len();
        let end = at + text.trim_end_matches(is_space).len();
        let last = self.line.links.last_mut().filter(|link| *link.target == *target);
        if let Some(last) = last.filter(|_| self.next == at) {
            last.span.end = last.span.end.max(end);
        } else if start < end {
            let span = Span::new(start, end);
            self.line.links.push(Link { span, target: (*target).into(), is_image: false });
        } else {
            return;
        }
        self.next = self.line.text.len();
    }

    /// The line of what is shown: so many bytes from `first` on.
    fn finish(mut self, first: usize, shown: usize) -> Line {
        self.line.text.truncate(first + shown);
        self.line.text.drain(..first.min(self.line.text.len()));
        self.line.links.retain_mut(|link| {
            let start = link.span.start.saturating_sub(first);
            let end = link.span.end.saturating_sub(first).min(shown);
            link.span = Span::new(start, end.max(start));
            start < end
        });
        self.line
    }
}

/// How many bytes of a text are no blanks.
fn n_solid(text: &str) -> usize {
    text.split(is_space).map(str::len).sum()
}

/// A text with one blank for several, and none beside line ends. O(n).
fn with_single_blanks(text: &str) -> Cow<'_, str> {
    let is_single = |pair: &[u8]| !matches!(pair, [b' ' | b'\n', b' '] | [b' ', b'\n']);
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n');
    let bytes = text.as_bytes();
    if bytes.iter().all(is_plain) && bytes.windows(2).all(is_single) {
        return Cow::Borrowed(text);
    }
    let (mut written, mut has_blank) = (String::with_capacity(text.len()), false);
    for c in text.chars() {
        if c == '\n' {
            has_blank = false;
        } else if is_space(c) {
            has_blank = !written.ends_with('\n');
            continue;
        } else if std::mem::take(&mut has_blank) {
            written.push(' ');
        }
        written.push(c);
    }
    if has_blank {
        written.push(' ');
    }
    Cow::Owned(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(text: &str, target: &str, page: i64) -> Piece<'static> {
        let target = (!target.is_empty()).then(|| target.into());
        Piece { text: text.to_owned().into(), target, is_equation: false, page }
    }

    #[test]
    fn blanks_are_single_and_none_stand_beside_line_ends() {
        for (text, written) in [
            ("a  b", "a b"),
            (" a \u{a0}\n\t b ", " a\nb "),
            ("a\n \n b", "a\n\nb"),
            ("\u{3000}", " "),
            ("a b", "a b"),
        ] {
            assert_eq!(with_single_blanks(text), written);
        }
    }

    #[test]
    fn pieces_of_a_link_are_one_and_pages_begin_behind_blanks() {
        let line = Line::new([
            piece("  See ", "", 1),
            piece("the ", "x", 1),
            piece(" log", "x", 2),
            piece(" ", "", 2),
            piece("\nnow ", "JavaScript:x", 2),
        ]);
        assert_eq!(line.text, "See the log\nnow");
        assert_eq!(line.links.len(), 1);
        assert_eq!(&line.text[line.links[0].span.range()], "the log");
        assert_eq!(line.page_starts(), [(0, 1), (8, 2)]);
        let numbered = line.behind("1. ").later(1);
        assert_eq!(numbered.page_starts(), [(0, 2), (11, 3)]);
        assert_eq!(&numbered.text[numbered.links[0].span.range()], "the log");
    }

    #[test]
    fn code_keeps_its_blanks() {
        assert_eq!(Line::of_code([piece("  a  b", "", 0), piece("\t ", "", 0)]).text, "  a  b");
        let lines = [Line::new([piece("a", "", 1)]), Line::new([piece("b", "", 2)])];
        let joined = Line::joined(&lines, " ");
        assert_eq!((joined.text.as_str(), joined.page_starts()), ("a b", vec![(0, 1), (2, 2)]));
    }
}
