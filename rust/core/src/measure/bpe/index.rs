//! Exact token counts of any span of a text that was encoded once.
//!
//! Counts add up over pre-tokens. A span's own split differs from the text's only near its ends: from
//! its start until it meets a boundary of the text's split, and in the pre-token that its end cuts
//! together with the pre-tokens of whitespace before that. These are encoded anew; in between, the
//! tokens are counted in a bitmap. Inside one long pre-token (base64, unspaced scripts) the same is
//! done with tokens: the span's own tokens join the text's where two neighbours are compatible.

use super::Bpe;
use super::bitmap::Bitmap;
use super::classes::Class;
use super::merge::{compatible, token_starts};
use super::swar;

/// A fragment up to this length is encoded as it is; a longer one joins the text's tokens.
const FRAGMENT_BYTES: usize = 64;

/// The pre-tokens and tokens of one text: 0.28 bytes for each byte of it.
///
/// Every method takes the text again, which must be the one that the index was built from.
#[derive(Clone, Debug)]
pub struct TokenIndex {
    bpe: Bpe,
    /// Where pre-tokens begin.
    pieces: Bitmap,
    /// Where tokens begin.
    tokens: Bitmap,
}

impl TokenIndex {
    pub(super) const fn new(bpe: Bpe, pieces: Bitmap, tokens: Bitmap) -> Self {
        Self { bpe, pieces, tokens }
    }

    /// Tokens of `text[start..end]`, exactly as if it stood alone.
    ///
    /// O(1) but for the pre-token at either end, and O(log n) inside a very long one.
    pub fn count(&self, text: &str, start: usize, end: usize) -> usize {
        let cut = &text[..end];
        let (left, sync) = self.left_fragment(cut, start);
        if sync == end {
            return left;
        }
        let right = self.right_fragment(text, end).max(sync);
        left + self.tokens.rank(right) - self.tokens.rank(sync) + self.encode(cut, right)
    }

    /// The tokens of `cut` from `start` until its split meets the text's, and where that is.
    fn left_fragment(&self, cut: &str, start: usize) -> (usize, usize) {
        let (mut n_tokens, mut at) = (0, start);
        while at < cut.len() && !self.pieces.contains(at) {
            // Out of step, a run of digits meets no boundary before its end: three make a token.
            let groups = (swar::digits_end(cut.as_bytes(), at) - at) / 3;
            n_tokens += groups;
            at += 3 * groups;
            if at < cut.len() && !self.pieces.contains(at) {
                let next = self.fragment_end(cut, at);
                n_tokens += self.count_piece(cut, at, next);
                at = next;
            }
        }
        (n_tokens, at)
    }

    /// The end of the pre-token of `cut` that begins at `at`, inside one of the text's.
    ///
    /// If that is long, what is left of it is one pre-token too, but for a few cases at its ends.
    fn fragment_end(&self, cut: &str, at: usize) -> usize {
        let end = self.pieces.at_or_after(at + 1).unwrap_or(cut.len()).min(cut.len());
        let is_long = end - at > FRAGMENT_BYTES;
        if is_long && self.bpe.pattern.runs_on(cut, at, end) {
            end
        } else {
            self.bpe.pattern.next(cut, at)
        }
    }

    /// Where the text's split ends to hold for a span that ends at `end`.
    fn right_fragment(&self, text: &str, end: usize) -> usize {
        if end == text.len() {
            return end;
        }
        let mut at = self.pieces.at_or_before(end).unwrap_or(0);
        if at == end {
            if !ends_in_space(&text[..end]) {
                return end;
            }
            at = self.piece_before(end);
        }
        // Whitespace at the end of a text is split otherwise than before a word.
        if is_blank_piece(&text[at..end]) {
            while at > 0 {
                let before = self.piece_before(at);
                if !is_blank_piece(&text[before..at]) {
                    break;
                }
                at = before;
            }
        }
        at
    }

    fn piece_before(&self, boundary: usize) -> usize {
        self.pieces.at_or_before(boundary - 1).unwrap_or(0)
    }

    /// Tokens of `cut` from `start` to its end.
    fn encode(&self, cut: &str, start: usize) -> usize {
        let (mut n_tokens, mut at) = (0, start);
        while at < cut.len() {
            let next = self.bpe.pattern.next(cut, at);
            n_tokens += self.count_piece(cut, at, next);
            at = next;
        }
        n_tokens
    }

