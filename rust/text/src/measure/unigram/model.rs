//! Unigram model: pieces, their scores, and the best way to write a word in them.
//!
//! As the crate `tokenizers` finds it: the best score up to each place, from left to right, the first of two
//! that are equal; sums of 64-bit floats in that order. Which way is best up to a place depends on nothing
//! behind it, so one pass over a text tells the tokens of all its beginnings.
//!
//! A trie of the pieces finds all of those that begin at a place in one walk, so the lattice is never built: each
//! place keeps its best score, where the last piece begins and the tokens up to there: 40 bytes. Unknown
//! characters score 10 less than the worst piece, as in `SentencePiece`, and neighbours of them are one token.

use std::collections::{HashMap, HashSet};

use crate::error::Result;
use crate::measure::trie::Trie;
use crate::pulse::Pulse;

/// What an unknown character scores below the worst piece.
const UNKNOWN_PENALTY: f64 = 10.0;
/// The pulse is felt once for so many places.
const PULSE_PLACES: usize = 1 << 12;
/// A place is compared with pieces of so many bytes at most: no model that was trained has longer ones.
const MAX_PIECE_BYTES: usize = 1 << 10;

/// Pieces with their scores.
#[derive(Clone, Debug)]
pub struct Model {
    pieces: Trie,
    scores: Vec<f64>,
    unk_id: u32,
    unk_score: f64,
    /// The pieces of single bytes, if what is unknown is written in them.
    bytes: Option<Box<[u32; 256]>>,
    /// Bytes of the longest piece.
    max_len: usize,
}

/// The best way to a place in a text.
#[derive(Clone, Copy, Debug)]
struct Node {
    score: f64,
    /// Where its last piece begins; [`NOWHERE`] as long as there is no way.
    start: usize,
    id: u32,
    /// Tokens of the text up to here.
    n_tokens: usize,
    /// If the last piece is unknown, where the unknown ones begin that are one with it.
    run: usize,
}

const NOWHERE: usize = usize::MAX;
const NO_NODE: Node = Node { score: 0.0, start: NOWHERE, id: u32::MAX, n_tokens: 0, run: 0 };

impl Model {
    /// Whether no two of the pieces are equal, none is overlong, and what is unknown is written in bytes all
    /// of which have a piece, if any.
    pub fn is_native(pieces: &[(String, f64)], byte_fallback: bool) -> bool {
        let mut known = HashSet::with_capacity(pieces.len());
        let is_usual = |piece: &str| piece.len() <= MAX_PIECE_BYTES;
        let are_apart =
            pieces.iter().all(|(piece, _)| is_usual(piece) && known.insert(piece.as_str()));
        let n_bytes = (0..=u8::MAX).filter(|&byte| known.contains(&*byte_piece(byte))).count();
        are_apart && !pieces.is_empty() && (!byte_fallback || n_bytes == 0 || n_bytes == 256)
    }

    /// From pieces in the order of their ids; none if they are not native.
    pub fn new(pieces: &[(String, f64)], unk_id: u32, byte_fallback: bool) -> Option<Self> {
        if !Self::is_native(pieces, byte_fallback) {
            return None;
        }
        let numbered: Vec<(&str, u32)> =
            pieces.iter().map(|(piece, _)| piece.as_str()).zip(0..).collect();
        let bytes = if byte_fallback { byte_ids(&numbered) } else { None };
        let worst = pieces
            .iter()
            .map(|(_, score)| *score)
            .fold(f64::INFINITY, |worst, score| if score < worst { score } else { worst });
        let max_len = pieces.iter().map(|(piece, _)| piece.len()).max()?;
        Some(Self {
            pieces: Trie::new([numbered, Vec::new()]),
            scores: pieces.iter().map(|(_, score)| *score).collect(),
            unk_id,
            unk_score: worst - UNKNOWN_PENALTY,
            bytes,
            max_len,
        })
    }

    /// The id of the piece that `text` is.
    fn id(&self, text: &str) -> Option<u32> {
        if text.len() > self.max_len {
            return None;
        }
        let mut place = Trie::FIRST;
        for c in text.chars() {
            place = self.pieces.step(place, c)?;
        }
        self.pieces.id(place)
    }

    /// Tokens of unknown characters that stand together, which may be a piece that scores worse.
    fn n_unknown(&self, text: &str) -> usize {
        if self.bytes.is_none() || self.id(text).is_some() { 1 } else { text.len() }
    }

    fn push_unknown(&self, text: &str, ids: &mut Vec<u32>) {
        match (self.id(text), &self.bytes) {
            (Some(id), _) => ids.push(id),
            (None, Some(bytes)) => ids.extend(text.bytes().map(|byte| bytes[usize::from(byte)])),
            (None, None) => ids.push(self.unk_id),
        }
    }
}

fn byte_piece(byte: u8) -> String {
    format!("<0x{byte:02X}>")
}

/// The pieces `<0x00>` to `<0xFF>`, if all of them are there.
fn byte_ids(pieces: &[(&str, u32)]) -> Option<Box<[u32; 256]>> {
    let found: HashMap<&str, u32> =
        pieces.iter().filter(|(piece, _)| piece.len() == 6).copied().collect();
    let ids: Option<Vec<u32>> =
        (0..=u8::MAX).map(|byte| found.get(&*byte_piece(byte)).copied()).collect();
    ids?.into_boxed_slice().try_into().ok()
}

