//! Chunks of elements in JSON, beside naive answers.

use std::collections::BTreeMap;

use super::value::{Value, write_text};
use super::{Told, ascii, elements_of, written};
use crate::unstructured::{ChunkKind, ChunkText, ElementChunk};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::span::Span;

fn categories() -> BTreeMap<String, String> {
    [("Title", "Title"), ("Text", "NarrativeText")]
        .map(|(name, category)| (name.into(), category.into()))
        .into()
}

#[test]
fn elements_are_written_again_as_unstructured_does() {
    let json = r#"[{"type": "Text", "text": "a\u00e9", "odd": 1, "metadata":
        {"languages": [], "subject": null, "page_number": 3, "data": {"b": [1.5, "x"]}}}]"#;
    let categories = categories();
    let elements = elements_of(json, false, &categories).unwrap();
    assert_eq!((elements[0].category, &*elements[0].text), ("NarrativeText", "aé"));
    assert_eq!(elements[0].page(), Some(3));
    let names: Vec<&str> = elements[0].metadata.iter().map(|(name, ..)| &**name).collect();
    assert_eq!(names, ["page_number", "data"]);
}

#[test]
fn what_only_python_reads_is_none() {
    let categories = categories();
    for metadata in [
        r#"{"a": 1, "a": 2}"#,
        r#"{"a": 1e400}"#,
        r#"{"a": -0}"#,
        r#"{"a": 18446744073709551616}"#,
        r#"{"a": "\ud800"}"#,
        r#"{"a": NaN}"#,
        r#"{"page_number": 1.5}"#,
        r#"{"orig_elements": "x"}"#,
    ] {
        let json = format!(r#"[{{"type": "Text", "text": "a", "metadata": {metadata}}}]"#);
        assert_eq!(elements_of(&json, false, &categories).is_none(), metadata != r#"{"a": -0}"#);
    }
    for (n, is_said) in [(16, true), (17, false), (300_000, false)] {
        let unknown: Vec<String> = (0..n).map(|i| format!(r#""x{i}": 0"#)).collect();
        let json = format!(r#"[{{"type": "Text", "text": "a", {}}}]"#, unknown.join(", "));
        assert_eq!(elements_of(&json, false, &categories).is_some(), is_said);
    }
    assert!(elements_of("[]", false, &categories).is_none());
    assert!(elements_of(r#"[{"type": "Odd", "text": "a"}]"#, false, &categories).is_none());
}

#[test]
fn chunks_have_ids_of_what_they_say() {
    let categories = categories();
    let line = r#"{"type": "Text", "element_id": "e", "text": "One two."}"#;
    let elements = elements_of(line, true, &categories).unwrap();
    let chunk = ElementChunk {
        kind: ChunkKind::Composite,
        elements: 0..1,
        text: ChunkText::Slice(Span::new(0, 8)),
        body: Span::new(0, 8),
        html: None,
        part: 0,
        n_header_rows: 0,
        size: 8,
    };
    let told = Told {
        filename: "a.json",
        filetype: "application/json",
        originals: false,
        unique_ids: false,
        seed: b"",
    };
    let json = written(&elements, "One two.", &[chunk], &told, no_pulse()).unwrap().unwrap();
    // The first digits of SHA-256 of "a.jsonOne two.None0".
    let id = "94e6ee7e5c02d3ff067f70b2c66545be";
    let wanted = format!(
        r#"[{{"type":"CompositeElement","element_id":"{id}","text":"One two.","metadata":{{"filename":"a.json","filetype":"application/json"}}}}]"#
    );
    assert_eq!(String::from_utf8(json).unwrap(), wanted);
}

#[test]
fn texts_and_numbers_are_escaped_as_python_does() {
    let text = format!("{}\"\\\n\u{7f}é\u{1f600}", "a".repeat(40));
    let (mut least, mut most) = (Vec::new(), Vec::new());
    write_text(&mut least, &text);
    assert_eq!(String::from_utf8(least).unwrap(), serde_json::to_string(&text).unwrap());
    ascii::escape(&mut most, &text[40..]);
    assert_eq!(most, br#"\"\\\n\u007f\u00e9\ud83d\ude00"#);
    for (number, wanted) in [(1e16, "1e+16"), (1e-5, "1e-05"), (0.1, "0.1"), (-0.0, "-0.0")] {
        let mut json = Vec::new();
        ascii::float(&mut json, number);
        assert_eq!(json, wanted.as_bytes());
    }
    let mut json = Vec::new();
    Value::List(vec![Value::Int(-3), Value::Bool(true), Value::Null]).write_ascii(&mut json);
    assert_eq!(json, b"[-3, true, null]");
}
