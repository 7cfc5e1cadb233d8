//! Reach of so many tokens from a place in an indexed text, ahead and back.
//!
//! Counts are not monotone in the end: a longer text may have fewer tokens. So the ends behind the
//! first token too many are tried too, as far as another token could reach over its start: an encoding
//! is a chain of tokens, and one that ends behind that place either has a token there or one over it.

use super::index::{TokenIndex, is_blank_piece};
use super::merge::Memo;
use super::vocabulary::NO_RANK;
use crate::unicode::classes::Class;

/// So many tokens before the first one too many are tried as joints.
const JOINTS: usize = 8;

/// The pre-token of a span in which the span runs out of tokens.
struct Edge {
    /// Where it begins.
    start: usize,
    /// Tokens of the span before the first of `near`.
    n_before: usize,
    /// Where the last tokens begin; the last of them is the first too many.
    near: Vec<usize>,
}

impl Edge {
    /// From the starts of the pre-token's tokens, `n_before` tokens being before it.
    fn new(starts: &[usize], n_before: usize) -> Self {
        let skipped = starts.len().saturating_sub(JOINTS);
        let start = starts.first().copied().unwrap_or_default();
        Self { start, n_before: n_before + skipped, near: starts[skipped..].to_vec() }
    }

    /// Where the first token too many begins.
    fn full(&self) -> usize {
        self.near.last().copied().unwrap_or(self.start)
    }
}

/// Whether the last pre-token of a span may begin before `piece`: whitespace makes one with that before.
fn joins_before(before: &str, piece: &str) -> bool {
    let before = before.chars().next_back();
    before.is_some_and(|c| Class::of(c).is_space()) && is_blank_piece(piece)
}

impl TokenIndex {
    /// The greatest end for which `text[start..end]` has at most `max_tokens` tokens.
    ///
    /// O(log n) and a few span counts; inside a long run that is out of step with the text's own
    /// tokens, O(`max_tokens`). `memo` may be new, or one that served the same index before.
    pub fn longest(&self, text: &str, start: usize, max_tokens: usize, memo: &mut Memo) -> usize {
        let may_fit = (text.len() - start).div_ceil(self.bpe.vocabulary.max_len()) <= max_tokens;
        if may_fit && self.count(text, start, text.len(), memo) <= max_tokens {
            return text.len();
        }
        let Some(edge) = self.edge(text, start, max_tokens, memo) else { return text.len() };
        let full = edge.full();
        let mut best = text.floor_char_boundary(full);
        while best > start && self.count_near(text, start, best, &edge, memo) > max_tokens {
            best = text.floor_char_boundary(best - 1);
        }
        let (mut end, mut reach) = (full, self.reach(text, start, full));
        while end < reach {
            end = text.ceil_char_boundary(end + 1);
            let n_tokens = self.count_near(text, start, end, &edge, memo);
            if n_tokens <= max_tokens {
                best = end;
                let longer = end + self.bpe.vocabulary.reach(&text.as_bytes()[end..]);
                reach = if n_tokens < max_tokens { reach.max(longer) } else { reach };
            }
        }
        best.max(start)
    }

    /// Where `text[start..]` runs out of `max_tokens` tokens; none if it does not.
    fn edge(&self, text: &str, start: usize, max_tokens: usize, memo: &mut Memo) -> Option<Edge> {
        let (mut n_tokens, mut at) = (0, start);
        while at < text.len() && !self.pieces.contains(at) {
            let end = self.fragment_end(text, at, memo);
            match self.fragment(text, [at, end], n_tokens, max_tokens, memo) {
                Ok(edge) => return Some(edge),
                Err(n_more) => n_tokens += n_more,
            }
            at = end;
        }
        let full = self.tokens.select(self.tokens.rank(at) + max_tokens - n_tokens)?;
        let start = self.pieces.at_or_before(full).unwrap_or(at).max(at);
        Some(self.edge_of_text(start, start, full, max_tokens))
    }

    /// The edge in the pre-token at `start`, whose tokens are the text's from `sync` on; token `full` is
    /// the first too many.
    fn edge_of_text(&self, start: usize, sync: usize, full: usize, max_tokens: usize) -> Edge {
        let before = |&token: &usize| self.tokens.at_or_before(token.checked_sub(1)?);
        let back = std::iter::successors(Some(full), before);
        let mut near: Vec<usize> = back.take_while(|&token| token >= sync).take(JOINTS).collect();
        near.reverse();
        Edge { start, n_before: max_tokens + 1 - near.len(), near }
    }

