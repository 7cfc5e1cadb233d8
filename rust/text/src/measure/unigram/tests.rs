//! Whole texts, spans and reaches against the definition.

use proptest::prelude::*;

use super::{
    Charsmap, Metaspace, MetaspaceDecoder, Prepend, Step, Unigram, UnigramEncoder, UnigramParts,
    Words, oracle,
};
use crate::measure::{AddedToken, Measure, UnigramTokens};
use crate::oracle::longest;
use crate::pulse::no_pulse;
use crate::span::Span;

const PIECES: &[(&str, f64)] = &[
    ("<unk>", 0.0),
    ("▁", -3.0),
    ("a", -1.1),
    ("b", -2.0),
    ("c", -3.5),
    ("ab", -3.1),
    ("aa", -2.2),
    ("aaa", -3.300_000_000_000_000_3),
    ("▁a", -2.5),
    ("▁ab", -4.0),
    ("bca", -7.0),
    ("é", -5.0),
    ("e", -2.5),
    ("e\u{301}", -6.0),
    ("漢", -4.0),
    ("漢字", -7.5),
    ("字", -4.5),
    (".", -2.0),
    ("...", -4.0),
    ("xy", -30.0),
    ("▁▁", -9.0),
    ("a▁", -2.0),
    ("ﷲ", -5.0),
];

/// Those that words are made of, those that a step changes, and those that break them.
const TEXT: &str = "[abcexyAB .\n\t\u{0}\u{ad}\u{a0}\u{3000}éÅßﬁ漢字ｶﾞ\u{301}\u{600}\u{200d}\u{1f600}▁하각क्ष'`-]{0,40}";

fn metaspace(prepend: Prepend, split: bool) -> Metaspace {
    Metaspace { replacement: '▁', prepend, split }
}

fn parts(normalizer: Vec<Step>, words: Words, bytes: bool) -> UnigramParts {
    let mut pieces: Vec<(String, f64)> =
        PIECES.iter().map(|(piece, score)| ((*piece).to_owned(), *score)).collect();
    if bytes {
        pieces.extend((0..=u8::MAX).map(|byte| (format!("<0x{byte:02X}>"), 0.0)));
    }
    UnigramParts {
        name: "test".into(),
        pieces,
        unk_id: 0,
        byte_fallback: bytes,
        normalizer,
        words,
        added_tokens: Vec::new(),
        decoder: Some(MetaspaceDecoder { replacement: '▁', drops_first: true }),
    }
}

/// A double array of few strings: a map of clusters, some of them to nothing, some to blanks.
fn charsmap() -> Charsmap {
    let rules = [
        ("\n", " "),
        ("\t", " "),
        ("\u{a0}", " "),
        ("\0x", ""),
        ("\u{ad}", ""),
        ("ﬁ", "fi"),
        ("e\u{301}", "é"),
        ("Å", "A b"),
        ("\u{600}", " "),
        ("ß", "ss"),
        ("ｶﾞ", "ガ"),
        ("ｶ", "カ"),
    ];
    Charsmap::new(&double_array(&rules)).unwrap()
}

/// Lays out a trie as Darts does, a node's children in the first block that has room for them.
fn double_array(rules: &[(&str, &str)]) -> Vec<u8> {
    let mut strings = Vec::new();
    let mut keys: Vec<(Vec<u8>, u32)> = Vec::new();
    for (key, value) in rules {
        keys.push((key.as_bytes().to_vec(), u32::try_from(strings.len()).unwrap()));
        strings.extend(value.bytes().chain([0]));
    }
    let mut units = vec![0_u32; 256];
    let mut queue = vec![(0_usize, Vec::new())];
    while let Some((at, prefix)) = queue.pop() {
        // A block of one's own for each node: no two share one.
        let base = units.len();
        units.resize(base + 256, 0);
        let offset = u32::try_from(at ^ base).unwrap();
        units[at] |= if offset < 1 << 21 { offset << 10 } else { unreachable!() };
        if let Some((_, value)) = keys.iter().find(|(key, _)| *key == prefix) {
            units[at] |= 1 << 8;
            units[base] = value | 1 << 31;
        }
        let mut next: Vec<u8> = keys
            .iter()
            .filter(|(key, _)| key.len() > prefix.len() && key.starts_with(&prefix))
            .map(|(key, _)| key[prefix.len()])
            .collect();
        next.sort_unstable();
        next.dedup();
        for byte in next.into_iter().filter(|&byte| byte > 0) {
            let child = base ^ usize::from(byte);
            units[child] = u32::from(byte);
            queue.push((child, [prefix.clone(), vec![byte]].concat()));
        }
    }
    let n_bytes = u32::try_from(4 * units.len()).unwrap();
    let units = units.iter().flat_map(|unit| unit.to_le_bytes());
    n_bytes.to_le_bytes().into_iter().chain(units).chain(strings).collect()
}

