//! Token index: exact BPE token counts of any span of a text that was encoded once.
//!
//! Counts add up over pre-tokens. A span's own split differs from the text's only near its ends: from
//! its start until it meets a boundary of the text's split, and in the pre-token that its end cuts
//! together with the pre-tokens of whitespace before that. These are encoded anew; in between, the
//! tokens are counted in a bitmap. Inside one long pre-token (base64, unspaced scripts) the same is
//! done with tokens: the span's own tokens join the text's where two neighbours are compatible.
//!
//! ```text
//! text     … One| sentence|.| And| one| more|. …     the text's split
//! span          n| sentence|.| And| on                  its own
//!               ^                     ^^                encoded anew, the rest is counted in the bitmap
//! ```

use super::Bpe;
use super::bitmap::Bitmap;
use super::key::Key;
use super::merge::{Memo, Windows};
use super::scan::class_at;
use super::swar;
use super::vocabulary::NO_RANK;
use crate::unicode::classes::Class;

/// A fragment up to this length is encoded as it is; a longer one joins the text's tokens.
const FRAGMENT_BYTES: usize = 64;
/// So many of the last tokens before a window are looked at again with it.
const JOINTS: usize = 8;

/// The pre-tokens and tokens of one text: 0.28 bytes for each byte of it.
///
/// Every method takes the text again, which must be the one that the index was built from.
#[derive(Clone, Debug)]
pub struct TokenIndex {
    pub(super) bpe: Bpe,
    /// Where pre-tokens begin.
    pub(super) pieces: Bitmap,
    /// Where tokens begin.
    pub(super) tokens: Bitmap,
}

impl TokenIndex {
    pub(super) const fn new(bpe: Bpe, pieces: Bitmap, tokens: Bitmap) -> Self {
        Self { bpe, pieces, tokens }
    }

    /// Tokens of `text[start..end]`, exactly as if it stood alone.
    ///
    /// O(1) but for the pre-token at either end, and O(log n) inside a very long one. `memo` may be
    /// new, or one that served the same index before.
    pub fn count(&self, text: &str, start: usize, end: usize, memo: &mut Memo) -> usize {
        // A line end of several bytes is as many signs where lines are told apart, of which a span may hold some.
        let cut = &text[..text.floor_char_boundary(end)];
        let (start, end) = (text.ceil_char_boundary(start).min(cut.len()), cut.len());
        let (left, sync) = self.left_fragment(cut, start, memo);
        if sync == end {
            return left;
        }
        let right = self.right_fragment(text, end).max(sync);
        left + self.tokens.rank(right) - self.tokens.rank(sync) + self.encode(cut, right, memo)
    }

    /// The tokens of `cut` from `start` until its split meets the text's, and where that is.
    fn left_fragment(&self, cut: &str, start: usize, memo: &mut Memo) -> (usize, usize) {
        let (mut n_tokens, mut at) = (0, start);
        while at < cut.len() && !self.pieces.contains(at) {
            if self.bpe.pattern.groups_digits() && self.bpe.vocabulary.has_all_numbers() {
                // Out of step, a run of digits meets no boundary before its end: three make a token.
                let groups = (swar::digits_end(cut.as_bytes(), at) - at) / 3;
                n_tokens += groups;
                at += 3 * groups;
            }
            if at < cut.len() && !self.pieces.contains(at) {
                let next = self.fragment_end(cut, at, memo);
                n_tokens += self.count_piece(cut, at, next, memo);
                at = next;
            }
        }
        (n_tokens, at)
    }

    /// The end of the pre-token of `cut` that begins at `at`, inside one of the text's.
    ///
    /// If that is long, what is left of it is one pre-token too, but for a few cases at its ends. Where that is not
    /// known, `memo` keeps the end that characters of one class have in common, so that a run of them is scanned
    /// once.
    pub(super) fn fragment_end(&self, cut: &str, at: usize, memo: &mut Memo) -> usize {
        let pattern = self.bpe.pattern;
        let end = self.pieces.at_or_after(at + 1).unwrap_or(cut.len()).min(cut.len());
        if end - at <= FRAGMENT_BYTES {
            return pattern.next(cut, at);
        }
        let in_word = || pattern.is_word(cut, self.pieces.at_or_before(at).unwrap_or(0));
        let within = pattern.end_within(cut, at, end, in_word, &mut memo.run);
        let known = within.or_else(|| self.end_of_lines(cut, at, end));
        known.unwrap_or_else(|| memo.run.end(cut, at, || pattern.next(cut, at)))
    }