    /// Tokens of the pre-token `start..end` of a span.
    fn count_piece(&self, text: &str, start: usize, end: usize) -> usize {
        if end - start <= FRAGMENT_BYTES {
            return self.bpe.count_piece(&text.as_bytes()[start..end]);
        }
        let (left, sync) = self.join_left(text, start, end);
        if sync == end {
            return left;
        }
        match self.join_right(text, sync, end) {
            Some((joint, right)) => left + self.tokens.rank(joint) - self.tokens.rank(sync) + right,
            None => self.bpe.count_piece(&text.as_bytes()[start..end]),
        }
    }

    /// The tokens of `start..end` until one begins where one of the text's does and may follow the one
    /// before it; that place lies in the text's pre-token that `end` is in.
    fn join_left(&self, text: &str, start: usize, end: usize) -> (usize, usize) {
        let bytes = text.as_bytes();
        let piece = self.piece_before(end);
        if piece <= start && self.tokens.contains(start) {
            return (0, start);
        }
        let mut window = piece.saturating_sub(start) + FRAGMENT_BYTES;
        loop {
            let stop = end.min(start + window);
            let mut starts = Vec::new();
            token_starts(self.bpe.vocabulary, &bytes[start..stop], &mut starts);
            for (n, pair) in starts.windows(2).enumerate() {
                let (last, joint) = (start + pair[0], start + pair[1]);
                if joint >= piece && self.tokens.contains(joint) {
                    let next = self.tokens.at_or_after(joint + 1).map_or(end, |next| next.min(end));
                    let (left, right) = (&bytes[last..joint], &bytes[joint..next]);
                    if compatible(self.bpe.vocabulary, left, right) {
                        return (n + 1, joint);
                    }
                }
            }
            if stop == end {
                return (starts.len(), end);
            }
            window *= 2;
        }
    }

    /// A start of a token of the text from which on `..end` is encoded anew, and the number of tokens
    /// that gives; none if it would lie before `sync`.
    fn join_right(&self, text: &str, sync: usize, end: usize) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut joint = self.tokens.at_or_before(end.saturating_sub(FRAGMENT_BYTES / 4))?;
        while joint > sync {
            let last = self.tokens.at_or_before(joint - 1)?;
            let mut starts = Vec::new();
            token_starts(self.bpe.vocabulary, &bytes[joint..end], &mut starts);
            let first_end = starts.get(1).map_or(end, |offset| joint + offset);
            if compatible(self.bpe.vocabulary, &bytes[last..joint], &bytes[joint..first_end]) {
                return Some((joint, starts.len()));
            }
            joint = last;
        }
        None
    }

    /// The greatest end for which `text[start..end]` has at most `max_tokens` tokens.
    ///
    /// Counts are not monotone in the end: a longer text may have fewer tokens. O(log n) and a few
    /// span counts.
    pub fn longest(&self, text: &str, start: usize, max_tokens: usize) -> usize {
        if self.count(text, start, text.len()) <= max_tokens {
            return text.len();
        }
        let full = self.first_token_over(text, start, max_tokens);
        let mut best = self.last_fitting(text, start, full, max_tokens);
        // Ends behind the first token too many fit only if another token reaches over its start.
        let mut reach = self.reach(text, start, full);
        let mut end = full;
        while end < reach {
            end = next_char(text, end);
            let n_tokens = self.count(text, start, end);
            if n_tokens <= max_tokens {
                best = end;
                if n_tokens < max_tokens {
                    reach = reach.max(end + self.bpe.vocabulary.reach(&text.as_bytes()[end..]));
                }
            }
        }
        best
    }

    /// A start from which `text[start..end]` has at most `max_tokens` tokens, near the least one:
    /// a boundary of the text's split, if one is near enough. O(log n) and a few span counts.
    pub fn longest_back(&self, text: &str, end: usize, max_tokens: usize) -> usize {
        let n_before = self.tokens.rank(end);
        let Some(n_left_out) = n_before.checked_sub(max_tokens) else { return 0 };
        let mut start = self.tokens.select(n_left_out).unwrap_or(end).min(end);
        start = match self.pieces.at_or_after(start) {
            Some(piece) if piece < end => piece,
            _ => ceil_char(text, start).min(end),
        };
        while start < end && self.count(text, start, end) > max_tokens {
            let next = self.tokens.at_or_after(start + 1).unwrap_or(end);
            start = ceil_char(text, next).min(end);
        }
        start
    }

    /// Where the first token begins that `text[start..]` has too many; there are that many.
    fn first_token_over(&self, text: &str, start: usize, max_tokens: usize) -> usize {
        let (mut n_tokens, mut at) = (0, start);
        while at < text.len() && !self.pieces.contains(at) {
            let next = self.fragment_end(text, at);
            let n_more = self.count_piece(text, at, next);
            if n_tokens + n_more > max_tokens {
                return self.nth_token(text, at, next, max_tokens - n_tokens);
            }
            n_tokens += n_more;
            at = next;
        }
        let over = self.tokens.rank(at) + max_tokens - n_tokens;
        self.tokens.select(over).unwrap_or(text.len())
    }

    /// Where token `n` of the pre-token `start..end` of a span begins; it has more than `n`.
    fn nth_token(&self, text: &str, start: usize, end: usize, n: usize) -> usize {
        let (left, sync) = self.join_left(text, start, end);
        if n >= left {
            return self.tokens.select(self.tokens.rank(sync) + n - left).unwrap_or(end).min(end);
        }
        let mut starts = Vec::new();
        token_starts(self.bpe.vocabulary, &text.as_bytes()[start..sync], &mut starts);
        start + starts.get(n).copied().unwrap_or(0)
    }

    /// The greatest end up to `upto` that fits.
    fn last_fitting(&self, text: &str, start: usize, upto: usize, max_tokens: usize) -> usize {
        let mut end = floor_char(text, upto);
        while end > start && self.count(text, start, end) > max_tokens {
            end = floor_char(text, end - 1);
        }
        end.max(start)
    }

    /// A bound for the ends of tokens that begin before `full` in the span's pre-token there.
    fn reach(&self, text: &str, start: usize, full: usize) -> usize {
        let bytes = text.as_bytes();
        let vocabulary = self.bpe.vocabulary;
        let first = start.max((full + 1).saturating_sub(vocabulary.max_len()));
        let ends = (first..=full).filter(|&at| at < bytes.len());
        let piece_end = self.pieces.at_or_after(full + 1).unwrap_or(bytes.len());
        let bound = if is_blank_piece(&text[floor_char(text, full)..ceil_char(text, piece_end)]) {
            text.len()
        } else {
            piece_end
        };
        ends.map(|at| at + vocabulary.reach(&bytes[at..])).max().unwrap_or(full).min(bound)
    }
}

