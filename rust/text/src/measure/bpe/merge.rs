//! Byte-pair merges of one pre-token: where its tokens begin.
//!
//! The pair of neighbours whose joined bytes have the lowest rank is joined first, the leftmost one
//! among equals, until no pair is a token: what tiktoken computes.
//!
//! A list of tokens is the encoding of its bytes exactly if each two neighbours encode to themselves
//! (rust-gems, crate `bpe`). So a long pre-token is encoded window by window, and a new window joins
//! the old one where two tokens are so compatible: linear time, whatever the bytes are.
//!
//! A piece of up to 15 bytes is merged in a register: the ranks of its pairs are a small array, and each step
//! takes the least of it, O(n²) in 15. Longer ones go through the windows, of constant size, so the work per byte
//! is bounded; two kinds of hostile text, one byte by the megabyte and short units that repeat, are answered by
//! [`Memo`] and by the arithmetic of runs (`runs`).
//!
//! ```text
//! r a i n y      ranks: for example "in" 258, "ain" 466, "rain" 30193
//! r a in y       the pair with the lowest rank first
//! r ain y        then "a" and "in"
//! rain y         then "r" and "ain"; "rainy" is no token of this list, so it ends here
//! ```

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::key::Key;
use super::run_memo::RunMemo;
use super::runs::merge_runs;
use super::vocabulary::{NO_RANK, RANK_BITS, Vocabulary};

/// Up to here the pairs are scanned for the lowest rank; above, they are kept in a heap.
const SCAN_BYTES: usize = 96;
/// A longer pre-token is encoded in windows of so many bytes. Those of a run of one letter, or of a
/// few that are repeated, are all the same, or few: see [`Memo`].
const WINDOW_BYTES: usize = 512;

/// Appends the start of each token of `piece` to `starts`, in bytes from the piece's own start.
pub fn token_starts(vocabulary: &Vocabulary, piece: &[u8], starts: &mut Vec<usize>) {
    if piece.len() > WINDOW_BYTES {
        Memo::default().append_token_starts(vocabulary, piece, starts);
    } else if vocabulary.rank(piece) != NO_RANK {
        starts.push(0);
    } else {
        merge(vocabulary, piece, 0, starts);
    }
}

/// Whether the neighbours `left` and `right` are left apart when encoded together.
pub fn compatible(vocabulary: &Vocabulary, left: &[u8], right: &[u8]) -> bool {
    let both = [left, right].concat();
    let mut starts = Vec::new();
    token_starts(vocabulary, &both, &mut starts);
    starts == [0, left.len()]
}

/// Memo of neighbours and short pieces, which the runs of a hostile text repeat.
#[derive(Debug, Default)]
pub struct Memo {
    pairs: Pairs,
    pieces: Pieces,
    pub(super) run: RunMemo,
}

impl Memo {
    /// Appends the start of each token of `piece` to `starts`, as [`token_starts`] does.
    pub(super) fn append_token_starts(
        &mut self,
        vocabulary: &Vocabulary,
        piece: &[u8],
        starts: &mut Vec<usize>,
    ) {
        if vocabulary.rank(piece) != NO_RANK {
            starts.push(0);
        } else if piece.len() <= SCAN_BYTES {
            merge_by_scan(vocabulary, piece, 0, starts);
        } else if piece.len() <= WINDOW_BYTES {
            starts.extend(self.pieces.merged(vocabulary, piece));
        } else {
            let mut windows = Windows::new(vocabulary, piece, WINDOW_BYTES);
            while windows.step(self) {}
            starts.append(&mut windows.starts);
        }
    }

    /// Whether two tokens are left apart when encoded together.
    pub(super) fn compatible(
        &mut self,
        vocabulary: &Vocabulary,
        left: &[u8],
        right: &[u8],
    ) -> bool {
        self.pairs.compatible(vocabulary, left, right)
    }

