//! Tests of contradictions: altered sentences contradict, reworded ones do not.

use proptest::prelude::*;

use super::{Assertions, Kind};
use chunkwright_text::pulse::{Beat, no_pulse};

fn of(text: &str) -> Assertions {
    Assertions::of(text, &Beat::of_bytes(no_pulse())).unwrap()
}

fn differ(a: &str, b: &str) -> Option<Kind> {
    let (a, b) = (of(a), of(b));
    let found = a.contradiction(&b);
    assert_eq!(found.is_some(), b.contradiction(&a).is_some());
    if a.fingerprint() != b.fingerprint() {
        assert!(found.is_some());
    }
    found
}

/// A word of a sentence, and what may stand in its place that says something else.
const ALTERED: &[(&str, &str, Kind)] = &[
    ("90", "30", Kind::Number),
    ("90", "9.0", Kind::Number),
    ("90", "-90", Kind::Number),
    ("90", "900", Kind::Number),
    ("1,500", "1,300", Kind::Number),
    ("1,500", "1.500", Kind::Number),
    ("5-10", "510", Kind::Number),
    ("three", "four", Kind::Number),
    ("drei", "zwei", Kind::Number),
    ("third", "fourth", Kind::Number),
    ("10²", "10³", Kind::Number),
    ("三", "五", Kind::Number),
    ("March", "April", Kind::Date),
    ("3 March 2024", "3 March 2025", Kind::Number),
    ("Monday", "Tuesday", Kind::Date),
    ("lundi", "mardi", Kind::Date),
    ("days", "weeks", Kind::Unit),
    ("5 mg", "5 g", Kind::Unit),
    ("5mg", "5 Mg", Kind::Unit),
    ("€20", "$20", Kind::Unit),
    ("20 %", "20", Kind::Unit),
    ("may", "may not", Kind::Negation),
    ("does", "doesn't", Kind::Negation),
    ("these 10-year-olds", "these no 10-year-olds", Kind::Negation),
    ("can", "cannot", Kind::Negation),
    ("can", "can’t", Kind::Negation),
    ("with", "without", Kind::Negation),
    ("ist", "ist nicht", Kind::Negation),
    ("ein", "kein", Kind::Negation),
    ("est", "n'est", Kind::Negation),
    ("是", "不是", Kind::Negation),
    ("legal", "illegal", Kind::Negation),
    ("zulässiger", "unzulässiger", Kind::Negation),
    ("harmful", "harmless", Kind::Negation),
    ("refundable", "non-refundable", Kind::Negation),
    ("before", "after", Kind::Limit),
    ("more", "less", Kind::Limit),
    ("may", "must", Kind::Limit),
    ("< 5", "> 5", Kind::Limit),
    ("increased", "decreased", Kind::Opposite),
    ("buyer", "seller", Kind::Opposite),
    ("Smith", "Jones", Kind::Name),
    ("Annex A", "Annex B", Kind::Name),
];

const FRAMES: &[&str] =
    &["", "The company keeps {} of the records", "{} of them, as we said", "So {}."];

#[test]
fn what_is_altered_contradicts() {
    for frame in FRAMES.iter().skip(1) {
        for (one, other, kind) in ALTERED {
            let texts = [one, other].map(|word| frame.replace("{}", word));
            let found = differ(&texts[0], &texts[1]);
            assert!(found.is_some(), "{texts:?}");
            if frame.starts_with('T') {
                assert_eq!(found, Some(*kind), "{texts:?}");
            }
            assert_eq!(differ(&texts[0], &texts[0]), None);
        }
    }
    assert_eq!(differ("A pays 5, B pays 7.", "A pays 7, B pays 5."), Some(Kind::Number));
}

#[test]
fn what_is_said_otherwise_does_not() {
    for (one, other) in [
        ("It is kept for 90 days.", "It  is kept for\n90 days"),
        ("It is kept for 90 days.", "IT IS KEPT FOR 90 DAYS!"),
        ("It is kept for 90 days.", "It is really kept for ninety days."),
        ("It costs 1,500 euros.", "It costs 1500 euro"),
        ("It cannot be sold, in 2 weeks.", "It can't be sold (in two weeks)."),
        ("Smith signed the lease.", "However, Smith signed the lease."),
        ("The rule No. 10 of it", "The rule 10 of it"),
        ("The rule (no. 10) of it", "The rule (No 10) of it"),
        ("A regra n.º 10, sem. 3", "A regra № 10, 3"),
        ("- a 5–10 m wall", "* a 5-10 m wall"),
        ("Die Frist beträgt 3 Wochen.", "Die Frist beträgt wohl drei Wochen."),
        ("", " … "),
    ] {
        assert_eq!(differ(one, other), None, "{one:?} {other:?}");
        assert_eq!(of(one).fingerprint(), of(other).fingerprint());
    }
}

#[test]
fn fingerprints_are_the_same_everywhere() {
    assert_eq!(of("").fingerprint(), 0xcbf2_9ce4_8422_2325);
    let stop = || Err(chunkwright_text::error::Error::Interrupted);
    assert!(Assertions::of(&"word ".repeat(100_000), &Beat::of_bytes(&stop)).is_err());
}

proptest! {
    #[test]
    fn any_text_agrees_with_itself(text in any::<String>(), other in any::<String>()) {
        prop_assert_eq!(differ(&text, &text), None);
        differ(&text, &other);
        differ(&text, &format!("{text} {other}"));
    }

    #[test]
    fn spaces_and_punctuation_decide_nothing(
        words in prop::collection::vec("[a-z]{4,7}|[0-9]{1,4}|not|may|March|Smith|cannot", 1..20),
        marks in prop::collection::vec("[,;:!?()\" \n]{1,2}", 20),
    ) {
        let altered: Vec<String> =
            words.iter().zip(&marks).map(|(word, mark)| format!("{word} {mark} ")).collect();
        prop_assert_eq!(differ(&words.join(" "), &altered.concat()), None);
    }

    #[test]
    fn another_number_contradicts(
        words in prop::collection::vec("[a-z]{4,7}", 1..20),
        numbers in (0_u32..100_000, 0_u32..100_000),
        at in 0_usize..20,
    ) {
        let with = |number: u32| {
            let mut words = words.clone();
            words.insert(at.min(words.len()), number.to_string());
            words.join(" ")
        };
        let found = differ(&with(numbers.0), &with(numbers.1));
        prop_assert_eq!(found.is_some(), numbers.0 != numbers.1);
    }
}