    /// The end of the pre-token of `cut` at `at`, if that is whitespace of which the text's own pre-token ends
    /// at `end`, behind a newline and before more whitespace.
    ///
    /// It reaches to the last newline of the whole run: to `end`, unless the text's next pre-token ends in one.
    fn end_of_lines(&self, cut: &str, at: usize, end: usize) -> Option<usize> {
        let is_blank = |at: usize| class_at(cut, at).is_some_and(|(class, _)| class.is_space());
        let bytes = cut.as_bytes();
        let is_newline = |end: usize| matches!(bytes[end - 1], b'\n' | b'\r');
        let (first, second) = class_at(cut, at)?;
        let is_within = first.is_space() && is_blank(second) && is_newline(end) && is_blank(end);
        if !is_within || !self.bpe.pattern.ends_lines(&bytes[at..end]) {
            return None;
        }
        let behind = self.pieces.at_or_after(end + 1).unwrap_or(cut.len());
        let is_more = behind < cut.len() && is_blank_piece(&cut[end..behind]);
        let found = if is_more && is_newline(behind) { behind } else { end };
        (!is_newline(end + 1) || found > end).then_some(())?;
        self.is_followed(cut, found).then_some(found)
    }

    /// Whether the whitespace that goes on at `at`, without newlines, ends before `cut` does.
    fn is_followed(&self, cut: &str, at: usize) -> bool {
        let mut at = at;
        // Blanks, of which the last one may belong to the pre-token behind.
        for _ in 0..3 {
            let Some((class, next)) = class_at(cut, at) else { return false };
            let Some((behind, _)) = class_at(cut, next) else { return !class.is_space() };
            if !class.is_space() || !behind.is_space() {
                return true;
            }
            at = self.pieces.at_or_after(next).map_or(cut.len(), |end| end.min(cut.len()));
        }
        false
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

    pub(super) fn piece_before(&self, boundary: usize) -> usize {
        self.pieces.at_or_before(boundary - 1).unwrap_or(0)
    }

    /// Tokens of `cut` from `start` to its end.
    fn encode(&self, cut: &str, start: usize, memo: &mut Memo) -> usize {
        let (mut n_tokens, mut at) = (0, start);
        while at < cut.len() {
            let next = self.bpe.pattern.next(cut, at);
            n_tokens += self.count_piece(cut, at, next, memo);
            at = next;
        }
        n_tokens
    }

    /// Tokens of the pre-token `start..end` of a span.
    fn count_piece(&self, text: &str, start: usize, end: usize, memo: &mut Memo) -> usize {
        let piece = &text.as_bytes()[start..end];
        if piece.len() <= Key::MAX_LEN {
            return self.bpe.count_piece(piece);
        }
        if piece.len() <= FRAGMENT_BYTES {
            return memo.token_starts(&self.bpe.vocabulary, piece).len();
        }
        let Join { starts, joined } = self.join_left(text, start, end, usize::MAX, memo);
        if !joined {
            return starts.len();
        }
        let left = starts.len() - 1;
        let sync = starts[left];
        match self.join_right(text, sync, end, memo) {
            Some((joint, right)) => left + self.tokens.rank(joint) - self.tokens.rank(sync) + right,
            None => self.bpe.count_piece(piece),
        }
    }

    /// Encodes `start..end` until a token begins where one of the text's does and may follow the one
    /// before it, or until there are more than `max_tokens`.
    ///
    /// Only places in the text's pre-token that `end` is in will do.
    pub(super) fn join_left(
        &self,
        text: &str,
        start: usize,
        end: usize,
        max_tokens: usize,
        memo: &mut Memo,
    ) -> Join {
        let bytes = text.as_bytes();
        let piece = self.piece_before(end);
        // Also if its bytes are never merged to that token, which is found as a whole only.
        if self.bpe.vocabulary.rank(&bytes[start..end]) != NO_RANK {
            return Join { starts: vec![start], joined: false };
        }
        if piece <= start && self.tokens.contains(start) {
            return Join { starts: vec![start], joined: true };
        }
        let window = piece.saturating_sub(start) + FRAGMENT_BYTES;
        let mut windows = Windows::new(&self.bpe.vocabulary, &bytes[start..end], window);
        let mut n_checked = 0;
        loop {
            let is_more = windows.step(memo);
            let starts = &windows.starts;
            let pairs = starts.windows(2).skip(n_checked);
            let joint = pairs
                .map(|pair| [start + pair[0], start + pair[1]])
                .position(|pair| self.joins(bytes, piece, end, pair, memo));
            let joined = joint.is_some();
            if joined || !is_more || starts.len() > max_tokens.saturating_add(1) {
                let n = joint.map_or(starts.len(), |n| n_checked + n + 2);
                let starts = starts[..n].iter().map(|token| start + token).collect();
                return Join { starts, joined };
            }
            // The next window may take some of the last tokens back.
            n_checked = starts.len().saturating_sub(JOINTS);
        }
    }

    /// Whether a token of the text begins where the second of two tokens does, and may follow the first.
    fn joins(
        &self,
        bytes: &[u8],
        piece: usize,
        end: usize,
        pair: [usize; 2],
        memo: &mut Memo,
    ) -> bool {
        let [last, joint] = pair;
        joint >= piece && self.tokens.contains(joint) && {
            let next = self.tokens.at_or_after(joint + 1).map_or(end, |next| next.min(end));
            memo.compatible(&self.bpe.vocabulary, &bytes[last..joint], &bytes[joint..next])
        }
    }

    /// A start of a token of the text from which on `..end` is encoded anew, and the number of tokens
    /// that gives; none if it would lie before `sync`.
    fn join_right(
        &self,
        text: &str,
        sync: usize,
        end: usize,
        memo: &mut Memo,
    ) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut joint = self.tokens.at_or_before(end.saturating_sub(FRAGMENT_BYTES / 4))?;
        while joint > sync {
            let last = self.tokens.at_or_before(joint - 1)?;
            let starts = memo.token_starts(&self.bpe.vocabulary, &bytes[joint..end]);
            let (n_tokens, first_end) = (starts.len(), starts.get(1).map_or(end, |at| joint + at));
            let (left, right) = (&bytes[last..joint], &bytes[joint..first_end]);
            if memo.compatible(&self.bpe.vocabulary, left, right) {
                return Some((joint, n_tokens));
            }
            joint = last;
        }
        None
    }
}

