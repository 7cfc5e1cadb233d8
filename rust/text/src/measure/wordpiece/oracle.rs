//! Oracle of WordPiece: the tokenizer as its definition reads, whole texts, step after step.

use std::collections::HashMap;

use super::chars::{Properties, hangul_letters};
use super::{BertNormalizer, WordPieceParts};
use crate::measure::AddedToken;

/// The ids of `text`.
pub fn encode(parts: &WordPieceParts, text: &str) -> Vec<u32> {
    let vocab: HashMap<&str, u32> = parts.vocab.iter().map(|(t, id)| (t.as_str(), *id)).collect();
    let mut ids = Vec::new();
    for segment in
        split(text, &parts.added_tokens, |token| (!token.normalized).then(|| token.content.clone()))
    {
        let Segment::Text(text) = segment else {
            ids.extend(segment.id());
            continue;
        };
        let text = normalize(parts.normalizer, &text);
        for segment in split(&text, &parts.added_tokens, |token| {
            token.normalized.then(|| normalize(parts.normalizer, &token.content))
        }) {
            match segment {
                Segment::Added(id) => ids.push(id),
                Segment::Text(text) => {
                    for word in words(&text) {
                        ids.extend(word_ids(parts, &vocab, &word));
                    }
                }
            }
        }
    }
    ids
}

enum Segment {
    Text(String),
    Added(u32),
}

impl Segment {
    fn id(&self) -> Option<u32> {
        if let Self::Added(id) = self { Some(*id) } else { None }
    }
}

/// Cuts out the contents of the tokens that have one, the longest at each place.
fn split(
    text: &str,
    tokens: &[AddedToken],
    content: impl Fn(&AddedToken) -> Option<String>,
) -> Vec<Segment> {
    let contents: Vec<(String, u32)> =
        tokens.iter().filter_map(|token| Some((content(token)?, token.id))).collect();
    let (mut segments, mut plain, mut at) = (Vec::new(), String::new(), 0);
    while at < text.len() {
        let found = contents.iter().filter(|(content, _)| text[at..].starts_with(content.as_str()));
        if let Some((content, id)) = found.max_by_key(|(content, _)| content.len()) {
            segments.push(Segment::Text(std::mem::take(&mut plain)));
            segments.push(Segment::Added(*id));
            at += content.len();
        } else {
            let c = text[at..].chars().next().unwrap();
            plain.push(c);
            at += c.len_utf8();
        }
    }
    segments.push(Segment::Text(plain));
    segments
}

fn is(c: char, flag: u8) -> bool {
    Properties::of(c).flags() & flag != 0
}

fn normalize(normalizer: Option<BertNormalizer>, text: &str) -> String {
    let Some(steps) = normalizer else { return text.to_owned() };
    let mut chars: Vec<char> = text.chars().collect();
    if steps.clean_text {
        chars.retain(|&c| !is(c, Properties::CONTROL));
    }
    if steps.handle_chinese_chars {
        let spaced = |c| if is(c, Properties::CHINESE) { vec![' ', c, ' '] } else { vec![c] };
        chars = chars.into_iter().flat_map(spaced).collect();
    }
    if steps.strip_accents.unwrap_or(steps.lowercase) {
        chars = strip_accents(&chars);
    }
    if steps.lowercase {
        let lower = |c| {
            if is(c, Properties::LOWERS) { Properties::of(c).lower().collect() } else { vec![c] }
        };
        chars = chars.into_iter().flat_map(lower).collect();
    }
    chars.into_iter().collect()
}

/// Decomposes, sorts marks, and removes those without width. The table has the last step in the first, so
/// a mark that is removed stays as its combining class: 1 for any, as it is not there to be sorted.
fn strip_accents(chars: &[char]) -> Vec<char> {
    let mut marks: Vec<(u8, Option<char>)> = Vec::new();
    for &c in chars {
        if is(c, Properties::HANGUL) {
            marks.extend(hangul_letters(c).map(|letter| (0, Some(letter))));
        } else if !is(c, Properties::STRIPS) {
            marks.push((Properties::of(c).combining_class(), Some(c)));
        } else if Properties::of(c).stripped().next().is_none() {
            marks.push((u8::from(is(c, Properties::NONSTARTER)), None));
        } else {
            let stripped = Properties::of(c).stripped();
            marks.extend(stripped.map(|c| (Properties::of(c).combining_class(), Some(c))));
        }
    }
    for run in marks.chunk_by_mut(|before, after| before.0 > 0 && after.0 > 0) {
        run.sort_by_key(|(class, _)| *class);
    }
    marks.into_iter().filter_map(|(_, c)| c).collect()
}

fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars() {
        if is(c, Properties::SPACE) {
            words.push(String::new());
        } else if is(c, Properties::PUNCTUATION) {
            words.extend([c.to_string(), String::new()]);
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn word_ids(parts: &WordPieceParts, vocab: &HashMap<&str, u32>, word: &str) -> Vec<u32> {
    let unknown = vec![vocab[parts.unk_token.as_str()]];
    if word.chars().count() > parts.max_input_chars_per_word {
        return unknown;
    }
    let (mut ids, mut rest, mut prefix) = (Vec::new(), word, "");
    while !rest.is_empty() {
        let mut ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
        let known = |end: &usize| vocab.get(format!("{prefix}{}", &rest[..*end]).as_str()).copied();
        let Some((end, id)) = ends.find_map(|end| Some((end, known(&end)?))) else {
            return unknown;
        };
        ids.push(id);
        rest = &rest[end..];
        prefix = &parts.continuing_subword_prefix;
    }
    ids
}
