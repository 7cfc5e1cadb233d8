//! File format of a `tokenizer.json`.
//!
//! A file may have 20 MB, nearly all of it vocabulary. So the model is kept as raw JSON until its type is known,
//! and then parsed once, into borrowed strings, by the reader of that type; everything else is small and kept as
//! values. Ids of added tokens are not those that the file states but those that the library gives them when it
//! loads the file.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::measure::AddedToken;

/// How many times a normaliser may make a text longer.
const MAX_GROWTH: usize = 1 << 12;
/// A model that looks at each part of a word may have words of so many code points.
const MAX_WORD_CHARS: u64 = 1000;

/// A file whose model is still text.
#[derive(Deserialize)]
pub struct File<'a> {
    version: Option<String>,
    #[serde(default)]
    added_tokens: Vec<Added>,
    #[serde(default)]
    pub normalizer: Value,
    #[serde(default)]
    pub pre_tokenizer: Value,
    #[serde(default)]
    pub post_processor: Value,
    #[serde(default)]
    pub decoder: Value,
    #[serde(borrow)]
    pub model: &'a RawValue,
    #[serde(skip)]
    kind: TypeTag,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TypeTag {
    r#type: Option<String>,
    max_input_chars_per_word: Option<u64>,
}

#[derive(Clone, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "the file's own properties")]
struct Added {
    /// Asked for, but not used: see [`File::added_tokens`].
    #[serde(rename = "id")]
    _id: u32,
    content: String,
    single_word: bool,
    lstrip: bool,
    rstrip: bool,
    normalized: bool,
    special: bool,
}

impl<'a> File<'a> {
    /// Reads all but the model.
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse(json: &'a str) -> Result<Self, String> {
        let mut file: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        match file.version.as_deref() {
            None | Some("1.0") => {}
            Some(version) => return Err(format!("unknown version {version:?}")),
        }
        file.kind = file.model()?;
        Ok(file)
    }

    /// The model, as a type of its own.
    ///
    /// # Errors
    /// What is wrong.
    pub fn model<T: Deserialize<'a>>(&self) -> Result<T, String> {
        serde_json::from_str(self.model.get()).map_err(|error| format!("model: {error}"))
    }

    /// The model's type, as the file names it.
    pub fn model_type(&self) -> Option<&str> {
        self.kind.r#type.as_deref()
    }

    /// The added tokens with the ids that they get beside a model of this vocabulary: those of the
    /// model's own tokens of that name, else one after the other.
    pub fn added_tokens(&self, vocab: &HashMap<Cow<'_, str>, u32>) -> Vec<AddedToken> {
        let mut next_id = u32::try_from(vocab.len()).unwrap_or(u32::MAX);
        let mut ids: HashMap<&str, u32> = HashMap::new();
        let mut tokens: Vec<AddedToken> = Vec::new();
        let mut places: HashMap<u32, usize> = HashMap::new();
        for token in self.added_tokens.iter().filter(|token| !token.content.is_empty()) {
            let known = ids.get(&*token.content).or_else(|| vocab.get(&*token.content)).copied();
            let id = known.unwrap_or_else(|| {
                next_id = next_id.saturating_add(1);
                next_id - 1
            });
            ids.insert(&token.content, id);
            // Of two with the same content the later one holds.
            if let Some(&place) = places.get(&id) {
                tokens[place] = token.with_id(id);
            } else {
                places.insert(id, tokens.len());
                tokens.push(token.with_id(id));
            }
        }
        tokens
    }

    /// How many times longer the normaliser may make a text.
    ///
    /// # Errors
    /// If that, or the time that the model takes, is beyond all measure.
    pub fn growth(&self) -> Result<usize, String> {
        if let Some(n) = self.kind.max_input_chars_per_word.filter(|&n| n > MAX_WORD_CHARS) {
            let of = "takes time that grows with the square of a word";
            return Err(format!(
                "max_input_chars_per_word {n} {of}; at most {MAX_WORD_CHARS} are supported"
            ));
        }
        match growth(&self.normalizer) {
            growth if growth > MAX_GROWTH => {
                Err(format!("its normalizer may make a text {growth} times longer"))
            }
            growth => Ok(growth),
        }
    }
}

impl Added {
    fn with_id(&self, id: u32) -> AddedToken {
        let Self { content, single_word, lstrip, rstrip, normalized, special, .. } = self.clone();
        AddedToken { id, content, special, single_word, lstrip, rstrip, normalized }
    }
}

/// A bound for how many bytes a normaliser makes of one, those aside that Unicode's forms make.
fn growth(normalizer: &Value) -> usize {
    let bytes = |key: &str| normalizer[key].as_str().map_or(0, str::len);
    let parts = normalizer["normalizers"].as_array().into_iter().flatten().map(growth);
    // An empty match gives its content beside the character; so does what is put before each part.
    let own = 1 + bytes("content").max(bytes("prepend"));
    parts.fold(own, usize::saturating_mul)
}