/// Whether a pre-token, or what is left of one, is whitespace only: a blank alone, or two.
fn is_blank_piece(piece: &str) -> bool {
    let mut first = piece.chars().map(|c| Class::of(c).is_space());
    first.next() == Some(true) && first.next().unwrap_or(true)
}

fn ends_in_space(text: &str) -> bool {
    text.chars().next_back().is_some_and(|c| Class::of(c).is_space())
}

fn floor_char(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn ceil_char(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

fn next_char(text: &str, at: usize) -> usize {
    ceil_char(text, at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Encoder;
    use crate::options::no_pulse;
    use crate::oracle;
    use proptest::prelude::*;

    /// Ordinary text, text of boundary cases, and long runs that make one pre-token.
    fn texts() -> impl Strategy<Value = String> {
        let run = ("[aA漢!/\u{301} \n1🚀]{1,3}", 1_usize..200).prop_map(|(unit, n)| unit.repeat(n));
        let plain = "[a-cA-C'sſ.!/0-9\r\n\t \u{a0}\u{3000}漢é\u{301}🚀]{0,40}";
        prop::collection::vec(prop_oneof![plain.prop_map(String::from), run], 1..4)
            .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn spans_count_as_texts(text in texts(), at in any::<[prop::sample::Index; 2]>(), max in 0_usize..40) {
            let bounds: Vec<usize> =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let [a, b] = at.map(|index| *index.get(&bounds));
            let (start, end) = (a.min(b), a.max(b));
            for name in ["cl100k_base", "o200k_base"] {
                let bpe = Bpe::named(name).unwrap();
                let mut encoder = Encoder::new(bpe);
                let index = encoder.index(&text, no_pulse()).unwrap();
                let expected = encoder.count(&text[start..end], no_pulse()).unwrap();
                prop_assert_eq!(index.count(&text, start, end), expected);
                let count = |part: &str| Encoder::new(bpe).count(part, no_pulse()).unwrap();
                let longest = oracle::longest(&text, start, max, count);
                prop_assert_eq!(index.longest(&text, start, max), longest);
                let back = index.longest_back(&text, end, max);
                prop_assert!(back == end || index.count(&text, back, end) <= max);
            }
        }
    }
}
