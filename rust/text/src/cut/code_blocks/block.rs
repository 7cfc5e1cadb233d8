//! Fenced block of code as its parts need it: what opens each and what closes it.

use crate::cut::code::lines::Lines;
use crate::span::{Piece, Role, Span};
use crate::syntax::code::languages::{named, of_file};
use crate::syntax::code::outline::Outline;
use crate::unicode::space::{skip_space, trim_end};

/// A block that has lines of code between its fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// From the start of the opening fence's line to the end of the closing one's.
    pub span: Span,
    /// Where its first line of code begins.
    pub code: usize,
    /// The opening fence, with the marks of the quote that it stands in, and its line feed.
    opening: Span,
    /// The line of the closing fence; empty where the block ends without one.
    closing: Span,
    is_quoted: bool,
}

impl CodeBlock {
    /// Those of a text that stand at `spans`, in order. O(n).
    pub fn all(text: &str, spans: &[Span]) -> Vec<Self> {
        spans.iter().filter_map(|&span| Self::of(text, span)).collect()
    }

    fn of(text: &str, span: Span) -> Option<Self> {
        let line = span.start + text[span.range()].find('\n')?;
        let first = &text[span.start..line];
        let marks = span.start + ["```", "~~~"].iter().filter_map(|mark| first.find(mark)).min()?;
        let prefix = text[span.start..marks].trim_ascii_start();
        let is_quoted = prefix.starts_with('>');
        let opening = Span::new(if is_quoted { marks - prefix.len() } else { marks }, line + 1);
        let last = span.start + text[span.range()].rfind('\n')? + 1;
        let fence = text[opening.start..line].trim_start_matches(['>', ' ', '\t']);
        let mark = fence.chars().next()?;
        let n_marks = |line: &str| line.len() - line.trim_start_matches(mark).len();
        let end = text[last..span.end].trim_start_matches(['>', ' ', '\t']).trim_ascii_end();
        let is_closed = last > line && n_marks(end) == end.len() && n_marks(end) >= n_marks(fence);
        let closing = Span::new(if is_closed { last } else { span.end }, span.end);
        Some(Self { span, code: line + 1, opening, closing, is_quoted })
    }

    /// The lines of its code, which may be in a language that the fence names. O(n).
    pub fn lines(&self, text: &str) -> Lines {
        let words =
            text[self.opening.range()].trim_start_matches(['>', ' ', '\t', '`', '~', '{', '.']);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '+' | '#' | '-' | '_');
        let name = &words[..words.find(|c| !is_part(c)).unwrap_or(words.len())];
        let language = named(name).or_else(|| of_file(&format!("a.{name}"), ""));
        Lines::new(&text[self.code..self.code_end()], language, &Outline::default())
    }

    /// Where the code ends, and the line of the closing fence begins, if there is one.
    pub const fn code_end(&self) -> usize {
        self.closing.start
    }

    /// What opens a part that begins inside.
    pub const fn opening(&self) -> Piece {
        Piece { span: self.opening, role: Role::Header }
    }

    /// What closes a part that ends inside; `text_start` is where the text of the part begins. None if nothing in the
    /// text does.
    pub fn closing(&self, text: &str, text_start: usize) -> Vec<Piece> {
        let own_opening = skip_space(text, self.span.start).min(self.code);
        let has_opening = text_start <= own_opening;
        let piece = |start, end| Piece { span: Span::new(start, end), role: Role::Header };
        if self.closing.is_empty() {
            let feed = piece(self.code - 1, self.code);
            let marks = text[self.opening.range()].trim_start_matches(['>', ' ', '\t']);
            let mark = marks.chars().next().unwrap_or('`');
            let n_marks = marks.len() - marks.trim_start_matches(mark).len();
            let end = self.opening.end - marks.len() + n_marks;
            let is_item = has_opening && own_opening < self.opening.start;
            return if is_item { Vec::new() } else { vec![feed, piece(self.opening.start, end)] };
        }
        let Span { start, end } = self.closing;
        let fence = skip_space(text, start).min(end);
        let end = trim_end(text, fence, end);
        // A chunk begins behind the indentation of its first line, which the fence had as well.
        let indented = if has_opening {
            let is_first = text_start == own_opening;
            let n_left_out = if is_first { own_opening - self.span.start } else { 0 };
            start + n_left_out.min(fence - start)
        } else if self.is_quoted {
            start
        } else {
            fence
        };
        if indented == start {
            return vec![piece(start - 1, end)];
        }
        vec![piece(start - 1, start), piece(indented, end)]
    }
}

/// The block of `blocks`, which are in order, that what begins at `at` is a later part of.
pub fn holding(blocks: &[CodeBlock], at: usize) -> Option<&CodeBlock> {
    let behind = blocks.partition_point(|block| block.span.start < at);
    let block = &blocks[behind.checked_sub(1)?];
    (block.code <= at && at < block.span.end).then_some(block)
}
