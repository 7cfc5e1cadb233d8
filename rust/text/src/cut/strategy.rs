//! Strategies as values, one row each.
//!
//! A strategy is a variant of [`Strategy`] with its own options; what all share is in [`Cutter`]. There is no
//! trait to be implemented and no class to be derived from: a row in this file is all by which batches, threads
//! and the engine's specs run a strategy. A [`Cutter`] is cheap to clone, has no state and may be used by any
//! number of threads at once.

use std::borrow::Cow;
use std::sync::Arc;

use super::at_marks::AtMarks;
use super::balanced::balanced;
use super::by_kind::ByKind;
use super::chunker::Chunker;
use super::code::{Coding, code};
use super::code_blocks::repeat_fences;
use super::elements::{ElementStrategy, Starts};
use super::hierarchical::{Hierarchy, hierarchical};
use super::json::json;
use super::line_based::{Lining, line_based};
use super::pieces::{Asked, Given, Known, Pieces};
use super::recursive::{Recursion, recursive};
use super::semantic::{self, Segments, Semantic};
use super::sentence::{Sentencing, sentence};
use super::small::{is_near, join_small};
use super::table::cut_again::cut_tables_again;
use super::window::window;
use super::yaml::yaml;
use crate::boundaries::Boundaries;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::markup::Markup;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::sentence::Language;
use crate::unicode::line_ends::unified;
use crate::vectors::Embedder;

/// A way to cut, with the options that are its own.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// [`recursive`].
    Recursive(Recursion),
    /// [`sentence`].
    Sentence(Sentencing),
    /// [`balanced`], between sentences of a language.
    Balanced {
        /// The language.
        language: Language,
        /// Whether the parts of a table repeat its header.
        repeat_headers: bool,
    },
    /// [`window`].
    Window,
    /// [`line_based`].
    LineBased(Lining),
    /// [`code`].
    Code(Coding),
    /// [`Semantic::cut`].
    Semantic(Semantic),
    /// [`semantic::cut_at`].
    Given {
        /// What a text is taken apart into.
        segments: Segments,
        /// Who says which of the pieces chunks begin with.
        asked: Arc<dyn Asked>,
    },
    /// [`ElementStrategy::cut`].
    Elements(ElementStrategy),
    /// [`json`].
    Json,
    /// [`yaml`].
    Yaml,
    /// [`hierarchical`].
    Hierarchical(Hierarchy),
    /// The strategy of the document's kind.
    ByKind(Box<ByKind<Cutter>>),
    /// Another one for each part of a text between marks.
    AtMarks(Box<AtMarks<Cutter>>),
}

/// The error of a model or embedder that gave `n` answers about `n_texts` texts.
pub fn not_for_each(n: usize, n_texts: usize) -> Error {
    Error::Model(format!("there are {n} answers for {n_texts} texts"))
}

/// Which small chunks may be joined with a neighbour.
enum Joining {
    /// The strategy joins its own: it knows what keeps two chunks apart.
    Own,
    /// Those with nothing repeated from afar, such as the header of a table.
    Near,
    /// All.
    All,
}

impl Strategy {
    const fn joining(&self) -> Joining {
        match self {
            Self::Elements(_)
            | Self::Hierarchical(_)
            | Self::Json
            | Self::Yaml
            | Self::ByKind(_)
            | Self::AtMarks(_) => Joining::Own,
            Self::LineBased(_) => Joining::All,
            _ => Joining::Near,
        }
    }

    /// The markup by which it knows what stands in a document; unknown if it cuts all alike.
    fn markup_of(&self, document: Document<'_>) -> Markup {
        match self {
            Self::Recursive(how) => how.markup_of(document),
            Self::Window
            | Self::LineBased(_)
            | Self::Code(_)
            | Self::Json
            | Self::Yaml
            | Self::ByKind(_) => Markup::Unknown,
            _ => document.markup(),
        }
    }
}

/// A strategy with the options that all of them share.
#[derive(Clone, Debug)]
pub struct Cutter {
    /// What is done.
    pub strategy: Strategy,
    /// How much a chunk may hold.
    pub limits: Limits,
    /// Where an overlap may begin.
    pub overlap_at: OverlapAt,
}

