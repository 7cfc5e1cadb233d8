//! Tests of the terms of a text: examples by script, and an oracle for generated texts.

use proptest::prelude::*;

use unicode_normalization::UnicodeNormalization;

use super::char_kind::{CharKind, is_word_alone, push_folded};
use super::normal_form::normal_form;
use super::{MAX_RUN_BYTES, MAX_TERM_CHARS, TermKind, for_each_tagged_term, for_each_term};
use crate::error::Error;
use crate::pulse::{Beat, no_pulse};

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for_each_term(text, &Beat::of_bytes(no_pulse()), |term| terms.push(term.to_owned())).unwrap();
    terms
}

#[test]
fn words_of_many_scripts() {
    let cases: &[(&str, &str)] = &[
        ("", ""),
        (" \n.,;–— …", ""),
        ("The quick, brown FOX!", "the quick brown fox"),
        ("don't l'homme the dogs’", "don t l homme the dogs"),
        ("state-of-the-art U.S. law", "state of the art u s law"),
        ("in 2024: 1,234.50 €", "in 2024 1 234 50"),
        ("Straße STRASSE ÉCOLE École", "strasse strasse école école"),
        ("naïve nai\u{308}ve co\u{ad}operate", "naïve naïve cooperate"),
        ("Привет, МИР Ёж", "привет мир ёж"),
        ("ΟΔΟΣ οδός", "οδοσ οδόσ"),
        ("سلام دنيا می\u{200c}خواهم", "سلام دنيا میخواهم"),
        ("ﬁne ｆｕｌｌ ½ ٢٠٢٤ m²", "fine full 1 2 2024 m2 m 2"),
        ("Ϊ\u{301} ΐ ΐ", "ΐ ΐ ΐ"),
        ("שלום עולם", "שלום עולם"),
        ("हिन्दी में क्षत्रिय", "हिन्दी में क्षत्रिय"),
        ("தமிழ் தெலుగు", "தமிழ் தெலుగు"),
        ("Tiếng Việt", "tiếng việt"),
        ("ქართული ᲥᲐᲠᲗᲣᲚᲘ", "ქართული ქართული"),
        ("Türkçe İstanbul", "türkçe i\u{307}stanbul"),
    ];
    for (text, expected) in cases {
        assert_eq!(terms(text).join(" "), *expected, "{text}");
    }
}

#[test]
fn scripts_without_spaces_give_pairs() {
    let cases: &[(&str, &str)] = &[
        ("漢", "漢"),
        ("漢字", "漢字"),
        ("我爱北京。天安门", "我爱 爱北 北京 天安 安门"),
        ("GPU加速2倍", "gpu 加速 2 倍"),
        ("カタカナとひらがな", "カタ タカ カナ ナと とひ ひら らが がな"),
        ("か\u{3099}き ｶﾞｲﾄﾞ", "がき ガイ イド"),
        ("葛\u{e0100}城市", "葛城 城市"),
        ("한국어 문서", "한국 국어 문서"),
        ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}", "한국"),
        ("ที่นี่", "ที่นี่"),
        ("ภาษาไทย ๒๕", "ภา าษ ษา าไ ไท ทย 25"),
        ("〇一々", "〇一 一々"),
        ("漢 字", "漢 字"),
    ];
    for (text, expected) in cases {
        assert_eq!(terms(text).join(" "), *expected, "{text}");
    }
}

#[test]
fn identifiers_give_themselves_and_their_parts() {
    let cases: &[(&str, &str)] = &[
        ("camelCase", "camelcase camel case"),
        ("PascalCase", "pascalcase pascal case"),
        ("snake_case", "snake_case snake case"),
        ("MAX_RUN", "max_run max run"),
        ("__init__ _x_ ___", "init x"),
        ("parseHTTPRequest2", "parsehttprequest2 parse http request 2"),
        ("sha256sum", "sha256sum sha 256 sum"),
        ("utf8", "utf8 utf 8"),
        ("URLs APIs IDs", "urls url s apis api s ids id s"),
        ("PhD McDonald iPhone", "phd ph d mcdonald mc donald iphone i phone"),
        ("obj.getName()", "obj getname get name"),
        ("größeÜber überGröße", "grösseüber grösse über übergrösse über grösse"),
        ("имяФайла", "имяфайла имя файла"),
        ("Café_Über", "café_über café über"),
        ("a__b", "a__b a b"),
        ("HTTP", "http"),
        ("e\u{301}E\u{301}e", "éée é ée"),
    ];
    for (text, expected) in cases {
        assert_eq!(terms(text).join(" "), *expected, "{text}");
    }
}

