//! Entries of a YAML text: documents, items and members, and what their values are.

use saphyr_parser::ScalarStyle;

use crate::span::Span;

/// A document, an item of a block sequence or a member of a block mapping.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The entry that it is in; none for a document.
    pub parent: Option<usize>,
    /// Where it begins: the start of the line behind what is before it, with comments and blank lines; of an
    /// entry that begins on the line of its parent the same as `own`.
    pub start: usize,
    /// Where its key or dash stands, of a document its start.
    pub own: usize,
    /// Whether it begins on the line of its parent.
    pub is_inline: bool,
    /// Whether it is the first one of its parent.
    pub is_first: bool,
    /// Of a collection: where its first entry begins.
    pub head_end: usize,
    /// Of a document: whether the lines in front of its first entry say more than that it begins.
    pub has_head: bool,
    /// One past the last entry in it.
    pub last: usize,
    /// What its value is.
    pub kind: EntryKind,
    /// The value of a scalar, from its quote or the header of a block on.
    pub value: Span,
}

/// What the value of an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A block sequence or mapping, whose entries follow.
    Collection,
    /// A block scalar.
    Block,
    /// A scalar without quotes.
    Plain,
    /// A scalar in single quotes.
    Single,
    /// A scalar in double quotes.
    Double,
    /// A flow collection, an alias, or what stands under a key that is no simple one.
    Opaque,
}

impl EntryKind {
    /// The kind of a scalar written in that style.
    pub(super) const fn of(style: ScalarStyle) -> Self {
        match style {
            ScalarStyle::Plain => Self::Plain,
            ScalarStyle::SingleQuoted => Self::Single,
            ScalarStyle::DoubleQuoted => Self::Double,
            ScalarStyle::Literal | ScalarStyle::Folded => Self::Block,
        }
    }

    /// The characters that it may begin with; none if any may stand there.
    pub(super) const fn marks(self) -> &'static [char] {
        match self {
            Self::Single => &['\''],
            Self::Double => &['"'],
            Self::Block => &['|', '>'],
            _ => &[],
        }
    }
}
