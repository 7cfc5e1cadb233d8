//! Vocabularies that tests try each pattern with.

use std::sync::Arc;

use super::vocabulary::Vocabulary;
use super::{Bpe, Pattern};

/// Both that are built in, and with each pattern one that has all numbers and one that has few.
pub fn vocabularies() -> Vec<Bpe> {
    let cl100k = Bpe::named("cl100k_base").unwrap();
    let few: Vec<&[u8]> = (0..9000).map(|rank| cl100k.vocabulary.token(rank).unwrap()).collect();
    let few = Vocabulary::from_tokens("few".into(), &few, (0..9000).collect()).unwrap();
    let few = Arc::new(few);
    let patterns =
        [Pattern::Cl100k, Pattern::O200k, Pattern::Gpt2, Pattern::Llama3, Pattern::Qwen2];
    let with = |pattern, vocabulary| Bpe { pattern, vocabulary, ..cl100k.clone() };
    let made = patterns.into_iter().flat_map(|pattern| {
        [with(pattern, Arc::clone(&cl100k.vocabulary)), with(pattern, Arc::clone(&few))]
    });
    made.chain([Bpe::named("o200k_base").unwrap()]).collect()
}