fn any_parts() -> impl Strategy<Value = UnigramParts> {
    let blanks = || Step::ReplaceBlanks { least: 2, content: " ".into() };
    let marks = || Step::ReplaceBlanks { least: 2, content: "▁".into() };
    let quotes = || Step::Replace { pattern: "''".into(), content: "\"".into() };
    let strip = |left| Step::Strip { left, right: true };
    let chains = vec![
        vec![],
        vec![Step::Precompiled(charsmap())],
        vec![Step::Precompiled(charsmap()), blanks()],
        vec![Step::Precompiled(charsmap()), strip(false), marks()],
        vec![
            quotes(),
            Step::Nfkd,
            Step::StripAccents,
            Step::Lowercase,
            Step::Precompiled(charsmap()),
            blanks(),
        ],
        vec![Step::Lowercase, strip(true), Step::Nmt, blanks()],
        vec![Step::Nfkc],
        vec![Step::Prepend("▁".into()), Step::Replace { pattern: " ".into(), content: "▁".into() }],
        vec![Step::Nfc, Step::Replace { pattern: "b".into(), content: String::new() }, blanks()],
    ];
    let words = vec![
        Words { at_whitespace: false, metaspace: Some(metaspace(Prepend::Always, true)) },
        Words { at_whitespace: true, metaspace: Some(metaspace(Prepend::Always, true)) },
        Words { at_whitespace: false, metaspace: Some(metaspace(Prepend::First, true)) },
        Words { at_whitespace: false, metaspace: Some(metaspace(Prepend::Never, true)) },
        Words { at_whitespace: false, metaspace: Some(metaspace(Prepend::Always, false)) },
        Words::default(),
    ];
    (prop::sample::select(chains), prop::sample::select(words), any::<bool>())
        .prop_map(|(chain, words, bytes)| parts(chain, words, bytes))
}

/// Ordinary texts, and long runs of one thing.
fn texts() -> impl Strategy<Value = String> {
    let run = ("[ab漢x\u{301}\u{0} .é\n]{1,3}", 1_usize..90).prop_map(|(unit, n)| unit.repeat(n));
    let part = prop_oneof![4 => TEXT, 1 => run, 2 => "[ab]{1,5}( [abé]{1,5}){0,6}"];
    prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat())
}

