//! Marks at the starts of lines: headings, items of lists, quotations, rules.

use super::chars::Sign;
use super::chars::{ends_line, is_blank};
use super::notes;
use super::reader::{Reader, Reading};

/// So many bytes a heading has at most.
const MAX_HEADING_BYTES: usize = 1024;

/// So many bytes a term has at most whose meaning stands in the next line.
const MAX_TERM_BYTES: usize = 60;

/// So many marks of a line's kind are looked for.
const MAX_MARKERS: usize = 8;

impl Reader<'_> {
    /// Reads the marks of the line at `at`.
    pub fn markers(&mut self) {
        let is_empty_before =
            self.out.bytes().is_empty() || follows_empty_line(&self.text[..self.at]);
        if is_empty_before {
            self.end_paragraph();
        }
        let mut is_item = false;
        for n_before in 0..MAX_MARKERS {
            let rest = &self.text[self.at..];
            let line = rest.trim_start_matches(is_blank);
            let indent = rest.len() - line.len();
            self.blank(indent);
            if n_before == 0 && is_empty_before && indent < 2 && !line.starts_with(ends_line) {
                self.is_list = self.is_list && begins_item(line);
            }
            let rule = self.rule_len();
            if rule > 0 {
                self.blank(rule);
                break;
            }
            let Some((n, is_of_list)) = self.marker_len(is_empty_before) else { break };
            is_item |= is_of_list;
            self.marker(n);
        }
        self.is_list |= is_item;
        if is_item || !self.is_text() && self.out.bytes().is_empty() {
            self.check_box();
        }
    }

    /// Bytes of the mark at `at`, and whether it is of a list.
    fn marker_len(&self, is_empty_before: bool) -> Option<(usize, bool)> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let (n, is_of_list) = match first {
            '#' => (self.run_len(b'#'), false),
            '>' => return Some((1, false)),
            '-' | '+' | '*' => (1, true),
            ':' if is_empty_before || self.follows_term() => (1, false),
            '0'..='9' if self.is_text() && !self.pairs.is_code(self.at) => {
                let n = notes::number_len(rest);
                let is_first = n == 2 && first == '1';
                let may_begin = self.is_list || is_empty_before || is_first;
                return (n > 0 && may_begin).then_some((n, true));
            }
            _ if Sign::of(first) == Sign::Bullet => return Some((first.len_utf8(), true)),
            _ => return None,
        };
        let next = rest[n..].chars().next();
        (n <= 6 && next.is_none_or(|c| is_blank(c) || ends_line(c))).then_some((n, is_of_list))
    }

    /// Goes on `n` bytes of a mark.
    fn marker(&mut self, n: usize) {
        let Some(first) = self.text[self.at..].chars().next() else { return };
        if first.is_ascii_digit() {
            self.number(n, true);
        } else {
            let n_signs = if first == '#' { n } else { 1 };
            // A page shows what stands in code, which may stand in a quotation.
            let is_shown = first != '>' && self.pairs.is_code(self.at);
            self.signs(n, first, n_signs, !is_shown);
        }
    }

    /// Reads the box of an item that is to be done, or is done.
    fn check_box(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        if let [b'[', state @ (b' ' | b'x' | b'X'), b']', b' ', ..] = rest {
            let sign = if *state == b' ' { '☐' } else { '☑' };
            self.sign(3, sign, self.is_text());
        }
    }

    /// Whether what stands at `at` closes the heading that its line is, as it ends the line or attributes do.
    pub fn closes_heading(&self, n: usize) -> bool {
        let rest = &self.text[self.at + n..];
        self.reading != Reading::Literal
            && self.before(self.at).is_some_and(is_blank)
            && (is_over(rest) || ends_with_attributes(rest.trim_start_matches(is_blank)))
            && self.line_before().trim_start_matches([' ', '>']).starts_with('#')
    }

    /// Goes on past attributes, if they are those of a heading, of a paragraph, or of marks right before them.
    pub fn attributes(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if self.reading == Reading::Literal || self.pairs.is_code(self.at) {
            return false;
        }
        let Some(n) = notes::attributes_len(rest) else { return false };
        let is_attached = self.before(self.at).is_some_and(|c| "`*_~=".contains(c));
        let ends_line = is_over(&rest[n..]);
        let line = || self.line_before().trim_start_matches([' ', '>']);
        let is_of_line = || {
            !self.is_text()
                || line().starts_with('#')
                || line().is_empty() && rest[1..].starts_with(':')
        };
        let is_markup = is_attached || ends_line && is_of_line();
        if is_markup {
            self.markup(n);
        }
        is_markup
    }

    /// Whether the line before is a term, or says what one means: a short line, for others are broken for their width.
    fn follows_term(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches(is_blank).trim_end_matches(ends_line);
        let start = before.len().saturating_sub(MAX_HEADING_BYTES);
        let line = before.as_bytes()[start..].rsplit(|&byte| byte == b'\n').next();
        line.is_some_and(|line| {
            line.len() <= MAX_TERM_BYTES || line.trim_ascii_start().starts_with(b":")
        })
    }

    /// The line up to `at`; nothing of one that is long.
    fn line_before(&self) -> &str {
        let floor = self.at.saturating_sub(MAX_HEADING_BYTES);
        let bytes = &self.text.as_bytes()[floor..self.at];
        let start =
            bytes.iter().rposition(|&byte| byte == b'\n').map_or(floor, |at| floor + at + 1);
        let is_whole = start > floor || floor == 0;
        if is_whole { &self.text[start..self.at] } else { "" }
    }

    /// Bytes of the line that is drawn at `at`, between paragraphs or rows; 0 if there is none.
    fn rule_len(&self) -> usize {
        let rest = &self.text[self.at..];
        let is_of_rule = |c: char| "-*_|:+".contains(c) || is_blank(c);
        let first = rest.chars().next().filter(|c| "=~^".contains(*c));
        let behind = match first {
            Some(sign) => rest.trim_start_matches(sign).trim_start_matches(is_blank),
            None => rest.trim_start_matches(is_of_rule),
        };
        let rule = &rest[..rest.len() - behind.len()];
        let n_drawn = rule.bytes().filter(|b| b"-*_=~^".contains(b)).count();
        if n_drawn >= 3 && behind.chars().next().is_none_or(ends_line) { rule.len() } else { 0 }
    }
}

/// Whether only blanks stand before the end of the line.
fn is_over(rest: &str) -> bool {
    rest.chars().find(|&c| !is_blank(c)).is_none_or(ends_line)
}

/// Whether a line ends with attributes that begin here.
fn ends_with_attributes(rest: &str) -> bool {
    notes::attributes_len(rest).is_some_and(|n| is_over(&rest[n..]))
}

/// Whether a line begins an item of a list.
fn begins_item(line: &str) -> bool {
    notes::number_len(line) > 0
        || line.strip_prefix(['-', '+', '*']).is_some_and(|rest| rest.starts_with(is_blank))
        || line.chars().next().is_some_and(|c| Sign::of(c) == Sign::Bullet)
}

/// Whether the line before the one that begins at the end of `text` is empty.
fn follows_empty_line(text: &str) -> bool {
    let before = text.strip_suffix('\n').unwrap_or(text);
    let before = before.strip_suffix('\r').unwrap_or(before);
    before.len() < text.len() && before.trim_end_matches(is_blank).ends_with(ends_line)
}
