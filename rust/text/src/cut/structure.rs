//! Structure that cuts respect: headings and lead-ins with what follows them, code blocks, and tables; in code, what
//! stands above it.
//!
//! A cut behind headings is moved to where they begin, and inside a block there is none. Headings are bound to what
//! follows them where both have room in one chunk, or what follows has none by itself and is cut anyway: so that
//! nothing is cut for a heading that fits by itself. Where a chunk begins
//! with them, so that there is no such place, a weaker boundary behind them is looked for; and only where none is within
//! the limit, the rule gives way: first that for blocks, which are then cut between lines.
//!
//! It is a wish as well: what is kept together costs room at the end of a chunk, never a limit. All questions are
//! answered from the place of a cut, by looking at a few lines around it, so that nothing of the text is marked
//! beforehand but code blocks and tables.

use std::cell::Cell;

use memchr::{memchr, memchr2_iter};

use super::bound_code::BoundCode;
use crate::error::Result;
use crate::markup::Markup;
use crate::measure::Measure;
use crate::options::Limits;
use crate::segment::heading::Headings;
use crate::segment::lead_in::Led;
use crate::segment::line::ends_paragraph;
use crate::segment::sentence::{Language, Sentences};
use crate::span::Span;
use crate::syntax::code::languages::CodeLanguage;
use crate::unicode::line_ends::FORM_FEED;
use crate::unicode::space::{skip_space, trim_end};

/// So far beyond what fits is read to tell whether a sentence ends.
const AHEAD: usize = 512;

/// What a strategy does not cut where it fits, and so what a heading is bound to.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// Paragraphs.
    Paragraph,
    /// Sentences of a language.
    Sentence(Language),
}

