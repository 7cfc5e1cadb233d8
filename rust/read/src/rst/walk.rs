//! Walk over the lines of a text, which tells each block by its first lines.
//!
//! What is nested in a block is walked over as a text of its own: its lines are some of the same list, and its
//! margin is a column of them. So every line is looked at once for each block that it stands in.

use chunkwright_text::span::Span;

use super::inline::Inline;
use super::lines::{Line, flush, indented, least, lines, skip_blank, to_blank};
use super::listed::Listed;
use super::made::{Container, Made};
use super::markers::{adornment, begins, leads_to_literal};

/// Blocks that nest deeper are text.
const MAX_DEPTH: usize = 64;
/// The language of interactive sessions of Python, as Pygments calls it.
const SESSION: &str = "pycon";

/// An adornment of headings: its sign, and whether it stands above the title, too.
pub type Style = (u8, bool);

/// Walks over the lines of one text.
pub struct Walk<'t> {
    /// The text.
    pub text: &'t str,
    /// Its lines.
    pub lines: Vec<Line>,
    /// What was made of them.
    pub made: Made<'t>,
    /// The adornments of headings, in the order in which they came.
    pub styles: Vec<Style>,
    /// The language of code that does not state one.
    pub language: Option<&'t str>,
    depth: usize,
}

impl<'t> Walk<'t> {
    /// Walks over `text` from `start` on; notes what links are found in, if there is something to note it in.
    pub fn over(text: &'t str, start: usize, inline: Option<Inline>) -> Made<'t> {
        let mut walk = Self {
            text,
            lines: lines(text, start),
            made: Made::new(text, start, inline),
            styles: Vec::new(),
            language: None,
            depth: 0,
        };
        walk.blocks(0, walk.lines.len(), 0, true);
        walk.made
    }

    /// Takes the blocks in the lines from `first` to `end`, whose margin is the column `base`.
    pub fn blocks(&mut self, first: usize, end: usize, base: usize, has_titles: bool) {
        if self.depth == MAX_DEPTH {
            return self.deep(first, end);
        }
        self.depth += 1;
        let (mut i, mut before) = (first, None);
        while i < end {
            if self.lines[i].is_blank() {
                i += 1;
                continue;
            }
            let mut listed = None;
            let next = self.block(i, end, base, has_titles, before.as_ref(), &mut listed);
            (i, before) = (next.max(i + 1), listed);
        }
        self.depth -= 1;
    }

    /// Takes the block that begins in line `i`; returns the line behind it. Says what list it is an item of, of
    /// which the block before it may have been one.
    fn block(
        &mut self,
        i: usize,
        end: usize,
        base: usize,
        has_titles: bool,
        before: Option<&Listed>,
        listed: &mut Option<Listed>,
    ) -> usize {
        let line = self.lines[i];
        let said = line.said(self.text);
        if line.column > base {
            return self.quote(i, end, base);
        }
        if let Some(next) = self.item(i, end, base, before, listed) {
            return next;
        }
        if begins(said, ">>>") {
            return self.session(i, end);
        }
        if begins(said, "|") {
            return self.line_block(i, end, base);
        }
        if let Some(next) = self.table(i, end) {
            return next;
        }
        if begins(said, "..") {
            return self.explicit(i, end, base, before, listed);
        }
        if begins(said, "__") {
            return self.anonymous_target(i, end, base);
        }
        if adornment(said).is_some()
            && let Some(next) = self.adorned(i, end, has_titles)
        {
            return next;
        }
        self.text(i, end, base, has_titles, before, listed)
    }

    /// Takes lines of text: a paragraph, a title, or a term with its definition.
    fn text(
        &mut self,
        i: usize,
        end: usize,
        base: usize,
        has_titles: bool,
        before: Option<&Listed>,
        listed: &mut Option<Listed>,
    ) -> usize {
        if let Some(next) = self.lines[..end].get(i + 1).filter(|next| !next.is_blank()) {
            if next.column > base {
                return self.definition(i, end, base, before, listed);
            }
            if let Some(next) = self.underlined(i, has_titles) {
                return next;
            }
        }
        let last = flush(&self.lines, i, end, base).max(i + 1);
        let span = Span::new(self.lines[i].at, self.lines[last - 1].end);
        let said = &self.text[span.range()];
        if said == "::" {
            return self.literal(last, end, base, Some(span.start));
        }
        self.made.paragraph(span);
        if leads_to_literal(said) { self.literal(last, end, base, None) } else { last }
    }

    /// Takes the literal block below a paragraph that leads to it, if there is one: what is indented, or lines that
    /// begin with one sign.
    fn literal(&mut self, i: usize, end: usize, base: usize, mark: Option<usize>) -> usize {
        let first = skip_blank(&self.lines, i, end);
        let Some(&line) = self.lines[..end].get(first) else { return first };
        let last = if line.column > base {
            indented(&self.lines, first, end, base)
        } else {
            let sign = line.said(self.text).as_bytes()[0];
            let is_quoted = |other: &&Line| {
                other.column == base && other.said(self.text).as_bytes().first() == Some(&sign)
            };
            let n_lines = self.lines[first..end].iter().take_while(is_quoted).count();
            first + if sign.is_ascii_punctuation() { n_lines } else { 0 }
        };
        if last > first {
            // The indentation is what makes it code.
            let start = mark.unwrap_or(line.start);
            let language = self.language;
            self.made.code(Span::new(start, self.lines[last - 1].end), language);
        }
        last
    }

    fn quote(&mut self, i: usize, end: usize, base: usize) -> usize {
        let last = indented(&self.lines, i, end, base);
        let margin = least(&self.lines[i..last]).unwrap_or(base);
        self.made.close();
        self.made.enter(Container::Quote);
        self.blocks(i, last, margin, false);
        self.made.leave();
        last
    }

    fn session(&mut self, i: usize, end: usize) -> usize {
        let last = to_blank(&self.lines, i, end);
        let span = Span::new(self.lines[i].at, self.lines[last - 1].end);
        self.made.code(span, Some(SESSION));
        last
    }

    fn line_block(&mut self, i: usize, end: usize, base: usize) -> usize {
        let is_in = |line: &&Line| {
            !line.is_blank() && (line.column > base || begins(line.said(self.text), "|"))
        };
        let last = i + self.lines[i..end].iter().take_while(is_in).count();
        self.made.paragraph(Span::new(self.lines[i].at, self.lines[last - 1].end));
        last
    }

    /// Takes lines that nest too deep: one paragraph.
    fn deep(&mut self, first: usize, end: usize) {
        let first = skip_blank(&self.lines, first, end);
        if first < end {
            self.made.paragraph(Span::new(self.lines[first].at, self.lines[end - 1].end));
        }
    }
}
