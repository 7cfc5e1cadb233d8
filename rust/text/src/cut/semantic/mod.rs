//! Semantic strategies: cuts where the vectors of neighbouring pieces say that the subject changes.
//!
//! A text is taken apart into small pieces, each gets a vector, a score is found for each boundary
//! between two of them, and some boundaries become cuts. No chunk exceeds the limit: what would is cut
//! at its strongest boundary within reach.
//!
//! # Two phases
//!
//! Vectors cost far more than all else, and an embedder is fast only with many texts at once. So cutting has two
//! phases: [`Semantic::pieces`] says which texts need vectors, of as many documents as the caller likes; the
//! caller embeds them together; [`Semantic::cut`] cuts with what it is given.
//! [`Cutter::cut`](super::strategy::Cutter::cut) does both for one document. Boundaries that a language model
//! gives have the same seat ([`cut_at`]).
//!
//! # The strategies
//!
//! | scoring | a boundary's score | cuts | source |
//! |---|---|---|---|
//! | [`Scoring::Kamradt`] | cosine distance of the windows on either side | over a threshold, such as the 95th percentile | Greg Kamradt, *5 Levels of Text Splitting*, 2023 |
//! | [`Scoring::KamradtModified`] | the same | a threshold that gives chunks of a size | Smith and Troynikov, *Evaluating Chunking Strategies for Retrieval*, 2024 |
//! | [`Scoring::Cluster`] | none: pairs in a chunk are worth their cosine less the mean | where the sum of worths is greatest | the same report |
//! | [`Scoring::Discontinuity`] | distance of the sums on either side | at peaks between the soft and the hard limit | Hearst, *`TextTiling`*, 1997, with vectors for its counts of words |
//!
//! Scores that differ by less than [`TOLERANCE`](crate::vectors::TOLERANCE) are equal, and the earlier boundary
//! counts: so the same vectors from two machines, off in their last bits, give the same chunks.
//!
//! ```
//! use std::sync::Arc;
//!
//! use chunkwright_text::cut::semantic::{Scoring, Segments, Semantic, Threshold};
//! use chunkwright_text::cut::strategy::{Cutter, Strategy};
//! use chunkwright_text::document::Document;
//! use chunkwright_text::measure::Chars;
//! use chunkwright_text::options::{Limits, OverlapAt};
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::segment::sentence::Language;
//! use chunkwright_text::vectors::Lexical;
//!
//! let semantic = Semantic {
//!     segments: Segments::Sentences(Language::english()),
//!     embedder: Arc::new(Lexical::new(4096)?),
//!     scoring: Scoring::Discontinuity { window: 3 },
//! };
//! let limits = Limits::new(35, None, 0)?;
//! let cutter = Cutter { strategy: Strategy::Semantic(semantic), limits, overlap_at: OverlapAt::Word };
//! let document = Document::new("Rain fell. The rain was cold. Cats sleep. A cat purrs.");
//! let chunks = cutter.cut(document, &Chars::new(document), no_pulse())?;
//! let texts: Vec<_> = chunks.spans().map(|span| &document.text()[span.range()]).collect();
//! assert_eq!(texts, ["Rain fell. The rain was cold.", "Cats sleep. A cat purrs."]);
//! assert_eq!(chunks.boundaries().scores()[1], 1.0); // no word in common
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

mod cluster;
mod discontinuity;
pub mod gains;
mod given;
mod kamradt;
mod kamradt_modified;
mod limit;
mod segments;
mod sentences;
mod sequence;
mod strongest;
pub mod threshold;
mod write;

use std::sync::Arc;

use self::sequence::Sequence;
use super::chunker::Chunker;
use super::pieces::Pieces;
use crate::boundaries::Verdict;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::measure::part::PartMeasure;
use crate::options::Limits;
use crate::pulse::Pulse;
use crate::segment::sentence::Language;
use crate::span::Span;
use crate::unicode::line_ends::unified;
use crate::vectors::{Embedder, Vectors};

/// A semantic strategy.
#[derive(Clone, Debug)]
pub struct Semantic {
    /// The kind of pieces.
    pub segments: Segments,
    /// The embedder of the pieces.
    pub embedder: Arc<dyn Embedder>,
    /// How cuts follow from vectors.
    pub scoring: Scoring,
}

/// Kind of the pieces of a text, none of which exceeds the limit.
#[derive(Clone, Copy, Debug)]
pub enum Segments {
    /// Sentences.
    Sentences(Language),
    /// Sentences, neighbours joined.
    Joined {
        /// What the sentences are told apart in.
        language: Language,
        /// What sentences are joined up to.
        max: usize,
        /// What a sentence may have to stay whole.
        whole: usize,
    },
}

