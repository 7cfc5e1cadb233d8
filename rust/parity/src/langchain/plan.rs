//! Plan of a LangChain split: separators, their order, and how long chunks may be.

use memchr::memchr;
use memchr::memmem::Finder;

use chunkwright_text::segment::separator::Keep;

/// The separators, strongest first, and where they go.
#[derive(Clone, Debug)]
pub struct Plan {
    separators: Vec<Separator>,
    keep: Keep,
    depth: Depth,
}

/// Which of the separators are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The first, once: `CharacterTextSplitter`.
    FirstLevel,
    /// All, each for what the ones before left too large: `RecursiveCharacterTextSplitter`.
    EveryLevel,
}

/// A separator and the text that joins the pieces between which it stood.
#[derive(Clone, Debug)]
pub struct Separator {
    pub(super) mark: Mark,
    glue: String,
}

/// How a separator is found.
#[derive(Clone, Debug)]
pub enum Mark {
    /// It is the empty string: between any two code points.
    Anywhere,
    /// One byte.
    Byte(u8),
    /// A text.
    Literal(Box<Finder<'static>>),
    /// The caller finds it.
    Pattern,
}

/// The sizes a splitter is given, in the unit of its length function.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What a chunk may hold.
    pub chunk_size: f64,
    /// How much of the chunk before may be repeated.
    pub chunk_overlap: f64,
    /// Whether whitespace is taken off both ends of a chunk.
    pub strip: bool,
}

impl Mark {
    /// A text to be found as it is; the empty one is found anywhere.
    pub fn literal(text: &str) -> Self {
        match text.as_bytes() {
            [] => Self::Anywhere,
            [byte] => Self::Byte(*byte),
            bytes => Self::Literal(Box::new(Finder::new(bytes).into_owned())),
        }
    }

    /// The first place of a byte or literal in `text`, and its length.
    #[inline]
    pub(super) fn find(&self, text: &[u8]) -> Option<(usize, usize)> {
        match self {
            Self::Byte(byte) => Some((memchr(*byte, text)?, 1)),
            Self::Literal(finder) => Some((finder.find(text)?, finder.needle().len())),
            Self::Anywhere | Self::Pattern => None,
        }
    }
}

impl Separator {
    /// Pieces that `mark` separated are joined by `glue`.
    pub const fn new(mark: Mark, glue: String) -> Self {
        Self { mark, glue }
    }
}

impl Plan {
    /// The separators in their order; `keep` says to which piece they belong.
    pub const fn new(separators: Vec<Separator>, keep: Keep, depth: Depth) -> Self {
        Self { separators, keep, depth }
    }

    /// The text that joins pieces around separator number `separator`.
    pub fn glue(&self, separator: usize) -> &str {
        &self.separators[separator].glue
    }

    /// Whether the caller has to match a separator.
    pub fn has_patterns(&self) -> bool {
        self.separators.iter().any(|separator| matches!(separator.mark, Mark::Pattern))
    }

    pub(super) fn mark(&self, separator: usize) -> &Mark {
        &self.separators[separator].mark
    }

    pub(super) const fn keep(&self) -> Keep {
        self.keep
    }

    /// Which of the separators are used.
    pub const fn depth(&self) -> Depth {
        self.depth
    }

    /// Number of separators.
    pub const fn len(&self) -> usize {
        self.separators.len()
    }

    /// Whether there is no separator at all.
    pub const fn is_empty(&self) -> bool {
        self.separators.is_empty()
    }
}
