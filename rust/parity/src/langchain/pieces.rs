//! Pieces that one separator leaves of a text, in order, without empty ones.

use std::vec::IntoIter;

use super::plan::Mark;
use chunkwright_text::segment::separator::Keep;
use chunkwright_text::span::Span;

/// Pieces in order.
pub(super) enum Pieces<'p> {
    /// Code points.
    Chars(Span),
    /// Between places of a literal.
    Between(Between<'p>),
    /// As the caller's matcher found them.
    Given(IntoIter<Span>),
}

/// What is left to split at a literal.
pub(super) struct Between<'p> {
    mark: &'p Mark,
    keep: Keep,
    rest: Span,
    /// Before it there is no more separator.
    searched: usize,
}

impl<'p> Between<'p> {
    pub(super) const fn new(mark: &'p Mark, keep: Keep, piece: Span) -> Self {
        Self { mark, keep, rest: piece, searched: piece.start }
    }

    #[inline]
    fn next(&mut self, text: &[u8]) -> Option<Span> {
        while !self.rest.is_empty() {
            let piece = self.advance(text);
            if !piece.is_empty() {
                return Some(piece);
            }
        }
        None
    }

    /// Up to the next separator, which may leave nothing.
    #[inline]
    fn advance(&mut self, text: &[u8]) -> Span {
        let Span { start, end } = self.rest;
        let Some((at, len)) = self.mark.find(&text[self.searched..end]) else {
            self.rest.start = end;
            return Span::new(start, end);
        };
        let (mark_start, mark_end) = (self.searched + at, self.searched + at + len);
        self.searched = mark_end;
        let (piece_end, next) = match self.keep {
            Keep::Drop => (mark_start, mark_end),
            Keep::Start => (mark_start, mark_start),
            Keep::End => (mark_end, mark_end),
        };
        self.rest.start = next;
        Span::new(start, piece_end)
    }
}

impl Pieces<'_> {
    #[inline]
    pub(super) fn next(&mut self, text: &str) -> Option<Span> {
        match self {
            Self::Chars(rest) => next_char(text, rest),
            Self::Between(between) => between.next(text.as_bytes()),
            Self::Given(spans) => spans.next(),
        }
    }
}

fn next_char(text: &str, rest: &mut Span) -> Option<Span> {
    let first = text[rest.range()].chars().next()?;
    let piece = Span::new(rest.start, rest.start + first.len_utf8());
    rest.start = piece.end;
    Some(piece)
}
