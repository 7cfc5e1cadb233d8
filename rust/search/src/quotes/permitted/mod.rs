//! Cases of what may differ between a text and a quotation, and of what may not.

mod different;
mod found;
mod same;

use different::DIFFERENT;
use found::FOUND;
use proptest::prelude::*;
use same::SAME;

use super::*;
use chunkwright_text::pulse::no_pulse;

fn n_found(text: &str, quote: &str) -> usize {
    let index = QuoteIndex::new(text, no_pulse()).unwrap();
    index.find(text, quote, 100, no_pulse()).unwrap().len()
}

#[test]
fn what_may_differ_does_not_count() {
    let within = |text: &str| format!("Before it.\n{text}\nBehind it.");
    let turned = SAME.iter().map(|&(quote, text)| (text, quote));
    let same = SAME.iter().copied().chain(turned).map(|(quote, text)| (quote, within(text)));
    let found = FOUND.iter().map(|&(quote, text)| (quote, text.to_owned()));
    let missed: Vec<_> =
        same.chain(found).filter(|(quote, text)| n_found(text, quote) != 1).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn all_else_counts() {
    let is_found = |&&(quote, text): &&(&str, &str)| {
        let index = QuoteIndex::new(text, no_pulse()).unwrap();
        let found = compare(&[Source { text, index: &index }], quote, 3, no_pulse()).unwrap();
        n_found(text, quote) > 0 || found.verdict == Verdict::Found
    };
    let accepted: Vec<_> = DIFFERENT.iter().filter(is_found).collect();
    assert!(accepted.is_empty(), "{accepted:#?}");
}

/// A text of words, numbers and signs, in which every part is another one.
fn sentence() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        4 => "[a-z]{3,9}",
        1 => "[A-Z][a-z]{3,9}",
        1 => "[1-9][0-9]{0,3}",
        1 => "[1-9][0-9]?[-.,/][1-9][0-9]",
        1 => "[a-z]{3,6}-[a-z]{3,6}",
        1 => "[1-9][0-9]?(%|°|²)",
    ];
    proptest::collection::vec(word, 5..12)
}

proptest! {
    #[test]
    fn no_other_sign_is_the_same(words in sentence(), at in any::<prop::sample::Index>(), new in "[a-z0-9%°²+#=/±-]") {
        let text = words.join(" ");
        let places: Vec<(usize, char)> = text.char_indices().filter(|&(_, c)| c != ' ').collect();
        let (start, old) = places[at.index(places.len())];
        let new = new.chars().next().unwrap();
        prop_assume!(!new.eq_ignore_ascii_case(&old));
        let changed = format!("{}{new}{}", &text[..start], &text[start + old.len_utf8()..]);
        // A dash at an end is punctuation.
        let is_end = |text: &str| text.starts_with('-') || text.ends_with('-');
        prop_assume!(!is_end(&changed) && !is_end(&text) && (start > 0 || new.is_alphanumeric()));
        prop_assert_eq!(n_found(&text, &changed), 0, "{:?} in {:?}", changed, text);
    }

    #[test]
    fn no_sign_may_be_missing(words in sentence(), at in any::<prop::sample::Index>()) {
        let text = words.join(" ");
        let inner: Vec<(usize, char)> = text.char_indices().skip(1).collect();
        let inner = &inner[..inner.len() - 1];
        let (start, old) = inner[at.index(inner.len())];
        let behind = &text[start + old.len_utf8()..];
        let changed = format!("{}{behind}", &text[..start]);
        // Beside punctuation no blank counts.
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_inner = is_word(text[..start].chars().next_back()) && is_word(behind.chars().next());
        prop_assume!(old != ' ' || is_inner);
        let bare = |text: &str| text.replace(' ', "");
        prop_assume!(if old == ' ' { !text.contains(&changed) } else { !bare(&text).contains(&bare(&changed)) });
        prop_assert_eq!(n_found(&text, &changed), 0, "{:?} in {:?}", changed, text);
    }

    #[test]
    fn each_difference_on_the_list_is_none(words in sentence(), seed in any::<u64>()) {
        let quote = words.join(" ");
        let mut state = seed | 1;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut text = String::from("Before it.\n\n");
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                text += ["\n", " ", "\u{a0}", "\r\n", " \t", "&nbsp;"][next(6)];
            }
            let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
            let shown = match next(12) {
                0 => format!("**{word}**"),
                1 => format!("<b>{word}</b>"),
                2 => format!("[{word}](a.html)"),
                3 => format!("“{word}”"),
                4 if is_plain => format!("{}-\n{}", &word[..2], &word[2..]),
                5 if is_plain => format!("{}\u{ad}{}", &word[..1], &word[1..]),
                6 if is_plain => word.chars().map(|c| char::from_u32(c as u32 + 0xfee0).unwrap()).collect(),
                7 => format!("`{word}`"),
                8 if is_plain => format!("{word}<!-- x -->"),
                9 if is_plain && word.len() > 4 => format!("{word}[3]"),
                10 => format!("~~{word}~~"),
                _ => word.clone(),
            };
            text += &shown;
        }
        text += "\n\nBehind it.";
        prop_assert_eq!(n_found(&text, &quote), 1, "{:?} in {:?}", quote, text);
    }
}
