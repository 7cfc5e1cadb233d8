//! Spans of bytes, and pieces: spans with a role.
//!
//! Bytes are what `str` slices by, so a span costs nothing to use; a [`Piece`] says besides what a text is there
//! for. A chunk is a list of pieces: its own text, and what is repeated around it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open range of bytes of one text; both ends lie on code-point boundaries.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(into = "(usize, usize)", from = "(usize, usize)")]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`, in bytes.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether it holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same place in a text that begins `n_bytes` further on.
    #[must_use]
    pub const fn moved_back(self, n_bytes: usize) -> Self {
        Self::new(self.start - n_bytes, self.end - n_bytes)
    }

    /// The range as slices take it.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

// Stored as start and length, which is short where numbers have as many bytes as they need.
impl From<Span> for (usize, usize) {
    fn from(span: Span) -> Self {
        (span.start, span.len())
    }
}

impl From<(usize, usize)> for Span {
    fn from((start, len): (usize, usize)) -> Self {
        Self::new(start, start.saturating_add(len))
    }
}

/// Role of a piece in its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Role {
    /// The chunk's own text: bodies of one document are disjoint and in order.
    Body = 0,
    /// Text of a neighbouring chunk, repeated for context.
    Overlap = 1,
    /// A heading that stands above the body.
    Heading = 2,
    /// The header of a table, repeated.
    Header = 3,
    /// The name of the speaker in whose turn the body begins, repeated.
    Speaker = 4,
}

impl Role {
    /// The role of a number.
    pub const fn of_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Body),
            1 => Some(Self::Overlap),
            2 => Some(Self::Heading),
            3 => Some(Self::Header),
            4 => Some(Self::Speaker),
            _ => None,
        }
    }
}

/// A span and its role in a chunk.
///
/// ```
/// use chunkwright_text::span::{Piece, Role, Span};
///
/// let text = "stone kg slate 7 chalk 3";
/// let chunk = [Piece { span: Span::new(0, 9), role: Role::Header }, Piece::body(Span::new(17, 24))];
/// let shown: String = chunk.iter().map(|piece| &text[piece.span.range()]).collect();
/// assert_eq!(shown, "stone kg chalk 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// Where the text is.
    pub span: Span,
    /// Its role in the chunk.
    pub role: Role,
}

impl Piece {
    /// A piece of the chunk's own text.
    pub const fn body(span: Span) -> Self {
        Self { span, role: Role::Body }
    }

    /// A piece repeated from a neighbouring chunk.
    pub const fn overlap(span: Span) -> Self {
        Self { span, role: Role::Overlap }
    }
}