#[test]
fn what_stands_alone_is_no_term() {
    assert_eq!(terms("❤\u{fe0f} \u{301} \u{200d}a"), ["a"]);
    assert_eq!(terms("1\u{fe0f}\u{20e3}"), ["1\u{20e3}"]);
}

#[test]
fn long_words_are_bounded() {
    let all = terms(&"x".repeat(MAX_RUN_BYTES + 3));
    assert_eq!(all, ["x".repeat(MAX_TERM_CHARS), "xxx".to_owned()]);
    let all = terms(&"é".repeat(MAX_RUN_BYTES));
    assert_eq!(all, ["é".repeat(MAX_TERM_CHARS), "é".repeat(MAX_TERM_CHARS)]);
    let all = terms(&"aB".repeat(MAX_RUN_BYTES));
    assert!(all.iter().all(|term| term.len() <= MAX_TERM_CHARS));
    let marks = format!("a{}b", "\u{301}".repeat(10_000));
    assert_eq!(terms(&marks), [format!("á{}", "\u{301}".repeat(63)), "b".to_owned()]);
}

#[test]
fn the_pulse_stops_it() {
    for text in ["word ".repeat(100_000), "é".repeat(300_000), "漢".repeat(300_000)] {
        let stop = || Err(Error::Model("stop".into()));
        assert!(for_each_term(&text, &Beat::of_bytes(&stop), |_| {}).is_err());
    }
}

/// Terms, and what each is.
fn tagged(text: &str) -> Vec<(String, TermKind)> {
    let mut terms = Vec::new();
    let add = |term: super::Term<'_>| terms.push((term.text.to_owned(), term.kind));
    for_each_tagged_term(text, &Beat::of_bytes(no_pulse()), add).unwrap();
    terms
}

#[test]
fn alphabetic_words_are_told_from_the_others() {
    let text = "Word WORD _word_ été Слово camelCase snake_case URLs utf8 42 漢字 한국어 ภาษา é2";
    let words: Vec<String> = tagged(text)
        .into_iter()
        .filter(|term| term.1 == TermKind::Word)
        .map(|term| term.0)
        .collect();
    assert_eq!(words.join(" "), "word word word été слово camel case snake case url s utf é");
}

#[test]
fn characters_that_may_be_words_stand_beside_their_pairs() {
    let cases =
        [("这种药。药", "这 种 药"), ("猫は犬", "猫 犬"), ("한국", "한 국"), ("ภาษา かな ab", "")];
    for (text, expected) in cases {
        let characters = tagged(text).into_iter().filter(|term| term.1 == TermKind::Character);
        let characters: Vec<String> = characters.map(|term| term.0).collect();
        assert_eq!(characters.join(" "), expected, "{text}");
    }
}

/// A run of the oracle: whether it is one of pairs, where it begins, and its characters.
struct Run {
    spaceless: bool,
    start: usize,
    chars: Vec<(CharKind, String)>,
}

/// The oracle: characters first, then runs of them, then all parts of each.
fn naive(text: &str) -> Vec<(String, TermKind)> {
    let text = &*normal_form(text, &Beat::of_bytes(no_pulse())).unwrap();
    let mut runs: Vec<Run> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let kind = CharKind::of(c);
        let (clings, spaceless) = (kind.clings(), kind == CharKind::Spaceless);
        let joins = |run: &Run| {
            at - run.start < MAX_RUN_BYTES
                && (clings || (run.spaceless == spaceless && (spaceless || kind.begins_word())))
        };
        open = open && runs.last().is_some_and(joins);
        if !open && (spaceless || kind.begins_word()) {
            runs.push(Run { spaceless, start: at, chars: Vec::new() });
            open = true;
        }
        match runs.last_mut() {
            Some(run) if open && clings => run.chars.last_mut().unwrap().1.push(c),
            Some(run) if open => run.chars.push((kind, c.to_string())),
            _ => {}
        }
    }
    runs.iter().flat_map(|run| run_terms(run.spaceless, &run.chars)).collect()
}

