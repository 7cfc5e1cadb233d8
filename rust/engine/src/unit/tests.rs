//! Tests of unit.

use chunkwright_text::measure::tokenizer_json::TokenizerJson;
use chunkwright_text::pulse::no_pulse;

use super::*;
use crate::tokenizer_cache::parsed;

const TEXT: &str = "Grüße, 世界! 🎉 it's 12345\n\n  and   so on";

const WORD_PIECES: &str = r###"{
    "version": "1.0", "truncation": null, "padding": null,
    "added_tokens": [
        {"id": 0, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false,
         "normalized": false, "special": true}
    ],
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                   "strip_accents": null, "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null,
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 100,
              "vocab": {"[UNK]": 0, "and": 1, "so": 2, "o": 3, "##n": 4, "it": 5, "'": 6, "s": 7}}
}"###;

const PIECES: &str = r#"{
    "normalizer": {"type": "NFKC"},
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
    "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
    "model": {"type": "Unigram", "unk_id": 0,
              "vocab": [["<unk>", 0.0], ["▁", -2.5], ["▁so", -3.5], ["s", -4.0], ["i", -3.0], ["t", -3.1],
                        ["it", -4.5], ["on", -4.2], ["12", -5.5], ["▁世", -6.0]]}
}"#;

fn native(name: &str, json: &str) -> Unit {
    parsed(name, json).unwrap().unit.unwrap()
}

fn units() -> Vec<Unit> {
    let named =
        ["chars", "bytes", "cl100k_base", "o200k_base"].map(|name| Unit::named(name).unwrap());
    let words = native("words", WORD_PIECES);
    let pieces = native("pieces", PIECES);
    named.into_iter().chain([words, pieces]).collect()
}

fn spans(text: &str) -> impl Iterator<Item = Span> + '_ {
    let at = |text: &str| text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
    let starts = at(text);
    starts.into_iter().flat_map(move |start| {
        at(&text[start..]).into_iter().map(move |n| Span::new(start, start + n))
    })
}

#[test]
fn units_have_names() {
    assert!(Unit::named("chars").unwrap().counts_chars());
    assert_eq!(Unit::named("cl100k_base").unwrap().kind(), "bpe");
    assert_eq!(native("words", WORD_PIECES).kind(), "wordpiece");
    assert!(Unit::named("furlongs").is_none());
}

#[test]
fn a_measure_counts_each_span_as_if_it_stood_alone() {
    for unit in units() {
        let document = Document::new(TEXT);
        let prepared = unit.prepare(TEXT, no_pulse()).unwrap();
        let (ruler, nothing) = (unit.ruler(no_pulse()), Prepared::Nothing);
        let (of_ruler, counter) =
            (ruler.measure(TEXT).unwrap(), unit.measure(document, nothing, no_pulse()));
        let compare = |measure: &dyn Measure| {
            for span in spans(TEXT) {
                let count = unit.count(&TEXT[span.range()], no_pulse())?;
                assert_eq!(measure.size(span)?, count, "{} {span:?}", unit.kind());
                assert_eq!(of_ruler.size(span)?, count, "{} {span:?}", unit.kind());
                assert_eq!(counter.size(span)?, count, "{} {span:?}", unit.kind());
                assert_eq!(ruler.size(&TEXT[span.range()])?, count);
            }
            Ok(())
        };
        unit.measured(document, &prepared, no_pulse(), compare).unwrap();
    }
}

#[test]
fn special_tokens_are_counted_around_each_text() {
    let with_specials = WORD_PIECES.replace(
        r#""post_processor": null"#,
        r#""post_processor": {"type": "BertProcessing", "sep": ["s", 7], "cls": ["so", 2]}"#,
    );
    let TokenizerJson { model, specials } = TokenizerJson::parse("words", &with_specials).unwrap();
    let plain = Unit::of_model(model).unwrap();
    let unit = plain.with_specials(specials.unwrap());
    assert_eq!(plain.encode("and on", no_pulse()).unwrap(), [1, 3, 4]);
    assert_eq!(unit.encode("and on", no_pulse()).unwrap(), [2, 1, 3, 4, 7]);
    assert_eq!(unit.count("and on", no_pulse()).unwrap(), 5);
    unit.with_measure(Document::new("and on"), no_pulse(), |measure, _| {
        assert_eq!(measure.size(Span::new(0, 6))?, 5);
        assert_eq!(measure.size(Span::new(0, 3))?, 3);
        assert_eq!(measure.longest(0, 3)?, 4, "a word, and a blank that has no token");
        assert_eq!(measure.longest(0, 1)?, 0, "not even the special tokens fit");
        Ok(())
    })
    .unwrap();
}

#[test]
fn parts_of_a_text_give_the_same_index() {
    let text = "Some words, 12 of them.\nAnd a line. ".repeat(50);
    let unit = Unit::named("cl100k_base").unwrap();
    let spans = unit.parts(&text, 100);
    assert!(spans.len() > 5);
    let part = |&span: &Span| unit.prepare_part(&text, span, no_pulse()).unwrap().unwrap();
    // Whoever is ready first comes first.
    let parts: Vec<_> = spans.iter().rev().map(part).collect();
    let joined = unit.measure(Document::new(&text), unit.join(text.len(), &parts), no_pulse());
    for start in (0..text.len()).step_by(17) {
        let span = Span::new(start, text.len().min(start + 101));
        let count = unit.count(&text[span.range()], no_pulse()).unwrap();
        assert_eq!(joined.size(span).unwrap(), count);
    }
    assert_eq!(Unit::named("chars").unwrap().parts(&text, 100), []);
}

#[test]
fn ids_are_those_of_tokens() {
    let unit = Unit::named("cl100k_base").unwrap();
    let ids = unit.encode(TEXT, no_pulse()).unwrap();
    assert_eq!(ids.len(), unit.count(TEXT, no_pulse()).unwrap());
    assert_eq!(unit.decode(&ids).unwrap(), TEXT.as_bytes());
    assert!(ids.iter().all(|&id| id <= unit.max_id()));
    let chars = Unit::named("chars").unwrap();
    assert!(chars.encode(TEXT, no_pulse()).is_err());
    assert!(chars.decode(&ids).is_err());
}

#[test]
fn files_are_kept_by_name_and_content() {
    // More than are kept.
    for i in 0..40 {
        let unit = native(&format!("words {}", i % 20), WORD_PIECES);
        assert_eq!(unit.count("and so", no_pulse()).unwrap(), 2);
    }
    let error = parsed("broken", "{").unwrap_err().to_string();
    assert!(error.contains("broken"), "{error}");
}
