//! Heap of the best texts so far.
//!
//! Scores are compared 32 at a time with the least that counts: where none is above it, as is usual, they are
//! skipped without a branch for each.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A text that was found.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Its number.
    pub text: usize,
    /// Its score, above 0.
    pub score: f32,
}

impl Ord for Hit {
    /// The better one is less: the one with the higher score, and of two with the same the first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.text.cmp(&other.text))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Hit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Hit {}

/// So many scores are looked at once.
pub const STEP: usize = 32;

/// The `k` best of the texts that were offered.
pub struct Best {
    k: usize,
    /// The worst of them at the top.
    hits: BinaryHeap<Hit>,
}

impl Best {
    pub fn new(k: usize) -> Self {
        Self { k, hits: BinaryHeap::new() }
    }

    /// The score that a text must exceed; texts are offered in ascending order.
    pub fn least(&self) -> f32 {
        if self.k == 0 {
            return f32::INFINITY;
        }
        let is_full = self.hits.len() == self.k;
        self.hits.peek().filter(|_| is_full).map_or(0.0, |worst| worst.score)
    }

    /// Offers a text behind all that were offered. O(log k) if it is taken.
    pub fn offer(&mut self, hit: Hit) {
        if hit.score <= self.least() {
            return;
        }
        if self.hits.len() == self.k {
            self.hits.pop();
        }
        self.hits.push(hit);
    }

    /// Offers texts with these scores, the first of which has the number `first`.
    pub fn offer_all(&mut self, first: usize, scores: &[f32]) {
        for (step, scores) in scores.chunks(STEP).enumerate() {
            let least = self.least();
            if !any_above(scores, least) {
                continue;
            }
            for (i, &score) in scores.iter().enumerate() {
                self.offer(Hit { text: first + step * STEP + i, score });
            }
        }
    }

    /// The best first.
    pub fn into_hits(self) -> Vec<Hit> {
        self.hits.into_sorted_vec()
    }
}

/// Whether any of `scores` is above `least`.
#[inline]
#[allow(clippy::needless_bitwise_bool, reason = "several at once, since hardly any is above")]
pub fn any_above(scores: &[f32], least: f32) -> bool {
    scores.iter().fold(false, |any, &score| any | (score > least))
}
