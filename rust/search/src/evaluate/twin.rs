//! Oracle of the scores, by sets of characters.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "what is counted here is small, and quotients of the same numbers are equal"
)]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Excerpts, Groups, Places, Scores, omega, score};
use chunkwright_text::pulse::no_pulse;

/// A chunk or an occurrence: corpus (-1: nowhere), start, end.
type Place = (i64, i64, i64);

/// A question's corpus, its excerpts with where else they stand, and the numbers of its hits.
#[derive(Clone, Debug)]
struct Asked {
    corpus: i64,
    excerpts: Vec<(i64, i64, Vec<i64>)>,
    hits: Vec<usize>,
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Recall, precision and intersection over union.
fn naive_score(asked: &Asked, chunks: &[Place]) -> [f64; 3] {
    let hits = || asked.hits.iter().map(|&hit| chunks[hit]);
    let retrieved: BTreeSet<i64> =
        hits().filter(|hit| hit.0 == asked.corpus).flat_map(|(_, start, end)| start..end).collect();
    let mut covered = BTreeSet::new();
    for (start, end, others) in &asked.excerpts {
        for occurrence in others.iter().chain([start]) {
            let stands = |&at: &i64| retrieved.contains(&(at - start + occurrence));
            covered.extend((*start..*end).filter(stands));
        }
    }
    let uncovered = asked.excerpts.iter().flat_map(|(start, end, _)| *start..*end);
    let n_uncovered = uncovered.filter(|at| !covered.contains(at)).count();
    let n_asked = asked.excerpts.iter().map(|(start, end, _)| end - start).sum::<i64>() as usize;
    let n_hit = hits().map(|(_, start, end)| end - start).sum::<i64>() as usize;
    let n = covered.len();
    [ratio(n, n_asked), ratio(n, n_hit), ratio(n, n_hit + n_uncovered)]
}

/// Omega, and the number of chunks that overlap or touch an excerpt.
fn naive_omega(asked: &Asked, chunks: &[Place]) -> (f64, usize) {
    let touches = |chunk: &Place| {
        let touches = |(start, end, _): &(i64, i64, Vec<i64>)| chunk.1 <= *end && *start <= chunk.2;
        chunk.0 == asked.corpus && asked.excerpts.iter().any(touches)
    };
    let holding: Vec<_> = chunks.iter().copied().filter(touches).collect();
    let held: BTreeSet<i64> = holding.iter().flat_map(|&(_, start, end)| start..end).collect();
    let wanted: BTreeSet<i64> =
        asked.excerpts.iter().flat_map(|(start, end, _)| *start..*end).collect();
    let covered = held.intersection(&wanted).count();
    (ratio(covered, held.union(&wanted).count()), holding.len())
}

fn column<T>(rows: &[T], of: impl Fn(&T) -> i64) -> Vec<i64> {
    rows.iter().map(of).collect()
}

fn places(chunks: &[Place]) -> Places {
    let starts = column(chunks, |chunk| chunk.1);
    Places::new(&column(chunks, |chunk| chunk.0), &starts, &column(chunks, |chunk| chunk.2))
        .unwrap()
}

/// The excerpts, with or without where else they stand.
fn excerpts(questions: &[Asked], with_occurrences: bool) -> Excerpts {
    let corpora = column(questions, |asked| asked.corpus);
    let all: Vec<_> = questions.iter().flat_map(|asked| asked.excerpts.clone()).collect();
    let of_question = Groups::of_sizes(questions.iter().map(|asked| asked.excerpts.len()));
    let (starts, ends) = (column(&all, |excerpt| excerpt.0), column(&all, |excerpt| excerpt.1));
    let excerpts = Excerpts::new(&corpora, of_question, &starts, &ends).unwrap();
    if !with_occurrences {
        return excerpts;
    }
    let occurrences: Vec<_> = all.iter().flat_map(|excerpt| excerpt.2.clone()).collect();
    let of_excerpt = Groups::of_sizes(all.iter().map(|excerpt| excerpt.2.len()));
    excerpts.with_occurrences(&of_excerpt, &occurrences).unwrap()
}

fn scores(questions: &[Asked], chunks: &[Place], with_occurrences: bool) -> Scores {
    let hits: Vec<_> = questions.iter().flat_map(|asked| asked.hits.clone()).collect();
    let of_question = Groups::of_sizes(questions.iter().map(|asked| asked.hits.len()));
    let excerpts = excerpts(questions, with_occurrences);
    let hits = column(&hits, |&hit| hit as i64);
    score(&excerpts, &places(chunks), &of_question, &hits, no_pulse()).unwrap()
}

fn chunks() -> impl Strategy<Value = Vec<Place>> {
    let chunk = (-1_i64..2, 0_i64..40, 0_i64..16).prop_map(|(c, start, n)| (c, start, start + n));
    proptest::collection::vec(chunk, 1..16)
}

fn questions() -> impl Strategy<Value = Vec<Asked>> {
    let others = proptest::collection::vec(0_i64..40, 0..3);
    let excerpt = (0_i64..40, 1_i64..12, others).prop_map(|(at, n, others)| (at, at + n, others));
    let excerpts = proptest::collection::vec(excerpt, 0..4);
    let hits = proptest::collection::vec(0_usize..16, 0..6);
    let asked = (0_i64..2, excerpts, hits);
    let asked = asked.prop_map(|(corpus, excerpts, hits)| Asked { corpus, excerpts, hits });
    proptest::collection::vec(asked, 0..5)
}

proptest! {
    #[test]
    fn scores_count_characters(chunks in chunks(), mut questions in questions()) {
        for hit in questions.iter_mut().flat_map(|asked| &mut asked.hits) {
            *hit %= chunks.len();
        }
        for with_occurrences in [true, false] {
            let found = scores(&questions, &chunks, with_occurrences);
            for (q, asked) in questions.iter().enumerate() {
                let expected = naive_score(asked, &chunks);
                prop_assert_eq!([found.recall[q], found.precision[q], found.iou[q]], expected);
            }
            for (_, _, others) in questions.iter_mut().flat_map(|asked| &mut asked.excerpts) {
                others.clear();
            }
        }
    }

    #[test]
    fn omega_counts_characters(chunks in chunks(), questions in questions()) {
        let (omegas, holding) =
            omega(&excerpts(&questions, false), &places(&chunks), no_pulse()).unwrap();
        for (q, asked) in questions.iter().enumerate() {
            prop_assert_eq!((omegas[q], holding[q]), naive_omega(asked, &chunks));
        }
    }
}

#[test]
fn touching_is_holding() {
    let asked = |hits| Asked { corpus: 0, excerpts: vec![(100, 150, vec![])], hits };
    let found = |chunks: &[Place]| {
        let (omegas, holding) =
            omega(&excerpts(&[asked(vec![])], false), &places(chunks), no_pulse()).unwrap();
        (omegas[0], holding[0])
    };
    assert_eq!(found(&[(0, 0, 100), (0, 100, 200)]), (0.25, 2));
    assert_eq!(found(&[(0, 0, 99), (0, 99, 200)]), (50.0 / 101.0, 1));
    assert_eq!(found(&[(1, 0, 200), (-1, 0, 200)]), (0.0, 0));
}

#[test]
fn bad_input_is_named() {
    let one = |start, end| {
        let groups = Groups::of_sizes([1]);
        Excerpts::new(&[0], groups, &[start], &[end]).unwrap_err().to_string()
    };
    assert_eq!(one(5, 5), "question 0: excerpt 0 is empty: 5 to 5");
    assert_eq!(one(5, 4), "question 0: excerpt 0 is not a range of a text: 5 to 4");
    let message = Places::new(&[-2], &[0], &[1]).unwrap_err().to_string();
    assert_eq!(message, "chunk 0: a corpus must be a number from 0 or -1, got -2");
    let asked = Asked { corpus: 0, excerpts: vec![(0, 1, vec![])], hits: vec![] };
    let (excerpts, places) = (excerpts(&[asked], false), places(&[(0, 0, 1)]));
    for hit in [1, -1] {
        let hits = Groups::of_sizes([1]);
        let error = score(&excerpts, &places, &hits, &[hit], no_pulse()).unwrap_err();
        assert_eq!(error.to_string(), format!("question 0: hit {hit} is none of 1 chunks"));
    }
    let hits = Groups::of_sizes([0, 0]);
    assert!(score(&excerpts, &places, &hits, &[], no_pulse()).is_err());
    let far = Groups::of_sizes([1]);
    let error = excerpts.with_occurrences(&far, &[i64::MAX]).unwrap_err().to_string();
    assert!(error.starts_with("an occurrence of excerpt 0 is not a range"), "{error}");
}

#[test]
fn excerpts_that_overlap_are_covered_in_bounded_memory() {
    // Each excerpt alone meets every hit.
    let n = 100_000;
    let chunks: Vec<Place> = (0..n).step_by(2).map(|at| (0, at, at + 1)).collect();
    let excerpts = (0..n).map(|end| (0, n + end, vec![])).collect();
    let found =
        scores(&[Asked { corpus: 0, excerpts, hits: (0..chunks.len()).collect() }], &chunks, false);
    assert_eq!(found.precision[0], 1.0);
}

#[test]
fn occurrences_that_overlap_are_covered_in_bounded_memory() {
    // Of a row of equal characters every second is retrieved: whatever is missed at one place of the
    // excerpt, another has.
    let (n, n_chars) = (20_000, 300);
    let asked = Asked { corpus: 0, excerpts: vec![(0, n_chars, (0..n).collect())], hits: vec![] };
    let chunks: Vec<Place> = (0..n).step_by(2).map(|at| (0, at, at + 1)).collect();
    let asked = Asked { hits: (0..chunks.len()).collect(), ..asked };
    let found = scores(&[asked], &chunks, true);
    assert_eq!((found.recall[0], found.precision[0]), (1.0, 300.0 / 10_000.0));
}