/// How cuts follow from the vectors of pieces.
#[derive(Clone, Copy, Debug)]
pub enum Scoring {
    /// Cut where the distance of neighbouring windows exceeds a threshold.
    Kamradt {
        /// Pieces on each side of one that are embedded with it.
        window: usize,
        /// Where the threshold lies.
        threshold: Threshold,
        /// What a chunk must have to be ended by a score, in the measure's unit.
        min_size: usize,
    },
    /// As above, the threshold searched for chunks of a size.
    KamradtModified {
        /// Pieces on each side of one that are embedded with it.
        window: usize,
        /// What size is wanted.
        target: Target,
    },
    /// Groups of neighbours whose cosines exceed the mean by as much as possible, within the soft limit.
    Cluster {
        /// The mean with which a cosine is compared.
        mean: Mean,
    },
    /// Cut where the pieces before and behind differ most, between the soft and the hard limit.
    Discontinuity {
        /// Pieces on each side that are compared.
        window: usize,
    },
}

impl Scoring {
    /// Pieces on each side of one that are looked at with it, by the embedder or the sum.
    const fn window(self) -> usize {
        match self {
            Self::Kamradt { window, .. } | Self::KamradtModified { window, .. } => window,
            Self::Cluster { .. } | Self::Discontinuity { .. } => 0,
        }
    }
}

/// Where the threshold lies among the distances.
#[derive(Clone, Copy, Debug)]
pub enum Threshold {
    /// At a percentile of the distances, 0 to 100.
    Percentile(f64),
    /// So many standard deviations above the mean.
    StandardDeviation(f64),
    /// So many interquartile ranges above the mean.
    Interquartile(f64),
    /// At a percentile of the distances' gradient, with which the gradient is compared.
    Gradient(f64),
    /// Where so many chunks come out, by percentile.
    NumberOfChunks(usize),
}

/// A kind of thresholds: what makes one of its amount, the usual amount, and whether that is a percentile.
pub type ThresholdKind = (fn(f64) -> Threshold, f64, bool);

impl Threshold {
    /// The kinds of thresholds that have an amount, by their names; the first one is the usual one.
    pub const KINDS: [(&str, ThresholdKind); 4] = [
        ("percentile", (Self::Percentile, 95.0, true)),
        ("standard_deviation", (Self::StandardDeviation, 3.0, false)),
        ("interquartile", (Self::Interquartile, 1.5, false)),
        ("gradient", (Self::Gradient, 95.0, true)),
    ];
}

/// Size of chunks for which a threshold is searched, in the measure's unit.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The mean size is about this.
    Average(usize),
    /// The largest has at most this.
    Max(usize),
}

/// Mean with which a cosine is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mean {
    /// The mean of all pairs.
    Global,
    /// The mean of the pairs that could be in one chunk.
    Local,
}

impl Semantic {
    /// The pieces of a document, and the texts that need vectors: none where there are fewer than two pieces.
    ///
    /// O(n) in the text's length.
    ///
    /// # Errors
    /// Those of the measure and of `pulse`.
    pub fn pieces(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        limits: Limits,
        pulse: Pulse<'_>,
    ) -> Result<Pieces> {
        self.pieces_of(&[whole(document)], document, measure, limits, pulse)
    }

    /// The same of a document of which each of `parts` begins a chunk.
    ///
    /// # Errors
    /// Those of the measure and of `pulse`.
    pub fn pieces_of(
        &self,
        parts: &[Span],
        document: Document<'_>,
        measure: &dyn Measure,
        limits: Limits,
        pulse: Pulse<'_>,
    ) -> Result<Pieces> {
        let pieces = pieces_of(parts, document, measure, limits, self.segments, pulse)?;
        let window = if self.embedder.adds_up() { 0 } else { self.scoring.window() };
        Ok(Pieces { window: pieces.window.map(|_| window), ..pieces })
    }

    /// Cuts a document between its pieces where its meaning changes, as the vectors of their texts say.
    ///
    /// The chunks have [`Boundaries`](crate::boundaries::Boundaries). O(n log n) in the number of pieces,
    /// and O(n · k) cosines for [`Scoring::Cluster`] with up to k pieces to a chunk.
    ///
    /// # Errors
    /// Those of the measure, and what the chunker's pulse says; [`Error::Model`] if there is not a vector
    /// for each text.
    pub fn cut(
        &self,
        chunker: Chunker<'_>,
        pieces: &Pieces,
        vectors: Option<&mut dyn Vectors>,
    ) -> Result<Chunks> {
        let (n, n_texts) = (vectors.as_ref().map_or(0, |vectors| vectors.len()), pieces.n_texts());
        if n != n_texts {
            return Err(Error::Model(format!("the embedder gave {n} vectors for {n_texts} texts")));
        }
        let sequence = Sequence::new(chunker.text, chunker.measure, pieces);
        let room = Room::new(chunker.limits).of(chunker.limits, self.scoring);
        let scored = match vectors.filter(|_| n_texts > 0) {
            Some(vectors) => scored(&sequence, vectors, self.scoring, room, chunker.beat.pulse())?,
            None => Scored::nothing(),
        };
        write::write(chunker, &sequence, &scored)
    }
}

