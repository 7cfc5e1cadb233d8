//! Lines of code, told apart without a grammar: comments, marks of what follows, closing lines, and all others.
//!
//! The text is read once, from the start on, so that comments of several lines, attributes over several lines, and
//! strings of several lines are passed as wholes. What a string is, is known as far as [`CodeLanguage::strings`]
//! says: heredocs are not, nor are comments in comments, and a sign in the literal of a regular expression may be
//! taken for the start of a string. Then a comment may be missed, or a line of a string taken for one.

use memchr::memchr;
use memchr::memmem::find;

use super::language::CodeLanguage;

/// An attribute that is longer is none.
const MAX_MARK: usize = 1 << 12;

/// Words that end a block where they begin a line, in lower case.
const CLOSING_WORDS: [&str; 14] = [
    "end",
    "fi",
    "done",
    "esac",
    "endif",
    "endfor",
    "endwhile",
    "endforeach",
    "endswitch",
    "endfunction",
    "#endif",
    "#else",
    "#elif",
    "#endregion",
];

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing stands in it.
    Blank,
    /// A comment that ends with the line, and no code.
    Comment,
    /// Comments of which one could have had several lines, and no code.
    BlockComment,
    /// A decorator, an annotation or an attribute, and no code.
    Mark,
    /// The end of a block.
    Closing,
    /// Code.
    Code,
}

/// A line, with those that go on with it.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// What it is.
    pub kind: LineKind,
    /// Where it begins, its indentation included.
    pub start: usize,
    /// Where its first sign is.
    pub sign: usize,
    /// How many columns it is indented, a tab as four.
    pub indent: usize,
}

/// The lines of a text in a language. O(n).
pub struct Lines<'t> {
    text: &'t str,
    language: &'static CodeLanguage,
    at: usize,
    /// Where a comment or string may begin.
    starts: [bool; 256],
    /// Up to here there was a mark without an end: none is looked for.
    no_marks: usize,
    /// Comments and strings that have no end from here on.
    endless: u64,
}

impl<'t> Lines<'t> {
    /// Those of `text`.
    pub fn new(text: &'t str, language: &'static CodeLanguage) -> Self {
        let mut starts = [false; 256];
        let blocks = language.block_comments.iter().chain(language.strings).map(|(open, _)| open);
        for open in blocks.chain(language.line_comments) {
            starts[usize::from(open.as_bytes()[0])] = true;
        }
        for byte in *b"\n\"'\\" {
            starts[usize::from(byte)] = true;
        }
        Self { text, language, at: 0, starts, no_marks: 0, endless: 0 }
    }

    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    fn starts_with(&self, at: usize, sign: &str) -> bool {
        self.bytes()[at..].starts_with(sign.as_bytes())
    }

    fn line_end(&self, at: usize) -> usize {
        memchr(b'\n', &self.bytes()[at..]).map_or(self.text.len(), |feed| at + feed)
    }

    /// Behind blanks that are no line feed.
    fn skip_blanks(&self, at: usize) -> usize {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\x0c');
        at + self.bytes()[at..].iter().take_while(is_blank).count()
    }

    /// The kind of what begins at `at`, and where it ends, if no code stands in it.
    fn above(&mut self, start: usize, at: usize) -> Option<(LineKind, usize)> {
        let (mut kind, mut at) = (LineKind::Blank, at);
        loop {
            at = self.skip_blanks(at);
            if at == self.text.len() || self.bytes()[at] == b'\n' {
                return (kind != LineKind::Blank).then_some((kind, at));
            }
            let found = if let Some(end) = self.mark(at) {
                (LineKind::Mark, end)
            } else if let Some(end) = self.block_comment(at, at == start) {
                (LineKind::BlockComment, end)
            } else if self.is_line_comment(at) {
                (LineKind::Comment, self.line_end(at))
            } else {
                // What stands inside of brackets is no mark, either.
                self.no_marks = self.no_marks.max(at);
                return None;
            };
            kind = if matches!(kind, LineKind::Mark | LineKind::BlockComment) {
                kind
            } else {
                found.0
            };
            at = found.1;
        }
    }

    fn is_line_comment(&self, at: usize) -> bool {
        self.language.line_comments.iter().any(|sign| {
            let end = at + sign.len();
            if !sign.as_bytes()[0].is_ascii_alphabetic() {
                return self.starts_with(at, sign);
            }
            let word = self.bytes().get(at..end);
            word.is_some_and(|word| word.eq_ignore_ascii_case(sign.as_bytes()))
                && self.bytes().get(end).is_none_or(u8::is_ascii_whitespace)
        })
    }

