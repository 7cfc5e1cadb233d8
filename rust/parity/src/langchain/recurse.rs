//! Recursion over separators: those after the first one are for pieces that it leaves too large.

use super::merge::Merger;
use super::pieces::{Between, Pieces};
use super::plan::{Depth, Limits, Mark, Plan};
use super::{Chunk, Output, Patterns, Sizes};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;

/// What a piece costs, in bytes of text that are searched as fast.
const PIECE_BYTES: usize = 32;

/// A piece that is being split.
struct Level<'a> {
    pieces: Pieces<'a>,
    separator: usize,
    /// The first separator for those of its pieces that are too large.
    next: usize,
}

struct RecursiveSplitter<'a, S, P> {
    text: &'a str,
    plan: &'a Plan,
    limits: Limits,
    sizes: &'a mut S,
    patterns: &'a mut P,
    beat: Beat<'a>,
}

/// Splits `text` as the plan says. What it finds goes to `output`, up to an error.
///
/// # Errors
/// Those of `sizes` and `patterns`, what `pulse` says, and [`Error::Position`] where LangChain fails
/// with an `IndexError`.
pub fn split(
    text: &str,
    plan: &Plan,
    limits: Limits,
    sizes: &mut impl Sizes,
    patterns: &mut impl Patterns,
    pulse: Pulse<'_>,
    output: &mut Output,
) -> Result<()> {
    let beat = Beat::of_bytes(pulse);
    let mut splitter = RecursiveSplitter { text, plan, limits, sizes, patterns, beat };
    match plan.depth() {
        Depth::FirstLevel => splitter.once(output),
        Depth::EveryLevel => splitter.recurse(output),
    }
}

/// Merges `pieces` of `text`, joined by the glue of the plan's only separator.
///
/// # Errors
/// Those of `sizes`, and [`Error::Position`] where LangChain fails with an `IndexError`.
pub fn merge(
    text: &str,
    pieces: impl Iterator<Item = Span>,
    plan: &Plan,
    limits: Limits,
    sizes: &mut impl Sizes,
    output: &mut Output,
) -> Result<()> {
    let mut merger = Merger::new(text, plan, limits);
    let glue = merger.join_by(0, sizes)?;
    for piece in pieces {
        let size = sizes.piece(piece)?;
        merger.push(piece, size, glue, output)?;
    }
    merger.finish(output);
    Ok(())
}

impl<'a, S: Sizes, P: Patterns> RecursiveSplitter<'a, S, P> {
    fn once(&mut self, output: &mut Output) -> Result<()> {
        let mut merger = Merger::new(self.text, self.plan, self.limits);
        let mut pieces = self.split(0, Span::new(0, self.text.len()))?;
        let glue = merger.join_by(0, self.sizes)?;
        while let Some(piece) = self.next(&mut pieces)? {
            let size = self.sizes.piece(piece)?;
            merger.push(piece, size, glue, output)?;
        }
        merger.finish(output);
        Ok(())
    }

    /// Depth first with a stack of its own: there may be thousands of separators.
    fn recurse(&mut self, output: &mut Output) -> Result<()> {
        let mut merger = Merger::new(self.text, self.plan, self.limits);
        let mut stack = vec![self.open(Span::new(0, self.text.len()), 0)?];
        while let Some(level) = stack.last_mut() {
            let large = self.merge_small(level, &mut merger, output)?;
            let next = level.next;
            merger.finish(output);
            match large {
                None => drop(stack.pop()),
                Some(piece) if next == self.plan.len() => output.chunks.push(Chunk::Slice(piece)),
                Some(piece) => stack.push(self.open(piece, next)?),
            }
        }
        Ok(())
    }

    /// Merges pieces up to the next one that is not under the limit, and returns that one.
    fn merge_small(
        &mut self,
        level: &mut Level<'a>,
        merger: &mut Merger<'_>,
        output: &mut Output,
    ) -> Result<Option<Span>> {
        let mut glue = None;
        let mut large = None;
        while let Some(piece) = self.next(&mut level.pieces)? {
            let size = self.sizes.piece(piece)?;
            // A size that is no number is not under the limit.
            let small = size < self.limits.chunk_size;
            if !small {
                large = Some(piece);
                break;
            }
            if glue.is_none() {
                glue = Some(merger.join_by(level.separator, self.sizes));
            }
            // LangChain asks for the glue when the pieces are measured: an error of theirs comes first.
            if let Some(Ok(glue)) = glue {
                merger.push(piece, size, glue, output)?;
            }
        }
        glue.transpose()?;
        Ok(large)
    }

    #[inline]
    fn next(&mut self, pieces: &mut Pieces<'_>) -> Result<Option<Span>> {
        self.beat.after(PIECE_BYTES)?;
        Ok(pieces.next(self.text))
    }

    /// Splits `piece` at the first separator from number `from` on that it contains, or at the last.
    fn open(&mut self, piece: Span, from: usize) -> Result<Level<'a>> {
        let n_separators = self.plan.len();
        for separator in from..n_separators {
            if matches!(self.plan.mark(separator), Mark::Anywhere) {
                return self.level(separator, n_separators, piece);
            }
            if self.contains(piece, separator)? {
                return self.level(separator, separator + 1, piece);
            }
        }
        let last = n_separators.checked_sub(1);
        let last = last.ok_or_else(|| Error::Position("list index out of range".into()))?;
        self.level(last, n_separators, piece)
    }

    fn level(&mut self, separator: usize, next: usize, piece: Span) -> Result<Level<'a>> {
        Ok(Level { pieces: self.split(separator, piece)?, separator, next })
    }

    fn contains(&mut self, piece: Span, separator: usize) -> Result<bool> {
        self.beat.after(piece.len())?;
        match self.plan.mark(separator) {
            Mark::Pattern => self.patterns.found(separator, piece),
            mark => Ok(mark.find(&self.text.as_bytes()[piece.range()]).is_some()),
        }
    }

    fn split(&mut self, separator: usize, piece: Span) -> Result<Pieces<'a>> {
        Ok(match self.plan.mark(separator) {
            Mark::Anywhere => Pieces::Chars(piece),
            Mark::Pattern => Pieces::Given(self.patterns.parts(separator, piece)?.into_iter()),
            mark => Pieces::Between(Between::new(mark, self.plan.keep(), piece)),
        })
    }
}