/// Parts of a text that are kept together.
pub struct Structure<'t> {
    text: &'t str,
    next: Next,
    measure: &'t dyn Measure,
    /// What a chunk may have beside its overlap.
    room: usize,
    headings: Headings<'t>,
    /// What stands above code, in a text that is code: it has no headings and no lead-ins.
    code: Option<BoundCode<'t>>,
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
    pub fn of(
        text: &'t str,
        markup: Markup,
        next: Next,
        measure: &'t dyn Measure,
        limits: Limits,
    ) -> Option<Self> {
        (markup != Markup::Code).then(|| Self::new(text, markup, next, measure, limits))
    }

    /// The same, of code too.
    pub fn new(
        text: &'t str,
        markup: Markup,
        next: Next,
        measure: &'t dyn Measure,
        limits: Limits,
    ) -> Self {
        Self {
            text,
            next,
            measure,
            room: limits.hard_max() - limits.overlap(),
            headings: Headings::new(text, markup),
            code: None,
            has_blocks: matches!(markup, Markup::Markdown | Markup::Rst),
            tables: Vec::new(),
            moved: Cell::new(false),
        }
    }

    /// That of source code in a language.
    pub fn of_code(
        text: &'t str,
        language: &'static CodeLanguage,
        measure: &'t dyn Measure,
        limits: Limits,
    ) -> Self {
        let new = Self::new(text, Markup::Code, Next::Paragraph, measure, limits);
        Self { code: Some(BoundCode::new(text, language, measure, new.room)), ..new }
    }

    /// Keeps these tables whole, too, which are in order.
    pub fn keep_tables(&mut self, tables: Vec<Span>) {
        self.tables = tables;
    }

    /// The headings of the text.
    pub const fn headings(&self) -> &Headings<'t> {
        &self.headings
    }

    /// The start of the headings that a cut at `at` would part from what they are bound to; none if there are none.
    ///
    /// Where there is no room for all of them beside it, those farthest above are free. The measure is asked three
    /// times, and once for each that is free.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn bound(&self, at: usize) -> Result<Option<usize>> {
        let run = self.headings.run(at);
        let Some(&last) = run.first() else { return Ok(None) };
        let start = skip_space(self.text, last);
        if !self.has_room(start, self.headings.own_end(start))? {
            // What no chunk can hold is cut as any text is.
            return Ok(None);
        }
        if self.headings.is_inside(last, at) {
            return Ok(Some(self.bound(last)?.unwrap_or(last)));
        }
        let next = self.end_of_next(skip_space(self.text, at))?;
        // What is cut anyway takes as many headings along as have room themselves.
        let end = next.unwrap_or_else(|| trim_end(self.text, last, at));
        for &start in run.iter().rev() {
            if self.has_room(skip_space(self.text, start), end)? {
                return Ok(Some(start));
            }
        }
        Ok(next.is_none().then_some(last))
    }

    /// The end of the paragraph or sentence, block or table that begins at `start`; none if no chunk can hold it.
    fn end_of_next(&self, start: usize) -> Result<Option<usize>> {
        let end = match (self.block_at(start), self.next) {
            (Some(block), _) => Some(trim_end(self.text, start, block.end)),
            (None, Next::Paragraph) => self.end_of_paragraph(start)?,
            (None, Next::Sentence(language)) => self.end_of_sentence(start, language)?,
        };
        Ok(match end {
            Some(end) if self.has_room(start, end)? => Some(end),
            _ => None,
        })
    }

    /// The end of the paragraph that begins at `start`, if it is within reach.
    fn end_of_paragraph(&self, start: usize) -> Result<Option<usize>> {
        let (text, reach) = (self.text, self.measure.longest(start, self.room)?);
        let upto = skip_space(text, reach.max(start));
        let mut feeds =
            memchr2_iter(b'\n', FORM_FEED, &text.as_bytes()[start..upto]).map(|at| start + at);
        let end = feeds.find(|&feed| ends_paragraph(text, feed));
        let end = end.or((upto == text.len()).then_some(upto));
        Ok(end.map(|end| trim_end(text, start, end)))
    }

    /// The end of the sentence that begins at `start`, if it is within reach.
    fn end_of_sentence(&self, start: usize, language: Language) -> Result<Option<usize>> {
        let (text, reach) = (self.text, self.measure.longest(start, self.room)?);
        let upto = text.floor_char_boundary(text.len().min(reach.max(start) + AHEAD));
        let sentence = Sentences::in_language(&text[start..upto], language).next();
        let end = sentence.map(|sentence| start + sentence.end);
        let end = end.filter(|&end| end < upto || upto == text.len());
        Ok(end.map(|end| trim_end(text, start, end)))
    }

    /// The block or table that begins with the character at `start`, of those that are kept whole.
    fn block_at(&self, start: usize) -> Option<Span> {
        let at = self.tables.binary_search_by_key(&start, |table| table.start);
        match at {
            Ok(table) => Some(self.tables[table]),
            Err(_) if self.has_blocks => {
                let block = self.headings.fences().holding(start)?;
                (skip_space(self.text, block.start) == start).then_some(block)
            }
            Err(_) => None,
        }
    }

    fn has_room(&self, start: usize, end: usize) -> Result<bool> {
        Ok(self.measure.size(Span::new(start, end))? <= self.room)
    }

    /// Where what begins at `at` begins with all headings above it, whether there is room for them or not.
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

    /// Where a cut at `at` has to be, so that all that is kept stays together: `at`, or before it. The chunk in front
    /// of it starts at `open`.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn moved(&self, at: usize, open: usize, keeping: Keeping) -> Result<usize> {
        if keeping == Keeping::Nothing {
            return Ok(at);
        }
        let block = self.block(at, keeping).map_or(at, |block| block.start);
        let bound = match &self.code {
            Some(code) => code.start(block, open)?,
            None => self.bound(block)?,
        };
        let start = bound.unwrap_or(block);
        if start < at {
            self.moved.set(true);
        }
        Ok(start)
    }

    /// Whether a cut at `at` parts nothing that is kept.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn is_free(&self, at: usize) -> Result<bool> {
        // A block that is indented has its first character behind the indentation.
        let is_inside = |block: Span| skip_space(self.text, block.start) < at;
        Ok(!self.block(at, Keeping::All).is_some_and(is_inside)
            && self.led(at, Keeping::All).is_none()
            && self.bound(at)?.is_none())
    }

    /// What a cut at `at` parts from the lead-in above it, unless that is not kept.
    pub fn led(&self, at: usize, keeping: Keeping) -> Option<Led> {
        let has_leads = keeping != Keeping::Nothing && self.code.is_none();
        if has_leads { Led::at(self.text, at) } else { None }
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
