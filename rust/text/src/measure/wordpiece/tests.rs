//! Whole texts, spans and reaches against the definition.

use proptest::prelude::*;

use super::{
    BertNormalizer, WordPiece, WordPieceDecoder, WordPieceEncoder, WordPieceParts, oracle,
};
use crate::measure::AddedToken;
use crate::oracle::longest;
use crate::pulse::no_pulse;

const TOKENS: &[&str] = &[
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "a",
    "b",
    "c",
    "##a",
    "##b",
    "##c",
    "ab",
    "##ab",
    "abc",
    "##bca",
    "cab",
    "aa",
    "##aa",
    "e",
    "é",
    "##e",
    "i",
    "##i",
    "i\u{307}",
    "漢",
    "!",
    "[",
    "]",
    ".",
    "k",
    "\u{1112}",
    "##\u{1161}",
    "x",
    "##\u{302e}\u{1d165}",
    "##\u{1d165}",
    "-",
    "##k",
    "0",
    "##0",
];

/// Those that words, marks and added tokens are made of, and those that break them.
const TEXT: &str = "[abcxekiABCK0 .!\\[\\]<>\n\t\u{0}\u{c}\u{85}\u{ad}\u{a0}éÅİß漢字\u{f900}\u{301}\
    \u{34f}\u{302e}\u{1d165}\u{1b44}\u{345}하각≠≮\u{212a}-]{0,40}";

fn added(content: &str, normalized: bool) -> AddedToken {
    let [special, single_word, lstrip, rstrip] = [!normalized, false, normalized, true];
    AddedToken { id: 0, content: content.into(), special, single_word, lstrip, rstrip, normalized }
}

fn parts(steps: [bool; 3], strip_accents: Option<bool>, max_letters: usize) -> WordPieceParts {
    let [clean_text, handle_chinese_chars, lowercase] = steps;
    let n_tokens = u32::try_from(TOKENS.len()).unwrap();
    let mut added_tokens = vec![added("[CLS]", false), added("<aB>", false), added(".Ab!", true)];
    added_tokens.iter_mut().skip(1).zip(n_tokens..).for_each(|(token, id)| token.id = id);
    added_tokens[0].id = 1;
    WordPieceParts {
        name: "test".into(),
        vocab: TOKENS.iter().map(|token| (*token).to_owned()).zip(0..).collect(),
        unk_token: "[UNK]".into(),
        continuing_subword_prefix: "##".into(),
        max_input_chars_per_word: max_letters,
        normalizer: Some(BertNormalizer {
            clean_text,
            handle_chinese_chars,
            strip_accents,
            lowercase,
        }),
        added_tokens,
        decoder: Some(WordPieceDecoder { prefix: "##".into(), cleanup: true }),
    }
}

fn any_parts() -> impl Strategy<Value = WordPieceParts> {
    let max_letters = prop_oneof![Just(3_usize), Just(12), Just(100)];
    (any::<[bool; 3]>(), any::<Option<bool>>(), max_letters)
        .prop_map(|(steps, strip, max_letters)| parts(steps, strip, max_letters))
}

/// Ordinary texts, long runs of one thing, added tokens whole and in parts.
fn texts() -> impl Strategy<Value = String> {
    let run = ("[ab漢\u{301}\u{0} .é]{1,3}", 1_usize..90).prop_map(|(unit, n)| unit.repeat(n));
    let added = prop::sample::select(vec![
        "[CLS]",
        "<aB>",
        "!ab!",
        "!A\u{301}B!",
        "[CL",
        "S]",
        "<a",
        "[cls]",
    ]);
    let part = prop_oneof![4 => TEXT, 1 => run, 2 => added.prop_map(String::from)];
    prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat())
}

