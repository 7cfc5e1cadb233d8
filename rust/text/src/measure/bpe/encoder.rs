//! BPE encoder: one pass over a text finds its pre-tokens and where the tokens in them begin.
//!
//! Most of the time of an encoder goes into words that it has met before: natural text repeats itself. So a
//! pre-token of up to 15 bytes is first looked up in a small cache by its bytes in a register, then in the
//! vocabulary, and merged only if it is in neither. What comes out goes to a sink: a count, starts of tokens, or
//! the bitmaps of an index.

use super::bitmap::Bitmap;
use super::index::TokenIndex;
use super::key::Key;
use super::merge::{Memo, merge_short};
use super::pattern::Pattern;
use super::plain::{Next, PlainWords, READ};
use super::scan::{cl100k, o200k};
use super::swar::WINDOW;
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

/// What a pre-token of up to 15 bytes becomes.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: Key,
    tokens: Tokens,
}

/// The tokens of a short pre-token: a bit for each byte at which one begins, and their number.
#[derive(Clone, Copy, Debug, Default)]
struct Tokens {
    mask: u16,
    n: u8,
}

/// Takes the tokens of one pre-token after another.
trait Sink {
    /// What it keeps of a window until that is done.
    type Window: Default;

    /// A pre-token at place `at` of a window that begins at `start`, with a bit for each byte at which a
    /// token of it begins.
    fn short(&mut self, window: &mut Self::Window, start: usize, at: usize, tokens: Tokens);
    /// A pre-token at `start`, with the offsets in it at which its tokens begin.
    fn long(&mut self, start: usize, token_starts: &[usize]);
    /// The window that begins at `start` is done.
    fn close(&mut self, _window: Self::Window, _start: usize) {}
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
    /// Those of `pulse`.
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
    /// Those of `pulse`.
    pub fn token_starts(&mut self, text: &str, pulse: Pulse<'_>) -> Result<Vec<usize>> {
        let mut starts = Starts(Vec::new());
        self.encode_into(text, &mut starts, pulse)?;
        Ok(starts.0)
    }

