//! Pieces of a text, between which it is cut: those to be embedded, or shown to a model, before it is.
//!
//! A strategy by meaning needs to know something of its pieces that the core cannot find out: their vectors, or
//! with which of them a subject begins. So it says which texts are to be asked about, and is called again with
//! the answer: see [`Cutter`](super::strategy::Cutter).

use std::fmt::Debug;
use std::ops::Range;

use crate::error::Result;
use crate::pulse::Pulse;
use crate::span::Span;
use crate::vectors::{Embedded, Vectors};

/// Pieces of a text in order, and the texts among them that are to be embedded, or shown to a model.
///
/// What [`Cutter::pieces`](super::strategy::Cutter::pieces) finds in a text, and
/// [`Cutter::cut_given`](super::strategy::Cutter::cut_given) cuts between, once the caller has said what is known
/// about them. 4 words of memory a piece.
///
/// ```
/// use chunkwright_text::cut::pieces::Pieces;
/// use chunkwright_text::span::Span;
///
/// let pieces = Pieces::embedded(vec![Span::new(0, 4), Span::new(5, 9)]);
/// assert_eq!(pieces.texts("Rain. Sun").collect::<Vec<_>>(), ["Rain", " Sun"]);
/// assert_eq!((pieces.at(5), pieces.at(6), pieces.n_bytes()), (1, 2, 8));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    pub(super) spans: Vec<Span>,
    /// For each piece: units up to where it begins, and up to where it ends; ascending. None where no
    /// sizes are added up.
    pub(super) to_start: Vec<usize>,
    pub(super) to_end: Vec<usize>,
    /// Pieces on each side of one that are embedded with it; none if nobody is asked about any text.
    pub(super) window: Option<usize>,
    /// The pieces with which parts of the text begin, but for the first part: chunks begin there, whatever else is
    /// known. Ascending.
    pub(super) firsts: Vec<usize>,
}

impl Pieces {
    /// The pieces `spans`, each embedded by itself.
    pub const fn embedded(spans: Vec<Span>) -> Self {
        Self {
            spans,
            to_start: Vec::new(),
            to_end: Vec::new(),
            window: Some(0),
            firsts: Vec::new(),
        }
    }

    /// How many pieces there are.
    pub const fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The span of each piece, in bytes; ascending and disjoint.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The first piece that begins at byte `at` or behind it; as many as there are pieces if there is none.
    /// O(log n).
    pub fn at(&self, at: usize) -> usize {
        self.spans.partition_point(|span| span.start < at)
    }

    /// How many texts are to be embedded, or shown to a model.
    pub const fn n_texts(&self) -> usize {
        if self.window.is_some() { self.len() } else { 0 }
    }

    /// These texts, in order: parts of `text`, which the pieces are of.
    pub fn texts<'t>(&self, text: &'t str) -> impl ExactSizeIterator<Item = &'t str> {
        (0..self.n_texts()).map(move |i| &text[self.span(self.around(i)).range()])
    }

    /// Bytes of these texts.
    pub fn n_bytes(&self) -> usize {
        (0..self.n_texts()).map(|i| self.span(self.around(i)).len()).sum()
    }

    /// The span of the pieces `run`, the space between them included; there is one at least.
    pub(super) fn span(&self, run: Range<usize>) -> Span {
        Span::new(self.spans[run.start].start, self.spans[run.end - 1].end)
    }

    /// Whether a part of the text that chunks do not go over begins with piece `i`. O(log n).
    pub(super) fn begins_part(&self, i: usize) -> bool {
        self.firsts.binary_search(&i).is_ok()
    }

    /// Whether such a part begins with the piece at byte `at`. O(log n).
    pub(super) fn begins_part_at(&self, at: usize) -> bool {
        let i = self.at(at);
        self.spans.get(i).is_some_and(|span| span.start == at) && self.begins_part(i)
    }

    /// The pieces that are embedded with piece `i`.
    fn around(&self, i: usize) -> Range<usize> {
        around(i, self.window.unwrap_or(0), self.len())
    }
}

/// `i` with up to `window` numbers on each side, of those below `n`.
pub fn around(i: usize, window: usize, n: usize) -> Range<usize> {
    i.saturating_sub(window)..i.saturating_add(window).saturating_add(1).min(n)
}

/// Knowledge about the pieces of a text, by which it is cut.
#[derive(Default)]
pub enum Given<'a> {
    /// Nothing.
    #[default]
    Nothing,
    /// A vector for each of [`Pieces::texts`].
    Vectors(&'a mut dyn Vectors),
    /// The numbers of the pieces that chunks begin with, in any order; 0 may be left out.
    Starts(&'a [usize]),
}

/// The same, owned: the answer of an embedder or a model.
pub enum Known<'t> {
    /// Nothing.
    Nothing,
    /// A vector for each of [`Pieces::texts`].
    Vectors(Embedded<'t>),
    /// The numbers of the pieces that chunks begin with.
    Starts(Vec<usize>),
}

impl Known<'_> {
    /// The same, to cut by.
    pub fn given(&mut self) -> Given<'_> {
        match self {
            Self::Nothing => Given::Nothing,
            Self::Vectors(vectors) => Given::Vectors(&mut **vectors),
            Self::Starts(starts) => Given::Starts(starts),
        }
    }
}

/// Source of boundaries, such as a language model: it says with which pieces of texts chunks begin.
///
/// ```
/// use std::sync::Arc;
///
/// use chunkwright_text::cut::pieces::Asked;
/// use chunkwright_text::cut::semantic::Segments;
/// use chunkwright_text::cut::strategy::{Cutter, Strategy};
/// use chunkwright_text::document::Document;
/// use chunkwright_text::error::Result;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::{Pulse, no_pulse};
/// use chunkwright_text::segment::sentence::Language;
///
/// /// A model that sees a new subject in each piece that speaks of cats for the first time.
/// #[derive(Debug)]
/// struct Cats;
///
/// impl Asked for Cats {
///     fn starts(&self, texts: &[Vec<&str>], _: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>> {
///         let first = |pieces: &Vec<&str>| pieces.iter().position(|piece| piece.contains("Cats"));
///         Ok(texts.iter().map(|pieces| Ok(first(pieces).into_iter().collect())).collect())
///     }
/// }
///
/// let strategy = Strategy::Given {
///     segments: Segments::Sentences(Language::english()),
///     asked: Arc::new(Cats),
/// };
/// let limits = Limits::new(60, None, 0)?;
/// let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Word };
/// let document = Document::new("Rain fell. It was cold. Cats sleep. They purr.");
/// let chunks = cutter.cut(document, &Chars::new(document), no_pulse())?;
/// assert_eq!(&document.text()[chunks.body(1).range()], "Cats sleep. They purr.");
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
pub trait Asked: Debug + Send + Sync {
    /// For each text, of which the pieces are given, the numbers of those that chunks begin with, or why
    /// nobody knows.
    ///
    /// # Errors
    /// What is to blame on no text; those of `pulse`.
    fn starts(&self, texts: &[Vec<&str>], pulse: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>>;
}
