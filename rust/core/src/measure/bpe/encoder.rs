//! BPE encoder: one pass over a text finds its pre-tokens and where the tokens in them begin.

use super::bitmap::Bitmap;
use super::index::TokenIndex;
use super::key::Key;
use super::merge::{Memo, merge_short};
use super::pattern::Pattern;
use super::scan::{cl100k, o200k};
use super::{Bpe, vocabulary::NO_RANK};
use crate::error::Result;
use crate::measure::added::TextSegment;
use crate::pulse::Pulse;

/// The pulse is felt once for so many bytes.
const PULSE_BYTES: usize = 1 << 18;
/// Bytes of text for one entry of the cache: about one in three pre-tokens is new.
const BYTES_PER_ENTRY: usize = 32;
const MIN_CACHE_BITS: u32 = 5;
/// 3 MB.
const MAX_CACHE_BITS: u32 = 16;

/// Encodes one text after another and remembers the short pre-tokens it met, and parts of long ones.
///
/// Memory: up to 5 MB, less as long as it has met little text.
#[derive(Debug)]
pub struct Encoder {
    bpe: Bpe,
    cache: Vec<[Entry; 2]>,
    cache_shift: u32,
    n_bytes_met: usize,
    /// The long ones.
    memo: Memo,
    starts: Vec<usize>,
}

/// What a pre-token of up to 15 bytes becomes: a bit for each byte at which a token begins.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: Key,
    mask: u16,
    n_tokens: u8,
}

/// Takes the tokens of one pre-token after another.
trait Sink {
    /// A pre-token at `start`, with a bit for each byte at which a token of it begins.
    fn short(&mut self, start: usize, mask: u16, n_tokens: u8);
    /// A pre-token at `start`, with the offsets in it at which its tokens begin.
    fn long(&mut self, start: usize, token_starts: &[usize]);
}

impl Encoder {
    /// An encoder that has met no text.
    pub fn new(bpe: Bpe) -> Self {
        let (cache, memo, starts) = (Vec::new(), Memo::default(), Vec::new());
        Self { bpe, cache, cache_shift: 64, n_bytes_met: 0, memo, starts }
    }

