//! Tests of fields and of documents, against sums over indexes of their own.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Bm25, DOCUMENT, Documents, FIELDS, Fields, Saturation, Segment, checked_weight};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::terms::subwords::Subwords;

const SUBWORDS: Option<Subwords> = Some(Subwords::Prefix);

fn index_of(texts: &[String]) -> Result<Bm25> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Bm25::new(&texts, Saturation::new(1.2, 0.75)?, SUBWORDS, no_pulse())
}

fn segments_of(texts: &[String], size: usize) -> Result<Vec<Arc<Segment>>> {
    texts
        .chunks(size)
        .map(|texts| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            Segment::new(&texts, SUBWORDS, no_pulse()).map(Arc::new)
        })
        .collect()
}

fn scores_of(index: &Bm25, query: &str) -> Result<Vec<f32>> {
    let mut scores = Vec::new();
    index.push_scores(query, &mut scores, no_pulse())?;
    Ok(scores)
}

fn words() -> impl Strategy<Value = String> {
    let word =
        prop::sample::select(vec!["cache", "caches", "parse_url", "main", "src", "雨が", "é"]);
    prop::collection::vec(word, 0..5).prop_map(|words| words.join("/"))
}

proptest! {
    #[test]
    fn a_field_adds_the_weighted_score_of_an_index_of_its_own(
        rows in prop::collection::vec((words(), words()), 1..12),
        query in words(),
        weight in 0.0..4.0_f64,
        size in 1..5_usize,
    ) {
        let (texts, paths): (Vec<String>, Vec<String>) = rows.into_iter().unzip();
        let index = index_of(&texts)?;
        let mut fields = Fields::new(&index);
        fields.push("path", segments_of(&paths, size)?, weight)?;
        let mut scores = scores_of(&index, &query)?;
        let bound = fields.add_scores(&index, &query, &mut scores, no_pulse())?;
        let by_path = scores_of(&index_of(&paths)?, &query)?;
        let own = scores_of(&index, &query)?;
        for ((score, own), path) in scores.iter().zip(own).zip(by_path) {
            prop_assert!((f64::from(*score) - f64::from(own) - weight * f64::from(path)).abs() < 1e-4);
            prop_assert!(weight * f64::from(path) <= bound + 1e-4);
        }
        prop_assert!((fields.bound(&index, &query, no_pulse())? - bound).abs() < 1e-9);
    }

    #[test]
    fn documents_score_as_their_texts_joined(
        rows in prop::collection::vec((words(), -1..4_i64), 1..12),
        query in words(),
    ) {
        let (texts, numbers): (Vec<String>, Vec<i64>) = rows.into_iter().unzip();
        let index = index_of(&texts)?;
        let mut fields = Fields::new(&index);
        fields.set_documents(Documents::new(&index, &numbers)?, 1.0)?;
        let mut scores = vec![0.0; texts.len()];
        let bound = fields.add_scores(&index, &query, &mut scores, no_pulse())?;

        let mut order: Vec<i64> = numbers.iter().copied().filter(|&number| number >= 0).collect();
        order.sort_unstable();
        order.dedup();
        let of = |number: i64| {
            let own = texts.iter().zip(&numbers).filter(|&(_, &other)| other == number);
            own.map(|(text, _)| text.as_str()).collect::<Vec<_>>().join("\n")
        };
        let joined: Vec<String> = order.iter().map(|&number| of(number)).collect();
        let together = scores_of(&index_of(&joined)?, &query)?;
        for (score, number) in scores.iter().zip(&numbers) {
            let place = order.iter().position(|other| other == number);
            let wanted = place.map_or(0.0, |place| together[place]);
            prop_assert!((score - wanted).abs() < 1e-4, "{score} is not {wanted}");
            prop_assert!(f64::from(*score) <= bound + 1e-4);
        }
        prop_assert!((fields.bound(&index, &query, no_pulse())? - bound).abs() < 1e-9);
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() -> Result<()> {
    let texts = ["one".to_owned(), "two".to_owned()];
    let index = index_of(&texts)?;
    let mut fields = Fields::new(&index);
    let message = |error: chunkwright_text::error::Error| error.to_string();
    let wrong = fields.push("colour", Vec::new(), 1.0).map_err(message);
    assert_eq!(
        wrong,
        Err("unknown field \"colour\"; known are \"path\" and \"scope\" and \"document\"".into())
    );
    let wrong = fields.push("path", segments_of(&texts[..1], 1)?, 1.0).map_err(message);
    assert_eq!(wrong, Err("the field \"path\" must be of 2 texts, got 1".into()));
    assert!(fields.push(DOCUMENT, segments_of(&texts, 2)?, 1.0).is_err());
    fields.push("path", segments_of(&texts, 2)?, 1.0)?;
    assert!(fields.push("path", segments_of(&texts, 2)?, 1.0).is_err());
    assert!(Documents::new(&index, &[1]).is_err());
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(checked_weight("path", weight).is_err(), "{weight}");
    }
    assert!(FIELDS.iter().all(|field| checked_weight(field.name, field.weight).is_ok()));
    Ok(())
}