    /// Where the block comment ends that begins at `at`.
    fn block_comment(&mut self, at: usize, begins_line: bool) -> Option<usize> {
        let comments = self.language.block_comments;
        for (i, (open, close)) in comments.iter().enumerate() {
            // Documents within code, which begin and end with a line.
            let is_of_lines = open.starts_with('=');
            if !self.starts_with(at, open) || is_of_lines && !begins_line {
                continue;
            }
            let end = self.end_of(i, at + open.len(), close, is_of_lines)?;
            return Some(if is_of_lines { self.line_end(end) } else { end });
        }
        None
    }

    /// Behind the first `close` from `from` on, of the delimiters number `i`.
    fn end_of(&mut self, i: usize, from: usize, close: &str, begins_line: bool) -> Option<usize> {
        if self.endless & (1 << i) != 0 {
            return None;
        }
        let (mut at, bytes) = (from, self.bytes());
        while let Some(found) = find(&bytes[at..], close.as_bytes()) {
            at += found + close.len();
            if !begins_line || bytes[at - close.len() - 1] == b'\n' {
                return Some(at);
            }
        }
        self.endless |= 1 << i;
        None
    }

    /// Where the mark ends that begins at `at`.
    fn mark(&mut self, at: usize) -> Option<usize> {
        if at < self.no_marks {
            return None;
        }
        let marks = self.language.marks;
        let sign = marks.iter().find(|sign| self.starts_with(at, sign))?;
        let end = at + sign.len();
        let next = self.bytes().get(end).copied().unwrap_or(b'\n');
        match sign.as_bytes().last() {
            Some(b'@') if is_word(next) || next == b'[' => self.tail(end),
            Some(b'@') => None,
            Some(b'[') => self.balanced(at + sign.find('[').unwrap_or_default()),
            Some(b'<') => self.balanced(end - 1),
            _ if is_word(next) => None,
            // A name: with what it is given up to the end of the statement.
            _ if sign.starts_with('@') => Some(self.statement(at)),
            _ => self.tail(end),
        }
    }

    /// The end of a name, of members of it, and of what stands in brackets behind it.
    fn tail(&mut self, at: usize) -> Option<usize> {
        let mut at = at;
        while let Some(&byte) = self.bytes().get(at) {
            at = match byte {
                b'(' | b'[' | b'<' => self.balanced(at)?,
                b'.' | b':' | b'$' => at + 1,
                byte if is_word(byte) => at + 1,
                b' ' | b'\t' if self.bytes().get(self.skip_blanks(at)) == Some(&b'(') => {
                    self.skip_blanks(at)
                }
                _ => break,
            }
        }
        Some(at)
    }

    /// Behind the bracket that closes the one at `at`.
    fn balanced(&mut self, at: usize) -> Option<usize> {
        let bytes = self.bytes();
        let limit = bytes.len().min(at + MAX_MARK);
        let (mut open, mut i) = (Vec::new(), at);
        while i < limit {
            let byte = bytes[i];
            let in_angles = open.last() == Some(&b'>');
            match byte {
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                b'{' => open.push(b'}'),
                b'<' if i == at || in_angles => open.push(b'>'),
                b'>' if !in_angles || bytes[i - 1] == b'-' => {}
                b')' | b']' | b'}' | b'>' => {
                    if open.pop() != Some(byte) {
                        break;
                    }
                    if open.is_empty() {
                        return Some(i + 1);
                    }
                }
                b'"' | b'\'' => i = self.quoted(i).unwrap_or(i + 1) - 1,
                _ if i > at && self.is_comment_behind(i) => i = self.line_end(i) - 1,
                _ => {}
            }
            i += 1;
        }
        self.no_marks = i.min(limit);
        None
    }

    /// Behind the string that begins and ends in the line of `at`.
    fn quoted(&self, at: usize) -> Option<usize> {
        let (bytes, mut i) = (self.bytes(), at + 1);
        while i < bytes.len() && bytes[i] != b'\n' {
            match bytes[i] {
                b'\\' => i += 1,
                byte if byte == bytes[at] => return Some(i + 1),
                _ => {}
            }
            i += 1;
        }
        None
    }

    /// Whether a comment begins at `at` that may stand behind code.
    fn is_comment_behind(&self, at: usize) -> bool {
        matches!(self.bytes()[at], b'/' | b'#' | b'-' | b'%') && self.is_line_comment(at)
    }