    /// Tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn count(&mut self, text: &str, pulse: Pulse<'_>) -> Result<usize> {
        let mut total = Total(0);
        let Some(front) = self.bpe.front.clone() else {
            self.encode_into(text, &mut total, pulse)?;
            return Ok(total.0);
        };
        for segment in front.segments(text) {
            match segment {
                TextSegment::Text(part) => self.encode_into(&part, &mut total, pulse)?,
                TextSegment::Added(_) => total.0 += 1,
            }
        }
        Ok(total.0)
    }

    /// Where the tokens of `text`, which is plain, begin, in bytes, which may lie inside a code point.
    /// O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn token_starts(&mut self, text: &str, pulse: Pulse<'_>) -> Result<Vec<usize>> {
        let mut starts = Starts(Vec::new());
        self.encode_into(text, &mut starts, pulse)?;
        Ok(starts.0)
    }

    /// The ids of the tokens of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn encode(&mut self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        let Some(front) = self.bpe.front.clone() else {
            self.ids_into(text, &mut ids, pulse)?;
            return Ok(ids);
        };
        for segment in front.segments(text) {
            match segment {
                TextSegment::Text(part) => self.ids_into(&part, &mut ids, pulse)?,
                TextSegment::Added(id) => ids.push(id),
            }
        }
        Ok(ids)
    }

    fn ids_into(&mut self, text: &str, ids: &mut Vec<u32>, pulse: Pulse<'_>) -> Result<()> {
        let starts = self.token_starts(text, pulse)?;
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let vocabulary = &*self.bpe.vocabulary;
        let rank = |(&start, end)| vocabulary.rank(&text.as_bytes()[start..end]);
        ids.extend(starts.iter().zip(ends).map(rank).map(|rank| vocabulary.ids().of_rank(rank)));
        Ok(())
    }

    /// An index that counts any span of `text`, which is plain ([`Bpe::is_plain`]). O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn index(&mut self, text: &str, pulse: Pulse<'_>) -> Result<TokenIndex> {
        let [pieces, tokens] = self.bitmaps(text, pulse)?;
        Ok(TokenIndex::new(self.bpe.clone(), pieces.finish(), tokens.finish()))
    }

    /// Where pre-tokens begin, and where tokens do.
    pub(super) fn bitmaps(&mut self, text: &str, pulse: Pulse<'_>) -> Result<[Bitmap; 2]> {
        let bound = text.len() + 1;
        let mut bitmaps = Bitmaps { pieces: Bitmap::new(bound), tokens: Bitmap::new(bound) };
        self.encode_into(text, &mut bitmaps, pulse)?;
        Ok([bitmaps.pieces, bitmaps.tokens])
    }

    fn encode_into(&mut self, text: &str, sink: &mut impl Sink, pulse: Pulse<'_>) -> Result<()> {
        // A loop of its own for each pattern: which one it is, is not asked for each pre-token.
        match self.bpe.pattern {
            Pattern::Cl100k => self.encode_by(cl100k, text, sink, pulse),
            Pattern::O200k => self.encode_by(o200k, text, sink, pulse),
            pattern => self.encode_by(|text, at| pattern.next(text, at), text, sink, pulse),
        }
    }

    #[inline(always)]
    fn encode_by(
        &mut self,
        next: impl Fn(&str, usize) -> usize,
        text: &str,
        sink: &mut impl Sink,
        pulse: Pulse<'_>,
    ) -> Result<()> {
        self.grow_cache(text.len());
        let mut start = 0;
        while start < text.len() {
            pulse()?;
            let stop = text.len().min(start + PULSE_BYTES);
            while start < stop {
                let end = next(text, start);
                self.piece(text.as_bytes(), start, end, sink);
                start = end;
            }
        }
        Ok(())
    }

    /// Makes the cache large enough for what has been met and `n_bytes` more; it is empty then.
    fn grow_cache(&mut self, n_bytes: usize) {
        self.n_bytes_met = self.n_bytes_met.saturating_add(n_bytes);
        let entries = (self.n_bytes_met / BYTES_PER_ENTRY).max(1).ilog2();
        let bits = entries.clamp(MIN_CACHE_BITS, MAX_CACHE_BITS);
        // Emptied at each fourfold growth only, so that many small texts keep it warm.
        let is_due = self.cache.is_empty() || bits >= 64 - self.cache_shift + 2;
        if is_due || (bits == MAX_CACHE_BITS && self.cache_shift != 64 - MAX_CACHE_BITS) {
            self.cache = vec![[Entry::default(); 2]; 1 << bits];
            self.cache_shift = 64 - bits;
        }
    }

    #[inline(always)]
    fn piece(&mut self, bytes: &[u8], start: usize, end: usize, sink: &mut impl Sink) {
        let n = end - start;
        if n > Key::MAX_LEN {
            self.long_piece(bytes, start, end, sink);
            return;
        }
        let key = Key::load(&bytes[start..], n);
        #[allow(clippy::cast_possible_truncation, reason = "the shift leaves at most 16 bits")]
        let slot = (key.quick_hash() >> self.cache_shift) as usize;
        if self.cache[slot][0].key != key {
            self.bring_to_front(slot, key);
        }
        let entry = &self.cache[slot][0];
        sink.short(start, entry.mask, entry.n_tokens);
    }

    #[inline(never)]
    fn long_piece(&mut self, bytes: &[u8], start: usize, end: usize, sink: &mut impl Sink) {
        self.starts.clear();
        let piece = &bytes[start..end];
        self.memo.append_token_starts(&self.bpe.vocabulary, piece, &mut self.starts);
        sink.long(start, &self.starts);
    }

    /// Makes the entry of `key` the first of its slot; the one that was first comes second.
    #[inline(never)]
    fn bring_to_front(&mut self, slot: usize, key: Key) {
        let [first, second] = self.cache[slot];
        let entry = if second.key == key { second } else { self.entry(key) };
        self.cache[slot] = [entry, first];
    }

    fn entry(&self, key: Key) -> Entry {
        let mask = match self.bpe.vocabulary.rank_of(key) {
            NO_RANK => merge_short(&self.bpe.vocabulary, key),
            _ => 1,
        };
        #[allow(clippy::cast_possible_truncation, reason = "at most 15")]
        let n_tokens = mask.count_ones() as u8;
        Entry { key, mask, n_tokens }
    }
}

struct Total(usize);

impl Sink for Total {
    #[inline]
    fn short(&mut self, _start: usize, _mask: u16, n_tokens: u8) {
        self.0 += usize::from(n_tokens);
    }

    fn long(&mut self, _start: usize, token_starts: &[usize]) {
        self.0 += token_starts.len();
    }
}

struct Starts(Vec<usize>);

impl Sink for Starts {
    fn short(&mut self, start: usize, mask: u16, _n_tokens: u8) {
        self.0.extend((0..16).filter(|i| mask >> i & 1 == 1).map(|i| start + i));
    }

    fn long(&mut self, start: usize, token_starts: &[usize]) {
        self.0.extend(token_starts.iter().map(|offset| start + offset));
    }
}

struct Bitmaps {
    pieces: Bitmap,
    tokens: Bitmap,
}

impl Sink for Bitmaps {
    #[inline]
    fn short(&mut self, start: usize, mask: u16, _n_tokens: u8) {
        self.pieces.insert(start);
        self.tokens.insert_mask(start, mask);
    }

    fn long(&mut self, start: usize, token_starts: &[usize]) {
        self.pieces.insert(start);
        for offset in token_starts {
            self.tokens.insert(start + offset);
        }
    }
}
