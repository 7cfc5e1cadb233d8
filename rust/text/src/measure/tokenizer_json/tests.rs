//! Small files made here; `tests/tokens/test_tokenizer_json.py` compares real ones.

use serde_json::{Value, json};

use super::{Model, Specials, TokenizerJson};
use crate::measure::{Encoder, UnigramEncoder};
use crate::pulse::no_pulse;

/// A byte-level BPE with these merges; all bytes have ids of their own.
fn byte_level(merges: &[[&str; 2]]) -> Value {
    let seen = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..);
    let (seen, unseen): (Vec<u8>, Vec<u8>) = (0..=u8::MAX).partition(seen);
    let unseen = ('\u{100}'..).take(unseen.len());
    let characters = seen.into_iter().map(char::from).chain(unseen).map(String::from);
    let tokens = characters.chain(merges.iter().map(|pair| pair.concat()));
    let vocab: serde_json::Map<String, Value> =
        tokens.zip(1000..).map(|(token, id)| (token, json!(id))).collect();
    json!({
        "version": "1.0",
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true},
        "post_processor": null,
        "decoder": null,
        "model": {"type": "BPE", "vocab": vocab, "merges": merges},
    })
}

fn parse(file: &Value) -> crate::error::Result<TokenizerJson> {
    TokenizerJson::parse("test", &file.to_string())
}

/// The encoder of a file that is counted natively.
fn encoder(file: &Value) -> Encoder {
    let Model::Bpe(bpe) = parse(file).unwrap().model else { panic!("not counted natively") };
    Encoder::new(bpe)
}

fn refused(file: &Value) -> String {
    parse(file).unwrap_err().to_string()
}

#[test]
fn ids_are_those_of_the_file() {
    let mut encoder = encoder(&byte_level(&[["h", "e"], ["he", "y"]]));
    // `!` is the first byte of the alphabet, and merges come behind its 256.
    assert_eq!(encoder.encode("hey!", no_pulse()).unwrap(), [1257, 1000]);
    assert_eq!(encoder.count("he hey", no_pulse()).unwrap(), 3);
}

#[test]
fn merges_may_be_lines() {
    let mut file = byte_level(&[["h", "e"]]);
    file["model"]["merges"] = json!(["h e"]);
    assert_eq!(encoder(&file).count("he", no_pulse()).unwrap(), 1);
    file["model"]["merges"] = json!(["h e e"]);
    assert!(refused(&file).contains("merge 0 is not two tokens"));
    file["model"]["merges"] = json!(["h x"]);
    assert!(refused(&file).contains("\"hx\""));
}

#[test]
fn added_tokens_are_taken_out() {
    let mut file = byte_level(&[]);
    let flags =
        json!({"single_word": false, "lstrip": false, "rstrip": false, "normalized": false});
    let added = |id: u32, content: &str| {
        let mut token = flags.clone();
        token["id"] = json!(id);
        token["content"] = json!(content);
        token["special"] = json!(true);
        token
    };
    file["added_tokens"] = json!([added(7, "<s>"), added(8, "a"), added(9, "<s>")]);
    let mut encoder = encoder(&file);
    // The model's own id holds for `a`; others are numbered behind the vocabulary.
    assert_eq!(encoder.encode("<s>a!", no_pulse()).unwrap(), [256, 1064, 1000]);
}

#[test]
fn what_is_broken_is_named() {
    let change = |path: &str, value: Value| {
        let mut file = byte_level(&[]);
        *file.pointer_mut(path).unwrap() = value;
        refused(&file)
    };
    assert!(change("/version", json!("9")).contains("version \"9\""));
    assert!(change("/model/vocab", json!({"a": -1})).contains("expected u32"));
    assert!(change("/model", json!(3)).contains("model"));
    assert!(change("/post_processor", json!({"type": "Nobody"})).contains("Nobody"));
    let mut file = byte_level(&[]);
    file["model"]["dropout"] = json!(2);
    assert!(refused(&file).contains("dropout 2"));
    assert!(TokenizerJson::parse("test", &"[".repeat(1_000_000)).is_err());
}

#[test]
fn special_tokens_stand_around_a_text() {
    let template = json!({
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}],
        "pair": [],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [5, 6], "tokens": ["<", "s"]}},
    });
    let bert = json!({"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]});
    let both = json!({"type": "Sequence", "processors": [template, bert]});
    let specials = Specials::of(&both).unwrap().unwrap();
    assert_eq!(specials.around(&[9]), [1, 5, 6, 9, 2]);
    assert_eq!(specials.len(), 4);
    assert_eq!(Specials::of(&Value::Null), Ok(Some(Specials::default())));
    let mut broken = template;
    broken["special_tokens"] = json!({});
    assert!(Specials::of(&broken).is_err());
    broken["single"] = json!([]);
    assert_eq!(Specials::of(&broken), Ok(None));
}

#[test]
fn other_pipelines_are_left_to_the_library() {
    let mut file = byte_level(&[]);
    file["pre_tokenizer"]["add_prefix_space"] = json!(true);
    let Model::Foreign(foreign) = parse(&file).unwrap().model else { panic!("counted natively") };
    assert_eq!(foreign.growth, 1);
    file["normalizer"] = json!({"type": "Prepend", "prepend": "x".repeat(5000)});
    assert!(refused(&file).contains("5001 times longer"));
}

#[test]
fn unigram_files_are_counted_natively_or_left_to_the_library() {
    let metaspace = json!({
        "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true,
    });
    let sound = json!({
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        ]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, metaspace,
        ]},
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["▁a", -1], ["b", -2.5]]},
    });
    let Model::Unigram(unigram) = parse(&sound).unwrap().model else { panic!("not native") };
    let ids = UnigramEncoder::new(unigram.clone()).encode("a  ab c", no_pulse()).unwrap();
    assert_eq!(ids, [1, 1, 2, 0]);
    assert_eq!(unigram.decode(&ids, false).unwrap(), "a ab<unk>");
    let changed = |path: &str, value: Value| {
        let mut file = sound.clone();
        *file.pointer_mut(path).unwrap() = value;
        file
    };
    let is_foreign = |file: &Value| matches!(parse(file).unwrap().model, Model::Foreign(_));
    assert!(is_foreign(&changed("/model/unk_id", Value::Null)));
    assert!(is_foreign(&changed("/model/vocab/2/0", json!("<unk>"))));
    assert!(is_foreign(&changed("/normalizer/normalizers/1/pattern", json!({"Regex": "a|b"}))));
    assert!(is_foreign(&changed("/pre_tokenizer", json!({"type": "Digits"}))));
    assert!(is_foreign(&changed("/decoder", json!({"type": "Fuse"}))));
    assert!(refused(&changed("/model/unk_id", json!(9))).contains("unk_id"));
    assert!(refused(&changed("/model/vocab/0/1", json!("x"))).contains("model"));
    let garbage = json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"});
    assert!(refused(&changed("/normalizer", garbage)).contains("precompiled_charsmap"));
}
