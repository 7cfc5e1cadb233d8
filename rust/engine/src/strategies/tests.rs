//! Tests of the options: every value is checked, help is one sentence, messages say what would be right.

use serde_json::{Value, json};

use super::{Parts, Spec, options, rows};
use crate::options::Kind;

/// A spec with one option.
fn spec(strategy: &str, option: &str, value: Value) -> Spec {
    let options = [(option.to_owned(), value)].into_iter().collect();
    Spec { name: strategy.into(), options }
}

#[test]
fn every_strategy_is_made_by_its_name() {
    for row in rows() {
        let spec = Spec { name: row.name.into(), options: serde_json::Map::new() };
        assert!(spec.hard_max(&Parts::default()).is_ok(), "{}", row.name);
    }
}

#[test]
fn a_value_that_is_none_is_refused_by_the_name_of_its_option() {
    let odd =
        [json!({"no": "value"}), json!([]), json!("nothing"), json!(true), json!(-9), json!(1e300)];
    for row in rows() {
        for option in options(row.name) {
            let beside = [Kind::Tokenizer, Kind::Embedder, Kind::LanguageModel, Kind::Prompt];
            if beside.contains(&option.kind) {
                continue;
            }
            let errors: Vec<String> = odd
                .iter()
                .filter_map(|value| {
                    spec(row.name, option.name, value.clone()).hard_max(&Parts::default()).err()
                })
                .map(|error| error.to_string())
                .collect();
            assert!(errors.len() >= 3, "{} {}: {errors:?}", row.name, option.name);
            for error in errors {
                assert!(error.contains(option.name), "{error}");
            }
        }
    }
}

#[test]
fn help_is_a_sentence_and_names_options_that_there_are() {
    for row in rows() {
        let known = options(row.name);
        assert!(row.about.ends_with('.'));
        for option in known {
            assert!(option.about.ends_with('.'), "{}", option.about);
            assert!(!option.about.contains(". "), "one sentence: {}", option.about);
            assert!(option.more.is_empty() || option.more.ends_with('.'));
            for other in option.concerns {
                let is_known = known.iter().any(|known| known.name == *other);
                assert!(is_known, "{} {} {other}", row.name, option.name);
            }
        }
    }
}

#[test]
fn values_are_shown_beside_what_would_have_been_right() {
    for (strategy, option, value, message) in [
        ("window", "max_chars", json!("9"), "max_chars must be an int, got '9'"),
        ("window", "max_chars", json!(0), "max_chars must be at least 1, got 0"),
        ("window", "soft_max", json!(513), "soft_max must be between 1 and 512, got 513"),
        ("kamradt", "window", json!(-1), "window must be between 0 and 100, got -1"),
        ("kamradt", "amount", json!(101), "amount must be between 0 and 100, got 101"),
        ("balanced", "language", json!(3), "language must be a code such as 'en', got 3"),
        ("structural", "merge_at", json!(2), "merge_at must be between -1 and 1, got 2"),
        ("by_title", "isolate_tables", json!(1), "isolate_tables must be True or False, got 1"),
        ("cluster", "mean", json!("x"), "unknown mean 'x': known are 'global', 'local'"),
    ] {
        let error = spec(strategy, option, value).cutter(&Parts::default()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
