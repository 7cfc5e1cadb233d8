//! Tests of the BM25 index: scores against the formula, and laws for generated texts.

#![allow(clippy::float_cmp, reason = "equal counts give equal scores")]

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;

use super::{Bm25, Builder, Context, Hit, MAX_K1, Saturation};
use crate::retrieve::neighbours::Neighbours;
use chunkwright_text::error::Error;
use chunkwright_text::pulse::{Beat, no_pulse};
use chunkwright_text::segment::terms::accents::without_accents;
use chunkwright_text::segment::terms::subwords::Subwords;
use chunkwright_text::segment::terms::{TermKind, for_each_tagged_term};

/// `k1`, `b` and the subwords.
type Options = (f64, f64, Option<Subwords>);

const USUAL: Options = (1.5, 0.75, None);

pub(super) const ALL_SUBWORDS: [Option<Subwords>; 3] =
    [None, Some(Subwords::Prefix), Some(Subwords::FourGrams)];

fn index<T: AsRef<str>>(texts: &[T], (k1, b, subwords): Options) -> Bm25 {
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    Bm25::new(&texts, Saturation::new(k1, b).unwrap(), subwords, no_pulse()).unwrap()
}

pub(super) fn scores(index: &Bm25, query: &str) -> Vec<f32> {
    let mut scores = Vec::new();
    index.push_scores(query, &mut scores, no_pulse()).unwrap();
    scores
}

pub(super) fn top(index: &Bm25, query: &str, k: usize) -> Vec<Hit> {
    index.top(query, k, no_pulse()).unwrap()
}

/// The oracle of `top`: all scores, sorted.
fn naive_top(scores: &[f32], k: usize) -> Vec<Hit> {
    let all = scores.iter().enumerate().map(|(text, &score)| Hit { text, score });
    let mut hits: Vec<Hit> = all.filter(|hit| hit.score > 0.0).collect();
    hits.sort_by(|one, other| other.score.total_cmp(&one.score));
    hits.truncate(k);
    hits
}

/// The oracle: dictionaries of counts and the formula of the textbook.
fn naive_scores<T: AsRef<str>>(texts: &[T], options: Options, query: &str) -> Vec<f64> {
    naive_scores_in_context(texts, options, &vec![Vec::new(); texts.len()], query)
}

/// The oracle with contexts: for each text, which others count how much for it.
fn naive_scores_in_context<T: AsRef<str>>(
    texts: &[T],
    (k1, b, subwords): Options,
    shares: &[Vec<(usize, f64)>],
    query: &str,
) -> Vec<f64> {
    let texts: Vec<_> = texts.iter().map(|text| terms(text.as_ref(), subwords)).collect();
    let n = texts.len();
    let counts: Vec<HashMap<&str, f64>> = texts.iter().map(|text| counted(text)).collect();
    let with_context = |own: &dyn Fn(usize) -> f64, i: usize| {
        own(i) + shares[i].iter().map(|&(j, share)| share * own(j)).sum::<f64>()
    };
    let length = |i: usize| real(texts[i].iter().filter(|term| term.1).count());
    let lengths: Vec<f64> = (0..n).map(|i| with_context(&length, i)).collect();
    let mean = lengths.iter().sum::<f64>() / real(n);
    let mut scores = vec![0.0; n];
    for (share, spellings) in wanted(query, subwords) {
        let own = |i: usize| {
            let count = |(spelling, share): &(String, f64)| {
                share * counts[i].get(spelling.as_str()).copied().unwrap_or(0.0)
            };
            spellings.iter().map(count).sum::<f64>()
        };
        let with = real((0..n).filter(|&i| own(i) > 0.0).count());
        let idf = (1.0 + (real(n) - with + 0.5) / (with + 0.5)).ln();
        for (i, score) in scores.iter_mut().enumerate() {
            let f = with_context(&own, i);
            if with > 0.0 && f > 0.0 {
                *score +=
                    share * idf * f * (k1 + 1.0) / (f + k1 * (1.0 - b + b * lengths[i] / mean));
            }
        }
    }
    scores
}

/// The oracle of bounds: what the terms that a text has give at most, and what all do.
fn naive_bounds<T: AsRef<str>>(texts: &[T], (k1, _, subwords): Options, query: &str) -> (f64, f64) {
    let texts: Vec<_> = texts.iter().map(|text| terms(text.as_ref(), subwords)).collect();
    let (n, mut known, mut whole) = (real(texts.len()), 0.0, 0.0);
    for (share, spellings) in wanted(query, subwords) {
        let is_spelt = |term: &(String, bool)| spellings.iter().any(|own| own.0 == term.0);
        let with = real(texts.iter().filter(|text| text.iter().any(is_spelt)).count());
        let weight = share * (1.0 + (n - with + 0.5) / (with + 0.5)).ln() * (k1 + 1.0);
        known += if with > 0.0 { weight } else { 0.0 };
        whole += weight;
    }
    (known, whole)
}

