//! Tests of segments: their index is that of all texts, and damaged bytes are none.

use std::sync::Arc;

use proptest::prelude::*;

use super::tests::{ALL_SUBWORDS, made_texts, scores, top};
use super::{Bm25, Context, Saturation, Segment};
use crate::retrieve::neighbours::Neighbours;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::terms::subwords::Subwords;

fn segment(texts: &[String], subwords: Option<Subwords>) -> Segment {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Segment::new(&texts, subwords, no_pulse()).unwrap()
}

/// The index of segments of these sizes, written and read, and of what is left of the texts.
fn joined(texts: &[String], sizes: &[usize], subwords: Option<Subwords>) -> Bm25 {
    let (mut segments, mut rest) = (Vec::new(), texts);
    for &size in sizes.iter().chain([&texts.len()]) {
        let (first, behind) = rest.split_at(size.min(rest.len()));
        let bytes = segment(first, subwords).to_bytes();
        segments.push(Arc::new(Segment::of_bytes(&bytes).unwrap()));
        rest = behind;
    }
    Bm25::of_segments(segments, Saturation::new(1.2, 0.75).unwrap(), subwords).unwrap()
}

fn whole(texts: &[String], subwords: Option<Subwords>) -> Bm25 {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Bm25::new(&texts, Saturation::new(1.2, 0.75).unwrap(), subwords, no_pulse()).unwrap()
}

fn bits(scores: &[f32]) -> Vec<u32> {
    scores.iter().map(|score| score.to_bits()).collect()
}

fn in_context(index: &Bm25, query: &str) -> Vec<f32> {
    let (n, mut scores) = (index.n_texts(), Vec::new());
    let documents: Vec<i64> = (0..n).map(|i| i64::try_from(i / 7).unwrap()).collect();
    let neighbours = Neighbours::new(&documents, &vec![40; n], 200.0).unwrap();
    let context = Context::new(index, &neighbours, 0.5).unwrap();
    index.in_context(&context).unwrap().push_scores(query, &mut scores, no_pulse()).unwrap();
    scores
}

#[test]
fn common_terms_and_large_counts_come_back() {
    let mut texts = vec!["word other ".repeat(300), "word ".repeat(70_000), String::new()];
    texts.extend(made_texts(1000, 5));
    texts.push("w".repeat(64) + " häuser 漢字");
    let (one, other) = (whole(&texts, None), joined(&texts, &[2, 500], None));
    assert_eq!((one.n_texts(), one.n_terms()), (other.n_texts(), other.n_terms()));
    for query in ["word other", "the of w1 w2 w3", &"w".repeat(64), "häuser 漢字", "nothing"] {
        assert_eq!(bits(&scores(&one, query)), bits(&scores(&other, query)), "{query}");
        assert_eq!(top(&one, query, 20), top(&other, query, 20), "{query}");
    }
}

#[test]
fn a_text_that_is_not_in_the_index_has_the_share_of_one_that_is() {
    let texts = made_texts(200, 4);
    let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
    for subwords in ALL_SUBWORDS {
        let index = whole(&texts, subwords);
        for query in ["the w1 w250 inflections", "of", "", "nothing"] {
            let bound = index.bound(query, no_pulse()).unwrap();
            let shares = index.shares(query, &slices, no_pulse()).unwrap();
            for (share, score) in shares.iter().zip(scores(&index, query)) {
                let expected = if bound > 0.0 { f64::from(score) / bound } else { 0.0 };
                assert!((f64::from(*share) - expected).abs() < 1e-6, "{share} {expected}");
                assert!((0.0..=1.0 + 1e-6).contains(share));
            }
        }
    }
}

#[test]
fn segments_are_checked() {
    let texts = made_texts(3, 1);
    let parts =
        || vec![Arc::new(segment(&texts, None)), Arc::new(segment(&texts, Some(Subwords::Prefix)))];
    let saturation = Saturation::new(1.2, 0.75).unwrap();
    let error = Bm25::of_segments(parts(), saturation, None).unwrap_err().to_string();
    assert_eq!(error, "segments must have no subwords, got prefixes in segment 1");
    let error = Bm25::of_segments(parts(), saturation, Some(Subwords::FourGrams)).unwrap_err();
    assert_eq!(error.to_string(), "segments must have 4-grams, got no subwords in segment 0");
    let many = vec![""; 65_537];
    let error = Segment::new(&many, None, no_pulse()).unwrap_err().to_string();
    assert!(error.contains("at most 65536 texts") && error.contains("65536 of 65537"), "{error}");
    assert_eq!(Segment::new(&many[1..], None, no_pulse()).unwrap().n_texts(), 65_536);
    assert_eq!(Bm25::of_segments(Vec::new(), saturation, None).unwrap().n_texts(), 0);
}

