//! Ids of chunks, derived from what they say.

use std::collections::HashMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::segment::space::is_space;

/// Bytes of the hash that an id shows, two digits each: enough for 2^64 chunks.
const ID_BYTES: usize = 16;

/// Gives chunks of one document their ids, one after another.
///
/// An id is a hash of the document's name, the chunk's text with each run of whitespace as one blank,
/// and how many chunks with that text came before it in the document. An edit elsewhere does not
/// change it.
#[derive(Debug, Default)]
pub struct Identities {
    name: String,
    seen: HashMap<[u8; 32], u64>,
}

impl Identities {
    /// Ids for the chunks of the document called `name`; the empty name is that of no document.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), seen: HashMap::new() }
    }

    /// The id of the next chunk: 32 hexadecimal digits.
    pub fn next(&mut self, text: &str) -> String {
        let content = content_hash(text);
        let occurrence = self.seen.entry(content).or_default();
        let hash = Sha256::new()
            .chain_update((self.name.len() as u64).to_le_bytes())
            .chain_update(&self.name)
            .chain_update(content)
            .chain_update(occurrence.to_le_bytes())
            .finalize();
        *occurrence += 1;
        hash[..ID_BYTES].iter().fold(String::with_capacity(2 * ID_BYTES), |mut id, byte| {
            // Writing to a string does not fail.
            let _ = write!(id, "{byte:02x}");
            id
        })
    }
}

/// SHA-256 of the text, trimmed, with each run of whitespace as one blank.
pub fn content_hash(text: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for (i, word) in text.split(is_space).filter(|word| !word.is_empty()).enumerate() {
        if i > 0 {
            hasher.update(b" ");
        }
        hasher.update(word);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_on_name_text_and_occurrence_only() {
        let ids = |name: &str, texts: &[&str]| -> Vec<String> {
            let mut identities = Identities::new(name);
            texts.iter().map(|text| identities.next(text)).collect()
        };
        let before = ids("a.md", &["one", "two", "one"]);
        let after = ids("a.md", &["new", "one", " two\n", "one"]);
        assert_eq!(before, after[1..]);
        assert_ne!(before[0], before[2]);
        assert_ne!(before[0], ids("b.md", &["one"])[0]);
        assert_eq!(before[0].len(), 32);
    }
}