fn run_terms(spaceless: bool, chars: &[(CharKind, String)]) -> Vec<(String, TermKind)> {
    let kind = |is_word| if is_word { TermKind::Word } else { TermKind::Other };
    let whole =
        |chars: &[(CharKind, String)]| folded(&chars.iter().map(|c| &*c.1).collect::<String>());
    if spaceless {
        let mut terms = Vec::new();
        for (at, own) in chars.iter().enumerate() {
            if let Some(pair) = chars.get(at..at + chars.len().min(2)) {
                terms.push((whole(pair), kind(false)));
            }
            if chars.len() > 1 && own.1.chars().next().is_some_and(is_word_alone) {
                terms.push((whole(std::slice::from_ref(own)), TermKind::Character));
            }
        }
        return terms;
    }
    let code = |kind: &CharKind| match kind {
        CharKind::Letter => 'l',
        CharKind::Capital => 'U',
        CharKind::Digit => 'd',
        _ => '_',
    };
    let codes: String = chars.iter().map(|(kind, _)| code(kind)).collect();
    let trimmed = codes.trim_matches('_');
    let first = codes.len() - codes.trim_start_matches('_').len();
    let (chars, codes) = (&chars[first..first + trimmed.len()], trimmed);
    if codes.is_empty() {
        return Vec::new();
    }
    let is_cut = |&at: &usize| {
        let (left, right) = codes.split_at(at);
        let same = left.chars().last() == right.chars().next();
        let acronym_ends = left.ends_with('U') && right.starts_with("Ull");
        let plural = left.ends_with("UU") && right.starts_with('l') && !right.starts_with("ll");
        let capital = left.ends_with('U') && right.starts_with('l');
        acronym_ends || plural || (!same && !capital)
    };
    let inner: Vec<usize> = (1..codes.len()).filter(is_cut).collect();
    let bounds: Vec<usize> = [0].into_iter().chain(inner).chain([codes.len()]).collect();
    let parts = bounds.windows(2).map(|pair| pair[0]..pair[1]);
    let parts = parts
        .filter(|part| !codes[part.clone()].contains('_'))
        .map(|part| (whole(&chars[part.clone()]), &codes[part]));
    let several = bounds.len() > 2;
    let alphabetic = !several && codes.chars().all(|code| matches!(code, 'l' | 'U'));
    let parts = parts.filter(|_| several).map(|part| {
        let alphabetic = !part.1.contains('d');
        (part.0, kind(alphabetic))
    });
    [(whole(chars), kind(alphabetic))].into_iter().chain(parts).collect()
}

fn folded(text: &str) -> String {
    let mut folded = String::new();
    text.chars().take(MAX_TERM_CHARS).for_each(|c| _ = push_folded(c, &mut folded));
    folded.nfc().collect()
}

fn soup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "b",
        "Z",
        "Y",
        "9",
        "_",
        " ",
        ".",
        "'",
        "é",
        "É",
        "ß",
        "ж",
        "Ж",
        "漢",
        "字",
        "か",
        "한",
        "ไ",
        "ที่",
        "\u{301}",
        "\u{200d}",
        "\u{ad}",
        "\u{fe0f}",
        "٣",
        "²",
        "—",
        "😀",
        "क्",
        "word",
        "XY",
        "xy",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn terms_are_those_of_the_oracle(text in prop_oneof![soup(), any::<String>(), "[a-zA-Z0-9_ .]{0,60}"]) {
        prop_assert_eq!(tagged(&text), naive(&text));
    }

    #[test]
    fn a_separator_separates(left in soup(), right in soup()) {
        let mut both = terms(&left);
        both.extend(terms(&right));
        prop_assert_eq!(terms(&format!("{left} {right}")), both);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn long_runs_are_those_of_the_oracle(unit in soup(), n_bytes in 4000..9000_usize) {
        let unit: String = unit.chars().filter(|&c| CharKind::of(c) != CharKind::Outside).collect();
        let text = unit.repeat(n_bytes / unit.len().max(1));
        prop_assert_eq!(tagged(&text), naive(&text));
    }
}
