//! Decoder: from Unigram ids back to text.

use std::collections::{HashMap, HashSet};

use super::parts::MetaspaceDecoder;
use crate::error::{Error, Result};
use crate::measure::AddedToken;

/// Tokens by id, and how they are joined.
#[derive(Clone, Debug)]
pub struct Decoder {
    pieces: Vec<(String, f64)>,
    /// Contents of added tokens, which have precedence.
    added: HashMap<u32, String>,
    special: HashSet<String>,
    rules: Option<MetaspaceDecoder>,
}

impl Decoder {
    /// A decoder of `pieces`, in the order of their ids, and `added`; of two with one id the later holds.
    pub fn new(
        pieces: Vec<(String, f64)>,
        added: &[AddedToken],
        rules: Option<MetaspaceDecoder>,
    ) -> Self {
        let content = |token: &AddedToken| token.content.clone();
        Self {
            pieces,
            added: added.iter().map(|token| (token.id, content(token))).collect(),
            special: added.iter().filter(|token| token.special).map(content).collect(),
            rules,
        }
    }

    /// The text that `ids` stand for. O(length of the text).
    ///
    /// # Errors
    /// [`Error::Tokenizer`] for an id that `name` lacks.
    pub fn decode(&self, name: &str, ids: &[u32], skip_special_tokens: bool) -> Result<String> {
        let mut text = String::new();
        let mut is_first = true;
        for &id in ids {
            let piece = || self.pieces.get(id as usize).map(|(piece, _)| piece);
            let token = self
                .added
                .get(&id)
                .or_else(piece)
                .ok_or_else(|| Error::Tokenizer(format!("token id {id} is not in {name}")))?;
            if skip_special_tokens && self.special.contains(token) {
                continue;
            }
            match self.rules {
                Some(rules) => rules.push(&mut text, token, is_first),
                None if is_first => text.push_str(token),
                None => text.extend([" ", token]),
            }
            is_first = false;
        }
        Ok(text)
    }
}

impl MetaspaceDecoder {
    fn push(self, text: &mut String, token: &str, is_first: bool) {
        for c in token.chars() {
            if c != self.replacement {
                text.push(c);
            } else if !(is_first && self.drops_first) {
                text.push(' ');
            }
        }
    }
}