fn real(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap())
}

/// The terms of a text, and whether each makes it longer.
fn terms(text: &str, subwords: Option<Subwords>) -> Vec<(String, bool)> {
    let (mut terms, mut bare, mut marked) = (Vec::new(), String::new(), String::new());
    for_each_tagged_term(text, &Beat::of_bytes(no_pulse()), |term| {
        terms.push((term.text.to_owned(), term.kind != TermKind::Character));
        if term.kind == TermKind::Word {
            let first = terms.len() - 1;
            if let Some(subwords) = subwords {
                subwords.of(term, &mut marked, |subword| terms.push((subword.to_owned(), true)));
            }
            for i in first..terms.len() {
                if without_accents(&terms[i].0, &mut bare) {
                    terms.push((format!("{bare}~"), false));
                }
            }
        }
    })
    .unwrap();
    terms
}

/// The terms of a query: what each counts, and its spellings with what these count.
fn wanted(query: &str, subwords: Option<Subwords>) -> Vec<(f64, Vec<(String, f64)>)> {
    let mut wanted: BTreeMap<String, (f64, Vec<(String, f64)>)> = BTreeMap::new();
    let spelt = |text: &str, is_word: bool| {
        let (mut spellings, mut bare) = (vec![(text.to_owned(), 1.0)], String::new());
        if is_word {
            if without_accents(text, &mut bare) {
                spellings.push((bare.clone(), 0.5));
            }
            spellings.push((format!("{bare}~"), 0.5));
        }
        spellings
    };
    for_each_tagged_term(query, &Beat::of_bytes(no_pulse()), |term| {
        let share = if term.kind == TermKind::Character { f64::from(0.3_f32) } else { 1.0 };
        let spellings = spelt(term.text, term.kind == TermKind::Word);
        let known = wanted.entry(term.text.to_owned()).or_insert((0.0, spellings));
        known.0 = known.0.max(share);
    })
    .unwrap();
    for (subword, _) in terms(query, subwords).into_iter().filter(|term| term.0.ends_with('*')) {
        wanted.insert(subword.clone(), (1.0, spelt(&subword, true)));
    }
    wanted.into_values().collect()
}

fn counted(terms: &[(String, bool)]) -> HashMap<&str, f64> {
    let mut counts = HashMap::new();
    for (term, _) in terms {
        *counts.entry(term.as_str()).or_default() += 1.0;
    }
    counts
}

/// Texts of words of which some are frequent, with a seed.
pub(super) fn made_texts(n: usize, mut seed: u64) -> Vec<String> {
    let mut word = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (kind, number) = ((seed >> 60), (seed >> 33) % 5_000);
        match kind {
            0..4 => "the".to_owned(),
            4..7 => "of".to_owned(),
            7..10 => format!("w{}", number % 20),
            10..12 => format!("w{}", number % 300),
            12 if number % 2 == 0 => "inflected".to_owned(),
            12 if number % 3 == 0 => "inflections".to_owned(),
            12 => ["inflécted", "infléctions", "一種", "種"][usize::try_from(number % 4).unwrap()]
                .to_owned(),
            _ => format!("w{number}"),
        }
    };
    (0..n).map(|i| (0..i % 13).map(|_| word() + " ").collect()).collect()
}

#[test]
fn rare_words_count_more_than_frequent_ones() {
    let texts = ["the cat sat", "the dog sat", "the bird flew", "the the the the"];
    let index = index(&texts, USUAL);
    assert_eq!((index.n_texts(), index.n_terms()), (4, 6));
    let found = scores(&index, "The bird sat!");
    assert!(found[2] > found[0] && found[0] == found[1] && found[1] > found[3] && found[3] > 0.0);
    let hits: Vec<usize> = top(&index, "the bird sat", 3).iter().map(|hit| hit.text).collect();
    assert_eq!(hits, [2, 0, 1]);
}

#[test]
fn a_term_of_a_query_counts_once() {
    let index = index(&["one two", "two three", "three"], USUAL);
    assert_eq!(scores(&index, "two one"), scores(&index, "two TWO one two"));
}

