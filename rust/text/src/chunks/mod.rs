//! Chunks as columns, the result of every strategy.

mod met_elements;
mod stored;

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::met_elements::MetElements;
use crate::boundaries::Boundaries;
use crate::elements::{Element, Kind};
use crate::span::{Piece, Role, Span};
use crate::subject::Subject;

/// Chunks of one text, or of one after another, in order, as columns.
///
/// A chunk is a list of pieces, which is a slice of the text where they are adjacent; 3 words of memory
/// a chunk and 3 a piece, and 5 more a chunk where the text has elements.
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
    /// For each chunk: its elements; empty if no text has any.
    origins: Vec<Origin>,
    /// The HTML of tables and their parts, by ascending numbers of chunks; chunks of one table may share it.
    htmls: Vec<(usize, Arc<str>)>,
    /// What chunks of source code are about, by ascending numbers of chunks; neighbours may share it.
    subjects: Vec<(usize, Arc<Subject>)>,
}

/// What a chunk is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Content {
    /// Text: elements, or a part of one.
    #[default]
    Text = 0,
    /// A whole table.
    Table = 1,
    /// Rows of a table.
    TablePart = 2,
}

impl Content {
    /// The content of a number.
    pub const fn of_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Text),
            1 => Some(Self::Table),
            2 => Some(Self::TablePart),
            _ => None,
        }
    }
}

/// The elements that a chunk is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// What they are.
    pub content: Content,
    /// The first one.
    pub first: usize,
    /// One past the last one.
    pub end: usize,
    /// The number of the chunk among those that they were split into.
    pub part: usize,
    /// Rows of a table's header that are repeated in front.
    pub n_header_rows: usize,
}

impl Origin {
    /// The kind of a chunk that is made of them, those without text beside others not counted; `elements` are those
    /// of its document.
    pub fn kind(&self, elements: &[Element]) -> Kind {
        if self.content != Content::Text {
            return Kind::Table;
        }
        let own = elements.get(self.first..self.end).unwrap_or_default();
        let has_text = own.iter().any(|element| !element.span.is_empty());
        let counted = own.iter().filter(|element| !has_text || !element.span.is_empty());
        Kind::of_all(counted.map(|element| element.kind))
    }
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

    /// Adds a chunk of `pieces`, at least one of which is its own text.
    pub fn push_pieces(&mut self, pieces: &[Piece], size: usize) {
        self.pieces.extend_from_slice(pieces);
        self.piece_ends.push(self.pieces.len());
        self.sizes.push(size);
    }

    /// Adds chunk `i` of `other` as it is, without its boundaries.
    pub fn push_row(&mut self, other: &Self, i: usize) {
        self.push_sized_row(other, i, other.sizes[i]);
    }

    /// The same with another size, in another unit.
    pub fn push_sized_row(&mut self, other: &Self, i: usize, size: usize) {
        self.push_pieces(other.pieces(i), size);
        if other.is_oversize(i) {
            self.mark_oversize();
        }
        if let Some(&origin) = other.origins.get(i) {
            self.set_origin(origin);
        }
        if let Some(at) = other.html_at(i) {
            self.set_html(Arc::clone(&other.htmls[at].1));
        }
        if let Some(subject) = other.subject(i) {
            self.set_subject(Arc::clone(subject));
        }
    }

    /// Chunks from number `first` on, of text `text`, as they are, with these sizes: their spans stay those of that
    /// text. Of its boundaries the threshold is kept.
    #[must_use]
    pub fn slice(&self, text: usize, first: usize, sizes: &[usize]) -> Self {
        let mut slice = Self::default();
        (first..).zip(sizes).for_each(|(i, &size)| slice.push_sized_row(self, i, size));
        if let Some(&threshold) = self.boundaries.thresholds().get(text) {
            slice.boundaries.end_text(threshold);
        }
        slice
    }

    /// Says that all elements have numbers that are smaller by `n`.
    pub fn renumber_elements(&mut self, n: usize) {
        for of in &mut self.origins {
            (of.first, of.end) = (of.first.saturating_sub(n), of.end.saturating_sub(n));
        }
    }

    /// Says which elements the chunk added last is made of.
    pub fn set_origin(&mut self, origin: Origin) {
        self.origins.resize(self.len() - 1, Origin::default());
        self.origins.push(origin);
    }

    /// Says what content the elements of chunk `i`, which has an origin, are.
    pub fn set_content(&mut self, i: usize, content: Content) {
        self.origins[i].content = content;
    }

    /// Says which HTML the chunk added last has.
    pub fn set_html(&mut self, html: impl Into<Arc<str>>) {
        self.htmls.push((self.len() - 1, html.into()));
    }

    /// Says what the chunk added last is about.
    pub fn set_subject(&mut self, subject: Arc<Subject>) {
        self.subjects.push((self.len() - 1, subject));
    }

    /// Says what each chunk is about.
    pub fn set_subjects(&mut self, of: impl Iterator<Item = Arc<Subject>>) {
        self.subjects = of.take(self.len()).enumerate().collect();
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
        self.origins.truncate(self.piece_ends.len());
        self.htmls.pop_if(|(i, _)| *i == self.piece_ends.len());
        self.subjects.pop_if(|(i, _)| *i == self.piece_ends.len());
    }

