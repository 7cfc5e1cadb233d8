//! Paired signs of Markdown in a text: emphasis, brackets, code, formulas, quotation marks.

use std::collections::HashSet;

use super::chars::{Sign, ends_line, is_blank};
use super::normal::Bits;
use chunkwright_text::unicode::space::is_space;

/// So many signs of one kind are open at most.
const MAX_OPEN: usize = 256;

/// Which signs of a text belong together.
#[derive(Default)]
pub struct Pairs {
    /// Bytes of signs that have another one.
    paired: Bits,
    /// Brackets: where they open and close, by the former.
    brackets: Vec<(usize, usize)>,
    /// Bytes of code, by their starts: one behind the other.
    codes: Vec<(usize, usize)>,
    /// Labels of links that the text defines.
    definitions: HashSet<String>,
}

/// Signs that are open, of one kind.
#[derive(Default)]
struct Open {
    stack: Vec<(usize, usize)>,
}

impl Pairs {
    /// Reads the signs of `text`. O(n).
    ///
    /// Without `has_code`, backticks are none: in a quotation, they may be those of the text or not.
    pub fn of(text: &str, has_code: bool) -> Self {
        let mut pairs = Self::default();
        let bytes = text.as_bytes();
        let mut open: [Open; 7] = Default::default();
        let mut brackets = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let run = |byte: u8| bytes[at..].iter().take_while(|&&other| other == byte).count();
            match bytes[at] {
                b'\n' if ends_paragraph(&text[at + 1..]) => {
                    for open in &mut open {
                        open.stack.clear();
                    }
                    brackets.clear();
                    at += 1;
                }
                b'\\' => {
                    let is_escape = bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation);
                    at += 1 + usize::from(is_escape);
                }
                b'`' if has_code => {
                    let (code, end) = code_at(text, at);
                    pairs.codes.extend(code);
                    at = end;
                }
                b'[' => {
                    if brackets.len() < MAX_OPEN {
                        brackets.push(at);
                    }
                    at += 1;
                }
                b']' => {
                    if let Some(start) = brackets.pop() {
                        pairs.brackets.push((start, at));
                        pairs.define(text, start, at);
                    }
                    at += 1;
                }
                byte @ (b'*' | b'_' | b'~' | b'=' | b'$') => {
                    let n = run(byte);
                    let slot = match byte {
                        b'*' => 0,
                        b'_' => 1,
                        b'~' => 2,
                        b'=' => 3,
                        _ => 4,
                    };
                    if !matches!(byte, b'~' | b'=') || n == 2 {
                        pairs.run(text, at, n, &mut open[slot]);
                    }
                    at += n;
                }
                b'"' => {
                    pairs.quotation(text, at, at + 1, &mut open[5]);
                    at += 1;
                }
                b'\'' => {
                    pairs.quotation(text, at, at + 1, &mut open[6]);
                    at += 1;
                }
                0xe2 => {
                    let c = text[at..].chars().next().unwrap_or(' ');
                    let end = at + c.len_utf8();
                    match c {
                        '“' | '”' | '„' => pairs.quotation(text, at, end, &mut open[5]),
                        '‘' | '’' | '‚' => pairs.quotation(text, at, end, &mut open[6]),
                        _ => {}
                    }
                    at = end;
                }
                _ => at += 1,
            }
        }
        pairs.brackets.sort_unstable();
        pairs
    }

    /// Whether the sign at a byte has another one.
    pub fn is_paired(&self, at: usize) -> bool {
        self.paired.get(at)
    }

    /// Where the bracket that opens at a byte closes.
    pub fn closing(&self, at: usize) -> Option<usize> {
        let i = self.brackets.binary_search_by_key(&at, |&(start, _)| start).ok()?;
        Some(self.brackets[i].1)
    }

    /// Whether a byte is of code.
    pub fn is_code(&self, at: usize) -> bool {
        let i = self.codes.partition_point(|&(start, _)| start <= at);
        i > 0 && at < self.codes[i - 1].1
    }

    /// Whether the text defines the target of a link by this label.
    pub fn is_defined(&self, label: &str) -> bool {
        !self.definitions.is_empty() && self.definitions.contains(&folded(label))
    }

    fn mark(&mut self, start: usize, n: usize) {
        (start..start + n).for_each(|at| self.paired.set(at));
    }

    /// Notes the label of a link that is defined at the brackets.
    fn define(&mut self, text: &str, start: usize, end: usize) {
        // The line before is three bytes at most.
        let floor = start.saturating_sub(4);
        let before = &text.as_bytes()[floor..start];
        let is_begun = floor == 0 && start < 4 || before.contains(&b'\n');
        let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_first = is_begun && line.iter().all(u8::is_ascii_whitespace);
        if is_first && text.as_bytes().get(end + 1) == Some(&b':') && end - start < 1000 {
            self.definitions.insert(folded(&text[start + 1..end]));
        }
    }

    /// Reads a run of signs that open or close something.
    fn run(&mut self, text: &str, at: usize, n: usize, open: &mut Open) {
        let (before, behind) = (text[..at].chars().next_back(), text[at + n..].chars().next());
        let is_apart = |c: Option<char>| c.is_none_or(is_space);
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let is_of_word = |c: Option<char>| c.is_some_and(|c| Sign::of(c).is_of_word());
        let sign = text.as_bytes()[at];
        if is_of_word(before)
            && is_of_word(behind)
            && (sign == b'_' || is_digit(before) || is_digit(behind))
        {
            return;
        }
        let is_money = sign == b'$' && is_digit(behind);
        let may_open = !is_apart(behind) && !is_money && (sign != b'$' || !is_of_word(before));
        let is_amount = || {
            let amount = text[at + n..].trim_start_matches(['-', '−', '(']);
            sign == b'$' && amount.starts_with(|c: char| c.is_ascii_digit())
        };
        let may_close = !is_apart(before) && !is_amount();
        let mut left = n;
        while may_close && left > 0 {
            let Some(&(start, len)) = open.stack.last() else { break };
            let both = len.min(left);
            self.mark(start + len - both, both);
            self.mark(at + n - left, both);
            left -= both;
            open.stack.pop();
            if len > both {
                open.stack.push((start, len - both));
            }
        }
        if may_open && left > 0 && open.stack.len() < MAX_OPEN {
            open.stack.push((at + n - left, left));
        }
    }

    /// Reads a quotation mark.
    fn quotation(&mut self, text: &str, at: usize, end: usize, open: &mut Open) {
        let (before, behind) = (text[..at].chars().next_back(), text[end..].chars().next());
        let is_of_word = |c: Option<char>| c.is_some_and(|c| Sign::of(c).is_of_word());
        if !is_of_word(before) && behind.is_some_and(|c| !is_space(c)) {
            if open.stack.len() < MAX_OPEN {
                open.stack.push((at, 1));
            }
        } else if !is_of_word(behind)
            && let Some((start, _)) = open.stack.pop()
        {
            self.mark(start, 1);
            self.mark(at, 1);
        }
    }
}

/// A label as labels are compared: without case, in one line.
fn folded(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The bytes of the code that the backticks at a byte begin, and the end of all; of the backticks if it has none.
pub fn code_at(text: &str, at: usize) -> (Option<(usize, usize)>, usize) {
    let bytes = text.as_bytes();
    let run_at = |at: usize| bytes[at..].iter().take_while(|&&b| b == b'`').count();
    let n = run_at(at);
    let start = at + n;
    let is_fence = n >= 3
        && bytes[..at].iter().rev().take_while(|&&b| b != b'\n').all(u8::is_ascii_whitespace);
    let mut end = start;
    while end < bytes.len() && (is_fence || end - start < 4096) {
        match bytes[end] {
            b'`' => {
                let run = run_at(end);
                if run == n || (is_fence && run > n) {
                    return (Some((start, end)), end + run);
                }
                end += run;
            }
            b'\n' if !is_fence && ends_paragraph(&text[end + 1..]) => break,
            _ => end += 1,
        }
    }
    if is_fence { (Some((start, end)), end) } else { (None, start) }
}

/// Whether a line is empty.
fn ends_paragraph(rest: &str) -> bool {
    rest.chars().find(|&c| !is_blank(c)).is_none_or(ends_line)
}
