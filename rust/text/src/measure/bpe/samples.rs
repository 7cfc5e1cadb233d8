//! Vocabularies for tests of each pattern.
#![cfg(test)]

use std::sync::Arc;

use super::vocabulary::Vocabulary;
use super::{Bpe, Pattern};

/// Those that are built in, and with each pattern one that has all numbers, one that has few, and one
/// with tokens that are found as wholes only.
pub fn vocabularies() -> Vec<Bpe> {
    let cl100k = Bpe::named("cl100k_base").unwrap();
    let few: Vec<&[u8]> = (0..9000).map(|rank| cl100k.vocabulary.token(rank).unwrap()).collect();
    let few = Vocabulary::from_tokens("few".into(), &few, (0..9000).collect()).unwrap();
    let is_kept =
        |rank: &u32| !rank.is_multiple_of(3) || cl100k.vocabulary.token(*rank).unwrap().len() == 1;
    let kept = (0..40_000).filter(is_kept);
    let gaps: Vec<&[u8]> = kept.map(|rank| cl100k.vocabulary.token(rank).unwrap()).collect();
    let gaps = Vocabulary::from_tokens("gaps".into(), &gaps, (0..40_000).collect()).unwrap();
    let (few, gaps) = (Arc::new(few), Arc::new(gaps));
    let patterns =
        [Pattern::Cl100k, Pattern::O200k, Pattern::Gpt2, Pattern::Llama3, Pattern::Qwen2];
    let with = |pattern, vocabulary| Bpe { vocabulary, pattern, ..cl100k.clone() };
    let made = patterns.into_iter().flat_map(|pattern| {
        [&cl100k.vocabulary, &few, &gaps].map(|vocabulary| with(pattern, Arc::clone(vocabulary)))
    });
    let others = ["o200k_base", "gpt2"].map(|name| Bpe::named(name).unwrap());
    made.chain(others).collect()
}