fn bounds(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

proptest! {
    #[test]
    fn texts_encode_as_defined(parts in any_parts(), text in texts()) {
        let mut encoder = UnigramEncoder::new(Unigram::new(parts.clone()).unwrap());
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
        let all = bounds(&text);
        let [a, b] = at.map(|index| *index.get(&all));
        let (start, end) = (a.min(b), a.max(b));
        let mut encoder = UnigramEncoder::new(Unigram::new(parts.clone()).unwrap());
        let index = encoder.index(&text, no_pulse()).unwrap().unwrap();
        let measure = UnigramTokens::new(&text, &index);
        let count = |part: &str| oracle::encode(&parts, part).len();
        prop_assert_eq!(measure.size(Span::new(start, end)).unwrap(), count(&text[start..end]));
        let back = measure.longest_back(end, max).unwrap();
        prop_assert!(back <= end && count(&text[back..end]) <= max);
        let tail: String = text[start..].chars().take(100).collect();
        let text = format!("{}{tail}", &text[..start]);
        let index = encoder.index(&text, no_pulse()).unwrap().unwrap();
        let measure = UnigramTokens::new(&text, &index);
        prop_assert_eq!(measure.longest(start, max).unwrap(), longest(&text, start, max, count));
    }
}

#[test]
fn a_giant_word_takes_linear_time() {
    let words = Words { at_whitespace: false, metaspace: Some(metaspace(Prepend::Always, true)) };
    let parts = parts(vec![Step::Precompiled(charsmap())], words, true);
    let mut encoder = UnigramEncoder::new(Unigram::new(parts).unwrap());
    for unit in ["a", "ab漢", "\u{301}", "xy", "\u{1f600}", "\u{600}"] {
        let text = unit.repeat(12_000 / unit.len());
        let index = encoder.index(&text, no_pulse()).unwrap().unwrap();
        let measure = UnigramTokens::new(&text, &index);
        let (mut start, mut n_chunks) = (0, 0);
        while start < text.len() {
            let end = measure.longest(start, 500).unwrap();
            assert!(end > start && measure.size(Span::new(start, end)).unwrap() <= 500);
            (start, n_chunks) = (end, n_chunks + 1);
        }
        assert!(n_chunks < 1000, "{unit:?}");
    }
}

#[test]
fn added_tokens_lie_between_words() {
    let token = |id, content: &str, normalized| AddedToken {
        id,
        content: content.into(),
        special: true,
        single_word: false,
        lstrip: true,
        rstrip: false,
        normalized,
    };
    let words = Words { at_whitespace: false, metaspace: Some(metaspace(Prepend::Always, true)) };
    let n_pieces = u32::try_from(PIECES.len()).unwrap();
    let added_tokens = vec![token(n_pieces, "<s>", false), token(n_pieces + 1, "<é>", true)];
    let parts = UnigramParts { added_tokens, ..parts(vec![Step::Nfkc], words, false) };
    let unigram = Unigram::new(parts).unwrap();
    assert_eq!(unigram.n_vocab(), PIECES.len() + 2);
    let mut encoder = UnigramEncoder::new(unigram.clone());
    let ids = encoder.encode("a <s>b <e\u{301}> a", no_pulse()).unwrap();
    assert_eq!(ids, [8, n_pieces, 1, 3, n_pieces + 1, 8]);
    assert_eq!(unigram.decode(&ids, false).unwrap(), "a<s> b<é> a");
    assert_eq!(unigram.decode(&ids, true).unwrap(), "a b a");
    assert!(unigram.decode(&[99], true).unwrap_err().to_string().contains("token id 99"));
    assert!(encoder.index("a <s>", no_pulse()).unwrap().is_none());
    let text = "ab <e\u{301}> ab ab<e\u{301}>ab ab";
    let index = encoder.index(text, no_pulse()).unwrap().unwrap();
    let measure = UnigramTokens::new(text, &index);
    for start in bounds(text) {
        for end in bounds(text).into_iter().filter(|&end| end >= start) {
            let count = encoder.encode(&text[start..end], no_pulse()).unwrap().len();
            assert_eq!(measure.size(Span::new(start, end)).unwrap(), count, "{start}..{end}");
        }
    }
}

#[test]
fn what_is_no_tokenizer_is_refused_by_name() {
    let refused = |parts| Unigram::new(parts).map(drop).unwrap_err().to_string();
    let sound = || parts(Vec::new(), Words::default(), false);
    let unk = UnigramParts { unk_id: 99, ..sound() };
    assert!(refused(unk).contains("test cannot be used as a tokenizer: unk_id"));
    let mut twins = sound();
    twins.pieces.push(("a".into(), -1.0));
    assert!(Unigram::native(twins.clone()).unwrap().is_none());
    assert!(refused(twins).contains("not counted natively"));
    let vanishing = AddedToken {
        id: 1,
        content: "\u{301}".into(),
        special: false,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: true,
    };
    let vanishing = UnigramParts {
        normalizer: vec![Step::StripAccents],
        added_tokens: vec![vanishing],
        ..sound()
    };
    assert!(refused(vanishing).contains("leaves nothing of the added token"));
}