    /// The ids of the tokens of `text`. O(n).
    ///
    /// # Errors
    /// Those of `pulse`.
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
    /// ```
    /// use chunkwright_text::measure::{Bpe, Encoder, Memo};
    /// use chunkwright_text::pulse::no_pulse;
    ///
    /// let text = "Hello, world! Hello again.";
    /// let mut encoder = Encoder::new(Bpe::named("cl100k_base").unwrap());
    /// let index = encoder.index(text, no_pulse())?;
    /// let mut memo = Memo::default(); // kept for all questions about one text
    /// assert_eq!(index.count(text, 0, 13, &mut memo), 4);
    /// assert_eq!(index.count(text, 0, 13, &mut memo), encoder.count("Hello, world!", no_pulse())?);
    /// // A span may begin and end inside a word: "orl".
    /// assert_eq!(index.count(text, 8, 11, &mut memo), encoder.count("orl", no_pulse())?);
    /// // How far two tokens reach, ahead and back:
    /// assert_eq!(&text[..index.longest(text, 0, 2, &mut memo)], "Hello,");
    /// assert_eq!(&text[index.longest_back(text, 13, 2, &mut memo)..13], " world!");
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `pulse`.
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
            Pattern::O200k => self.encode_by::<true>(o200k, text, sink, pulse),
            Pattern::Cl100k => self.encode_by::<false>(cl100k, text, sink, pulse),
            other => self.encode_by::<false>(|text, at| other.next(text, at), text, sink, pulse),
        }
    }

    #[inline(always)]
    fn encode_by<const CASED: bool>(
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
                start = self.encode_window::<CASED, _>(&next, text, start, sink);
            }
        }
        Ok(())
    }

    /// Encodes the pre-tokens that begin in a window from `start` on; returns where the next one begins.
    #[inline(always)]
    fn encode_window<const CASED: bool, S: Sink>(
        &mut self,
        next: &impl Fn(&str, usize) -> usize,
        text: &str,
        start: usize,
        sink: &mut S,
    ) -> usize {
        let bytes = text.as_bytes();
        let n = WINDOW.min(bytes.len() - start);
        let mut padded = [0; READ];
        let read = bytes[start..].first_chunk().unwrap_or_else(|| {
            let rest = &bytes[start..];
            padded[..rest.len()].copy_from_slice(rest);
            &padded
        });
        let words = PlainWords::new::<CASED>(read);
        let (mut window, mut at) = (S::Window::default(), 0);
        while at < n {
            let end = match words.next::<CASED>(at) {
                Next::Word(end) => end,
                Next::Beyond if at > 0 => break,
                Next::Beyond | Next::Other => next(text, start + at) - start,
            };
            if end - at <= Key::MAX_LEN {
                let tokens = self.tokens(Key::load(&read[at..], end - at));
                sink.short(&mut window, start, at, tokens);
            } else {
                self.long_piece(bytes, start + at, start + end, sink);
            }
            at = end;
        }
        sink.close(window, start);
        start + at
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

    /// The tokens of a short pre-token.
    #[inline(always)]
    fn tokens(&mut self, key: Key) -> Tokens {
        #[allow(clippy::cast_possible_truncation, reason = "the shift leaves at most 16 bits")]
        let slot = (key.quick_hash() >> self.cache_shift) as usize;
        let [first, _] = &self.cache[slot];
        if first.key == key { first.tokens } else { self.bring_to_front(slot, key) }
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
    fn bring_to_front(&mut self, slot: usize, key: Key) -> Tokens {
        let [first, second] = self.cache[slot];
        let entry = if second.key == key { second } else { self.entry(key) };
        self.cache[slot] = [entry, first];
        entry.tokens
    }

    fn entry(&self, key: Key) -> Entry {
        let mask = match self.bpe.vocabulary.rank_of(key) {
            NO_RANK => merge_short(&self.bpe.vocabulary, key),
            _ => 1,
        };
        #[allow(clippy::cast_possible_truncation, reason = "at most 15")]
        let n = mask.count_ones() as u8;
        Entry { key, tokens: Tokens { mask, n } }
    }
}

struct Total(usize);

impl Sink for Total {
    type Window = ();

    #[inline]
    fn short(&mut self, _window: &mut (), _start: usize, _at: usize, tokens: Tokens) {
        self.0 += usize::from(tokens.n);
    }

    fn long(&mut self, _start: usize, token_starts: &[usize]) {
        self.0 += token_starts.len();
    }
}

struct Starts(Vec<usize>);

impl Sink for Starts {
    type Window = ();

    fn short(&mut self, _window: &mut (), start: usize, at: usize, tokens: Tokens) {
        let offsets = (0..16).filter(|i| tokens.mask >> i & 1 == 1);
        self.0.extend(offsets.map(|i| start + at + i));
    }

    fn long(&mut self, start: usize, token_starts: &[usize]) {
        self.0.extend(token_starts.iter().map(|offset| start + offset));
    }
}

struct Bitmaps {
    pieces: Bitmap,
    tokens: Bitmap,
}

/// Where the short pre-tokens of a window begin, and their tokens, which may reach behind it, in bits.
#[derive(Default)]
struct WindowBits {
    pieces: u64,
    tokens: u64,
    tokens_behind: u64,
}

impl Sink for Bitmaps {
    type Window = WindowBits;

    #[inline(always)]
    fn short(&mut self, window: &mut WindowBits, _start: usize, at: usize, tokens: Tokens) {
        window.pieces |= 1 << at;
        let mask = u64::from(tokens.mask);
        window.tokens |= mask << at;
        window.tokens_behind |= mask >> 1 >> (63 - at);
    }

    fn long(&mut self, start: usize, token_starts: &[usize]) {
        self.pieces.insert(start);
        for offset in token_starts {
            self.tokens.insert(start + offset);
        }
    }

    #[inline(always)]
    fn close(&mut self, window: WindowBits, start: usize) {
        self.pieces.insert_bits(start, window.pieces);
        self.tokens.insert_bits(start, window.tokens);
        if window.tokens_behind != 0 {
            self.tokens.insert_bits(start + WINDOW, window.tokens_behind);
        }
    }
}
