//! Conversion of merges, which are pairs of tokens, to ranks, which are those of their bytes.
//!
//! A `tokenizer.json` lists the pairs that are joined, the earlier ones first; the native encoder joins
//! whatever two neighbours make a token of lower rank. Both give the same tokens if each token's last
//! joint, when its bytes are encoded by themselves, is one of its listed pairs, and if these pairs are
//! listed in the order of the ranks: whatever stands beside a token's bytes, they are joined as they
//! are by themselves, since nothing is joined over their ends before they are one token; so just
//! before that they are two tokens, and always the same two. This is checked for every token.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use crate::measure::bpe::last_joints;

/// The model as the file has it; tokens are written in an alphabet of one character for each byte.
#[derive(Deserialize)]
pub struct BpeModel<'a> {
    #[serde(borrow)]
    pub vocab: HashMap<Cow<'a, str>, u32>,
    #[serde(borrow)]
    pub merges: Vec<Merge<'a>>,
    #[serde(default)]
    pub ignore_merges: bool,
    #[serde(default)]
    pub dropout: Option<f64>,
    #[serde(default)]
    pub continuing_subword_prefix: Option<String>,
    #[serde(default)]
    pub end_of_word_suffix: Option<String>,
}

/// Two tokens that are joined: as a pair, or in one string with a blank between them.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Merge<'a> {
    Pair(#[serde(borrow)] Cow<'a, str>, #[serde(borrow)] Cow<'a, str>),
    Line(#[serde(borrow)] Cow<'a, str>),
}

impl Merge<'_> {
    /// The two tokens, if they are two.
    pub fn pair(&self) -> Option<(&str, &str)> {
        match self {
            Self::Pair(left, right) => Some((left, right)),
            Self::Line(line) => line.split_once(' ').filter(|(_, right)| !right.contains(' ')),
        }
    }
}

/// Tokens in the order of their ranks.
pub struct Ranked {
    /// Bytes and id of each token.
    pub tokens: Vec<(Vec<u8>, u32)>,
    /// Tokens that no text is encoded to.
    pub others: Vec<(u32, Vec<u8>)>,
}

/// The ranks of a model's tokens; none if its merges are not those of ranks, or an id is there twice.
///
/// # Errors
/// What is wrong with the merges.
pub fn ranked(model: &BpeModel<'_>) -> Result<Option<Ranked>, String> {
    let places = places(model)?;
    let Some((mut tokens, others)) = in_order(model, &places) else { return Ok(None) };
    let bytes: Vec<&[u8]> = tokens.iter().map(|(bytes, _)| &bytes[..]).collect();
    let Some(joints) = last_joints(&bytes) else { return Ok(None) };
    let ids: HashMap<&[u8], u32> = tokens.iter().map(|(bytes, id)| (&bytes[..], *id)).collect();
    let mut last = 0;
    for (bytes, joint) in bytes.iter().zip(&joints) {
        let Some(joint) = *joint else { continue };
        let (left, right) = bytes.split_at(joint);
        let pair = ids.get(left).zip(ids.get(right)).map(|(&left, &right)| (left, right));
        match pair.and_then(|pair| places.of_pair.get(&pair)) {
            Some(&place) if place >= last => last = place,
            _ => return Ok(None),
        }
    }
    let mut others = others;
    if !model.ignore_merges {
        // What is never joined must not be found as a whole either.
        let mut joints = joints.iter();
        tokens.retain(|(bytes, id)| {
            let is_made = joints.next().is_some_and(Option::is_some) || bytes.len() == 1;
            if !is_made {
                others.push((*id, bytes.clone()));
            }
            is_made
        });
    }
    Ok(Some(Ranked { tokens, others }))
}

/// Where in the list of merges things stand.
struct Places {
    /// The place of each pair of ids, the last one if it is there twice.
    of_pair: HashMap<(u32, u32), usize>,
    /// The first place at which the token of an id is made.
    of_token: HashMap<u32, usize>,
}

fn places(model: &BpeModel<'_>) -> Result<Places, String> {
    let id = |token: &str| {
        let known = model.vocab.get(token).copied();
        known.ok_or_else(|| {
            format!("model: a merge has the token {token:?}, which the vocabulary lacks")
        })
    };
    let mut of_pair = HashMap::with_capacity(model.merges.len());
    let mut made = Vec::with_capacity(model.merges.len());
    for (place, merge) in model.merges.iter().enumerate() {
        let pair = merge.pair();
        let (left, right) =
            pair.ok_or_else(|| format!("model: merge {place} is not two tokens"))?;
        let ids = (id(left)?, id(right)?);
        made.push((id(&[left, right].concat())?, ids));
        of_pair.insert(ids, place);
    }
    let mut of_token = HashMap::with_capacity(made.len());
    for (token, pair) in made {
        let place: &mut usize = of_token.entry(token).or_insert(usize::MAX);
        *place = (*place).min(of_pair[&pair]);
    }
    Ok(Places { of_pair, of_token })
}

type Tokens = (Vec<(Vec<u8>, u32)>, Vec<(u32, Vec<u8>)>);

/// The tokens of one byte, those that merges make, and with `ignore_merges` all others, which are found
/// as wholes; and the rest. None if two have one id.
fn in_order(model: &BpeModel<'_>, places: &Places) -> Option<Tokens> {
    let alphabet = alphabet();
    let (mut tokens, mut others) = (Vec::with_capacity(model.vocab.len()), Vec::new());
    let mut ids: Vec<u32> = model.vocab.values().copied().collect();
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    for (token, &id) in &model.vocab {
        let bytes: Option<Vec<u8>> = token.chars().map(|c| alphabet.get(&c).copied()).collect();
        let place = places.of_token.get(&id).copied();
        match bytes {
            Some(bytes) if bytes.len() == 1 => tokens.push(((0, id), bytes)),
            Some(bytes) if place.is_some() || model.ignore_merges => {
                tokens.push(((place.unwrap_or(usize::MAX - 1) + 1, id), bytes));
            }
            bytes => others.push((id, bytes.unwrap_or_else(|| token.as_bytes().to_vec()))),
        }
    }
    tokens.sort_unstable();
    Some((tokens.into_iter().map(|((_, id), bytes)| (bytes, id)).collect(), others))
}

/// The byte that each character stands for: itself if it can be seen, else one from U+0100 on.
fn alphabet() -> HashMap<char, u8> {
    let is_seen = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..);
    let (seen, unseen): (Vec<u8>, Vec<u8>) = (0..=u8::MAX).partition(is_seen);
    let seen = seen.into_iter().map(|byte| (char::from(byte), byte));
    seen.chain(('\u{100}'..).zip(unseen)).collect()
}
