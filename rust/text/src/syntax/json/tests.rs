//! Tests of JSON.

use super::*;
use crate::pulse::no_pulse;
use proptest::prelude::*;

fn check(text: &str) -> Result<Json<'_>> {
    Json::check(text, no_pulse())
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let wrong = |text: &str| check(text).unwrap_err().to_string();
    assert_eq!(
        wrong("{\"é\": 1,\n \"b\" 2}"),
        "invalid JSON at line 2, column 6: expected ':', got \"2}\""
    );
    assert_eq!(
        wrong("[1, 2"),
        "invalid JSON at line 1, column 6: expected ',' or ']', got the end of the text"
    );
    for text in [
        "[1,]",
        "{\"a\":1,}",
        "[01]",
        "[1.]",
        "[\"\\x\"]",
        "[\"\n\"]",
        "[\"a",
        "]",
        "[}",
        "'a'",
        "{a: 1}",
        "[1 2]",
        "nul",
        "\"\\u12g4\"",
        "[\"\\",
        "[1]]",
        "//",
        "{\"a\":}",
        "-",
        "1e",
        "{1:2}",
    ] {
        assert!(check(text).is_err(), "{text}");
    }
}

#[test]
fn values_may_follow_one_another() {
    for text in ["", " \n", "1 2", "{}\n{}\n", "\u{feff}[NaN, -Infinity]", "\"a\"\"b\"", "-0.5e+7"]
    {
        assert!(check(text).is_ok(), "{text}");
    }
}

proptest! {
    #[test]
    fn it_agrees_with_serde(text in "[\\[\\]{},:\"a\\\\u0-9e.\\- ]{0,12}") {
        let stream = serde_json::Deserializer::from_str(&text).into_iter::<serde::de::IgnoredAny>();
        let is_json = stream.collect::<std::result::Result<Vec<_>, _>>().is_ok();
        // serde wants a blank between a word and what follows it, and says nothing of control characters.
        prop_assert_eq!(check(&text).is_ok(), is_json);
    }
}

#[test]
fn pointers_name_keys_and_numbers() {
    let text = r#"{"a/b": [10, {"c~": true}], "é\n": "text"}"#;
    let json = check(text).unwrap();
    let at = |part: &str| text.find(part).unwrap();
    let places = [0, at("10"), at("{\"c"), at("\"c~"), at("true"), at("ext")];
    assert_eq!(
        pointers(&json, &places),
        ["", "/a~1b/0", "/a~1b/1", "/a~1b/1/c~0", "/a~1b/1/c~0", "/é\n"]
    );
    let lines = check("{\"a\": 1}\n[2, 3]").unwrap();
    assert_eq!(pointers(&lines, &[0, 1, 9, 13]), ["/0", "/0/a", "/1", "/1/1"]);
}