fn bounds(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

proptest! {
    #[test]
    fn texts_encode_as_defined(parts in any_parts(), text in texts()) {
        let mut encoder = WordPieceEncoder::new(WordPiece::new(parts.clone()).unwrap());
        let expected = oracle::encode(&parts, &text);
        prop_assert_eq!(encoder.encode(&text, no_pulse()).unwrap(), expected.as_slice());
        // A cold cache, then a warm one.
        for _ in 0..2 {
            prop_assert_eq!(encoder.count(&text, no_pulse()).unwrap(), expected.len());
        }
    }

    #[test]
    fn spans_count_as_texts(
        parts in any_parts(),
        text in texts(),
        at in any::<[prop::sample::Index; 2]>(),
        max in 0_usize..12,
    ) {
        let bounds = bounds(&text);
        let [a, b] = at.map(|index| *index.get(&bounds));
        let (start, end) = (a.min(b), a.max(b));
        let mut encoder = WordPieceEncoder::new(WordPiece::new(parts.clone()).unwrap());
        let index = encoder.index(&text, no_pulse()).unwrap();
        let count = |part: &str| oracle::encode(&parts, part).len();
        prop_assert_eq!(index.count(&text, start, end), count(&text[start..end]));
        let tail: String = text[start..].chars().take(120).collect();
        let text = format!("{}{tail}", &text[..start]);
        let index = encoder.index(&text, no_pulse()).unwrap();
        prop_assert_eq!(index.longest(&text, start, max), longest(&text, start, max, count));
        let end = end.min(text.len());
        let end = text.floor_char_boundary(end);
        let back = index.longest_back(&text, end, max);
        prop_assert!(back <= end && index.count(&text, back, end) <= max);
    }
}

/// Words over the pulse's distance have the tokens of shorter ones that are as unknown, or as hidden.
#[test]
fn giant_words_are_words() {
    let parts = parts([true; 3], None, 100);
    let mut encoder = WordPieceEncoder::new(WordPiece::new(parts.clone()).unwrap());
    for unit in ["a", "\u{301}", "\0", "a\u{301}", "\u{302e}\u{34f}"] {
        for before in ["", "ab ", "[CLS]", "漢b"] {
            let end = "ca !.Ab!b";
            let text = format!("{before}{}{end}", unit.repeat(600_000 / unit.len()));
            let expected = oracle::encode(&parts, &format!("{before}{}{end}", unit.repeat(200)));
            let n_pulses = std::cell::Cell::new(0);
            let pulse = || {
                n_pulses.set(n_pulses.get() + 1);
                Ok(())
            };
            assert_eq!(encoder.encode(&text, &pulse).unwrap(), expected, "{before:?} {unit:?}");
            assert!(n_pulses.get() > 2);
            let index = encoder.index(&text, no_pulse()).unwrap();
            assert_eq!(index.count(&text, 0, text.len()), expected.len());
            let part = format!("{}{end}", unit.repeat(200));
            let n_part = oracle::encode(&parts, &part).len();
            let start = before.len() + 120_000;
            assert_eq!(index.count(&text, start, text.len()), n_part, "{before:?} {unit:?}");
        }
    }
}

#[test]
fn what_is_no_tokenizer_is_refused_by_name() {
    let refused = |parts| WordPiece::new(parts).map(drop).unwrap_err().to_string();
    let sound = || parts([true; 3], None, 100);
    let unk = WordPieceParts { unk_token: "<unk>".into(), ..sound() };
    assert_eq!(refused(unk), "test: unk_token \"<unk>\" is not in the vocabulary");
    let long = WordPieceParts { max_input_chars_per_word: 1001, ..sound() };
    let message = "test: max_input_chars_per_word is 1001, over 1000: not counted natively";
    assert_eq!(refused(long), message);
    let vocab = vec![("[UNK]".to_owned(), u32::MAX)];
    let message = "test: an id is 4294967295, which is none here: not counted natively";
    assert_eq!(refused(WordPieceParts { vocab, ..sound() }), message);
    let added_tokens = vec![added("word", false)];
    let message = "test: added token \"word\" does not begin and end with punctuation: \
                   not counted natively";
    assert_eq!(refused(WordPieceParts { added_tokens, ..sound() }), message);
}

#[test]
fn ids_become_text() {
    let ours = WordPiece::new(parts([true; 3], None, 100)).unwrap();
    let ids = WordPieceEncoder::new(ours.clone()).encode("[CLS] Abc cab! Éa .ab!", no_pulse());
    let ids = ids.unwrap();
    assert_eq!(ours.decode(&ids, false).unwrap(), "[CLS] abc cab! ea.ab!");
    assert_eq!(ours.decode(&ids, true).unwrap(), "abc cab! ea.ab!");
    let error = ours.decode(&[1, 4000], false).unwrap_err().to_string();
    assert_eq!(error, "token id 4000 is not in test");
}