    /// The edge if it lies in the fragment `at..end` of a pre-token, else the fragment's tokens.
    fn fragment(
        &self,
        text: &str,
        [at, end]: [usize; 2],
        n_before: usize,
        max_tokens: usize,
        memo: &mut Memo,
    ) -> Result<Edge, usize> {
        let n_left = max_tokens - n_before;
        let join = self.join_left(text, at, end, n_left, memo);
        if n_left < join.starts.len() - usize::from(join.joined) {
            return Ok(Edge::new(&join.starts[..=n_left], n_before));
        }
        if !join.joined {
            return Err(join.starts.len());
        }
        let n_joined = join.starts.len() - 1;
        let sync = join.starts[n_joined];
        let full = self.tokens.select(self.tokens.rank(sync) + n_left - n_joined);
        match full.filter(|&full| full < end) {
            Some(full) => Ok(self.edge_of_text(at, sync, full, max_tokens)),
            None => Err(n_joined + self.tokens.rank(end) - self.tokens.rank(sync)),
        }
    }

    /// Tokens of `text[start..end]`, whose end is near the edge; if they are too many, perhaps fewer.
    fn count_near(
        &self,
        text: &str,
        start: usize,
        end: usize,
        edge: &Edge,
        memo: &mut Memo,
    ) -> usize {
        let bytes = text.as_bytes();
        if self.ends_in_edge(text, start, end, edge, memo) {
            if edge.full() == edge.start {
                return edge.n_before + 1;
            }
            if self.is_found_only(&bytes[edge.start..end]) {
                return self.count(text, start, end, memo);
            }
            for (n, pair) in edge.near.windows(2).enumerate().rev() {
                let (last, joint) = (pair[0], pair[1]);
                if joint >= end {
                    continue;
                }
                let starts = memo.token_starts(&self.bpe.vocabulary, &bytes[joint..end]);
                let (n_more, next) = (starts.len(), starts.get(1).map_or(end, |at| joint + at));
                let (left, right) = (&bytes[last..joint], &bytes[joint..next]);
                if memo.compatible(&self.bpe.vocabulary, left, right) {
                    return edge.n_before + n + 1 + n_more;
                }
            }
        }
        self.count(text, start, end, memo)
    }

    /// Whether a pre-token is a token that its bytes may not be merged to: it is no chain of tokens.
    fn is_found_only(&self, piece: &[u8]) -> bool {
        let vocabulary = &self.bpe.vocabulary;
        vocabulary.may_have_unmade() && vocabulary.rank(piece) != NO_RANK
    }

    /// Whether the edge's pre-token, cut off at `end`, is surely a pre-token of the span still.
    fn ends_in_edge(
        &self,
        text: &str,
        start: usize,
        end: usize,
        edge: &Edge,
        memo: &mut Memo,
    ) -> bool {
        let piece_end = self.pieces.at_or_after(edge.start + 1).unwrap_or(text.len());
        let is_inside = edge.start < end && end <= piece_end;
        is_inside
            && !joins_before(&text[start..edge.start], &text[edge.start..end])
            && self.fragment_end(&text[..end], edge.start, memo) == end
    }

    /// A bound for the ends of tokens that begin up to `full` and end behind it.
    fn reach(&self, text: &str, start: usize, full: usize) -> usize {
        let (bytes, vocabulary) = (text.as_bytes(), &self.bpe.vocabulary);
        let first = start.max((full + 1).saturating_sub(vocabulary.max_len()));
        let piece_end = self.pieces.at_or_after(full + 1).unwrap_or(bytes.len());
        let rest = &text[text.floor_char_boundary(full)..text.ceil_char_boundary(piece_end)];
        // Whitespace may be split otherwise at the end of a text than within it.
        let bound = if is_blank_piece(rest) { text.len() } else { piece_end };
        let (reach_of, mut reach) = (vocabulary.reaches(), full.min(bound));
        for at in (first..=full).rev().filter(|&at| at < bytes.len()) {
            // The first one looked at mostly reaches as far as any can.
            if reach == bound {
                break;
            }
            reach = reach.max(at + reach_of(&bytes[at..])).min(bound);
        }
        reach
    }

    /// A start from which `text[start..end]` has at most `max_tokens` tokens, near the least one:
    /// a boundary of the text's split, if one is near enough. O(log n) and a few span counts.
    ///
    /// `memo` may be new, or one that served the same index before.
    pub fn longest_back(
        &self,
        text: &str,
        end: usize,
        max_tokens: usize,
        memo: &mut Memo,
    ) -> usize {
        let mut start = match self.tokens.rank(end).checked_sub(max_tokens) {
            Some(n_left_out) => self.tokens.select(n_left_out).unwrap_or(end).min(end),
            None => 0,
        };
        start = match self.pieces.at_or_after(start) {
            Some(piece) if piece < end => piece,
            _ => text.ceil_char_boundary(start).min(end),
        };
        while start < end && self.count(text, start, end, memo) > max_tokens {
            let next = self.tokens.at_or_after(start + 1).unwrap_or(end);
            start = text.ceil_char_boundary(next).min(end);
        }
        start
    }
}
