//! Tests of splices: a spliced segment is that of the same texts.

use std::sync::Arc;

use proptest::prelude::*;

use super::tests::{ALL_SUBWORDS, made_texts, scores, top};
use super::{Bm25, Saturation, Segment};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::terms::subwords::Subwords;

fn segment(texts: &[String], subwords: Option<Subwords>) -> Segment {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Segment::new(&texts, subwords, no_pulse()).unwrap()
}

fn index(segment: Segment) -> Bm25 {
    let subwords = segment.subwords();
    Bm25::of_segments(vec![Arc::new(segment)], Saturation::new(1.2, 0.75).unwrap(), subwords)
        .unwrap()
}

fn bits(scores: &[f32]) -> Vec<u32> {
    scores.iter().map(|score| score.to_bits()).collect()
}

proptest! {
    #[test]
    fn a_spliced_segment_scores_as_one_of_the_same_texts(
        seed: u64,
        (n_old, n_new) in (0_usize..220, 0_usize..60),
        ends in (0_usize..221, 0_usize..221),
        large in prop::collection::vec(prop::sample::select(&[254_usize, 255, 256, 70_000]), 0..3),
        subwords in prop::sample::select(&ALL_SUBWORDS),
        query in "((the|of|inflected|large|w[0-9]{1,2}) ){0,6}",
    ) {
        let (mut old, mut new) = (made_texts(n_old, seed), made_texts(n_new, seed ^ 0x4d));
        for (i, n) in large.iter().enumerate() {
            let texts = if i % 2 == 0 { &mut old } else { &mut new };
            let at = texts.len() / 2;
            texts.insert(at, "large w1 ".repeat(*n));
        }
        let (a, b) = (ends.0.min(old.len()), ends.1.min(old.len()));
        let gone = a.min(b)..a.max(b);
        let spliced =
            segment(&old, subwords).spliced(gone.clone(), &segment(&new, subwords), no_pulse());
        let mut texts = old;
        texts.splice(gone, new);
        let (spliced, made) = (spliced.unwrap(), segment(&texts, subwords));
        // Terms have other numbers, until they are numbered anew: all else is the same.
        let numbered = made.spliced(0..0, &segment(&[], subwords), no_pulse()).unwrap();
        prop_assert_eq!(spliced.to_bytes(), numbered.to_bytes());
        let (one, two) = (index(spliced), index(made));
        prop_assert_eq!((one.n_texts(), one.n_terms()), (two.n_texts(), two.n_terms()));
        prop_assert_eq!(bits(&scores(&one, &query)), bits(&scores(&two, &query)));
        prop_assert_eq!(top(&one, &query, 9), top(&two, &query, 9));
        let again = Segment::of_bytes(&one.segments[0].to_bytes()).unwrap();
        prop_assert_eq!(again.to_bytes(), one.segments[0].to_bytes());
    }
}

#[test]
fn splices_are_checked() {
    let own = segment(&["a".to_owned(), "b".to_owned()], None);
    let other = segment(&["c".to_owned()], Some(Subwords::Prefix));
    let message =
        |gone, with: &Segment| own.spliced(gone, with, no_pulse()).unwrap_err().to_string();
    assert_eq!(message(1..3, &own), "the texts 1 to 3 are none of a segment of 2");
    assert_eq!(message(0..1, &other), "a segment takes texts of one with the same subwords");
    let stop = || Err(chunkwright_text::error::Error::Interrupted);
    let many = segment(&made_texts(9_000, 3), None);
    assert!(many.spliced(0..1, &own, &stop).is_err());
}
