//! Structure that cuts respect: headings with what follows them, code blocks, and tables.
//!
//! A cut behind headings is moved to where they begin, and inside a block there is none. Where a chunk begins
//! with them, so that there is no such place, a weaker boundary behind them is looked for; and only where none is within
//! the limit, the rule gives way: first that for blocks, which are then cut between lines.

use std::cell::Cell;

use memchr::memchr;

use super::levels::Level;
use crate::error::Result;
use crate::segment::fence::Markup;
use crate::segment::heading::Headings;
use crate::segment::separator::Boundary;
use crate::span::Span;
use crate::unicode::space::skip_space;

/// What is kept together in one text.
#[derive(Debug)]
pub struct Structure<'t> {
    text: &'t str,
    headings: Headings<'t>,
    /// Whether code blocks are kept whole, too.
    has_blocks: bool,
    /// Tables that are kept whole.
    tables: Vec<Span>,
    /// Whether a cut was moved since this was last asked.
    moved: Cell<bool>,
}

/// How much of it is kept, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// Headings, code blocks and tables.
    All,
    /// Headings, and lines.
    Lines,
    /// Headings.
    Headings,
    /// Nothing.
    Nothing,
}

impl<'t> Structure<'t> {
    /// That of `text`, which is written in `markup`; none if that is code.
    pub fn of(text: &'t str, markup: Markup) -> Option<Self> {
        let has_blocks = match markup {
            Markup::Code => return None,
            Markup::Unknown => false,
            Markup::Markdown | Markup::Rst => true,
        };
        let headings = Headings::new(text, markup);
        Some(Self { text, headings, has_blocks, tables: Vec::new(), moved: Cell::new(false) })
    }

    /// Keeps these tables whole, too, which are in order.
    pub fn keep_tables(&mut self, tables: Vec<Span>) {
        self.tables = tables;
    }

    /// Where what begins at `at` begins with the headings above it.
    pub fn lead(&self, at: usize) -> usize {
        self.headings.before(at).unwrap_or(at)
    }

    /// What is tried one after the other, if cuts were moved.
    pub const fn yielding(&self) -> &'static [Keeping] {
        if self.has_blocks || !self.tables.is_empty() {
            &[Keeping::Lines, Keeping::Headings, Keeping::Nothing]
        } else {
            &[Keeping::Nothing]
        }
    }

    /// Whether a cut was moved since this was asked before.
    pub fn take_moved(&self) -> bool {
        self.moved.replace(false)
    }

    /// Where a cut at `at` has to be, so that all that is kept stays together: `at`, or before it.
    pub fn moved(&self, at: usize, keeping: Keeping) -> usize {
        if keeping == Keeping::Nothing {
            return at;
        }
        let block = self.block(at, keeping).map_or(at, |block| block.start);
        let start = self.lead(block);
        if start < at {
            self.moved.set(true);
        }
        start
    }

    fn block(&self, at: usize, keeping: Keeping) -> Option<Span> {
        if keeping != Keeping::All {
            return None;
        }
        let behind = self.tables.partition_point(|table| table.end <= at);
        let table = self.tables.get(behind).filter(|table| table.start < at);
        match table {
            None if self.has_blocks => self.headings.fences().divided(at),
            table => table.copied(),
        }
    }

    /// Behind `at`, where a cut is moved: no cut up to there is allowed.
    fn forbidden(&self, at: usize, keeping: Keeping) -> usize {
        if let Some(block) = self.block(at, keeping) {
            return block.end - 1;
        }
        let bytes = self.text.as_bytes();
        let line = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed);
        skip_space(self.text, line).max(at)
    }
}

/// A level whose cuts part nothing that is kept.
pub struct Kept<'l, 't, L> {
    /// The boundaries.
    pub level: &'l mut L,
    /// What is kept, if anything.
    pub structure: Option<&'l Structure<'t>>,
    /// How much of it.
    pub keeping: Keeping,
}

impl<L: Level> Kept<'_, '_, L> {
    /// The boundary of the level at which what begins at `start` does; `start` itself if it has none.
    fn before(
        &mut self,
        structure: &Structure<'_>,
        after: usize,
        start: usize,
    ) -> Result<Boundary> {
        let begin = skip_space(structure.text, start);
        let boundary = self.level.last(after, start)?.filter(|boundary| {
            boundary.next <= begin && skip_space(structure.text, boundary.next) == begin
        });
        let kept = boundary.filter(|found| structure.moved(found.cut, self.keeping) == found.cut);
        Ok(kept.unwrap_or(Boundary { cut: start, next: start }))
    }
}

impl<L: Level> Level for Kept<'_, '_, L> {
    fn last(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        let mut upto = upto;
        while upto > after
            && let Some(boundary) = self.level.last(after, upto)?
        {
            let Some(structure) = self.structure else { return Ok(Some(boundary)) };
            if let Some(block) = structure.block(boundary.cut, self.keeping) {
                // What stands inside is no boundary of the text: a comment is no heading.
                structure.moved.set(true);
                upto = block.start;
                continue;
            }
            let start = structure.moved(boundary.cut, self.keeping);
            if start == boundary.cut {
                return Ok(Some(boundary));
            }
            // All places in between would be moved as far.
            return if start <= after {
                Ok(None)
            } else {
                self.before(structure, after, start).map(Some)
            };
        }
        Ok(None)
    }

    fn first(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        let mut from = after;
        while let Some(boundary) = self.level.first(from, upto)? {
            let Some(structure) = self.structure else { return Ok(Some(boundary)) };
            let start = structure.moved(boundary.cut, self.keeping);
            if start == boundary.cut {
                return Ok(Some(boundary));
            }
            let is_inside = structure.block(boundary.cut, self.keeping).is_some();
            if start > after && !is_inside {
                return Ok(Some(Boundary { cut: start, next: start }));
            }
            from = structure.forbidden(boundary.cut, self.keeping);
        }
        Ok(None)
    }
}
