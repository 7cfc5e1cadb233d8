//! The cases of `tests/data`, which pytest reads too.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use chunkwright_text::measure::{Bpe, Encoder};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::sentence::{Language, Sentences};
use chunkwright_text::unicode::line_ends::unified;
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases<T> {
    case: Vec<T>,
}

#[derive(Deserialize)]
struct Count {
    text: String,
    cl100k_base: usize,
    o200k_base: usize,
}

#[derive(Deserialize)]
struct Split {
    why: String,
    text: String,
    #[serde(default)]
    language: Option<String>,
    sentences: Vec<String>,
}

#[test]
fn sentences() {
    let cases: Cases<Split> =
        toml::from_str(include_str!("../../../tests/data/sentences.toml")).unwrap();
    let mut wrong = Vec::new();
    for Split { why, text, language, sentences } in cases.case {
        let language = Language::from_code(language.as_deref().unwrap_or("en")).unwrap();
        let lines = unified(&text);
        let spans = Sentences::in_language(&lines, language);
        let found: Vec<_> = spans.map(|span| text[span.range()].trim()).collect();
        if found != sentences {
            wrong.push((why, found.join(" | ")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn counts() {
    let cases: Cases<Count> =
        toml::from_str(include_str!("../../../tests/data/counts.toml")).unwrap();
    let mut cl100k = Encoder::new(Bpe::named("cl100k_base").unwrap());
    let mut o200k = Encoder::new(Bpe::named("o200k_base").unwrap());
    for Count { text, cl100k_base, o200k_base } in cases.case {
        assert_eq!(cl100k.count(&text, no_pulse()).unwrap(), cl100k_base, "{text:?}");
        assert_eq!(o200k.count(&text, no_pulse()).unwrap(), o200k_base, "{text:?}");
    }
}

#[derive(Deserialize)]
struct Ids {
    text: String,
    cl100k_base: Vec<u32>,
    o200k_base: Vec<u32>,
    gpt2: Vec<u32>,
}

#[test]
fn token_ids() {
    let cases: Vec<Ids> =
        serde_json::from_str(include_str!("../../../tests/data/token_ids.json")).unwrap();
    let mut cl100k = Encoder::new(Bpe::named("cl100k_base").unwrap());
    let mut o200k = Encoder::new(Bpe::named("o200k_base").unwrap());
    let mut first = Encoder::new(Bpe::named("gpt2").unwrap());
    for Ids { text, cl100k_base, o200k_base, gpt2 } in cases {
        assert_eq!(cl100k.encode(&text, no_pulse()).unwrap(), cl100k_base, "{text:?}");
        assert_eq!(o200k.encode(&text, no_pulse()).unwrap(), o200k_base, "{text:?}");
        assert_eq!(first.encode(&text, no_pulse()).unwrap(), gpt2, "{text:?}");
    }
}