#[test]
fn what_is_not_there_is_not_found() {
    for texts in [&[][..], &[""], &["", "… !"], &["word", ""]] {
        let index = index(texts, USUAL);
        for query in ["", "…", "other", "the other one"] {
            assert_eq!(scores(&index, query), vec![0.0; texts.len()]);
            assert!(top(&index, query, 5).is_empty());
            assert!(index.bound(query, no_pulse()).unwrap().abs() < 1e-9);
        }
    }
}

#[test]
fn as_many_are_found_as_are_asked_for() {
    let index = index(&["a", "b a", "c"], USUAL);
    for (k, n) in [(0, 0), (1, 1), (2, 2), (3, 2), (usize::MAX, 2)] {
        assert_eq!(top(&index, "a", k).len(), n);
    }
}

#[test]
fn inflections_are_found_by_what_they_have_in_common() {
    let texts = ["Die Häuser stehen leer.", "Ein Hausboot", "Katzen schlafen.", "Den Häusern"];
    let found = |subwords| {
        let index = index(&texts, (1.5, 0.75, subwords));
        let hits: Vec<usize> = top(&index, "Häuser", 9).iter().map(|hit| hit.text).collect();
        (hits, index.n_terms())
    };
    // And `hauser~`, `hausern~`.
    assert_eq!(found(None), (vec![0], 12));
    // And `häuse*`, `hause*~`, `stehe*`, `hausb*`, `katze*`, `schla*`.
    assert_eq!(found(Some(Subwords::Prefix)), (vec![0, 3], 18));
    assert_eq!(found(Some(Subwords::FourGrams)).0[..2], [0, 3]);
}

#[test]
fn the_word_itself_is_better_than_what_it_has_in_common() {
    let texts = ["many readers", "many reading", "many readers", "many others"];
    let index = index(&texts, (1.5, 0.75, Some(Subwords::Prefix)));
    // Both have `readi*` or `reade*`: five letters, not four.
    assert_eq!(scores(&index, "readable"), [0.0; 4]);
    let texts = ["a connection", "a connected", "a relation"];
    let index = self::index(&texts, (1.5, 0.75, Some(Subwords::Prefix)));
    let found = scores(&index, "connected");
    assert!(found[1] > found[0] && found[0] > 0.0 && found[2] == 0.0, "{found:?}");
}

#[test]
fn accents_may_be_left_out_and_count_if_they_are_not() {
    for subwords in ALL_SUBWORDS {
        for (with, without) in
            [("résumé", "resume"), ("ёж", "еж"), ("כֶּלֶב", "כלב"), ("łódź", "lodz")]
        {
            let texts = [format!("a {with} b"), format!("a {without} b"), "a c b".to_owned()];
            let index = index(&texts, (1.2, 0.75, subwords));
            for (query, best, second) in [(with, 0, 1), (without, 1, 0)] {
                let found = scores(&index, query);
                assert!(found[best] > found[second] && found[second] > 0.0, "{query}: {found:?}");
                assert_eq!(found[2], 0.0);
                let shares = index.shares(query, &[with, without, "c"], no_pulse()).unwrap();
                assert!(shares[best] > shares[second] && shares[second] > 0.0, "{shares:?}");
                assert_eq!(shares[2], 0.0);
            }
        }
    }
}

#[test]
fn characters_are_found_and_pairs_decide() {
    let texts = ["这种药每天吃一次。", "这种菜每天吃一次。", "药品", "品药"];
    let index = index(&texts, USUAL);
    let found = |query| top(&index, query, 9).iter().map(|hit| hit.text).collect::<Vec<_>>();
    assert_eq!(found("药").len(), 3);
    assert!(!found("药").contains(&1));
    assert_eq!(found("药品")[..2], [2, 3]);
    assert_eq!(found("药怎么吃")[0], 0);
}

#[test]
fn a_mark_in_a_text_is_no_subword() {
    let texts = ["chair*", "chairs", "c*h*a*i*r"];
    let index = index(&texts, (1.5, 0.75, Some(Subwords::Prefix)));
    assert_eq!(top(&index, "chair*", 9).iter().map(|hit| hit.text).collect::<Vec<_>>(), [0]);
}

#[test]
fn options_are_checked() {
    for (k1, b, message) in [
        (-0.1, 0.5, "k1 must be between 0 and 1000000, got -0.1"),
        (f64::NAN, 0.5, "k1 must be between 0 and 1000000, got NaN"),
        (f64::INFINITY, 0.5, "got inf"),
        (2e6, 0.5, "got 2000000"),
        (1.5, -1.0, "b must be between 0 and 1, got -1"),
        (1.5, 1.01, "b must be between 0 and 1, got 1.01"),
        (1.5, f64::NAN, "b must be between 0 and 1, got NaN"),
    ] {
        let error = Saturation::new(k1, b).unwrap_err();
        assert!(
            matches!(error, Error::Config(_)) && error.to_string().contains(message),
            "{error}"
        );
    }
}