    /// Adds the chunks of the next text; spans stay those of the text that they are from.
    pub fn append(&mut self, next: &Self) {
        let (n_pieces, n_chunks) = (self.pieces.len(), self.len());
        self.pieces.extend_from_slice(&next.pieces);
        self.piece_ends.extend(next.piece_ends.iter().map(|end| n_pieces + end));
        self.sizes.extend_from_slice(&next.sizes);
        self.oversize.extend(next.oversize.iter().map(|i| n_chunks + i));
        if !self.origins.is_empty() || !next.origins.is_empty() {
            self.origins.resize(n_chunks, Origin::default());
            self.origins.extend_from_slice(&next.origins);
            self.origins.resize(n_chunks + next.len(), Origin::default());
        }
        self.htmls.extend(next.htmls.iter().map(|(i, html)| (n_chunks + i, Arc::clone(html))));
        let subjects = next.subjects.iter();
        self.subjects.extend(subjects.map(|(i, subject)| (n_chunks + i, Arc::clone(subject))));
        self.boundaries.append(&next.boundaries);
    }

    /// Adds the chunks of a part of the text that begins at byte `start`, from where their places count.
    pub fn append_at(&mut self, part: &Self, start: usize) {
        let n_pieces = self.pieces.len();
        self.append(part);
        for Piece { span, .. } in &mut self.pieces[n_pieces..] {
            *span = Span::new(start + span.start, start + span.end);
        }
    }

    /// The pieces of chunk `i`.
    pub fn pieces(&self, i: usize) -> &[Piece] {
        let first = if i == 0 { 0 } else { self.piece_ends[i - 1] };
        &self.pieces[first..self.piece_ends[i]]
    }

    /// Where chunk `i` stands: its own text, with the overlap that is adjacent to it.
    pub fn span(&self, i: usize) -> Span {
        match self.pieces(i) {
            [piece] => piece.span,
            pieces => run_of_body(pieces),
        }
    }

    /// Whether the text of chunk `i` is the slice where it stands: nothing is repeated but an overlap.
    pub fn is_slice(&self, i: usize) -> bool {
        let pieces = self.pieces(i);
        let is_one = pieces.len() == 1;
        is_one || pieces.iter().all(is_near) && pieces.windows(2).all(|pair| meet(pair[0], pair[1]))
    }