    /// Where the tokens of a piece begin.
    pub(super) fn token_starts(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> &[usize] {
        match vocabulary.rank(piece) {
            NO_RANK => self.pieces.merged(vocabulary, piece),
            _ => &[0],
        }
    }
}

/// So many answers are remembered at most, and so many bytes of pieces with their tokens.
const MEMO_SIZE: usize = 1 << 12;
const MEMO_BYTES: usize = 1 << 20;

/// Pairs of tokens, and whether they are left apart.
#[derive(Debug, Default)]
struct Pairs(HashMap<(u32, u32), bool>);

impl Pairs {
    fn compatible(&mut self, vocabulary: &Vocabulary, left: &[u8], right: &[u8]) -> bool {
        if self.0.len() > MEMO_SIZE {
            self.0.clear();
        }
        let key = (vocabulary.rank(left), vocabulary.rank(right));
        *self.0.entry(key).or_insert_with(|| compatible(vocabulary, left, right))
    }
}

/// Pieces with what they are merged to.
#[derive(Debug, Default)]
struct Pieces {
    starts: HashMap<Box<[u8]>, Box<[usize]>>,
    n_bytes: usize,
}

impl Pieces {
    /// Where the tokens begin that the bytes of `piece` are merged to, whether it is a token or not.
    fn merged(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> &[usize] {
        // Asked for twice, since an entry would need the piece to be copied each time.
        if !self.starts.contains_key(piece) {
            if self.starts.len() > MEMO_SIZE || self.n_bytes > MEMO_BYTES {
                *self = Self::default();
            }
            let mut starts = Vec::new();
            merge(vocabulary, piece, 0, &mut starts);
            self.n_bytes += piece.len() + size_of_val(&starts[..]);
            self.starts.insert(piece.into(), starts.into());
        }
        &self.starts[piece]
    }
}

/// Encodes `piece` and appends the starts, `base` added to each.
fn merge(vocabulary: &Vocabulary, piece: &[u8], base: usize, starts: &mut Vec<usize>) {
    if piece.len() <= SCAN_BYTES {
        merge_by_scan(vocabulary, piece, base, starts);
    } else if let Some(merged) = merge_runs(vocabulary, piece) {
        starts.extend(merged.into_iter().map(|start| base + start));
    } else {
        merge_by_heap(vocabulary, piece, base, starts);
    }
}

/// A bit for each byte of `piece` at which a token begins; for short pieces that are no token.
#[allow(clippy::cast_possible_truncation, reason = "places are below 16")]
pub fn merge_short(vocabulary: &Vocabulary, piece: Key) -> u16 {
    let n = piece.len();
    // Bit `i`: a token begins at byte `i`, and one more for the end.
    let mut begins = u16::MAX >> (15 - n);
    let next = |begins: u16, at: usize| (begins & (!1 << at)).trailing_zeros() as usize;
    // At byte `i`, if a token begins there: the rank of it joined with the next one, and in the low bits `i`.
    let mut pairs = [NO_RANK; 16];
    let pair = |rank: u32, at: usize| if rank == NO_RANK { NO_RANK } else { rank << 4 | at as u32 };
    let joined =
        |start: usize, end: usize| pair(vocabulary.rank_of(piece.slice(start, end - start)), start);
    for (at, slot) in pairs.iter_mut().enumerate().take(n - 1) {
        *slot = pair(vocabulary.rank_of_pair(piece.byte(at), piece.byte(at + 1)), at);
    }
    loop {
        let lowest = pairs[..n].iter().fold(NO_RANK, |lowest, &pair| lowest.min(pair));
        if lowest == NO_RANK {
            return begins & !(1 << n);
        }
        let at = lowest as usize % 16;
        let joint = next(begins, at);
        begins &= !(1 << joint);
        pairs[joint] = NO_RANK;
        let end = next(begins, at);
        pairs[at] = if end < n { joined(at, next(begins, end)) } else { NO_RANK };
        let before = begins & !(u16::MAX << at);
        if before != 0 {
            let before = before.ilog2() as usize;
            pairs[before] = joined(before, end);
        }
    }
}

/// The leftmost of the lowest ranks, unless it is that of no token.
fn lowest(ranks: &[u32]) -> Option<(usize, u32)> {
    let mut best = (0, NO_RANK);
    for (i, &rank) in ranks.iter().enumerate() {
        if rank < best.1 {
            best = (i, rank);
        }
    }
    (best.1 != NO_RANK).then_some(best)
}

/// O(n²) in the piece's length, without allocation.
fn merge_by_scan(vocabulary: &Vocabulary, piece: &[u8], base: usize, starts: &mut Vec<usize>) {
    // `begins[i]` is where token i begins; `ranks[i]` is the rank of tokens i and i + 1 joined.
    let mut begins = [0_usize; SCAN_BYTES + 1];
    let mut ranks = [NO_RANK; SCAN_BYTES + 1];
    let mut n = piece.len();
    for i in 0..n {
        begins[i] = i;
        ranks[i] =
            piece.get(i + 1).map_or(NO_RANK, |&next| vocabulary.rank_of_pair(piece[i], next));
    }
    begins[n] = n;
    while let Some((at, _)) = lowest(&ranks[..n]) {
        begins.copy_within(at + 2..=n, at + 1);
        ranks.copy_within(at + 2..=n, at + 1);
        n -= 1;
        let joined = |i: usize| match begins.get(i + 2) {
            Some(&end) if i + 2 <= n => vocabulary.rank(&piece[begins[i]..end]),
            _ => NO_RANK,
        };
        let (before, here) = (if at > 0 { joined(at - 1) } else { NO_RANK }, joined(at));
        ranks[at] = here;
        if at > 0 {
            ranks[at - 1] = before;
        }
    }
    starts.extend(begins[..n].iter().map(|begin| base + begin));
}

/// O(n log n) in the piece's length.
fn merge_by_heap(vocabulary: &Vocabulary, piece: &[u8], base: usize, starts: &mut Vec<usize>) {
    let rank = |start: usize, end: usize| vocabulary.rank(&piece[start..end]);
    starts.extend(merged(piece.len(), rank).into_iter().map(|start| base + start));
}

/// Where the two tokens meet that the encoding of `token` joins last; none if it does not end in it.
///
/// O(n log n) in the token's length.
pub fn last_joint(vocabulary: &Vocabulary, token: &[u8]) -> Option<usize> {
    let is_whole = |start: usize, end: usize| end - start == token.len();
    let rank = |start: usize, end: usize| {
        if is_whole(start, end) { NO_RANK } else { vocabulary.rank(&token[start..end]) }
    };
    match *merged(token.len(), rank) {
        [0, joint] => Some(joint),
        _ => None,
    }
}

/// Two tokens that may be joined, in a number: in the order of their ranks, and from left to right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair(u64);

impl Pair {
    /// A token has at most 255 bytes.
    const LEN_BITS: u32 = 8;
    const RANK_SHIFT: u32 = u64::BITS - RANK_BITS;

