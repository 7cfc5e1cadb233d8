//! Laws of sentence boundaries, for generated texts in several languages.

use super::*;
use crate::error::Error;
use proptest::prelude::*;

fn sentences(text: &str) -> Vec<&str> {
    Sentences::new(text).map(|span| &text[span.range()]).collect()
}

/// Pieces that the rules look at, put together at random.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "The", "he", "I", "A", "Dr", "U.S", "a.m", "No", "etc", "p", "J", "5", "12", "1.5", "word",
        "Yahoo", ".", ".", ".", ". ", ". ", ". ", "!", "? ", "…", "...", ". . .", "\"", "'", "(",
        ")", "[1]", "”", "“", "」", "「", "»", " ", " ", " ", "\n", "°", " . ", " ' ", " '' ",
        "\n\n", "\r\n", "\t", "\u{a0}", "\u{2029}", "- ", "1. ", "2) ", "a) ", "# ", "| ", ",",
        ";", ":", "—", "漢字", "。", "？", "と", "é", "Ärzte", "।", "؟", "\u{589}", "@", "/",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn sentences_tile_the_text(text in text(), code in prop::sample::select(vec!["en", "de", "ja", "el"])) {
        let language = Language::from_code(code).unwrap();
        let mut at = 0;
        for span in Sentences::in_language(&text, language) {
            prop_assert_eq!(span.start, at);
            prop_assert!(span.end > at && text.is_char_boundary(span.end));
            let blank = text[span.range()].trim_matches(crate::unicode::space::is_space).is_empty();
            prop_assert!(!blank || span.len() == text.len());
            at = span.end;
            let behind = text[at..].chars().next();
            prop_assert!(behind.is_none_or(|c| !crate::unicode::space::is_space(c)));
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn any_string_is_tiled(text in "\\PC{0,60}") {
        prop_assert_eq!(sentences(&text).concat(), text);
    }

    #[test]
    fn what_follows_a_paragraph_changes_nothing_before_it(text in text(), more in text()) {
        let text = format!("{text}x\n\n");
        let both = format!("{text}y{more}");
        let of_both = sentences(&both);
        let before = sentences(&text);
        prop_assert_eq!(&of_both[..before.len()], &before[..]);
    }

    #[test]
    fn the_rest_of_a_text_has_the_rest_of_its_sentences(text in text()) {
        let all = sentences(&text);
        let mut at = 0;
        for (i, sentence) in all.iter().enumerate() {
            at += sentence.len();
            prop_assert_eq!(&sentences(&text[at..])[..], &all[i + 1..], "from {}", at);
        }
    }
}

#[test]
fn a_pulse_stops_one_endless_sentence() {
    let text = "a.".repeat(1 << 17);
    let stop = || Err(Error::Config("stopped".into()));
    assert!(Sentences::new(&text).try_next(&Beat::of_bytes(&stop)).is_err());
    assert_eq!(Sentences::new(&text).next(), Some(Span::new(0, text.len())));
}