/// The best ways to all places of a text; kept from text to text for its memory.
#[derive(Clone, Debug, Default)]
pub struct Lattice {
    nodes: Vec<Node>,
}

impl Lattice {
    /// Finds the best ways through `text`, whose words begin with `mark`, if there is one. O(n × longest
    /// piece).
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn run(
        &mut self,
        model: &Model,
        text: &str,
        mark: Option<char>,
        pulse: Pulse<'_>,
    ) -> Result<()> {
        self.nodes.clear();
        self.nodes.resize(text.len() + 1, NO_NODE);
        let (mut word_start, mut word_end) = (0, 0);
        let mut next_pulse = PULSE_PLACES;
        for (at, c) in text.char_indices() {
            if at >= next_pulse {
                pulse()?;
                next_pulse = at + PULSE_PLACES;
            }
            self.finish(model, text, word_start, at);
            if at == word_end {
                word_start = at;
                let first = c.len_utf8();
                let end = mark.and_then(|mark| text[at + first..].find(mark));
                word_end = end.map_or(text.len(), |end| at + first + end);
            }
            let till_here = if at == word_start { 0.0 } else { self.nodes[at].score };
            self.step(model, &text[..word_end], at, c.len_utf8(), till_here);
        }
        self.finish(model, text, word_start, text.len());
        Ok(())
    }

    /// Takes up all pieces that begin at `at`.
    #[inline]
    fn step(&mut self, model: &Model, word: &str, at: usize, len: usize, till_here: f64) {
        let mut has_single = false;
        let mut place = Trie::FIRST;
        for (i, c) in word[at..].char_indices() {
            let Some(next) = model.pieces.step(place, c) else { break };
            place = next;
            if let Some(id) = model.pieces.id(place) {
                let end = at + i + c.len_utf8();
                self.offer(end, at, id, model.scores[id as usize] + till_here);
                has_single |= end == at + len;
            }
        }
        if !has_single {
            self.offer(at + len, at, model.unk_id, model.unk_score + till_here);
        }
    }

    #[inline]
    fn offer(&mut self, end: usize, start: usize, id: u32, score: f64) {
        let node = &mut self.nodes[end];
        if node.start == NOWHERE || score > node.score {
            *node = Node { score, start, id, ..*node };
        }
    }

    /// Counts the tokens of the best way to `at`, which is found.
    #[inline]
    fn finish(&mut self, model: &Model, text: &str, word_start: usize, at: usize) {
        let Node { start, id, .. } = self.nodes[at];
        if start == NOWHERE {
            return;
        }
        let before = self.nodes[start];
        let (n_tokens, run) = if id == model.unk_id {
            let is_joined = start > word_start && before.id == model.unk_id;
            let run = if is_joined { before.run } else { start };
            (self.nodes[run].n_tokens + model.n_unknown(&text[run..at]), run)
        } else {
            (before.n_tokens + 1, at)
        };
        self.nodes[at] = Node { n_tokens, run, ..self.nodes[at] };
    }

    /// Tokens of the text up to `at`, where a code point ends.
    pub fn n_tokens(&self, at: usize) -> usize {
        self.nodes[at].n_tokens
    }

    /// A bound for the tokens of all texts that begin as this one does up to `at`: no way leaps over more
    /// than a piece.
    pub fn least_tokens(&self, model: &Model, at: usize) -> usize {
        let from = (at + 1).saturating_sub(model.max_len);
        let least = |at: usize| {
            let node = &self.nodes[at];
            let may_join = node.id == model.unk_id && node.start != NOWHERE;
            // What is unknown and short may still become one piece with what follows.
            if may_join && at - node.run < model.max_len {
                self.nodes[node.run].n_tokens
            } else {
                node.n_tokens
            }
        };
        let ends = (from..=at).filter(|&at| at == 0 || self.nodes[at].start != NOWHERE);
        ends.map(least).min().unwrap_or_default()
    }

    /// Appends the ids of the tokens of `text`, the one that was run through.
    pub fn ids(&self, model: &Model, text: &str, mark: Option<char>, ids: &mut Vec<u32>) {
        let mut start = 0;
        while start < text.len() {
            let first = text[start..].chars().next().map_or(1, char::len_utf8);
            let end = mark.and_then(|mark| text[start + first..].find(mark));
            let end = end.map_or(text.len(), |end| start + first + end);
            self.word_ids(model, text, start, end, ids);
            start = end;
        }
    }

    fn word_ids(&self, model: &Model, text: &str, start: usize, end: usize, ids: &mut Vec<u32>) {
        let mut ends = Vec::new();
        let mut at = end;
        while at > start {
            ends.push(at);
            let node = &self.nodes[at];
            at = if node.id == model.unk_id { node.run } else { node.start };
        }
        for end in ends.into_iter().rev() {
            let node = &self.nodes[end];
            if node.id == model.unk_id {
                model.push_unknown(&text[node.run..end], ids);
            } else {
                ids.push(node.id);
            }
        }
    }
}
