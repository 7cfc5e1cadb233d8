//! Recursion over splitters, and the merging of pieces that are small enough.

use super::counts::Counts;
use super::level::{Level, Source};
use super::marks::Marks;
use super::runs::Runs;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// Code points of a token, as the search for the end of a chunk supposes at first.
const FIRST_AVERAGE: f64 = 0.2;

/// What a count costs, in bytes of text that are searched as fast.
const COUNT_BYTES: usize = 64;

/// What tells versions apart.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub marks: &'static Marks,
    pub lengths: Lengths,
    /// The most tokens of a chunk.
    pub limit: f64,
}

/// What lengths guide the search for the end of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// Those of the pieces.
    OfPieces,
    /// Those of the pieces with the splitters between them.
    WithSplitters,
}

/// The chunks of `text`; see [`v3::split`](super::v3::split).
pub fn split(
    text: &str,
    chars: &CharIndex,
    rules: Rules,
    counts: &dyn Counts,
    pulse: Pulse<'_>,
) -> Result<Vec<Span>> {
    let runs = &Runs::new(text);
    let source = Source { text, chars, runs, marks: rules.marks };
    let beat = Beat::of_bytes(pulse);
    let mut splitter = Splitter { source, rules, counts, beat, chunks: Vec::new() };
    splitter.recurse(Span::new(0, text.len()))?;
    let is_blank = |chunk: &Span| text[chunk.range()].chars().all(is_space);
    splitter.chunks.retain(|chunk| !is_blank(chunk));
    Ok(splitter.chunks)
}

struct Splitter<'a> {
    source: Source<'a>,
    rules: Rules,
    counts: &'a dyn Counts,
    beat: Beat<'a>,
    chunks: Vec<Span>,
}

impl Splitter<'_> {
    /// Depth first with a stack of its own: there may be as many levels as runs of whitespace.
    fn recurse(&mut self, whole: Span) -> Result<()> {
        let mut stack = vec![self.open(whole)?];
        while let Some(level) = stack.last_mut() {
            if level.next < level.len() {
                if let Some(large) = self.step(level)? {
                    stack.push(self.open(large)?);
                }
                continue;
            }
            stack.pop();
            if let Some(level) = stack.last() {
                self.keep_splitter(level)?;
            }
        }
        Ok(())
    }

    fn open(&self, part: Span) -> Result<Level> {
        self.beat.after(part.len())?;
        Ok(self.source.split(part))
    }

    /// Makes a chunk of the next pieces, or returns the next piece if it is too large.
    fn step(&mut self, level: &mut Level) -> Result<Option<Span>> {
        let first = level.next;
        let piece = self.source.joined(level, first, first + 1);
        if self.tokens(piece)? > self.rules.limit {
            if level.is_of_chars() {
                return Err(self.endless(piece));
            }
            level.next = first + 1;
            return Ok(Some(piece));
        }
        let end = self.merge(level, first)?;
        self.chunks.push(self.source.joined(level, first, end));
        level.next = end;
        self.keep_splitter(level)?;
        Ok(None)
    }

    /// The end of the longest run of pieces from `first` on that is small enough, as far as a search
    /// finds it that supposes tokens of the same length.
    fn merge(&self, level: &Level, first: usize) -> Result<usize> {
        let (mut low, mut high) = (first, level.len() + 1);
        let offset = self.length_before(level, first);
        let mut target = offset + self.rules.limit * FIRST_AVERAGE;
        while low < high {
            let end = self.first_from(level, low..high, target).min(high - 1);
            let tokens = self.tokens(self.candidate(level, first, end))?;
            let length = self.length_before(level, end) - offset;
            if length != 0.0 && tokens > 0.0 {
                target = offset + self.rules.limit * (length / tokens);
            }
            if tokens > self.rules.limit {
                high = end;
            } else {
                low = end + 1;
            }
        }
        if low == 0 {
            return Err(self.no_room(level)?);
        }
        // A counter that answers the same each time has not refused the first piece.
        Ok((low - 1).max(first + 1))
    }

    /// Pieces `first..end`. Of no piece at the start of the part, semchunk 4 counts all but the end:
    /// its slice ends before it begins.
    fn candidate(&self, level: &Level, first: usize, end: usize) -> Span {
        let is_slip = self.rules.lengths == Lengths::WithSplitters && (first, end) == (0, 0);
        if is_slip && level.splitter().1 > 0 {
            return self.source.without_last(level);
        }
        self.source.joined(level, first, end)
    }

    /// The first end in `ends` before which lie at least `target` code points, or the last.
    fn first_from(&self, level: &Level, ends: std::ops::Range<usize>, target: f64) -> usize {
        let (mut low, mut high) = (ends.start, ends.end);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.length_before(level, middle) < target {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    #[allow(clippy::cast_precision_loss, reason = "lengths are below 2^53")]
    fn length_before(&self, level: &Level, piece: usize) -> f64 {
        let length = self.source.chars_before(level, piece);
        match self.rules.lengths {
            Lengths::OfPieces => (length - piece * level.splitter().1) as f64,
            Lengths::WithSplitters => length as f64,
        }
    }

    /// Gives the splitter back to the last chunk if it is a mark and has room, else makes it a chunk.
    fn keep_splitter(&mut self, level: &Level) -> Result<()> {
        if !level.keeps_splitter || level.next >= level.len() {
            return Ok(());
        }
        let last = self.chunks.last().copied();
        let last = last.ok_or_else(|| Error::Position("list index out of range".into()))?;
        let grown = Span::new(last.start, last.end + level.splitter().0);
        if self.tokens(grown)? > self.rules.limit {
            self.chunks.push(Span::new(last.end, grown.end));
        } else if let Some(last) = self.chunks.last_mut() {
            *last = grown;
        }
        Ok(())
    }

    fn tokens(&self, span: Span) -> Result<f64> {
        self.beat.after(COUNT_BYTES)?;
        self.counts.tokens(span)
    }

    /// What comes of a search that ends before the first piece: semchunk turns to the last one, and
    /// fails there.
    fn no_room(&self, level: &Level) -> Result<Error> {
        let last = self.source.joined(level, level.len() - 1, level.len());
        if self.tokens(last)? > self.rules.limit {
            return Ok(self.endless(last));
        }
        let limit = self.rules.limit;
        Ok(Error::Config(format!("a chunk_size of {limit} leaves no room for a text")))
    }

    fn endless(&self, span: Span) -> Error {
        let shown: String = self.source.text[span.range()].chars().take(40).collect();
        let limit = self.rules.limit;
        Error::Endless(format!(
            "{shown:?} is over the chunk size of {limit} tokens and cannot be split"
        ))
    }
}