impl Cutter {
    /// The chunks of `document`: [its pieces](Cutter::pieces), what is [known](Cutter::known) about them, and
    /// the [cuts](Cutter::cut_given) by that.
    ///
    /// # Errors
    /// Those of the measure, of the embedder or the model, and of `pulse`.
    pub fn cut(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        pulse: Pulse<'_>,
    ) -> Result<Chunks> {
        let pieces = self.pieces(document, measure, pulse)?;
        let mut known = self.known(document, &pieces, pulse)?;
        self.cut_given(document, measure, &pieces, known.given(), pulse)
    }

    /// Phase one: the pieces of `document`, of whose texts something has to be known before it is cut; none
    /// if the strategy needs no more than the document itself.
    ///
    /// # Errors
    /// Those of the measure, and what `pulse` says.
    pub fn pieces(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        pulse: Pulse<'_>,
    ) -> Result<Pieces> {
        match &self.strategy {
            Strategy::Semantic(how) => how.pieces(document, measure, self.limits, pulse),
            Strategy::Given { segments, .. } => {
                semantic::pieces(document, measure, self.limits, *segments, pulse)
            }
            Strategy::Elements(how) => how.pieces(document, measure, self.limits, pulse),
            Strategy::AtMarks(at) => {
                let parts = at.parts(document.text());
                match &at.inner.strategy {
                    Strategy::Semantic(how) => {
                        how.pieces_of(&parts, document, measure, self.limits, pulse)
                    }
                    Strategy::Given { segments, .. } => semantic::pieces_of(
                        &parts,
                        document,
                        measure,
                        self.limits,
                        *segments,
                        pulse,
                    ),
                    _ => Ok(Pieces::default()),
                }
            }
            _ => Ok(Pieces::default()),
        }
    }

