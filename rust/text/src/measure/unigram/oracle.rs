//! Oracle of Unigram: the tokenizer as its definition reads, whole texts, step after step.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use super::normalizer::Ends;
use super::{Prepend, Step, UnigramParts};

/// The ids of `text`, which has no added tokens in it.
pub fn encode(parts: &UnigramParts, text: &str) -> Vec<u32> {
    let mut normal = text.to_owned();
    for step in &parts.normalizer {
        let mut next = String::new();
        match step {
            Step::Precompiled(map) => {
                // Cluster by cluster: the map's own shortcuts see nothing but one.
                normal.graphemes(true).for_each(|cluster| map.apply(cluster, &mut next));
            }
            _ => step.apply(&normal, Ends::BOTH, &mut next),
        }
        normal = next;
    }
    words(parts, &normal).iter().flat_map(|word| word_ids(parts, word)).collect()
}

fn words(parts: &UnigramParts, text: &str) -> Vec<String> {
    let mut pieces = vec![text.to_owned()];
    if parts.words.at_whitespace {
        pieces = text.split_whitespace().map(String::from).collect();
    }
    let Some(metaspace) = parts.words.metaspace else { return pieces };
    let mark = metaspace.replacement;
    let mut words = Vec::new();
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        let mut piece = piece.replace(' ', &mark.to_string());
        if metaspace.prepend != Prepend::Never && !piece.starts_with(mark) {
            piece.insert(0, mark);
        }
        if !metaspace.split {
            words.push(piece);
            continue;
        }
        let mut word = String::new();
        for c in piece.chars() {
            if c == mark {
                words.push(std::mem::take(&mut word));
            }
            word.push(c);
        }
        words.push(word);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// For each place the best way to it: its score, the start of its last piece, and the id of that.
type Best = HashMap<usize, (f64, usize, u32)>;

/// As the crate `tokenizers` does it.
fn word_ids(parts: &UnigramParts, word: &str) -> Vec<u32> {
    let known: HashMap<&str, u32> =
        parts.pieces.iter().map(|(piece, _)| piece.as_str()).zip(0..).collect();
    let scores: Vec<f64> = parts.pieces.iter().map(|(_, score)| *score).collect();
    let worst = scores.iter().copied().fold(f64::INFINITY, f64::min) - 10.0;
    let bounds: Vec<usize> = word.char_indices().map(|(i, _)| i).chain([word.len()]).collect();
    let mut best = Best::from([(0, (0.0, 0, u32::MAX))]);
    for (i, &start) in bounds.iter().enumerate() {
        let so_far = best[&start].0;
        let mut offer = |end: usize, id: u32, score: f64| {
            if best.get(&end).is_none_or(|found| score > found.0) {
                best.insert(end, (score, start, id));
            }
        };
        for &end in &bounds[i + 1..] {
            if let Some(&id) = known.get(&word[start..end]) {
                offer(end, id, scores[id as usize] + so_far);
            }
        }
        if let Some(&end) = bounds.get(i + 1).filter(|&&end| !known.contains_key(&word[start..end]))
        {
            offer(end, parts.unk_id, worst + so_far);
        }
    }
    let mut tokens = Vec::new();
    for piece in pieces_on(&best, parts, word) {
        let byte = |byte: u8| known.get(format!("<0x{byte:02X}>").as_str()).copied();
        match known.get(piece.as_str()) {
            Some(&id) => tokens.push(id),
            None if parts.byte_fallback => tokens.extend(piece.bytes().filter_map(byte)),
            None => tokens.push(parts.unk_id),
        }
    }
    tokens
}

/// The pieces on the best way through a word, neighbouring unknown ones as one.
fn pieces_on(best: &Best, parts: &UnigramParts, word: &str) -> Vec<String> {
    let (mut pieces, mut unknown, mut end) = (Vec::new(), String::new(), word.len());
    while end > 0 {
        let (_, start, id) = best[&end];
        if id == parts.unk_id {
            unknown.insert_str(0, &word[start..end]);
        } else {
            if !unknown.is_empty() {
                pieces.push(std::mem::take(&mut unknown));
            }
            pieces.push(word[start..end].to_owned());
        }
        end = start;
    }
    if !unknown.is_empty() {
        pieces.push(unknown);
    }
    pieces.reverse();
    pieces
}
