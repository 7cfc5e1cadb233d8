//! Decoder: from WordPiece ids back to text.

use super::added::normalized;
use super::normalizer::Normalizer;
use super::parts::WordPieceDecoder;
use crate::error::{Error, Result};
use crate::measure::AddedToken;

/// Tokens by id, and how they are joined.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// In ascending order of ids.
    tokens: Vec<(u32, String)>,
    /// Contents of special tokens, in ascending order.
    special: Vec<String>,
    rules: Option<WordPieceDecoder>,
}

/// What is taken out of the blanks between tokens, in this order.
const CLEANUPS: [(&str, &str); 11] = [
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

impl Decoder {
    /// A decoder of `vocab` and `added`, which has precedence. Of two tokens with one id the later holds.
    pub fn new(
        vocab: Vec<(String, u32)>,
        added: &[AddedToken],
        normalizer: Normalizer,
        rules: Option<WordPieceDecoder>,
    ) -> Self {
        let texts = added.iter().map(|token| (token.id, shown(token, normalizer)));
        let vocab = vocab.into_iter().map(|(token, id)| (id, token));
        let mut tokens: Vec<(u32, String)> = vocab.chain(texts).collect();
        tokens.reverse();
        tokens.sort_by_key(|&(id, _)| id);
        tokens.dedup_by_key(|&mut (id, _)| id);
        let special = added.iter().filter(|token| token.special);
        let mut special: Vec<String> = special.map(|token| token.content.clone()).collect();
        special.sort_unstable();
        Self { tokens, special, rules }
    }

    /// The text that `ids` stand for. O(length of the text).
    ///
    /// # Errors
    /// [`Error::Tokenizer`] for an id that `name` lacks.
    pub fn decode(&self, name: &str, ids: &[u32], skip_special_tokens: bool) -> Result<String> {
        let mut text = String::new();
        let mut is_first = true;
        for &id in ids {
            let token = self.token(name, id)?;
            if skip_special_tokens && self.is_special(token) {
                continue;
            }
            match &self.rules {
                Some(rules) => push(&mut text, token, is_first, rules),
                None if is_first => text.push_str(token),
                None => text.extend([" ", token]),
            }
            is_first = false;
        }
        Ok(text)
    }

    fn token(&self, name: &str, id: u32) -> Result<&str> {
        match self.tokens.binary_search_by_key(&id, |&(id, _)| id) {
            Ok(i) => Ok(&self.tokens[i].1),
            Err(_) => Err(Error::Tokenizer(format!("token id {id} is not in {name}"))),
        }
    }

    fn is_special(&self, token: &str) -> bool {
        self.special.binary_search_by(|special| special.as_str().cmp(token)).is_ok()
    }
}

/// What an added token becomes: what was looked for.
fn shown(token: &AddedToken, normalizer: Normalizer) -> String {
    if token.normalized { normalized(token, normalizer) } else { token.content.clone() }
}

fn push(text: &mut String, token: &str, is_first: bool, rules: &WordPieceDecoder) {
    let piece = match token.strip_prefix(rules.prefix.as_str()) {
        _ if is_first => token.to_owned(),
        Some(rest) => rest.to_owned(),
        None => format!(" {token}"),
    };
    let cleanups = if rules.cleanup { CLEANUPS.as_slice() } else { &[] };
    text.push_str(&cleanups.iter().fold(piece, |piece, (from, to)| piece.replace(from, to)));
}
