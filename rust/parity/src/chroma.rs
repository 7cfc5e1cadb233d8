//! Chroma's `ClusterSemanticChunker`: its dynamic programme, cut for cut.
//!
//! A group has a number of pieces at most, whatever their sizes. A way is worth 0 or more: as long as no
//! group is worth more, all pieces from the first one on stay together, however many they are.

use chunkwright_text::cut::semantic::gains::Gains;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::vectors::Vectors;

/// For each group one past its last piece; `max_pieces` of 0 leaves all pieces together.
///
/// O(n · `max_pieces`) cosines.
///
/// # Errors
/// What `pulse` says.
pub fn ends(vectors: &mut dyn Vectors, max_pieces: usize, pulse: Pulse<'_>) -> Result<Vec<usize>> {
    let (n, mean) = (vectors.len(), vectors.mean_cosine());
    let (mut gains, mut band, beat) = (Gains::default(), Vec::new(), Beat::of_vectors(pulse));
    let mut ways = vec![Way::default()];
    for i in 0..n {
        let first = (i + 1).saturating_sub(max_pieces.max(1));
        beat.after(i - first)?;
        vectors.band(i, first, &mut band);
        gains.add(first, &band, mean);
        ways.push(best(&ways, &gains));
    }
    let last = (n > 0).then_some(n);
    let mut ends: Vec<usize> = std::iter::successors(last, |&end| {
        let from = ways[end].from;
        (from > 0).then_some(from)
    })
    .collect();
    ends.reverse();
    Ok(ends)
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

#[cfg(test)]
mod tests {
    use chunkwright_text::pulse::no_pulse;
    use chunkwright_text::vectors::Dense;

    #[test]
    fn what_has_nothing_in_common_stays_together_at_the_start() {
        let ends = |rows: &[f32], max_pieces| {
            let mut vectors = Dense::raw(rows.to_vec(), 2).unwrap();
            super::ends(&mut vectors, max_pieces, no_pulse()).unwrap()
        };
        assert_eq!(ends(&[1.0, 0.0, 0.0, 1.0, 1.0, 0.0], 0), [3]);
        // A pair is worth something only at the end: all before it is one group.
        assert_eq!(ends(&[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0], 2), [2, 4]);
        assert_eq!(ends(&[], 4), Vec::<usize>::new());
    }
}
