//! Comparison with the crate `tokenizers`, which needs the feature `hf`.
#![cfg(test)]
#![cfg(feature = "hf")]

use proptest::prelude::*;
use serde_json::{Value, json};
use tokenizers::Tokenizer;

use super::tests::{any_parts, bounds, parts, texts};
use super::{WordPiece, WordPieceEncoder, WordPieceParts};
use crate::measure::AddedToken;
use crate::pulse::no_pulse;

fn peer(parts: &WordPieceParts) -> Tokenizer {
    let normalizer = parts.normalizer.map(|steps| {
        json!({
            "type": "BertNormalizer",
            "clean_text": steps.clean_text,
            "handle_chinese_chars": steps.handle_chinese_chars,
            "strip_accents": steps.strip_accents,
            "lowercase": steps.lowercase,
        })
    });
    let added_token = |token: &AddedToken| {
        json!({
            "id": token.id,
            "content": token.content,
            "special": token.special,
            "single_word": token.single_word,
            "lstrip": token.lstrip,
            "rstrip": token.rstrip,
            "normalized": token.normalized,
        })
    };
    let added_tokens: Vec<Value> = parts.added_tokens.iter().map(added_token).collect();
    let vocab: serde_json::Map<String, Value> =
        parts.vocab.iter().map(|(token, id)| (token.clone(), json!(id))).collect();
    let decoder = parts.decoder.as_ref().map(
        |rules| json!({"type": "WordPiece", "prefix": rules.prefix, "cleanup": rules.cleanup}),
    );
    let file = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added_tokens,
        "normalizer": normalizer,
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": null,
        "decoder": decoder,
        "model": {
            "type": "WordPiece",
            "unk_token": parts.unk_token,
            "continuing_subword_prefix": parts.continuing_subword_prefix,
            "max_input_chars_per_word": parts.max_input_chars_per_word,
            "vocab": vocab,
        },
    });
    file.to_string().parse().unwrap()
}

fn ids(peer: &Tokenizer, text: &str) -> Vec<u32> {
    peer.encode_fast(text, false).unwrap().get_ids().to_vec()
}

proptest! {
    #[test]
    fn texts_and_spans_are_the_peers(
        parts in any_parts(),
        text in prop_oneof![texts(), any::<String>()],
        at in any::<[prop::sample::Index; 2]>(),
    ) {
        let peer = peer(&parts);
        let ours = WordPiece::new(parts).unwrap();
        let mut encoder = WordPieceEncoder::new(ours.clone());
        let expected = ids(&peer, &text);
        prop_assert_eq!(encoder.encode(&text, no_pulse()).unwrap(), expected.as_slice());
        prop_assert_eq!(encoder.count(&text, no_pulse()).unwrap(), expected.len());
        prop_assert_eq!(ours.n_vocab(), peer.get_vocab_size(true));
        for skip_special in [false, true] {
            let decoded = peer.decode(&expected, skip_special).unwrap();
            prop_assert_eq!(ours.decode(&expected, skip_special).unwrap(), decoded);
        }
        let bounds = bounds(&text);
        let [a, b] = at.map(|index| *index.get(&bounds));
        let (start, end) = (a.min(b), a.max(b));
        let index = encoder.index(&text, no_pulse()).unwrap();
        prop_assert_eq!(index.count(&text, start, end), ids(&peer, &text[start..end]).len());
    }
}

/// Lower cases that came after the Unicode version of the table, which a newer compiler knows.
fn is_new(c: char) -> bool {
    matches!(c, '\u{1c89}' | '\u{a7cb}'..='\u{a7dc}' | '\u{10d50}'..='\u{10d65}' | '\u{16ea0}'..='\u{16eb8}')
}

/// All code points are compared from Python, which is faster than the peer built for tests.
#[test]
fn code_points_are_what_they_are_for_the_peer() {
    for (steps, strip_accents) in
        [([true; 3], None), ([false; 3], None), ([true, true, false], Some(true))]
    {
        let mut parts = parts(steps, strip_accents, 100);
        parts.added_tokens.clear();
        let peer = peer(&parts);
        let mut encoder = WordPieceEncoder::new(WordPiece::new(parts).unwrap());
        let sample = ('\0'..='\u{2fff}').chain(('\u{3000}'..=char::MAX).step_by(61));
        for c in sample.filter(|&c| !is_new(c)) {
            let text = format!("{c} a{c}b");
            let ours = encoder.encode(&text, no_pulse()).unwrap();
            assert_eq!(ours, ids(&peer, &text), "{text:?}, {steps:?}, {strip_accents:?}");
        }
    }
}
