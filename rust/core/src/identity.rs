//! Ids of chunks, derived from their texts.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::unicode::space::is_space;

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
        hexadecimal(&hash[..ID_BYTES])
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// SHA-256 of the text, trimmed, with each run of whitespace as one blank.
pub fn content_hash(text: &str) -> [u8; 32] {
    Sha256::digest(collapsed(text)).into()
}

/// So many bytes are looked at together.
const BLOCK: usize = 16;

/// The text, trimmed, with each run of whitespace as one blank. Most of a text is so already and is
/// copied in blocks.
fn collapsed(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut words = Words { bytes: Vec::with_capacity(bytes.len() + 1), in_space: false };
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at..].first_chunk::<{ BLOCK + 1 }>() {
            Some(block) if is_plain(block) => {
                words.push_plain(&block[..BLOCK]);
                at += BLOCK;
            }
            _ => {
                let end = at + BLOCK;
                for c in text[at..].chars() {
                    words.push(c);
                    at += c.len_utf8();
                    if at >= end {
                        break;
                    }
                }
            }
        }
    }
    words.bytes
}

/// Whether the block is ASCII in which only single blanks are whitespace; the last byte is only looked at
/// for whether it makes two of them. Without branches, so that the compiler looks at all bytes at once.
fn is_plain(block: &[u8; BLOCK + 1]) -> bool {
    let is_odd = |i: usize| {
        let is_no_text = u8::from(!(0x20..0x80).contains(&block[i]));
        is_no_text | u8::from((block[i] | block[i + 1]) == b' ')
    };
    (0..BLOCK).fold(0, |any, i| any | is_odd(i)) == 0
}

/// Words joined by single blanks.
struct Words {
    bytes: Vec<u8>,
    in_space: bool,
}

impl Words {
    fn push(&mut self, c: char) {
        if is_space(c) {
            self.in_space = true;
        } else {
            self.end_space();
            self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    /// Adds bytes that [`is_plain`] is true of.
    fn push_plain(&mut self, block: &[u8]) {
        let block = block.strip_prefix(b" ").inspect(|_| self.in_space = true).unwrap_or(block);
        self.end_space();
        let words = block.strip_suffix(b" ").inspect(|_| self.in_space = true).unwrap_or(block);
        self.bytes.extend_from_slice(words);
    }

    fn end_space(&mut self) {
        if self.in_space && !self.bytes.is_empty() {
            self.bytes.push(b' ');
        }
        self.in_space = false;
    }
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
            prop_assert_eq!(String::from_utf8(collapsed(&text)).unwrap(), words.join(" "));
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
