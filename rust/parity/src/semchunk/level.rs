//! Pieces of a part of the text, between splitters that are all the same.

use super::marks::Marks;
use super::runs::{Runs, may_be_space};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// A part of the text that has been split.
#[derive(Debug)]
pub struct Level {
    part: Span,
    pieces: Pieces,
    /// Bytes and code points of the splitter.
    splitter: (usize, usize),
    /// Whether chunks are to keep the splitter.
    pub keeps_splitter: bool,
    /// The first piece that is in no chunk.
    pub next: usize,
}

/// Where pieces begin.
#[derive(Debug)]
enum Pieces {
    /// Each character is one; so many there are, and so many stand before.
    Chars { n: usize, before: usize },
    /// At these bytes.
    At(Vec<usize>),
}

/// A text that is split, and what was found out about it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub text: &'a str,
    pub chars: &'a CharIndex,
    pub runs: &'a Runs,
    pub marks: &'a Marks,
}

impl Source<'_> {
    /// Splits `part` at the most desirable splitter that it has.
    pub fn split(&self, part: Span) -> Level {
        if let Some(runs) = self.runs.longest(self.text, part) {
            return self.at(part, runs, false);
        }
        let text = &self.text[part.range()];
        if let Some((space, mark)) = self.space(text) {
            let mark = mark.map(|rank| self.marks.char(rank));
            let follows = |at: usize| mark.is_none() || text[..at].chars().next_back() == mark;
            let found = text.match_indices(space).filter(|&(at, _)| follows(at));
            return self.at(part, found.map(|(at, found)| absolute(part, at, found)), false);
        }
        if let Some(rank) = self.marks.first(text) {
            let found = text.match_indices(self.marks.char(rank));
            return self.at(part, found.map(|(at, found)| absolute(part, at, found)), true);
        }
        let before = self.char(part.start);
        let pieces = Pieces::Chars { n: self.char(part.end) - before, before };
        Level { part, pieces, splitter: (0, 0), keeps_splitter: false, next: 0 }
    }

    /// The whitespace to split at: that behind the most desirable mark, or the first, and the rank of
    /// the mark. Every whitespace of `text` stands alone.
    fn space(&self, text: &str) -> Option<(char, Option<u8>)> {
        let (mut first, mut best) = (None, None);
        for (at, byte) in text.bytes().enumerate() {
            if !may_be_space(byte) {
                continue;
            }
            let Some(space) = text[at..].chars().next().filter(|&c| is_space(c)) else { continue };
            first = first.or(Some(space));
            let rank = text[..at].chars().next_back().and_then(|before| self.marks.rank(before));
            if let Some(rank) = rank
                && best.is_none_or(|(_, least)| rank < least)
            {
                best = Some((space, rank));
            }
            if rank == Some(0) {
                break;
            }
        }
        best.map(|(space, rank)| (space, Some(rank))).or(first.map(|space| (space, None)))
    }

    /// The pieces of `part` between `splitters`, of which there is at least one.
    fn at(&self, part: Span, splitters: impl Iterator<Item = Span>, keeps: bool) -> Level {
        let mut starts = vec![part.start];
        let mut splitter = Span::default();
        starts.extend(splitters.map(|found| {
            splitter = found;
            found.end
        }));
        let splitter = (splitter.len(), self.char(splitter.end) - self.char(splitter.start));
        Level { part, pieces: Pieces::At(starts), splitter, keeps_splitter: keeps, next: 0 }
    }

    /// Code points before `byte`.
    fn char(&self, byte: usize) -> usize {
        self.chars.byte_to_char(self.text, byte)
    }

    /// The end of piece `i - 1`, where the splitter before piece `i` begins; the part's start for 0.
    fn end_before(&self, level: &Level, i: usize) -> usize {
        match &level.pieces {
            _ if i == 0 => level.part.start,
            Pieces::At(starts) if i == starts.len() => level.part.end,
            Pieces::At(starts) => starts[i] - level.splitter.0,
            Pieces::Chars { before, .. } => self.chars.char_to_byte(self.text, before + i),
        }
    }

    /// Pieces `first..end` and the splitters between them.
    pub fn joined(&self, level: &Level, first: usize, end: usize) -> Span {
        let start = match &level.pieces {
            Pieces::At(starts) => starts[first],
            Pieces::Chars { .. } => self.end_before(level, first),
        };
        Span::new(start, if first == end { start } else { self.end_before(level, end) })
    }

    /// The part without as many code points at its end as the splitter has.
    pub fn without_last(&self, level: &Level) -> Span {
        let end = self.char(level.part.end).saturating_sub(level.splitter.1);
        let end = self.chars.char_to_byte(self.text, end.max(self.char(level.part.start)));
        Span::new(level.part.start, end)
    }

    /// Code points of the part before piece `i`, splitters included.
    pub fn chars_before(&self, level: &Level, i: usize) -> usize {
        match &level.pieces {
            Pieces::Chars { .. } => i,
            Pieces::At(_) if i == 0 => 0,
            Pieces::At(_) => {
                let end = self.char(self.end_before(level, i));
                end - self.char(level.part.start) + level.splitter.1
            }
        }
    }
}

fn absolute(part: Span, at: usize, found: &str) -> Span {
    Span::new(part.start + at, part.start + at + found.len())
}

impl Level {
    /// Number of pieces.
    pub fn len(&self) -> usize {
        match &self.pieces {
            Pieces::Chars { n, .. } => *n,
            Pieces::At(starts) => starts.len(),
        }
    }

    /// Whether pieces are single characters.
    pub const fn is_of_chars(&self) -> bool {
        matches!(self.pieces, Pieces::Chars { .. })
    }

    /// Bytes and code points of the splitter.
    pub const fn splitter(&self) -> (usize, usize) {
        self.splitter
    }
}
