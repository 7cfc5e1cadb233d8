//! Chroma's `ClusterSemanticChunker`: its dynamic programme, cut for cut.
//!
//! A group has a number of pieces at most, whatever their sizes. A way is worth 0 or more: as long as no
//! group is worth more, all pieces from the first one on stay together, however many they are.

use super::cluster::{mean_of, rows, verdicts};
use super::gains::Gains;
use super::{Mean, Scored};
use crate::boundaries::Verdict;
use crate::error::Result;
use crate::pulse::Pulse;
use crate::vectors::Vectors;

/// For each group one past its last piece; `max_pieces` of 0 leaves all pieces together.
///
/// O(n · `max_pieces`) cosines.
///
/// # Errors
/// What `pulse` says.
pub fn ends(vectors: &mut dyn Vectors, max_pieces: usize, pulse: Pulse<'_>) -> Result<Vec<usize>> {
    let n = vectors.len();
    let Scored { verdicts, .. } = cluster(vectors, Mean::Global, max_pieces, pulse)?;
    let cuts = (1..n).filter(|end| verdicts[end - 1] == Verdict::Score);
    Ok(cuts.chain((n > 0).then_some(n)).collect())
}

/// Cuts behind the peer's groups.
///
/// # Errors
/// What `pulse` says.
pub(super) fn cluster(
    vectors: &mut dyn Vectors,
    mean: Mean,
    max_pieces: usize,
    pulse: Pulse<'_>,
) -> Result<Scored> {
    let first = |i: usize| (i + 1).saturating_sub(max_pieces.max(1));
    let mean = mean_of(vectors, mean, first, pulse)?;
    let (mut ways, mut scores) = (vec![Way::default()], Vec::new());
    rows(vectors, mean, first, pulse, |gains, score| {
        ways.push(best(&ways, gains));
        scores.extend(score);
        Ok(())
    })?;
    let verdicts = verdicts(ways.len() - 1, |end| ways[end].from);
    Ok(Scored { scores, verdicts, threshold: 1.0 - mean })
}

/// What the pieces before a boundary are worth, and where their last group begins.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    value: f64,
    from: usize,
}

/// The shortest of the best groups that end with the latest piece, if it makes the way worth anything.
fn best(ways: &[Way], gains: &Gains) -> Way {
    let mut best = Way::default();
    for (from, gain) in gains.iter().rev() {
        let value = ways[from].value + gain;
        if value > best.value {
            best = Way { value, from };
        }
    }
    best
}
