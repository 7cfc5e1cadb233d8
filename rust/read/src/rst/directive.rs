//! Parts of a directive: its name, argument, options and content.

use chunkwright_text::span::Span;

use super::lines::{Line, skip_blank, to_blank};
use super::markers::{field, simple_name};

/// A directive.
pub struct Directive<'t> {
    /// Its name, as it is written.
    pub name: &'t str,
    /// Its first line.
    pub first: usize,
    /// The line behind it.
    pub end: usize,
    /// Its argument on the first line; empty if it has none there.
    pub argument: Span,
    /// The lines below the first, up to the options, or the blank line before the content.
    pub head: (usize, usize),
    /// The lines of its options.
    pub options: (usize, usize),
    /// The lines of its content, the first of them not blank.
    pub content: (usize, usize),
}

impl<'t> Directive<'t> {
    /// The directive whose name begins at `at` of line `first`, and which ends before line `end`.
    pub fn of(text: &'t str, lines: &[Line], first: usize, end: usize, at: usize) -> Option<Self> {
        let line = lines[first];
        let rest = &text[at..line.end];
        let name = &rest[..simple_name(rest)];
        let mark = rest[name.len()..].trim_start_matches(' ').strip_prefix("::");
        let behind = mark.filter(|_| !name.is_empty())?;
        if !behind.is_empty() && !behind.starts_with([' ', '\t']) {
            return None;
        }
        let argument = behind.trim_start_matches([' ', '\t']);
        let argument = Span::new(line.end - argument.len(), line.end);
        let head_end = to_blank(lines, first + 1, end);
        let is_option = |line: &Line| field(line.said(text)).is_some();
        let options = if field(&text[argument.range()]).is_some() {
            first + 1
        } else {
            let n_before = lines[first + 1..head_end].iter().take_while(|line| !is_option(line));
            first + 1 + n_before.count()
        };
        Some(Self {
            name,
            first,
            end,
            argument,
            head: (first + 1, options),
            options: (options, head_end),
            content: (skip_blank(lines, head_end, end), end),
        })
    }

    /// Its name without its domain, in small letters.
    pub fn base_name(&self) -> String {
        let name = self.name.rsplit(':').next().unwrap_or(self.name);
        name.to_ascii_lowercase()
    }

    /// Whether its name has a domain, as `py:function` has.
    pub fn has_domain(&self) -> bool {
        self.name.contains(':')
    }

    /// The first word of its argument.
    pub fn word(&self, text: &'t str) -> Option<&'t str> {
        let argument = &text[self.argument.range()];
        argument.split_whitespace().next().filter(|word| !word.starts_with(':'))
    }

    /// The value of an option, and the line it begins in; none if the option is not given.
    pub fn option(&self, text: &'t str, lines: &[Line], name: &str) -> Option<(Span, usize)> {
        (self.options.0..self.options.1).find_map(|i| {
            let line = lines[i];
            let rest = line.said(text).strip_prefix(':')?.strip_prefix(name)?.strip_prefix(':')?;
            let value = rest.trim_start_matches([' ', '\t']);
            Some((Span::new(line.end - value.len(), line.end), i))
        })
    }

    /// Where its head ends: its argument and its options.
    pub fn head_end(&self, lines: &[Line]) -> usize {
        lines[self.options.1 - 1].end
    }
}
