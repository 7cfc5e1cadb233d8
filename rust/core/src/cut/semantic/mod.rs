//! Chunks that end where the text turns to something else, as its vectors say.
//!
//! A text is taken apart into small pieces, each gets a vector, a score is found for each boundary
//! between two of them, and some boundaries become cuts. No chunk exceeds the limit: what would is cut
//! at its strongest boundary within reach.

mod cluster;
mod discontinuity;
mod gains;
mod kamradt;
mod limit;
mod modified;
pub mod peer;
mod pieces;
mod sentences;
mod sequence;
mod strongest;
pub mod threshold;
mod write;

use std::ops::Range;
use std::sync::Arc;

use self::sequence::Sequence;
use super::chunker::Chunker;
use crate::boundaries::Verdict;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::sentence::Language;
use crate::vectors::{Embedder, Vectors};

/// A semantic strategy.
#[derive(Clone, Debug)]
pub struct Semantic {
    /// What a text is made of.
    pub pieces: Pieces,
    /// What gives the pieces vectors.
    pub embedder: Arc<dyn Embedder>,
    /// How cuts follow from vectors.
    pub scoring: Scoring,
}

/// What a text is taken apart into; no piece exceeds the limit.
#[derive(Clone, Copy, Debug)]
pub enum Pieces {
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
    /// As much as `max` allows (in the measure's unit), up to the strongest boundary: a paragraph, a
    /// line, a sentence, a word.
    Small {
        /// What the sentences are told apart in.
        language: Language,
        /// The size of a piece, at most.
        max: usize,
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
        /// What a cosine is compared with.
        mean: Mean,
        /// The peer's programme: at most so many pieces to a group, and its own start.
        parity: Option<usize>,
    },
    /// Cut where the pieces before and behind differ most, between the soft and the hard limit.
    Discontinuity {
        /// Pieces on each side that are compared.
        window: usize,
    },
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

/// What size of chunks a threshold is searched for, in the measure's unit.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The mean size is about this.
    Average(usize),
    /// The largest has at most this.
    Max(usize),
}

/// What a cosine is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mean {
    /// The mean of all pairs.
    Global,
    /// The mean of the pairs that could be in one chunk.
    Local,
}

/// Cuts a document where its meaning changes.
///
/// The embedder is asked once, for all pieces, or windows of them, of the text; where there are fewer than
/// two, not at all. The chunks have [`Boundaries`](crate::boundaries::Boundaries). O(n log n) in the number
/// of pieces, and O(n · k) cosines for [`Scoring::Cluster`] with up to k pieces to a chunk.
///
/// # Errors
/// Those of the measure and of the embedder, and what `pulse` says.
pub fn semantic(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    semantic: &Semantic,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let (text, room) = (document.text(), Room::new(limits));
    let pieces = pieces::pieces(text, measure, room.hard, semantic.pieces, pulse)?;
    let sequence = Sequence::new(text, measure, &pieces, pulse)?;
    drop(pieces);
    let scored = scored(&sequence, semantic, room.of(limits, semantic.scoring), pulse)?;
    let chunker = Chunker::new(text, measure, limits, overlap_at, pulse);
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
    semantic: &Semantic,
    room: Room,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    if sequence.len() < 2 {
        return Ok(Scored::nothing());
    }
    let embedder = &*semantic.embedder;
    let mut scored = match semantic.scoring {
        Scoring::Kamradt { window, threshold, min_size } => {
            kamradt::kamradt(sequence, embedder, window, threshold, min_size, pulse)?
        }
        Scoring::KamradtModified { window, target } => {
            modified::modified(sequence, embedder, window, target, room, pulse)?
        }
        Scoring::Cluster { mean, parity: None } => {
            cluster::cluster(sequence, embedder, mean, room, pulse)?
        }
        Scoring::Cluster { mean, parity: Some(max_pieces) } => {
            peer::cluster(sequence, embedder, mean, max_pieces, pulse)?
        }
        Scoring::Discontinuity { window } => {
            discontinuity::discontinuity(sequence, embedder, window, room, pulse)?
        }
    };
    limit::limit(sequence, room, &mut scored, pulse)?;
    Ok(scored)
}

/// The vectors of the pieces `of` each.
fn embedded<'t>(
    sequence: &Sequence<'t>,
    embedder: &dyn Embedder,
    of: impl Fn(usize) -> Range<usize>,
    pulse: Pulse<'_>,
) -> Result<Box<dyn Vectors + 't>> {
    let texts: Vec<&str> = (0..sequence.len()).map(|i| sequence.text(of(i))).collect();
    let vectors = embedder.embed(&texts, pulse)?;
    let (n, n_texts) = (vectors.len(), texts.len());
    if n != n_texts {
        return Err(Error::Model(format!("the embedder gave {n} vectors for {n_texts} texts")));
    }
    Ok(vectors)
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