    const fn new(rank: u32, start: usize, end: usize) -> Self {
        let (start_bits, n_bytes) = ((start as u64) << Self::LEN_BITS, (end - start) as u64);
        Self((rank as u64) << Self::RANK_SHIFT | start_bits | n_bytes)
    }

    #[allow(clippy::cast_possible_truncation, reason = "it was a usize")]
    const fn span(self) -> [usize; 2] {
        let place = self.0 & ((1 << Self::RANK_SHIFT) - 1);
        let start = (place >> Self::LEN_BITS) as usize;
        [start, start + (place & ((1 << Self::LEN_BITS) - 1)) as usize]
    }
}

/// The starts of the tokens that `n` bytes are merged to, by the rank of the bytes `start..end`.
fn merged(n: usize, rank: impl Fn(usize, usize) -> u32) -> Vec<usize> {
    // A token is known by its start: where the next one begins, and where the one before did.
    let mut next: Vec<usize> = (1..=n).collect();
    let mut previous: Vec<usize> = (0..=n).map(|i: usize| i.wrapping_sub(1)).collect();
    let pair = |next: &[usize], start: usize| {
        let middle = next[start];
        let end = *next.get(middle)?;
        let rank = rank(start, end);
        (rank != NO_RANK).then(|| Reverse(Pair::new(rank, start, end)))
    };
    let mut heap: BinaryHeap<_> = (0..n).filter_map(|start| pair(&next, start)).collect();
    // A merged token's start is marked, so that stale pairs are told from live ones.
    let mut alive = vec![true; n];
    while let Some(Reverse(joined)) = heap.pop() {
        let [start, end] = joined.span();
        let is_current = alive[start] && next.get(next[start]) == Some(&end);
        if !is_current {
            continue;
        }
        alive[next[start]] = false;
        next[start] = end;
        previous[end] = start;
        heap.extend(pair(&next, start));
        if start > 0 {
            heap.extend(pair(&next, previous[start]));
        }
    }
    (0..n).filter(|&start| alive[start]).collect()
}

/// The encoding of a long pre-token, made window by window as far as it is wanted.
///
/// O(n): each window is of bounded length, and windows overlap by a part of it. The starts so far are
/// an encoding of the bytes up to the next window; that may take the last of them back.
pub(super) struct Windows<'p> {
    vocabulary: &'p Vocabulary,
    piece: &'p [u8],
    /// Where the tokens begin.
    pub(super) starts: Vec<usize>,
    /// Everything before `at` is encoded.
    at: usize,
    window: usize,
}

impl<'p> Windows<'p> {
    /// Nothing is encoded yet; the first window has `window` bytes, later ones up to 512.
    pub(super) const fn new(vocabulary: &'p Vocabulary, piece: &'p [u8], window: usize) -> Self {
        Self { vocabulary, piece, starts: Vec::new(), at: 0, window }
    }