    /// The end of the last line of code that begins at `at`: what is open at the end of a line goes on.
    fn code(&mut self, at: usize) -> usize {
        let (bytes, mut i) = (self.bytes(), at);
        // Where a line has a quotation mark that none follows in it.
        let mut unquoted = [0; 2];
        while i < bytes.len() {
            let byte = bytes[i];
            if !self.starts[usize::from(byte)] {
                i += 1;
                continue;
            }
            if byte == b'\n' || self.is_comment_behind(i) && !self.is_block_open(i) {
                return self.line_end(i);
            }
            let long = self.string(i).or_else(|| self.block_comment(i, false));
            i = match (long, byte) {
                (Some(end), _) => end,
                (None, b'"' | b'\'') => {
                    let unquoted = &mut unquoted[usize::from(byte == b'"')];
                    let end = if i < *unquoted { None } else { self.quoted(i) };
                    end.unwrap_or_else(|| {
                        *unquoted = self.line_end(i);
                        i + 1
                    })
                }
                (None, b'\\') => {
                    i + 1 + usize::from(bytes.get(i + 1).is_some_and(|&it| it != b'\n'))
                }
                _ => i + 1,
            };
        }
        bytes.len()
    }

    fn is_block_open(&self, at: usize) -> bool {
        self.language.block_comments.iter().any(|(open, _)| self.starts_with(at, open))
    }

    /// Behind the string of several lines that begins at `at`.
    fn string(&mut self, at: usize) -> Option<usize> {
        let (strings, n_comments) = (self.language.strings, self.language.block_comments.len());
        let known = |(_, (open, _)): &(usize, &(&str, &str))| self.starts_with(at, open);
        let (i, (open, close)) = strings.iter().enumerate().find(known)?;
        let mut from = at + open.len();
        loop {
            let end = self.end_of(n_comments + i, from, close, false)?;
            // In most that end as they begin, a backslash takes a sign for itself.
            let before = &self.bytes()[at + open.len()..end - close.len()];
            let n_slashes = before.iter().rev().take_while(|&&byte| byte == b'\\').count();
            if open != close || n_slashes % 2 == 0 {
                return Some(end);
            }
            from = end - close.len() + 1;
        }
    }

    /// The end of a statement that begins at `at`, with the lines behind it that are indented deeper.
    fn statement(&mut self, at: usize) -> usize {
        let line = self.text[..at].rfind('\n').map_or(0, |feed| feed + 1);
        let indent = self.indent(line, at);
        let mut end = self.code(at);
        loop {
            let next = self.skip_blanks((end + 1).min(self.text.len()));
            let is_deeper = self.bytes().get(next).is_some_and(|&byte| byte != b'\n')
                && self.indent(end + 1, next) > indent;
            if !is_deeper {
                return end;
            }
            end = self.code(next);
        }
    }

    fn indent(&self, line: usize, at: usize) -> usize {
        self.bytes()[line..at].iter().map(|&byte| if byte == b'\t' { 4 } else { 1 }).sum()
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        let at = self.skip_blanks(start);
        let indent = self.indent(start, at);
        let (kind, end) = if at == self.text.len() || self.bytes()[at] == b'\n' {
            (LineKind::Blank, at)
        } else if let Some(above) = self.above(start, at) {
            above
        } else {
            let line = &self.text[at..self.line_end(at)];
            let kind = if is_closing(line) { LineKind::Closing } else { LineKind::Code };
            (kind, self.code(at))
        };
        self.at = (end + 1).min(self.text.len());
        Some(Line { kind, start, sign: at, indent })
    }
}

/// Whether a line, without its indentation, ends a block.
pub fn is_closing(line: &str) -> bool {
    let line = line.trim_end();
    if line.starts_with([')', ']', '}']) || line.starts_with("</") || line.starts_with("?>") {
        return true;
    }
    if matches!(line, ">" | "/>") {
        return true;
    }
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '#' && c != '_');
    let (word, rest) = line.split_at(end.unwrap_or(line.len()));
    let is_name = |rest: &str| rest.bytes().all(|byte| is_word(byte) || byte == b';');
    CLOSING_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
        && (rest.is_empty()
            || rest.starts_with([';', ',', '.', ')', ']', '}', '|', '&', '>'])
            || word.starts_with('#')
            || is_name(rest.trim_start()))
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
