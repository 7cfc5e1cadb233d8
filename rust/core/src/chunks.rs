//! The result of a strategy: chunks as columns.

use crate::boundaries::Boundaries;
use crate::span::{Piece, Role, Span};

/// Chunks of one text, or of one after another, in order, as columns.
///
/// A chunk is a list of adjacent pieces, so its text is one slice; 3 words of memory a chunk and
/// 3 a piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunks {
    pieces: Vec<Piece>,
    /// For each chunk: one past its last piece.
    piece_ends: Vec<usize>,
    /// For each chunk: its size in the unit of the measure that cut it.
    sizes: Vec<usize>,
    /// Chunks over the limit, ascending: each is one grapheme that cannot be cut.
    oversize: Vec<usize>,
    /// What a semantic strategy found between pieces; empty for every other.
    boundaries: Boundaries,
}

impl Chunks {
    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.piece_ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.piece_ends.is_empty()
    }

    /// Adds a chunk that covers `start..end`, the part before `body` repeated from the one before.
    pub fn push(&mut self, start: usize, body: usize, end: usize, size: usize) {
        self.push_within(Span::new(start, end), Span::new(body, end), size);
    }

    /// Adds a chunk that covers `span`; what lies around `body` in it belongs to its neighbours.
    pub fn push_within(&mut self, span: Span, body: Span, size: usize) {
        if span.start < body.start {
            self.pieces.push(Piece::overlap(Span::new(span.start, body.start)));
        }
        self.pieces.push(Piece::body(body));
        if body.end < span.end {
            self.pieces.push(Piece::overlap(Span::new(body.end, span.end)));
        }
        self.piece_ends.push(self.pieces.len());
        self.sizes.push(size);
    }

    /// Says that the chunk added last is over the limit.
    pub fn mark_oversize(&mut self) {
        self.oversize.push(self.len() - 1);
    }

    /// Takes off the chunk added last, which has no boundary yet.
    pub fn pop(&mut self) {
        if self.piece_ends.pop().is_none() {
            return;
        }
        self.sizes.pop();
        self.pieces.truncate(self.piece_ends.last().copied().unwrap_or(0));
        self.oversize.pop_if(|i| *i == self.piece_ends.len());
    }

    /// Adds the chunks of the next text; spans stay those of the text that they are from.
    pub fn append(&mut self, next: &Self) {
        let (n_pieces, n_chunks) = (self.pieces.len(), self.len());
        self.pieces.extend_from_slice(&next.pieces);
        self.piece_ends.extend(next.piece_ends.iter().map(|end| n_pieces + end));
        self.sizes.extend_from_slice(&next.sizes);
        self.oversize.extend(next.oversize.iter().map(|i| n_chunks + i));
        self.boundaries.append(&next.boundaries);
    }

    /// The pieces of chunk `i`.
    pub fn pieces(&self, i: usize) -> &[Piece] {
        let first = if i == 0 { 0 } else { self.piece_ends[i - 1] };
        &self.pieces[first..self.piece_ends[i]]
    }

    /// What chunk `i` covers, overlap included.
    pub fn span(&self, i: usize) -> Span {
        let pieces = self.pieces(i);
        Span::new(pieces[0].span.start, pieces[pieces.len() - 1].span.end)
    }

    /// The chunk's own text, without the overlap.
    pub fn body(&self, i: usize) -> Span {
        let own = self.pieces(i).iter().find(|piece| piece.role == Role::Body);
        own.map_or_else(|| self.span(i), |piece| piece.span)
    }

    /// The own text of the chunk added last.
    pub fn last_body(&self) -> Option<Span> {
        self.len().checked_sub(1).map(|i| self.body(i))
    }

    /// What the chunks cover, in order.
    pub fn spans(&self) -> impl ExactSizeIterator<Item = Span> + '_ {
        (0..self.len()).map(|i| self.span(i))
    }

    /// Sizes in the unit of the measure that cut them.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// What was found between the pieces of the text, by a semantic strategy.
    pub const fn boundaries(&self) -> &Boundaries {
        &self.boundaries
    }

    /// Says what was found between the pieces of the text.
    #[must_use]
    pub fn with_boundaries(self, boundaries: Boundaries) -> Self {
        Self { boundaries, ..self }
    }

    /// Whether chunk `i` is over the limit, being one grapheme that cannot be cut.
    pub fn is_oversize(&self, i: usize) -> bool {
        self.oversize.binary_search(&i).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_texts_chunks_come_behind() {
        let (mut chunks, mut next) = (Chunks::default(), Chunks::default());
        chunks.push(0, 0, 5, 2);
        next.push(0, 0, 3, 1);
        next.push(1, 3, 9, 7);
        next.mark_oversize();
        chunks.append(&next);
        assert_eq!(
            chunks.spans().collect::<Vec<_>>(),
            [(0, 5), (0, 3), (1, 9)].map(|(a, b)| Span::new(a, b))
        );
        assert_eq!(chunks.body(2), Span::new(3, 9));
        assert_eq!(chunks.sizes(), [2, 1, 7]);
        assert_eq!([0, 1, 2].map(|i| chunks.is_oversize(i)), [false, false, true]);
    }
}
