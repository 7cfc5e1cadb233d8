//! Ids of chunks and documents, derived from their texts.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::unicode::space::{is_space, skip_space};

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
    seen: HashMap<[u8; 32], u64, BuildHasherDefault<FirstBytes>>,
}

impl Identities {
    /// Ids for the chunks of the document called `name`; the empty name is that of no document.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), seen: HashMap::default() }
    }

    /// The id of the next chunk: 32 hexadecimal digits.
    pub fn next(&mut self, text: &str) -> String {
        let content = content_hash(text);
        let occurrence = self.seen.entry(content).or_default();
        let id = id_of(&self.name, &content, *occurrence);
        *occurrence += 1;
        id
    }
}

/// The id of the chunk with that hash of its text which has `occurrence` others before it in the document called
/// `name`: 32 hexadecimal digits.
pub fn id_of(name: &str, content: &[u8; 32], occurrence: u64) -> String {
    let hash = Sha256::new()
        .chain_update((name.len() as u64).to_le_bytes())
        .chain_update(name)
        .chain_update(content)
        .chain_update(occurrence.to_le_bytes())
        .finalize();
    hexadecimal(&hash[..ID_BYTES])
}

/// The id of a document that the caller gave none: the first half of the SHA-256 of its text, 32 hexadecimal
/// digits. A document that is read again has the same, whatever it is called; one that has changed another.
pub fn document_id(text: &str) -> String {
    hexadecimal(&Sha256::digest(text)[..ID_BYTES])
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |half: u8| b"0123456789abcdef"[usize::from(half & 15)];
    // As bytes, which are looked at once: characters would be pushed one by one.
    let digits: Vec<u8> = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect();
    String::from_utf8(digits).unwrap_or_default()
}

/// Hasher of keys that are hashes already: their first bytes.
#[derive(Clone, Copy, Debug, Default)]
struct FirstBytes(u64);

impl Hasher for FirstBytes {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(&first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(first);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// SHA-256 of the text, trimmed, with each run of whitespace as one blank.
pub fn content_hash(text: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut separator: &[u8] = b"";
    collapse(text, |part| {
        hash.update(separator);
        hash.update(&text[part]);
        separator = b" ";
    });
    hash.finalize().into()
}

/// So many bytes are looked at together.
const BLOCK: usize = 32;

/// Hands the text, trimmed, with each run of whitespace as one blank, to `push` part by part, as ranges of bytes: one
/// blank belongs between two of them. Most of a text is so already and is one part.
///
/// ```
/// use chunkwright_text::identity::collapse;
///
/// let text = " It rained\n\nfor two  days.\n";
/// let mut parts = Vec::new();
/// collapse(text, |part| parts.push(&text[part]));
/// assert_eq!(parts.join(" "), "It rained for two days.");
/// ```
pub fn collapse(text: &str, mut push: impl FnMut(Range<usize>)) {
    let text = text.trim_end_matches(is_space);
    let bytes = text.as_bytes();
    let mut part = skip_space(text, 0);
    let mut at = part;
    while at < bytes.len() {
        while let Some(block) = bytes[at..].first_chunk().filter(|block| is_plain(block)) {
            // Whether a blank at the end is a single one is seen with what follows.
            at += BLOCK - usize::from(block[BLOCK - 1] == b' ');
        }
        let end = at + BLOCK;
        while at < end
            && let Some(c) = text[at..].chars().next()
        {
            let next = at + c.len_utf8();
            if !is_space(c) {
                at = next;
                continue;
            }
            let word = skip_space(text, next);
            if c != ' ' || word > next {
                push(part..at);
                part = word;
            }
            at = word;
        }
    }
    push(part..bytes.len());
}

/// Whether the block is ASCII in which only single blanks are whitespace. Without branches, so that the
/// compiler looks at all bytes at once.
fn is_plain(block: &[u8; BLOCK]) -> bool {
    let is_no_text = |any, &byte: &u8| any | u8::from(byte.cast_signed() < 0x20);
    let is_pair = |any, (&a, &b): (&u8, &u8)| any | u8::from((a | b) == b' ');
    let pairs = block.iter().zip(&block[1..]);
    block.iter().fold(0, is_no_text) | pairs.fold(0, is_pair) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whitespace_is_collapsed(
            text in "([a-z]{1,20} | |[ \t\n]{1,3}|[é漢\u{a0}\u{1c}\u{2028}\x00]|[a-z]{3} ){0,20}",
        ) {
            let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            let mut parts = Vec::new();
            collapse(&text, |part| parts.push(&text[part]));
            prop_assert_eq!(parts.join(" "), words.join(" "));
            prop_assert_eq!(content_hash(&text), content_hash(&words.join(" ")));
        }
    }

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