    /// What has to be known about pieces, of those of one document alone.
    ///
    /// # Errors
    /// Those of the embedder or the model, and of `pulse`.
    pub fn known<'t>(
        &self,
        document: Document<'t>,
        pieces: &Pieces,
        pulse: Pulse<'_>,
    ) -> Result<Known<'t>> {
        let texts: Vec<&str> = pieces.texts(document.text()).collect();
        if texts.is_empty() {
            return Ok(Known::Nothing);
        }
        if let Some(asked) = self.asked() {
            let mut starts = asked.starts(&[texts], pulse)?;
            let only = if starts.len() == 1 { starts.pop() } else { None };
            return only.unwrap_or_else(|| Err(not_for_each(starts.len(), 1))).map(Known::Starts);
        }
        match self.embedder() {
            Some(embedder) => embedder.embed(&texts, pulse).map(Known::Vectors),
            None => Ok(Known::Nothing),
        }
    }

    /// Phase two: the chunks of `document`, by what is known about its `pieces`.
    ///
    /// With the phases apart, one call of an embedder serves many documents:
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use chunkwright_text::cut::pieces::Given;
    /// use chunkwright_text::cut::semantic::{Mean, Scoring, Segments, Semantic};
    /// use chunkwright_text::cut::strategy::{Cutter, Strategy};
    /// use chunkwright_text::document::Document;
    /// use chunkwright_text::measure::Chars;
    /// use chunkwright_text::options::{Limits, OverlapAt};
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_text::segment::sentence::Language;
    /// use chunkwright_text::vectors::{Dense, Lexical};
    ///
    /// let strategy = Strategy::Semantic(Semantic {
    ///     segments: Segments::Sentences(Language::english()),
    ///     embedder: Arc::new(Lexical::new(16)?), // not asked here
    ///     scoring: Scoring::Cluster { mean: Mean::Global },
    /// });
    /// let limits = Limits::new(40, None, 0)?;
    /// let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Word };
    /// let document = Document::new("Rain fell. It was cold. Cats sleep. They purr.");
    /// let chars = Chars::new(document);
    /// let pieces = cutter.pieces(document, &chars, no_pulse())?;
    /// assert_eq!(pieces.n_texts(), 4);
    /// // The vectors of all texts, from wherever they come: two subjects.
    /// let mut vectors = Dense::new(vec![1.0_f32, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0], 2)?;
    /// let chunks = cutter.cut_given(document, &chars, &pieces, Given::Vectors(&mut vectors), no_pulse())?;
    /// assert_eq!(chunks.body(1).range(), 24..46);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Model`] if there is not a vector for each text of the pieces; [`Error::Config`] if there is
    /// no such piece, or something else is given than the strategy asks for; those of the measure, and what
    /// `pulse` says.
    pub fn cut_given(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        pieces: &Pieces,
        given: Given<'_>,
        pulse: Pulse<'_>,
    ) -> Result<Chunks> {
        if let Strategy::AtMarks(at) = &self.strategy
            && at.inner.compares_pieces()
        {
            return at.inner.cut_given(document, measure, pieces, given, pulse);
        }
        let chunks = self.cut_as_is(document, measure, pieces, given, pulse)?;
        let chunks = self.cut_again(document, measure, chunks, pieces, pulse)?;
        let is_free: Vec<bool> = match self.strategy.joining() {
            Joining::Own => {
                return Ok(chunks.with_own_elements(document.elements().unwrap_or_default()));
            }
            Joining::Near => (0..chunks.len()).map(|i| is_near(&chunks, i)).collect(),
            Joining::All => vec![true; chunks.len()],
        };
        let starts: Vec<usize> = (0..chunks.len()).map(|i| chunks.body(i).start).collect();
        let may_join = |i: usize| is_free[i - 1] && is_free[i] && !pieces.begins_part_at(starts[i]);
        join_small(chunks, document.text(), measure, self.limits, pulse, may_join)
    }

    /// Chunks with what tables and blocks of code repeat in each part.
    fn cut_again(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        chunks: Chunks,
        pieces: &Pieces,
        pulse: Pulse<'_>,
    ) -> Result<Chunks> {
        if matches!(self.strategy, Strategy::AtMarks(_)) {
            // Each part between marks has been cut to its end.
            return Ok(chunks);
        }
        let chunker =
            || Chunker::new(document.text(), measure, self.limits, self.overlap_at, pulse);
        let begins_part = |at| pieces.begins_part_at(at);
        let chunks = if self.compares_pieces() {
            cut_tables_again(chunker(), chunks, document, begins_part)?
        } else {
            chunks
        };
        repeat_fences(chunker(), chunks, self.strategy.markup_of(document), begins_part)
    }

    /// The chunks as a strategy cuts any text, small ones as they are.
    fn cut_as_is(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        pieces: &Pieces,
        given: Given<'_>,
        pulse: Pulse<'_>,
    ) -> Result<Chunks> {
        let (limits, at) = (self.limits, self.overlap_at);
        let lines = self.lines(document.text());
        let chunker =
            || Chunker::new(&lines, measure, limits, at, pulse).of_source(document.text());
        match (&self.strategy, given) {
            (_, Given::Nothing) => self.cut_alone(document, measure, pieces, pulse),
            (Strategy::Semantic(how), Given::Vectors(vectors)) => {
                how.cut(chunker(), pieces, Some(vectors))
            }
            (Strategy::Given { .. }, Given::Starts(starts)) => {
                semantic::cut_at(chunker(), pieces, starts)
            }
            (Strategy::Elements(how), Given::Vectors(vectors)) => {
                how.cut(document, chunker(), pieces, Some(vectors))
            }
            (_, Given::Vectors(_) | Given::Starts(_)) => {
                Err(Error::Config("the strategy asks for nothing of the kind".into()))
            }
        }
    }

    /// The chunks of a document about which nothing is known but itself.
    fn cut_alone(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        pieces: &Pieces,
        pulse: Pulse<'_>,
    ) -> Result<Chunks> {
        let (limits, at) = (self.limits, self.overlap_at);
        let lines = self.lines(document.text());
        let chunker =
            || Chunker::new(&lines, measure, limits, at, pulse).of_source(document.text());
        match &self.strategy {
            Strategy::Recursive(how) => recursive(document, measure, limits, at, how, pulse),
            Strategy::Sentence(how) => sentence(document, measure, limits, at, *how, pulse),
            Strategy::Balanced { language, repeat_headers } => {
                balanced(document, measure, limits, at, *language, *repeat_headers, pulse)
            }
            Strategy::Json => json(document, measure, limits, pulse),
            Strategy::Yaml => yaml(document, measure, limits, pulse),
            Strategy::Window => window(document, measure, limits, at, pulse),
            Strategy::LineBased(how) => line_based(document, measure, limits, at, *how, pulse),
            Strategy::Code(how) => code(document, measure, limits, at, how, pulse),
            Strategy::Semantic(how) => how.cut(chunker(), pieces, None),
            Strategy::Given { .. } => semantic::cut_at(chunker(), pieces, &[]),
            Strategy::Elements(how) => how.cut(document, chunker(), pieces, None),
            Strategy::Hierarchical(how) => hierarchical(document, measure, limits, at, *how, pulse),
            Strategy::AtMarks(at) => {
                at.cut(document, measure, |part, measure| at.inner.cut(part, measure, pulse))
            }
            Strategy::ByKind(kinds) => match kinds.of(document).cut(document, measure, pulse) {
                // It is not what it seems to be.
                Err(Error::Read(_)) => kinds.text.cut(document, measure, pulse),
                cut => cut,
            },
        }
    }

    /// The text with line feeds for all line ends, if the strategy is handed a chunker.
    fn lines<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.strategy {
            Strategy::Semantic(_) | Strategy::Given { .. } | Strategy::Elements(_) => unified(text),
            _ => Cow::Borrowed(text),
        }
    }

    /// The embedder of the pieces, if they need vectors.
    pub fn embedder(&self) -> Option<&dyn Embedder> {
        match &self.strategy {
            Strategy::Semantic(how) => Some(&*how.embedder),
            Strategy::Elements(how) => match &how.starts {
                Starts::Similarity { embedder, .. } => Some(&**embedder),
                Starts::Structure(how) => how.merging.as_ref().map(|merging| &*merging.embedder),
                _ => None,
            },
            Strategy::AtMarks(at) => at.inner.embedder(),
            _ => None,
        }
    }

    /// The source of boundaries, such as a language model, if the strategy has one.
    pub fn asked(&self) -> Option<&dyn Asked> {
        match &self.strategy {
            Strategy::Given { asked, .. } => Some(&**asked),
            Strategy::AtMarks(at) => at.inner.asked(),
            _ => None,
        }
    }

    /// Whether it cuts any text, whatever its syntax, between places that it finds by itself.
    pub const fn cuts_plain_text(&self) -> bool {
        matches!(
            self.strategy,
            Strategy::Recursive(_)
                | Strategy::Sentence(_)
                | Strategy::Balanced { .. }
                | Strategy::Window
                | Strategy::LineBased(_)
                | Strategy::Code(_)
                | Strategy::Semantic(_)
                | Strategy::Given { .. }
        )
    }

    /// Whether it cuts between pieces by what is known about them.
    const fn compares_pieces(&self) -> bool {
        matches!(self.strategy, Strategy::Semantic(_) | Strategy::Given { .. })
    }

    /// Whether cutting runs a caller's own code, other than a measure's.
    pub fn calls_back(&self) -> bool {
        self.asked().is_some() || self.embedder().is_some_and(Embedder::calls_back)
    }

    /// Whether it cuts documents between their elements.
    pub const fn takes_elements(&self) -> bool {
        matches!(
            self.strategy,
            Strategy::Elements(_) | Strategy::Hierarchical(_) | Strategy::ByKind(_)
        )
    }

    /// Whether it cuts nothing but elements, and no text without any.
    pub const fn needs_elements(&self) -> bool {
        matches!(self.strategy, Strategy::Elements(_))
    }

    /// Whether its chunks are blocks of their author, which have a type and a parent.
    pub const fn gives_blocks(&self) -> bool {
        match &self.strategy {
            Strategy::Elements(how) => matches!(how.starts, Starts::Structure(_)),
            _ => false,
        }
    }

    /// Whether its chunks say what of a program they are about.
    pub const fn gives_subjects(&self) -> bool {
        match &self.strategy {
            Strategy::Code(_) => true,
            Strategy::AtMarks(at) => matches!(at.inner.strategy, Strategy::Code(_)),
            _ => false,
        }
    }

    /// Whether it gives boundaries beside the chunks.
    pub const fn gives_boundaries(&self) -> bool {
        match &self.strategy {
            Strategy::Semantic(_) | Strategy::Given { .. } => true,
            Strategy::AtMarks(at) => at.inner.compares_pieces(),
            Strategy::Elements(how) => {
                matches!(how.starts, Starts::Similarity { .. } | Starts::Structure(_))
            }
            _ => false,
        }
    }

    /// What there is of a text that could not be cut.
    pub fn nothing(&self) -> Chunks {
        let mut boundaries = Boundaries::default();
        if self.gives_boundaries() {
            boundaries.end_text(f64::NAN);
        }
        Chunks::default().with_boundaries(boundaries)
    }
}
