//! Rest of a text that is being split.

use super::{Again, ChunkText, Fragment, Step, View};
use chunkwright_text::offsets::count_chars;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::skip_space;

/// A short text of its own, and behind it a part of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// What stands in front.
    pub head: String,
    /// The part of the source.
    pub span: Span,
    /// Where in the source that begins which no fragment has said.
    pub new: usize,
    /// Code points of the part, if they were counted.
    n_span_chars: usize,
}

impl Rest {
    /// A part of the source.
    pub const fn of(span: Span) -> Self {
        Self::behind(String::new(), span, span.start)
    }

    /// A part of the source behind `head`; what is before `new` has been said.
    pub const fn behind(head: String, span: Span, new: usize) -> Self {
        Self { head, span, new, n_span_chars: 0 }
    }

    /// Whether nothing is left.
    pub const fn is_empty(&self) -> bool {
        self.head.is_empty() && self.span.is_empty()
    }

    /// All of it.
    pub(super) fn whole(self, source: &str) -> Fragment {
        let body = Span::new(self.new, self.span.end);
        Fragment { text: self.into_text(source), body }
    }

    /// What it says.
    pub fn into_text(self, source: &str) -> ChunkText {
        if self.head.is_empty() {
            return ChunkText::Slice(self.span);
        }
        ChunkText::Own(self.head + &source[self.span.range()])
    }

    /// Counts code points, if `is_needed`; what is cut off later keeps count.
    pub(super) fn count_chars(&mut self, source: &str, is_needed: bool) {
        if is_needed {
            self.n_span_chars = n_chars(source, self.span.start, self.span.end);
        }
    }

    /// Code points, if they were counted.
    pub(super) fn n_chars(&self) -> usize {
        count_chars(self.head.as_bytes()) + self.n_span_chars
    }

    /// The fragment that `step` cuts off, and what is left.
    pub(super) fn cut(&self, source: &str, view: View<'_>, step: Step) -> (Fragment, Self) {
        let Step { end, again, next } = step;
        let text = match self.head.len() {
            0 => ChunkText::Slice(view.upto(end)),
            _ => ChunkText::Own(view.text[..end].to_owned()),
        };
        let said = self.in_source(end).max(self.new);
        let fragment = Fragment { text, body: Span::new(self.new, said) };
        let mut left = match again {
            Again::Nothing => self.from(source, view, next),
            Again::From(start) => self.from(source, view, start),
            // What stands between is a blank already.
            Again::Tail(start) if &view.text[end..next] == " " => self.from(source, view, start),
            Again::Tail(start) => {
                let mut head = view.text[start..end].to_owned();
                head.push(' ');
                head.push_str(self.rest_of_head(view, next));
                self.moved(source, head, self.in_source(next))
            }
        };
        let next = skip_space(&source[..self.span.end], self.in_source(next));
        left.new = next.max(self.new);
        (fragment, left)
    }

    /// What is left from `start` in the view on.
    fn from(&self, source: &str, view: View<'_>, start: usize) -> Self {
        let head = self.rest_of_head(view, start).to_owned();
        self.moved(source, head, self.in_source(start))
    }

    /// What of the head stands behind `at` in the view.
    fn rest_of_head<'v>(&self, view: View<'v>, at: usize) -> &'v str {
        view.text.get(at..self.head.len()).unwrap_or_default()
    }

    /// Where in the source `at` in the view is; where the part begins for what is in the head.
    fn in_source(&self, at: usize) -> usize {
        match self.head.len() {
            0 => at,
            n_head => self.span.start + at.saturating_sub(n_head),
        }
    }

    fn moved(&self, source: &str, head: String, start: usize) -> Self {
        let was = self.span.start;
        let n_span_chars = if self.n_span_chars == 0 {
            0
        } else if start < was {
            self.n_span_chars + n_chars(source, start, was)
        } else {
            self.n_span_chars - n_chars(source, was, start)
        };
        let span = Span::new(start, self.span.end);
        Self { head, span, new: self.new.max(start), n_span_chars }
    }
}

fn n_chars(source: &str, start: usize, end: usize) -> usize {
    count_chars(&source.as_bytes()[start..end])
}