/// The pieces of a document, none larger than a chunk's own text may be; each is shown by itself to the embedder
/// or the model, and none where there are fewer than two.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn pieces(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    segments: Segments,
    pulse: Pulse<'_>,
) -> Result<Pieces> {
    pieces_of(&[whole(document)], document, measure, limits, segments, pulse)
}

/// The same of a document of which each of `parts` begins a chunk.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn pieces_of(
    parts: &[Span],
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    segments: Segments,
    pulse: Pulse<'_>,
) -> Result<Pieces> {
    let (markup, max) = (document.markup(), Room::new(limits).hard);
    let (mut all, mut firsts) = (Chunks::default(), Vec::new());
    for &part in parts {
        let text = unified(&document.text()[part.range()]);
        let own = PartMeasure::new(measure, part);
        let found = segments::segments(&text, markup, &own, max, segments, pulse)?;
        if !all.is_empty() && !found.is_empty() {
            firsts.push(all.len());
        }
        all.append_at(&found, part.start);
    }
    let pieces = sequence::added_up(measure, &all, pulse)?;
    Ok(Pieces { window: (pieces.len() > 1).then_some(0), firsts, ..pieces })
}

/// All of a document.
const fn whole(document: Document<'_>) -> Span {
    Span { start: 0, end: document.text().len() }
}

/// Cuts a document between its pieces where the caller says that chunks start, and wherever else the limit wants
/// it.
///
/// # Errors
/// [`Error::Config`] if there is no such piece; those of the measure, and what the chunker's pulse says.
pub fn cut_at(chunker: Chunker<'_>, pieces: &Pieces, starts: &[usize]) -> Result<Chunks> {
    let sequence = Sequence::new(chunker.text, chunker.measure, pieces);
    let starts = &[starts, &pieces.firsts].concat();
    let scored = given::given(&sequence, starts, Room::new(chunker.limits), chunker.beat.pulse())?;
    write::write(chunker, &sequence, &scored)
}

/// How large a chunk's own text may be.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// What a group over the limit is cut into has at least so much where it can.
    soft: usize,
    /// What it may have, the overlap left out.
    hard: usize,
}

impl Room {
    /// The soft limit, if none was given, is half of the hard one.
    fn new(limits: Limits) -> Self {
        let hard = limits.hard_max() - limits.overlap();
        let soft = limits.given_soft_max().map_or(hard.div_ceil(2), |soft| soft - limits.overlap());
        Self { soft, hard }
    }

    /// What a strategy may join. One that weighs sizes against nothing, as clusters do, joins no more than a
    /// soft limit that was given; a piece by itself may have more.
    fn of(self, limits: Limits, scoring: Scoring) -> Self {
        let has_aim =
            matches!(scoring, Scoring::Cluster { .. }) && limits.given_soft_max().is_some();
        Self { hard: if has_aim { self.soft } else { self.hard }, ..self }
    }
}

/// What was found at each boundary; boundary `i` lies behind piece `i`.
struct Scored {
    scores: Vec<f64>,
    verdicts: Vec<Verdict>,
    threshold: f64,
}

impl Scored {
    const fn nothing() -> Self {
        Self { scores: Vec::new(), verdicts: Vec::new(), threshold: f64::NAN }
    }
}

/// The scores and verdicts, after which no group of several pieces exceeds the limit.
fn scored(
    sequence: &Sequence<'_>,
    vectors: &mut dyn Vectors,
    scoring: Scoring,
    room: Room,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    // Windows that were embedded are not summed up again.
    let window = scoring.window() - sequence.embedded_window().min(scoring.window());
    let mut scored = match scoring {
        Scoring::Kamradt { threshold, min_size, .. } => {
            kamradt::kamradt(sequence, vectors, window, threshold, min_size, pulse)?
        }
        Scoring::KamradtModified { target, .. } => {
            kamradt_modified::kamradt_modified(sequence, vectors, window, target, room, pulse)?
        }
        Scoring::Cluster { mean } => cluster::cluster(sequence, vectors, mean, room, pulse)?,
        Scoring::Discontinuity { window } => {
            discontinuity::discontinuity(sequence, vectors, window, room, pulse)?
        }
    };
    for &first in sequence.firsts() {
        scored.verdicts[first - 1] = Verdict::Given;
    }
    limit::limit(sequence, room, &mut scored, pulse)?;
    Ok(scored)
}

#[cfg(test)]
mod phase_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
