//! Hugging Face tokenizers that are not counted natively: the crate `tokenizers` counts whole spans.

use tokenizers::models::ModelWrapper;
use tokenizers::utils::parallelism::set_parallelism;
use tokenizers::{Encoding, NormalizedString, Normalizer, Tokenizer};

use crate::error::{Error, Result};
use crate::panics;

/// A text may become so many bytes if its normaliser makes it much longer.
const MAX_NORMALIZED_BYTES: usize = 1 << 28;
/// What a normaliser that writes other characters for some may do to the length.
const USUAL_GROWTH: usize = 16;

/// A tokenizer of the crate `tokenizers`.
#[derive(Debug)]
pub struct Hf {
    name: String,
    tokenizer: Tokenizer,
    growth: usize,
}

impl Hf {
    /// Reads the text of a `tokenizer.json` that makes a text at most `growth` times longer.
    ///
    /// # Errors
    /// [`Error::Tokenizer`] with what the crate says.
    pub fn new(name: &str, json: &str, growth: usize) -> Result<Self> {
        // The caller's threads are enough, and a pool of the crate's own does not survive a fork.
        set_parallelism(false);
        let read = guarded(|| {
            let mut tokenizer: Tokenizer = json.parse()?;
            tokenizer.with_padding(None).with_truncation(None)?;
            if let ModelWrapper::BPE(model) = tokenizer.get_model() {
                let mut model = model.clone();
                model.dropout = None;
                tokenizer.with_model(model);
            }
            match vanishing(&tokenizer)? {
                Some(content) => {
                    Err(format!("its normalizer leaves nothing of the added token {content:?}")
                        .into())
                }
                None => Ok(tokenizer),
            }
        });
        let tokenizer = read.map_err(|reason| Error::broken_tokenizer(name, &reason))?;
        Ok(Self { name: name.into(), tokenizer, growth })
    }

    /// Tokens of `text`, which is encoded as a whole. O(n), and some 100 bytes of memory for each byte.
    ///
    /// # Errors
    /// [`Error::Tokenizer`] if the crate gives no count.
    pub fn count(&self, text: &str) -> Result<usize> {
        Ok(self.encoding(text)?.len())
    }

    /// The ids of the tokens of `text`.
    ///
    /// # Errors
    /// [`Error::Tokenizer`] if the crate gives none.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        Ok(self.encoding(text)?.get_ids().to_vec())
    }

    /// The text of `ids`, special tokens included.
    ///
    /// # Errors
    /// [`Error::Tokenizer`] for an id that there is not, or if the crate gives no text.
    pub fn decode(&self, ids: &[u32]) -> Result<String> {
        if let Some(&id) = ids.iter().find(|&&id| self.tokenizer.id_to_token(id).is_none()) {
            return Err(Error::Tokenizer(format!("token id {id} is not in {}", self.name)));
        }
        let decoded = guarded(|| self.tokenizer.decode(ids, false));
        decoded.map_err(|reason| Error::Tokenizer(format!("{}: {reason}", self.name)))
    }

    fn encoding(&self, text: &str) -> Result<Encoding> {
        let n_bytes = text.len().saturating_mul(self.growth);
        if self.growth > USUAL_GROWTH && n_bytes > MAX_NORMALIZED_BYTES {
            return Err(Error::Tokenizer(format!(
                "{}: its normalizer may make {n_bytes} bytes of a text of {}",
                self.name,
                text.len()
            )));
        }
        let encoded = guarded(|| self.tokenizer.encode_fast(text, false));
        encoded.map_err(|reason| Error::Tokenizer(format!("{}: {reason}", self.name)))
    }
}

/// An added token that would be found in front of every character, without end.
fn vanishing(tokenizer: &Tokenizer) -> tokenizers::Result<Option<String>> {
    let Some(normalizer) = tokenizer.get_normalizer() else { return Ok(None) };
    for token in tokenizer.get_added_tokens_decoder().into_values() {
        let mut text = NormalizedString::from(token.content.as_str());
        normalizer.normalize(&mut text)?;
        if token.normalized && text.is_empty() {
            return Ok(Some(token.content));
        }
    }
    Ok(None)
}

/// Runs `work`; a panic of the crate is an error.
fn guarded<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> std::result::Result<T, String> {
    match panics::caught(work) {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(message) => Err(format!("the crate tokenizers failed: {message}")),
    }
}
