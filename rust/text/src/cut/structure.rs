//! Structure that cuts respect: headings and lead-ins with what follows them, code blocks, and tables.
//!
//! A cut behind headings is moved to where they begin, and inside a block there is none. Where a chunk begins
//! with them, so that there is no such place, a weaker boundary behind them is looked for; and only where none is within
//! the limit, the rule gives way: first that for blocks, which are then cut between lines.
//!
//! It is a wish as well: what is kept together costs room at the end of a chunk, never a limit. All questions are
//! answered from the place of a cut, by looking at a few lines around it, so that nothing of the text is marked
//! beforehand but code blocks and tables.

use std::cell::Cell;

use memchr::memchr;

use crate::markup::Markup;
use crate::segment::heading::Headings;
use crate::segment::lead_in::Led;
use crate::span::Span;
use crate::unicode::space::skip_space;

/// Parts of a text that are kept together.
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
    /// Headings, lead-ins, code blocks and tables.
    All,
    /// Headings, lead-ins, and lines.
    Lines,
    /// Headings and lead-ins.
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

    /// The same, with a lead-in above the headings, or above what begins at `at`.
    pub fn far_lead(&self, at: usize) -> usize {
        let start = self.lead(at);
        let paragraph = Led::at(self.text, start).and_then(|led| led.paragraph(self.text));
        paragraph.map_or(start, |paragraph| self.lead(paragraph))
    }

    /// The code blocks that are kept whole.
    pub fn blocks(&self) -> &[Span] {
        if self.has_blocks { self.headings.fences().blocks() } else { &[] }
    }

    /// The rules to be tried one after the other, if cuts were moved.
    pub const fn yielding(&self) -> &'static [Keeping] {
        if self.has_blocks || !self.tables.is_empty() {
            &[Keeping::Lines, Keeping::Headings, Keeping::Nothing]
        } else {
            &[Keeping::Nothing]
        }
    }

    /// The text.
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// Notes that a cut was moved.
    pub fn was_moved(&self) {
        self.moved.set(true);
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

    /// Whether a cut at `at` parts nothing that is kept.
    pub fn is_free(&self, at: usize) -> bool {
        // A block that is indented has its first character behind the indentation.
        let is_inside = |block: Span| skip_space(self.text, block.start) < at;
        !self.block(at, Keeping::All).is_some_and(is_inside)
            && self.headings.before(at).is_none()
            && Led::at(self.text, at).is_none()
    }

    /// What a cut at `at` parts from the lead-in above it, unless that is not kept.
    pub fn led(&self, at: usize, keeping: Keeping) -> Option<Led> {
        if keeping == Keeping::Nothing { None } else { Led::at(self.text, at) }
    }

    /// The block or table that begins where what a lead-in leads to does.
    pub fn block_of(&self, led: Led) -> Option<Span> {
        let at = self.tables.binary_search_by_key(&led.start, |table| table.start);
        match at {
            Ok(table) => Some(self.tables[table]),
            Err(_) if self.has_blocks => self.headings.fences().holding(led.start),
            Err(_) => None,
        }
    }

    /// The block or table inside which a cut at `at` would be, unless that is not kept.
    pub fn block(&self, at: usize, keeping: Keeping) -> Option<Span> {
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
    pub fn forbidden(&self, at: usize, keeping: Keeping) -> usize {
        if let Some(block) = self.block(at, keeping) {
            return self.text.floor_char_boundary(block.end - 1);
        }
        let bytes = self.text.as_bytes();
        let line = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed);
        skip_space(self.text, line).max(at)
    }
}