/// The first tokens of a fragment.
pub(super) struct Join {
    /// Where they begin.
    pub starts: Vec<usize>,
    /// Whether the last of them is one of the text's, as are those that follow it.
    pub joined: bool,
}

/// Whether a pre-token, or what is left of one, is whitespace only: a blank alone, or two.
pub(super) fn is_blank_piece(piece: &str) -> bool {
    let mut first = piece.chars().map(|c| Class::of(c).is_space());
    first.next() == Some(true) && first.next().unwrap_or(true)
}

fn ends_in_space(text: &str) -> bool {
    text.chars().next_back().is_some_and(|c| Class::of(c).is_space())
}

#[cfg(test)]
mod tests {
    use super::super::samples::vocabularies;
    use crate::measure::{Encoder, Memo};
    use crate::oracle;
    use crate::pulse::no_pulse;
    use proptest::prelude::*;

    /// Ordinary text, text of boundary cases, and long runs that make one pre-token.
    fn texts() -> impl Strategy<Value = String> {
        let run = ("[aAǅ漢ʰि!/\u{301}\u{20dd} \n1🚀]{1,3}", 1_usize..200);
        let run = run.prop_map(|(unit, n)| unit.repeat(n));
        let plain = "[a-cA-C'slLvreſ.!/0-9\r\n\t \u{a0}\u{3000}漢é\u{301}🚀]{0,40}";
        prop::collection::vec(prop_oneof![plain.prop_map(String::from), run], 1..4)
            .prop_map(|parts| parts.concat())
    }

    #[test]
    fn newlines_behind_punctuation_end_with_the_line() {
        let text = format!("!{}  \n x", "\n".repeat(100));
        for bpe in vocabularies() {
            let mut encoder = Encoder::new(bpe);
            let index = encoder.index(&text, no_pulse()).unwrap();
            for start in 0..text.len() {
                let expected = encoder.count(&text[start..], no_pulse()).unwrap();
                assert_eq!(index.count(&text, start, text.len(), &mut Memo::default()), expected);
            }
        }
    }

    #[test]
    fn a_part_of_a_contraction_is_no_part_of_the_word() {
        let text = format!("{}'ll", "a".repeat(200));
        for bpe in vocabularies() {
            let mut encoder = Encoder::new(bpe);
            let index = encoder.index(&text, no_pulse()).unwrap();
            for end in 200..=text.len() {
                let expected = encoder.count(&text[1..end], no_pulse()).unwrap();
                assert_eq!(index.count(&text, 1, end, &mut Memo::default()), expected);
            }
        }
    }

    proptest! {
        #[test]
        fn spans_count_as_texts(text in texts(), at in any::<[prop::sample::Index; 2]>(), max in 0_usize..40, bpe in prop::sample::select(vocabularies())) {
            let bounds: Vec<usize> =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let [a, b] = at.map(|index| *index.get(&bounds));
            let (start, end) = (a.min(b), a.max(b));
            let mut encoder = Encoder::new(bpe.clone());
            let index = encoder.index(&text, no_pulse()).unwrap();
            let expected = encoder.count(&text[start..end], no_pulse()).unwrap();
            let memo = &mut Memo::default();
            prop_assert_eq!(index.count(&text, start, end, memo), expected, "{:?}", bpe.pattern);
            let count = |part: &str| Encoder::new(bpe.clone()).count(part, no_pulse()).unwrap();
            let longest = oracle::longest(&text, start, max, count);
            prop_assert_eq!(index.longest(&text, start, max, memo), longest, "{:?}", bpe.pattern);
            let again = index.count(&text, start, end, memo);
            prop_assert_eq!(again, expected, "with what was kept of other spans");
            let back = index.longest_back(&text, end, max, memo);
            prop_assert!(back == end || index.count(&text, back, end, memo) <= max);
        }
    }
}