#[test]
fn extremes_give_finite_scores() {
    let texts = ["a b", "a a a a", "", "b"];
    for k1 in [0.0, 1e-300, MAX_K1] {
        for b in [0.0, 1.0] {
            for (found, expected) in scores(&index(&texts, (k1, b, None)), "a b")
                .iter()
                .zip(naive_scores(&texts, (k1, b, None), "a b"))
            {
                assert!((f64::from(*found) - expected).abs() <= 1e-6 * expected, "{k1} {b}");
            }
        }
    }
}

#[test]
fn counts_are_exact_however_large() {
    let counts = [1, 254, 255, 256, 65_535, 65_536, 300_000];
    let mut texts: Vec<String> = counts.iter().map(|&n| "word other ".repeat(n)).collect();
    texts.extend(std::iter::repeat_n("other".to_owned(), 200));
    for options in [(1e6, 0.0, None), USUAL] {
        let index = index(&texts, options);
        let found = scores(&index, "word other");
        for (found, expected) in found.iter().zip(naive_scores(&texts, options, "word other")) {
            assert!((f64::from(*found) - expected).abs() < 1e-6 * expected, "{found} {expected}");
        }
        for k in [1, 3, 300] {
            assert_eq!(top(&index, "word other", k), naive_top(&found, k));
        }
    }
}

#[test]
fn several_blocks_are_one_index() {
    let texts = made_texts(70_000, 7);
    let index = index(&texts, USUAL);
    assert_eq!(index.segments.len(), 2);
    for query in ["the w1 w250 w4000", "the of", "of w1 w2 w3 w4 w5 w6 w301 w999"] {
        let found = scores(&index, query);
        for (found, expected) in found.iter().zip(naive_scores(&texts, USUAL, query)) {
            assert!((f64::from(*found) - expected).abs() < 1e-5 * expected.max(1.0));
        }
        for k in [1, 10, 1000] {
            assert_eq!(top(&index, query, k), naive_top(&found, k), "{query}, {k}");
        }
    }
}

#[test]
fn the_pulse_stops_it() {
    let stop = || Err(Error::Interrupted);
    let saturation = Saturation::new(1.5, 0.75).unwrap();
    for text in ["", "word"] {
        assert!(Bm25::new(&vec![text; 10_000], saturation, None, &stop).is_err());
    }
    let index = index(&["word"], USUAL);
    assert!(index.top("word", 1, &stop).is_err());
    assert!(index.push_scores("word", &mut Vec::new(), &stop).is_err());
    assert!(Builder::new(saturation, None).finish(&stop).is_ok());
}

#[test]
fn a_word_of_the_context_counts_where_it_is_missing() {
    let texts =
        ["Hamlet is a prince.", "He sees a ghost.", "Macbeth is a king.", "He sees a ghost."];
    let index = index(&texts, USUAL);
    let neighbours = Neighbours::new(&[0, 0, 1, 1], &[5; 4], 10.0).unwrap();
    let mut found = Vec::new();
    let context = Context::new(&index, &neighbours, 0.5).unwrap();
    let mut context = index.in_context(&context).unwrap();
    context.push_scores("Which ghost does Hamlet see?", &mut found, no_pulse()).unwrap();
    assert!(found[1] > found[3] && found[3] > 0.0, "{found:?}");
    let alone = scores(&index, "Which ghost does Hamlet see?");
    assert!(alone[1] == alone[3] && found[2] > 0.0 && alone[2] == 0.0);
}

#[test]
fn without_weight_there_is_no_context() {
    let texts = made_texts(500, 3);
    let index = index(&texts, USUAL);
    let neighbours = Neighbours::new(&[0; 500], &[100; 500], 200.0).unwrap();
    let mut found = Vec::new();
    let context = Context::new(&index, &neighbours, 0.0).unwrap();
    let mut context = index.in_context(&context).unwrap();
    context.push_scores("the w1 w250", &mut found, no_pulse()).unwrap();
    assert_eq!(found, scores(&index, "the w1 w250"));
}

