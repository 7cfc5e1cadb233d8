//! Naive twins: obviously right and slow, for tests to hold the fast paths against.

use crate::measure::bpe::vocabulary::{NO_RANK, Vocabulary};

/// Starts of the tokens of `piece`, by joining the best pair until there is none.
pub fn token_starts(vocabulary: &Vocabulary, piece: &[u8]) -> Vec<usize> {
    if vocabulary.rank(piece) != NO_RANK {
        return vec![0];
    }
    let mut bounds: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let pairs = bounds.windows(3).enumerate();
        let ranked = pairs.map(|(i, pair)| (vocabulary.rank(&piece[pair[0]..pair[2]]), i));
        match ranked.min() {
            Some((rank, i)) if rank != NO_RANK => bounds.remove(i + 1),
            _ => break,
        };
    }
    bounds.pop();
    bounds
}
