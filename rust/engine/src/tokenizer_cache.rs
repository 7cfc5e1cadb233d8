//! Cache of the tokenizers of `tokenizer.json` files, each parsed once.

use std::sync::Mutex;

use chunkwright_text::error::Result;
use chunkwright_text::measure::tokenizer_json::{Foreign, Model, Specials, TokenizerJson};
use sha2::{Digest, Sha256};

use crate::pool::locked;
use crate::unit::Unit;

/// So many are kept, the ones used last.
const MAX_KEPT: usize = 16;

/// A parsed file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What it counts in, or what is known of a tokenizer that is not counted natively.
    pub unit: std::result::Result<Unit, Foreign>,
    /// The special tokens around a text; none if they depend on it.
    pub specials: Option<Specials>,
}

/// SHA-256 of the name and the content.
type Key = [u8; 32];

/// The tokenizers of this process by what they were made of: parsing a large one takes a second.
static KEPT: Mutex<Vec<(Key, Parsed)>> = Mutex::new(Vec::new());

/// The tokenizer of the text of a `tokenizer.json`, which errors call `name`.
///
/// # Errors
/// If the file is broken.
pub fn parsed(name: &str, json: &str) -> Result<Parsed> {
    let key: Key =
        Sha256::new().chain_update(name).chain_update("\0").chain_update(json).finalize().into();
    if let Some(parsed) = kept(&key) {
        return Ok(parsed);
    }
    let TokenizerJson { model, specials } = TokenizerJson::parse(name, json)?;
    let unit = match model {
        Model::Foreign(foreign) => Err(foreign),
        model => Unit::of_model(model).ok_or(Foreign { growth: 1 }),
    };
    let parsed = Parsed { unit, specials };
    keep(key, parsed.clone());
    Ok(parsed)
}

/// The one that is kept under `key`, which now is the one used last.
fn kept(key: &Key) -> Option<Parsed> {
    let mut all = locked(&KEPT)?;
    let at = all.iter().position(|(other, _)| other == key)?;
    all[at..].rotate_left(1);
    all.last().map(|(_, parsed)| parsed.clone())
}

fn keep(key: Key, parsed: Parsed) {
    let Some(mut all) = locked(&KEPT) else { return };
    if all.len() == MAX_KEPT {
        all.remove(0);
    }
    all.push((key, parsed));
}
