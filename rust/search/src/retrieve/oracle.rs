//! Oracles: slow and obviously right versions, for tests to hold the fast ones against.

use proptest::prelude::*;

/// A vector at unit length; zeros stay zeros.
pub fn unit(row: &[f64]) -> Vec<f64> {
    let largest = row.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        return row.to_vec();
    }
    let scaled: Vec<f64> = row.iter().map(|x| x / largest).collect();
    let norm = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    scaled.iter().map(|x| x / norm).collect()
}

/// What chunk `j` counts for chunk `i`, from the middle of one to the middle of the other.
pub fn counts(docs: &[i64], n_tokens: &[i64], reach: f64, i: usize, j: usize) -> f64 {
    let (first, last) = (i.min(j), i.max(j));
    if i == j || docs[first..=last].iter().any(|doc| *doc != docs[i]) {
        return 0.0;
    }
    #[allow(clippy::cast_precision_loss, reason = "these are small")]
    let size = |i: usize| n_tokens[i] as f64;
    let between: f64 = (first + 1..last).map(size).sum();
    (-(size(first) / 2.0 + between + size(last) / 2.0) / reach).exp()
}

/// How much of what its neighbours give a chunk of this size takes.
pub fn takes(n_tokens: i64) -> f64 {
    match n_tokens {
        ..=150 => 1.0,
        300.. => 0.0,
        #[allow(clippy::cast_precision_loss, reason = "it is small")]
        n => (300 - n) as f64 / 150.0,
    }
}

/// Numbers of the chunks of one question from the best on, by looking for it again and again.
pub fn ranked(scores: &[f64]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..scores.len()).collect();
    let mut ranked = Vec::new();
    while !left.is_empty() {
        let mut best = 0;
        for at in 1..left.len() {
            if scores[left[at]] > scores[left[best]] {
                best = at;
            }
        }
        ranked.push(left.remove(best));
    }
    ranked
}

/// Documents and sizes of some chunks.
pub fn chunks() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    proptest::collection::vec((0_i64..3, 0_i64..400), 1..12)
        .prop_map(|chunks| chunks.into_iter().unzip())
}

/// Scores of `n_questions` for `n` chunks, many of them equal.
pub fn scores(n_questions: usize, n: usize) -> impl Strategy<Value = Vec<f32>> {
    let score = prop_oneof![
        2 => proptest::sample::select(vec![0.0_f32, -0.0, 1.0, 0.5, -1.0]),
        1 => -10.0_f32..10.0,
    ];
    proptest::collection::vec(score, n_questions * n)
}