    /// Encodes one window more; false if none is left.
    pub(super) fn step(&mut self, memo: &mut Memo) -> bool {
        // A window whose first token does not fit the last one of those before is made anew with it,
        // and longer.
        let mut window = self.window;
        while self.at < self.piece.len() {
            let Self { vocabulary, piece, at, .. } = *self;
            let end = piece.len().min(at + window);
            let fresh = memo.pieces.merged(vocabulary, &piece[at..end]);
            let next = fresh.get(1).map_or(end, |start| at + start);
            if let Some(&last) = self.starts.last()
                && !memo.pairs.compatible(vocabulary, &piece[last..at], &piece[at..next])
            {
                self.starts.pop();
                self.at = last;
                window *= 2;
            } else {
                // Those at the end would often be others if the window went on.
                let kept = if end == piece.len() { end } else { end - window / 16 };
                let n_kept = fresh.partition_point(|&start| at + start < kept);
                self.starts.extend(fresh[..n_kept].iter().map(|start| at + start));
                self.at = fresh.get(n_kept).map_or(end, |start| at + start);
                break;
            }
        }
        self.window = WINDOW_BYTES.min(4 * self.window);
        self.at < self.piece.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::{CL100K_BASE, O200K_BASE};
    use super::*;
    use crate::oracle;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scan_and_heap_merge_as_the_oracle(piece in prop_oneof!["[a-e ]{1,200}", "\\PC{1,5}", "[a-zA-Z ]{2,15}", "\\PC{1,60}"]) {
            for vocabulary in [&CL100K_BASE, &O200K_BASE] {
                let expected = oracle::token_starts(vocabulary, piece.as_bytes());
                let mut heap = Vec::new();
                merge_by_heap(vocabulary, piece.as_bytes(), 0, &mut heap);
                prop_assert_eq!(&heap, &expected);
                let mut starts = Vec::new();
                token_starts(vocabulary, piece.as_bytes(), &mut starts);
                prop_assert_eq!(&starts, &expected);
                if piece.len() <= Key::MAX_LEN && starts.len() > 1 {
                    let mask = merge_short(vocabulary, Key::load(piece.as_bytes(), piece.len()));
                    prop_assert_eq!(mask, starts.iter().fold(0, |mask, start| mask | 1 << start));
                }
            }
        }

        #[test]
        fn windows_merge_as_one_heap(unit in prop_oneof!["[a-z]{1,9}", "[A-Za-z0-9+/]{100,900}"], first in 20_usize..5000) {
            let piece = unit.repeat(3 * WINDOW_BYTES / unit.len());
            let mut heap = Vec::new();
            merge_by_heap(&CL100K_BASE, piece.as_bytes(), 0, &mut heap);
            let mut windows = Windows::new(&CL100K_BASE, piece.as_bytes(), first);
            let mut memo = Memo::default();
            while windows.step(&mut memo) {}
            prop_assert_eq!(windows.starts, heap);
        }
    }
}
