//! The cases of `tests/data/chunks.toml`, which pytest reads too, and specs that are refused.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::collections::BTreeSet;
use std::sync::Arc;

use chunkwright_engine::strategies::{Parts, Spec};
use chunkwright_read::markdown;
use chunkwright_text::cut::pieces::Asked;
use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::markup::Markup;
use chunkwright_text::pulse::{Pulse, no_pulse};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    why: String,
    spec: Spec,
    text: String,
    reads: Option<String>,
    pages: Option<Vec<i64>>,
    starts: Option<Vec<usize>>,
    chunks: Vec<String>,
}

/// A model that says always the same.
#[derive(Debug)]
struct Says(Vec<usize>);

impl Asked for Says {
    fn starts(&self, texts: &[Vec<&str>], _: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>> {
        // A model counts from 1.
        Ok(texts.iter().map(|_| Ok(self.0.iter().map(|start| start - 1).collect())).collect())
    }
}

fn cases() -> Vec<Case> {
    let cases: Cases = toml::from_str(include_str!("../../../tests/data/chunks.toml")).unwrap();
    cases.case
}

#[test]
fn chunks() {
    for case in cases() {
        assert_eq!(cut(&case).unwrap(), case.chunks, "{}", case.why);
    }
}

fn cut(case: &Case) -> Result<Vec<String>> {
    let asked = case.starts.clone().map(|starts| Arc::new(Says(starts)) as _);
    let cutter = case.spec.cutter(&Parts { asked, ..Parts::default() })?;
    let mut document = Document::new(&case.text);
    let mut read = markdown::read(&case.text);
    for (element, page) in read.elements.iter_mut().zip(case.pages.iter().flatten()) {
        element.page = Some(*page);
    }
    if case.reads.is_some() {
        document = document.with_elements(&read.elements).written_in(Markup::Markdown);
    }
    let chunks = case.spec.unit()?.with_measure(document, no_pulse(), |measure, pulse| {
        cutter.cut(document, measure, pulse)
    })?;
    Ok((0..chunks.len()).map(|i| chunks.text(i, &case.text).into_owned()).collect())
}

#[test]
fn every_strategy_has_a_case() {
    let tested: BTreeSet<String> = cases().into_iter().map(|case| case.spec.name).collect();
    assert_eq!(tested, Spec::names().map(String::from).collect());
}

/// The cutter of a spec in JSON.
fn cutter(spec: serde_json::Value) -> Result<Cutter> {
    let spec: Spec = serde_json::from_value(spec).unwrap();
    spec.cutter(&Parts::default())
}

#[test]
fn an_error_names_its_option() {
    let refused = [
        (
            json!({"strategy": "fifth"}),
            "strategy",
            "unknown strategy 'fifth': known are 'recursive'",
        ),
        (json!({"strategy": "window", "mean": 1}), "mean", "unknown option 'mean' of 'window'"),
        (json!({"strategy": "window", "max_chars": 0}), "max_chars", "at least 1, got 0"),
        (json!({"strategy": "window", "max_chars": -3}), "max_chars", "at least 1, got -3"),
        (json!({"strategy": "window", "max_chars": 1.5}), "max_chars", "must be an int, got 1.5"),
        (json!({"strategy": "window", "max_chars": "9"}), "max_chars", "must be an int, got '9'"),
        (json!({"strategy": "window", "max_chars": true}), "max_chars", "an int, got true"),
        (
            json!({"strategy": "window", "max_chars": 9, "max_tokens": 9}),
            "max_chars",
            "exactly one",
        ),
        (
            json!({"strategy": "window", "max_chars": 9, "overlap": 9}),
            "overlap",
            "max_chars=9, got 9",
        ),
        (
            json!({"strategy": "window", "max_chars": 9, "soft_max": 12}),
            "soft_max",
            "between 1 and 9",
        ),
        (
            json!({"strategy": "window", "max_chars": 9, "min_size": 10}),
            "min_size",
            "between 0 and 9",
        ),
        (json!({"strategy": "window", "overlap_at": "words"}), "overlap_at", "'word', 'sentence'"),
        (json!({"strategy": "balanced", "language": "xx"}), "language", "unknown language"),
        (json!({"strategy": "balanced", "repeat_headers": 1}), "repeat_headers", "True or False"),
        (json!({"strategy": "recursive", "separators": 3}), "separators", "must be a list"),
        (json!({"strategy": "recursive", "separators": [3]}), "separators", "must be a str, got 3"),
        (
            json!({"strategy": "recursive", "separators": [{"pattern": "(", "regex": true}]}),
            "separators",
            "not a regular expression",
        ),
        (
            json!({"strategy": "sentence", "sentences": 2, "overlap": 3}),
            "overlap",
            "needs max_tokens",
        ),
        (json!({"strategy": "sentence", "window": 1, "overlap": 3}), "window", "give one"),
        (json!({"strategy": "kamradt", "threshold": "median"}), "threshold", "'percentile'"),
        (json!({"strategy": "kamradt", "amount": 101}), "amount", "between 0 and 100"),
        (json!({"strategy": "kamradt", "amount": 1, "n_chunks": 2}), "n_chunks", "takes the place"),
        (json!({"strategy": "cluster", "embedder": "/model"}), "embedder", "beside the options"),
        (json!({"strategy": "cluster", "max_chars": 9, "piece_max": 10}), "piece_max", "1 and 9"),
        (json!({"strategy": "by_similarity"}), "embedder", "must be the folder of a model"),
        (
            json!({"strategy": "by_similarity", "embedder": "lexical", "similarity_threshold": 1}),
            "similarity_threshold",
            "both excluded, got 1",
        ),
        (
            json!({"strategy": "basic", "skip_tables": true, "isolate_tables": false}),
            "skip_tables",
            "needs isolate_tables",
        ),
        (json!({"strategy": "json", "overlap": 1}), "overlap", "has no overlap"),
        (json!({"strategy": "llm"}), "llm", "needs a language model"),
    ];
    for (spec, wrong, said) in refused {
        let error = cutter(spec.clone()).unwrap_err();
        assert!(error.to_string().contains(said), "{spec}: {error}");
        let (Error::Option { option, .. }
        | Error::Value { option, .. }
        | Error::Name { option, .. }) = &error
        else {
            unreachable!("{error:?}")
        };
        assert_eq!(option, wrong);
    }
}

#[test]
fn what_is_null_or_missing_is_the_default() {
    let null =
        json!({"strategy": "sentence", "max_tokens": null, "language": null, "window": null});
    for spec in
        [null, json!({"strategy": "sentence"}), json!({"strategy": "sentence", "window": 0})]
    {
        let Cutter { strategy, limits, .. } = cutter(spec).unwrap();
        assert_eq!((limits.hard_max(), limits.overlap(), limits.min_size()), (512, 0, 0));
        let Strategy::Sentence(sentencing) = strategy else { unreachable!() };
        let own = (sentencing.language.code(), sentencing.sentences, sentencing.window);
        assert_eq!(own, ("en", None, 0));
    }
}

#[test]
fn a_spec_is_written_as_it_was_read() {
    for case in cases() {
        let json = serde_json::to_string(&case.spec).unwrap();
        assert_eq!(serde_json::from_str::<Spec>(&json).unwrap(), case.spec);
    }
}
