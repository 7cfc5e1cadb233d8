//! Chunks as places in a text.

use chunkwright_text::chunks::Content;
use chunkwright_text::span::{Piece, Role, Span};

/// What restores a chunk from its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its pieces, one of which at least is its own text.
    pub pieces: Vec<Piece>,
    /// Its size, in the unit that it was measured in.
    pub size: usize,
    /// Whether it is over the limit.
    pub is_oversize: bool,
    /// What it is made of.
    pub content: Content,
    /// Its number among the chunks that its elements were split into.
    pub part: usize,
    /// Rows of a table's header that are repeated in front.
    pub n_header_rows: usize,
    /// The caller's number of its HTML, if it has any.
    pub html: Option<usize>,
}

impl Chunk {
    /// A chunk of text.
    pub const fn new(pieces: Vec<Piece>, size: usize) -> Self {
        let (content, part, n_header_rows) = (Content::Text, 0, 0);
        Self { pieces, size, is_oversize: false, content, part, n_header_rows, html: None }
    }

    /// Where its own text begins and ends.
    pub fn body(&self) -> Span {
        let mut own = self.own();
        let first = own.next().unwrap_or_default();
        Span::new(first.start, own.next_back().unwrap_or(first).end)
    }

    /// The same in a text in which it stands `by` bytes further.
    #[must_use]
    pub fn moved(mut self, by: usize) -> Self {
        for Piece { span, .. } in &mut self.pieces {
            *span = Span::new(span.start + by, span.end + by);
        }
        self
    }

    /// Whether its own text is one part of the text.
    pub(super) fn is_whole(&self) -> bool {
        self.own().zip(self.own().skip(1)).all(|(one, next)| one.end == next.start)
    }

    /// Whether it is one part of the text, with what it repeats before it.
    pub(super) fn is_plain(&self) -> bool {
        let first = self.pieces.iter().position(|piece| piece.role == Role::Body);
        let behind = &self.pieces[first.unwrap_or_default()..];
        self.content == Content::Text
            && behind.iter().all(|piece| piece.role == Role::Body)
            && self.is_whole()
    }

    /// What it repeats.
    pub(super) fn repeated(&self) -> impl Iterator<Item = Piece> {
        self.pieces.iter().copied().filter(|piece| piece.role != Role::Body)
    }

    fn own(&self) -> impl DoubleEndedIterator<Item = Span> {
        self.pieces.iter().filter(|piece| piece.role == Role::Body).map(|piece| piece.span)
    }
}
