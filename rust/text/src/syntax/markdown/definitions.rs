//! Definitions of references in all of a text, for a piece of it that does not have them.
//!
//! Whether `[map][1]` is a link is said by `[1]: map.png`, wherever that stands; a paragraph of an image alone, or of a
//! link around one, is a figure only if it is. Most references are defined nowhere near any `]:`, which is seen at
//! once; for the others the text is parsed another time.

use std::cell::OnceCell;
use std::collections::HashSet;

use memchr::{memmem, memrchr2};
use unicase::UniCase;

use super::walk::{Labels, Walker};
use crate::span::Span;

/// What is one blank in a label.
pub const BLANKS: &[char] = &[' ', '\t', '\n', '\r'];

/// The definitions in the parts of a text that are parsed in pieces, found when one is asked for.
pub struct Definitions<'t> {
    text: &'t str,
    parts: Vec<Span>,
    piece: usize,
    seeming: OnceCell<Option<HashSet<UniCase<&'t str>>>>,
    labels: OnceCell<Labels>,
}

impl<'t> Definitions<'t> {
    /// Those of `parts`, which are parsed in pieces of that many bytes.
    pub const fn new(text: &'t str, parts: Vec<Span>, piece: usize) -> Self {
        Self { text, parts, piece, seeming: OnceCell::new(), labels: OnceCell::new() }
    }

    /// Whether the parts define `label` outside of the piece that asks.
    pub fn have(&self, label: &str) -> bool {
        // One piece has them all.
        let is_one_piece = matches!(self.parts[..], [part] if part.len() <= self.piece);
        !self.parts.is_empty()
            && !is_one_piece
            && self.seem_to_have(label)
            && self.labels().contains(&UniCase::new(label.to_owned()))
    }

    fn seem_to_have(&self, label: &str) -> bool {
        let seeming = self.seeming.get_or_init(|| {
            let first = self.parts.first().map_or(0, |part| part.start);
            seeming(&self.text[first..self.parts.last().map_or(first, |part| part.end)])
        });
        seeming.as_ref().is_none_or(|labels| labels.contains(&UniCase::new(label)))
    }

    fn labels(&self) -> &Labels {
        self.labels.get_or_init(|| {
            let mut walker = Walker::new(self.text, self.piece);
            walker.labels = Some(Labels::new());
            let none = Self::new(self.text, Vec::new(), self.piece);
            self.parts.iter().for_each(|part| walker.walk(*part, &none));
            walker.labels.unwrap_or_default()
        })
    }
}

/// What stands in brackets before a colon; none if that cannot be told so simply.
fn seeming(text: &str) -> Option<HashSet<UniCase<&str>>> {
    let bytes = text.as_bytes();
    let mut labels = HashSet::new();
    for end in memmem::find_iter(bytes, b"]:") {
        let Some(bracket) = memrchr2(b'[', b']', &bytes[..end]) else { continue };
        let is_escaped = |at: usize| at > 0 && bytes[at - 1] == b'\\';
        if is_escaped(bracket) || is_escaped(end) {
            return None;
        }
        let label = text[bracket + 1..end].trim_matches(BLANKS);
        if bytes[bracket] == b']' || label.is_empty() {
            continue;
        }
        let is_plain =
            label.split(' ').all(|word| !word.is_empty()) && !label.contains(&BLANKS[1..]);
        if !is_plain {
            return None;
        }
        labels.insert(UniCase::new(label));
    }
    Some(labels)
}