#[test]
fn foreign_bytes_are_refused() {
    let bytes = segment(&made_texts(9, 2), None).to_bytes();
    for (damaged, why) in [
        (&b""[..], "too few"),
        (&b"abc"[..], "too few"),
        (&b"abcdefghijklmnop"[..], "not those of this version"),
        (&bytes[..bytes.len() - 1], "not those that were written"),
    ] {
        let error = Segment::of_bytes(damaged).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

proptest! {
    #[test]
    fn an_index_of_segments_is_that_of_all_texts(
        seed: u64,
        n in 0..300_usize,
        sizes in prop::collection::vec(0..120_usize, 0..6),
        query in "((the|of|inflected|inflection|w[0-9]{1,3}) ){0,9}",
        subwords in prop::sample::select(&ALL_SUBWORDS),
    ) {
        let texts = made_texts(n, seed);
        let (one, other) = (whole(&texts, subwords), joined(&texts, &sizes, subwords));
        prop_assert_eq!(bits(&scores(&one, &query)), bits(&scores(&other, &query)));
        prop_assert_eq!(bits(&in_context(&one, &query)), bits(&in_context(&other, &query)));
        prop_assert_eq!(top(&one, &query, 7), top(&other, &query, 7));
        let bound = |index: &Bm25| index.bound(&query, no_pulse()).unwrap().to_bits();
        prop_assert_eq!(bound(&one), bound(&other));
        prop_assert_eq!(one.n_terms(), other.n_terms());
    }

    #[test]
    fn terms_are_spread_alike_one_by_one_and_together(
        seed: u64,
        n in 0..3000_usize,
        sizes in prop::collection::vec((0..9_i64, 0..400_i64), 3000),
        weight in 0.0..2.0,
        query in "((the|of|inflected|inflections|w[0-9]{1,3}) ){0,20}",
    ) {
        let texts = made_texts(n, seed);
        let index = joined(&texts, &[n / 3], Some(Subwords::Prefix));
        let documents = sizes[..n].iter().scan(0, |document, &(kind, _)| {
            *document += i64::from(kind == 0);
            Some(*document)
        });
        let documents: Vec<i64> = documents.collect();
        let sizes: Vec<i64> = sizes[..n].iter().map(|&(_, size)| size).collect();
        let neighbours = Neighbours::new(&documents, &sizes, 200.0).unwrap();
        let context = Context::new(&index, &neighbours, weight).unwrap();
        let found = [0, 1, 30, 64, u64::MAX].map(|rarity| {
            let (mut texts, mut scores) = (index.in_context(&context).unwrap(), Vec::new());
            texts.rarity = rarity;
            texts.push_scores(&query, &mut scores, no_pulse()).unwrap();
            bits(&scores)
        });
        prop_assert!(found.iter().all(|scores| *scores == found[0]));
    }

    #[test]
    fn no_damage_makes_a_panic(
        seed: u64,
        n in 0..150_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        subwords in prop::sample::select(&ALL_SUBWORDS),
    ) {
        let mut bytes = segment(&made_texts(n, seed), subwords).to_bytes();
        let end = bytes.len() - 4;
        for (at, byte) in damage {
            bytes[at.index(end)] = byte;
        }
        // By somebody who sets the checksum, too.
        let mut crc = flate2::Crc::new();
        crc.update(&bytes[..end]);
        bytes[end..].copy_from_slice(&crc.sum().to_le_bytes());
        if let Ok(segment) = Segment::of_bytes(&bytes) {
            let subwords = segment.subwords();
            let saturation = Saturation::new(1.2, 0.75).unwrap();
            let index = Bm25::of_segments(vec![Arc::new(segment)], saturation, subwords).unwrap();
            for query in ["the of w1 w2 w3", "inflected w4 w5 w6 w7"] {
                scores(&index, query);
                top(&index, query, 3);
                in_context(&index, query);
            }
        }
    }
}