#[test]
fn contexts_are_checked() {
    let index = index(&["a", "b"], USUAL);
    let of = |n: usize| Neighbours::new(&vec![0; n], &vec![9; n], 200.0).unwrap();
    let message = |n, weight| Context::new(&index, &of(n), weight).unwrap_err().to_string();
    assert_eq!(message(3, 0.5), "neighbours must be those of 2 texts, got 3");
    assert_eq!(message(2, -1.0), "weight must be between 0 and 1000000, got -1");
    assert_eq!(message(2, f64::NAN), "weight must be between 0 and 1000000, got NaN");
    let stop = || Err(Error::Interrupted);
    let (neighbours, mut scores) = (of(2), Vec::new());
    let context = Context::new(&index, &neighbours, 1.0).unwrap();
    assert!(self::index(&["a"], USUAL).in_context(&context).is_err());
    let mut context = index.in_context(&context).unwrap();
    assert!(context.push_scores("a", &mut scores, &stop).is_err());
}

proptest! {
    #[test]
    fn context_counts_as_the_formula_has_it(
        seed: u64,
        sizes in prop::collection::vec((0..3_i64, 0..400_i64), 1..80),
        query in "((the|of|inflected|w[0-9]{1,2}) ){0,6}",
        reach in 1.0..200.0,
        weight in 0.0..2.0,
        subwords in prop::sample::select(&ALL_SUBWORDS),
    ) {
        let options = (1.5, 0.75, subwords);
        let texts = made_texts(sizes.len(), seed);
        let documents = sizes.iter().scan(0, |document, &(kind, _)| {
            *document += i64::from(kind == 0);
            Some(*document)
        });
        let documents: Vec<i64> = documents.collect();
        let sizes: Vec<i64> = sizes.into_iter().map(|(_, size)| size).collect();
        let neighbours = Neighbours::new(&documents, &sizes, reach).unwrap();
        let n = texts.len();
        let share = |i: usize, j: usize| {
            let between = i.min(j) + 1..=i.max(j);
            weight * neighbours.factors()[i] * neighbours.decays()[between].iter().product::<f64>()
        };
        let others = |i: usize| (0..n).filter(|&j| j != i).map(|j| (j, share(i, j))).collect();
        let shares: Vec<Vec<(usize, f64)>> = (0..n).map(others).collect();
        let index = index(&texts, options);
        let context = Context::new(&index, &neighbours, weight).unwrap();
        let mut context = index.in_context(&context).unwrap();
        // The second time nothing is left of the first.
        for query in [&query, "the w1", &query] {
            let mut found = Vec::new();
            context.push_scores(query, &mut found, no_pulse()).unwrap();
            let expected = naive_scores_in_context(&texts, options, &shares, query);
            for (found, expected) in found.iter().zip(expected) {
                prop_assert!((f64::from(*found) - expected).abs() <= 2e-4 + 1e-4 * expected);
            }
        }
    }

    #[test]
    fn scores_are_those_of_the_formula(
        texts in prop::collection::vec("([abAB_ é漢2]| the |aaaaa|bäbbb){0,12}", 1..12),
        query in "([abAB_ é漢2]| the |aaaaa|bäbbb){0,8}",
        k1 in 0.0..3.0,
        b in 0.0..=1.0,
        subwords in prop::sample::select(&ALL_SUBWORDS),
    ) {
        let options = (k1, b, subwords);
        let index = index(&texts, options);
        let found = scores(&index, &query);
        let bound = index.bound(&query, no_pulse()).unwrap();
        for (found, expected) in found.iter().zip(naive_scores(&texts, options, &query)) {
            prop_assert!((f64::from(*found) - expected).abs() <= 1e-5 * expected);
            prop_assert!(f64::from(*found) <= bound * (1.0 + 1e-5));
        }
        let bounds = index.push_scores_in(0..1, &query, &mut Vec::new(), no_pulse()).unwrap();
        let (known, whole) = naive_bounds(&texts, options, &query);
        prop_assert!(bounds.known.to_bits() == bound.to_bits());
        prop_assert!((bounds.known - known).abs() <= 1e-5 * known);
        prop_assert!((bounds.whole - whole).abs() <= 1e-5 * whole);
    }

    #[test]
    fn the_best_are_those_of_all_scores(
        seed: u64,
        n in 0..400_usize,
        k in 0..50_usize,
        query in "((the|of|inflected|w[0-9]{1,3}) ){0,12}",
        b in 0.0..=1.0,
        subwords in prop::sample::select(&ALL_SUBWORDS),
    ) {
        let index = index(&made_texts(n, seed), (1.5, b, subwords));
        prop_assert_eq!(top(&index, &query, k), naive_top(&scores(&index, &query), k));
    }
}