    /// The text of chunk `i` of `source`: all its pieces in order.
    pub fn text<'t>(&self, i: usize, source: &'t str) -> Cow<'t, str> {
        if self.is_slice(i) {
            return Cow::Borrowed(&source[self.span(i).range()]);
        }
        Cow::Owned(self.pieces(i).iter().map(|piece| &source[piece.span.range()]).collect())
    }

    /// Bytes of the text of chunk `i`.
    pub fn n_bytes(&self, i: usize) -> usize {
        self.pieces(i).iter().map(|piece| piece.span.len()).sum()
    }

    /// The chunk's own text, without what is repeated: all from its first piece to its last.
    pub fn body(&self, i: usize) -> Span {
        let mut own = self.pieces(i).iter().filter(|piece| piece.role == Role::Body);
        let Some(first) = own.next() else { return self.span(i) };
        Span::new(first.span.start, own.next_back().unwrap_or(first).span.end)
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

    /// The elements that each chunk is made of; empty if no text has any.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The HTML of chunk `i`, if it is a table or a part of one that has any.
    pub fn html(&self, i: usize) -> Option<&str> {
        self.html_at(i).map(|at| &*self.htmls[at].1)
    }

    /// What chunk `i` is about, if it is source code that was cut as such.
    pub fn subject(&self, i: usize) -> Option<&Arc<Subject>> {
        let at = self.subjects.binary_search_by_key(&i, |(of, _)| *of).ok()?;
        Some(&self.subjects[at].1)
    }

    /// The number of the HTML of chunk `i`.
    fn html_at(&self, i: usize) -> Option<usize> {
        self.htmls.binary_search_by_key(&i, |(of, _)| *of).ok()
    }

    /// Says which of `elements` the chunks, all of one text, are made of. O(chunks and elements).
    #[must_use]
    pub fn with_origins(mut self, elements: &[Element]) -> Self {
        let (mut first, mut origins) = (0, Vec::with_capacity(self.len()));
        for i in 0..self.len() {
            let body = self.body(i);
            while elements.get(first).is_some_and(|element| element.span.end <= body.start) {
                first += 1;
            }
            let after = |element: &&Element| element.span.start < body.end;
            let end = first + elements[first..].iter().take_while(after).count();
            origins.push(Origin { first, end: end.max(first), ..Origin::default() });
        }
        self.origins = origins;
        self
    }

    /// Leaves each chunk those of its elements that its own text meets: a unit that was split gave all of them to
    /// each of its parts. What stands in no element keeps the one before it. O(elements + chunks log elements).
    #[must_use]
    pub fn with_own_elements(mut self, elements: &[Element]) -> Self {
        let met = MetElements::new(elements);
        for i in 0..self.origins.len() {
            let (body, of) = (self.body(i), self.origins[i]);
            let from = if of.part == 0 { 0 } else { body.start };
            // Elements without text stay with the last part that begins before them.
            let next = self.origins.get(i + 1).filter(|next| next.part == of.part + 1);
            let upto = next.map_or(usize::MAX, |_| self.body(i + 1).start);
            let own = met.by(body, of.first..of.end, from..upto);
            let of = &mut self.origins[i];
            (of.first, of.end) = (own.start, own.end);
        }
        self
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

    /// With the boundaries of `other`, other chunks of the same text, of which those count as whole at which these
    /// do not end.
    #[must_use]
    pub fn with_cuts_of(self, other: &Self) -> Self {
        let mut boundaries = other.boundaries.clone();
        let ends: Vec<usize> = (0..self.len()).map(|i| self.body(i).end).collect();
        for i in 1..other.len() {
            let gap = Span::new(other.body(i - 1).end, other.body(i).start);
            if ends.binary_search(&gap.start).is_err() {
                boundaries.join(gap);
            }
        }
        self.with_boundaries(boundaries)
    }

    /// Whether chunk `i` is over the limit, being one grapheme that cannot be cut.
    pub fn is_oversize(&self, i: usize) -> bool {
        self.oversize.binary_search(&i).is_ok()
    }
}

/// Whether a piece stands where its chunk does; headings and headers do not, even where they are adjacent.
const fn is_near(piece: &Piece) -> bool {
    matches!(piece.role, Role::Body | Role::Overlap)
}

fn meet(piece: Piece, next: Piece) -> bool {
    piece.span.end == next.span.start
}

/// From the first piece that is the chunk's own text to the last, what is repeated between them passed over,
/// and all near them that are adjacent.
fn run_of_body(pieces: &[Piece]) -> Span {
    let at = pieces.iter().position(|piece| piece.role == Role::Body).unwrap_or(0);
    let mut span = pieces[at].span;
    for piece in pieces[..at].iter().rev().take_while(|piece| is_near(piece)) {
        if piece.span.end != span.start {
            break;
        }
        span.start = piece.span.start;
    }
    for piece in pieces[at + 1..].iter().filter(|piece| is_near(piece)) {
        if piece.role == Role::Body || piece.span.start == span.end {
            span.end = span.end.max(piece.span.end);
        }
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_is_repeated_inside_a_row_parts_no_place() {
        let mut chunks = Chunks::default();
        let header = Piece { span: Span::new(0, 3), role: Role::Header };
        let bodies = [Piece::body(Span::new(5, 7)), Piece::body(Span::new(7, 9))];
        chunks.push_pieces(&[header, bodies[0], header, bodies[1]], 10);
        assert_eq!((chunks.span(0), chunks.body(0)), (Span::new(5, 9), Span::new(5, 9)));
        assert_eq!(chunks.text(0, "abcdefghi"), "abcfgabchi");
    }

    #[test]
    fn a_header_is_no_place_even_right_before_the_rows() {
        let mut chunks = Chunks::default();
        let header = Piece { span: Span::new(0, 3), role: Role::Header };
        chunks.push_pieces(&[header, Piece::body(Span::new(3, 5))], 5);
        let overlap = Piece { span: Span::new(3, 5), role: Role::Overlap };
        chunks.push_pieces(&[overlap, Piece::body(Span::new(5, 6))], 3);
        assert_eq!([0, 1].map(|i| chunks.span(i)), [Span::new(3, 5), Span::new(3, 6)]);
        assert_eq!([0, 1].map(|i| chunks.is_slice(i)), [false, true]);
        assert_eq!([0, 1].map(|i| chunks.text(i, "ab cd e").into_owned()), ["ab cd", "cd "]);
    }

    #[test]
    fn a_part_has_the_elements_that_it_meets() {
        let at = |start, end| Element { span: Span::new(start, end), ..Element::default() };
        // Nothing, a text, nothing, nothing, a text, nothing; and something in no element behind each text.
        let elements = [at(0, 0), at(2, 5), at(5, 5), at(5, 5), at(8, 12), at(12, 12)];
        let met = MetElements::new(&elements);
        let of = |start, end| met.by(Span::new(start, end), 0..6, 0..usize::MAX);
        assert_eq!([of(2, 12), of(0, 4), of(3, 5), of(3, 4)], [0..6, 0..2, 1..4, 1..2]);
        assert_eq!([of(3, 9), of(9, 12), of(8, 10), of(9, 10)], [1..5, 4..6, 4..5, 4..5]);
        assert_eq!([of(6, 7), of(13, 14), of(0, 1)], [3..4, 5..6, 0..1]);
        assert_eq!(met.by(Span::new(2, 12), 3..5, 0..usize::MAX), 3..5);
        assert_eq!(MetElements::new(&[]).by(Span::new(0, 1), 0..0, 0..usize::MAX), 0..0);
    }

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
