//! Chunks of whole elements: as many neighbours as fit, long ones split, tables by rows.
//!
//! An element is a unit of meaning that a reader has found: a paragraph, a list item, a table. A strategy over
//! elements says only where a new unit *begins* ([`Starts`]); filling units up to the limit is the same for all
//! of them ([`Packing`]). A chunk is then one slice of the document's text, and is measured by the spans of one
//! index, so no text is joined or copied.
//!
//! O(n) in the text and the elements. An element over the limit is packed as a text is, a table by its rows
//! ([`by_rows`](super::table)).

pub(crate) mod blocks;
pub mod boundaries;
mod groups;
pub mod structural;
mod tables;
#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;
mod turns;
pub(super) mod wholes;

use std::ops::Range;
use std::sync::Arc;

use self::blocks::{Block, Lead, blocks};
use self::groups::{BlockGroup, BlockGroups};
use self::structural::Structure;
use super::chunker::Chunker;
use super::levels::Natural;
use super::pack::add_chunk;
use super::pieces::Pieces;
use super::small::{is_near, join_small};
use crate::chunks::{Chunks, Content, Origin};
use crate::document::Document;
use crate::elements::Kind;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::options::Limits;
use crate::pulse::Pulse;
use crate::segment::sentence::Language;
use crate::span::Span;
use crate::unicode::space::skip_space;
use crate::vectors::{Embedder, Vectors};

/// Options of the strategies over elements.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Packing {
    /// Whether chunks of whole elements overlap too, not only the parts of a long one.
    pub overlap_all: bool,
    /// Whether an overlap may reach over a start of a unit.
    pub overlap_over_starts: bool,
    /// Chunks smaller than this are joined with the next one, whatever stands between; 0: none.
    pub combine_under: usize,
    /// Whether tables stand alone.
    pub isolate_tables: bool,
    /// Whether a table that stands alone is passed on whole, however long it is.
    pub skip_tables: bool,
    /// Whether the parts of a table repeat its header.
    pub repeat_headers: bool,
    /// The language in which an element over the limit is split between sentences.
    pub language: Language,
}

/// Where a new unit begins, whatever would still fit.
#[derive(Clone, Debug)]
pub enum Starts {
    /// Nowhere.
    Nowhere,
    /// At headings, and at pages, unless a section may have several.
    Titles {
        /// Whether a section may have several pages.
        multipage: bool,
    },
    /// At pages.
    Pages,
    /// At elements that are less similar than the threshold to the one before them.
    Similarity {
        /// Gives the texts of elements their vectors.
        embedder: Arc<dyn Embedder>,
        /// The least cosine of neighbours in one unit.
        threshold: f64,
    },
    /// At headings; elements that belong together are one, and such neighbours are merged if they are alike.
    Structure(Structure),
}

/// A strategy over elements.
#[derive(Clone, Debug)]
pub struct ElementStrategy {
    /// Where units begin.
    pub starts: Starts,
    /// How they are filled.
    pub packing: Packing,
}

impl ElementStrategy {
    /// Phase one: the elements whose texts need vectors, or the atomic blocks.
    ///
    /// # Errors
    /// Those of the measure, and what `pulse` says.
    pub fn pieces(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        limits: Limits,
        pulse: Pulse<'_>,
    ) -> Result<Pieces> {
        match &self.starts {
            Starts::Similarity { .. } => {
                let items = document.elements().unwrap_or_default().iter();
                let spans = items.map(|item| item.span).filter(|span| !span.is_empty());
                Ok(Pieces::embedded(spans.collect()))
            }
            Starts::Structure(how) => {
                structural::pieces(document, measure, limits, (how, &self.packing), pulse)
            }
            _ => Ok(Pieces::default()),
        }
    }

    /// Phase two: the chunks of `document`, whose `pieces` are known.
    ///
    /// # Errors
    /// [`Error::Model`] if there is not a vector for each piece; [`Error::Config`] if the measure cannot
    /// measure texts that are put together; those of the measure and of the pulse.
    pub fn cut(
        &self,
        document: Document<'_>,
        chunker: Chunker<'_>,
        pieces: &Pieces,
        vectors: Option<&mut dyn Vectors>,
    ) -> Result<Chunks> {
        let items = document.elements().unwrap_or_default();
        let missing = || Error::Config("elements need a measure of any text".into());
        let Chunker { measure, limits, .. } = chunker;
        let (ruler, packing) = (measure.ruler().ok_or_else(missing)?, &self.packing);
        let pulse = chunker.beat.pulse();
        let (starts, chunks) = match (&self.starts, vectors) {
            (Starts::Structure(how), vectors) => {
                let how = (how, packing);
                let chunks = structural::cut(document, chunker, ruler, how, pieces, vectors)?;
                (structural::starts(items), chunks)
            }
            (Starts::Similarity { threshold, .. }, vectors) => {
                similar(document, chunker, ruler, packing, (vectors, *threshold))?
            }
            (starts, _) => {
                let starts = match starts {
                    Starts::Titles { multipage } => boundaries::by_title(items, *multipage),
                    Starts::Pages => boundaries::by_page(items),
                    _ => Vec::new(),
                };
                let chunks = elements(document, chunker, ruler, packing, &starts)?;
                (starts, chunks)
            }
        };
        let may_join = joinable(&chunks, packing, &starts);
        join_small(chunks, document.text(), measure, limits, pulse, |i| may_join[i])
    }
}

/// The starts of units that are less similar than the threshold to what is before them, and the chunks with their
/// boundaries.
fn similar(
    document: Document<'_>,
    chunker: Chunker<'_>,
    ruler: &dyn Ruler,
    packing: &Packing,
    (vectors, threshold): (Option<&mut dyn Vectors>, f64),
) -> Result<(Vec<bool>, Chunks)> {
    let items = document.elements().unwrap_or_default();
    let cosines = match vectors {
        Some(vectors) => boundaries::cosines(items, vectors)?,
        None => Vec::new(),
    };
    let mut starts = boundaries::less_than(&cosines, threshold);
    boundaries::keep_leads(document, &mut starts);
    let chunks = elements(document, chunker, ruler, packing, &starts)?;
    let blocks = blocks(document, document.text(), &starts, packing.isolate_tables);
    let found = boundaries::between(&blocks, &cosines, &chunks, threshold);
    Ok((starts, chunks.with_boundaries(found)))
}

/// For each chunk whether it may be one with that before it: both are of whole elements of one unit, and no
/// table that stands alone.
fn joinable(chunks: &Chunks, packing: &Packing, starts: &[bool]) -> Vec<bool> {
    let origins = chunks.origins();
    let may_stand = |i: usize| match origins[i].content {
        Content::Text => is_near(chunks, i),
        Content::Table => !packing.isolate_tables,
        Content::TablePart => false,
    };
    let is_start = |i: usize| starts.get(origins[i].first).is_some_and(|&is_start| is_start);
    let is_whole = |i: usize| origins.get(i).is_none_or(|origin| origin.part == 0);
    let joins = |i: usize| {
        let are_whole = (i - 1..=i + 1).all(is_whole);
        are_whole && !is_start(i) && may_stand(i - 1) && may_stand(i)
    };
    (0..origins.len()).map(|i| i > 0 && joins(i)).collect()
}

/// Cuts a document between its elements, of which those for which `starts` says so begin a new unit.
///
/// Elements are gathered as long as they fit: over the soft limit nothing is added. What stands between
/// two of them belongs to the first. An element over the limit is split as a text is, but a table between
/// its rows. A text without elements is split as one.
///
/// O(n) in the text, but for what the parts of tables repeat; the measure is asked for a few spans an element.
///
/// # Errors
/// Those of the measure and the ruler, and what `pulse` says.
pub fn elements(
    document: Document<'_>,
    chunker: Chunker<'_>,
    ruler: &dyn Ruler,
    packing: &Packing,
    starts: &[bool],
) -> Result<Chunks> {
    let blocks = blocks(document, document.text(), starts, packing.isolate_tables);
    let mut cutter = ElementCutter::new(document, chunker, ruler, packing, &blocks);
    let mut groups = BlockGroups::new(&blocks, packing.combine_under);
    while let Some(group) = groups.next(&cutter.chunker)? {
        cutter.cut(group)?;
    }
    Ok(cutter.chunker.chunks)
}

/// Makes chunks of groups.
struct ElementCutter<'a> {
    document: Document<'a>,
    ruler: &'a dyn Ruler,
    packing: &'a Packing,
    blocks: &'a [Block],
    chunker: Chunker<'a>,
    /// Where texts over the limit are split.
    levels: [Natural<'a>; 5],
    /// The size over which a table is split between its rows, if that is not the limit.
    table_max: Option<usize>,
    /// The group that was cut last.
    before: Option<BlockGroup>,
}

impl<'a> ElementCutter<'a> {
    fn new(
        document: Document<'a>,
        mut chunker: Chunker<'a>,
        ruler: &'a dyn Ruler,
        packing: &'a Packing,
        blocks: &'a [Block],
    ) -> Self {
        (chunker.is_bounded, chunker.language) = (true, packing.language);
        let levels = Natural::all(document.text(), packing.language);
        let (table_max, before) = (None, None);
        Self { document, ruler, packing, blocks, chunker, levels, table_max, before }
    }
}

impl ElementCutter<'_> {
    fn cut(&mut self, group: BlockGroup) -> Result<()> {
        let blocks = &self.blocks[group.blocks.clone()];
        let Some((first, last)) = blocks.first().zip(blocks.last()) else { return Ok(()) };
        let span = Span::new(first.span.start, last.span.end);
        let origin =
            Origin { first: first.elements.start, end: last.elements.end, ..Origin::default() };
        let items = self.document.elements().unwrap_or_default();
        let is_table =
            |block: &Block| items.get(block.element).is_some_and(|item| item.kind == Kind::Table);
        // Its caption may be below it.
        let i = blocks.len() - 1;
        let i = i - usize::from(i > 0 && blocks[i - 1].lead == Lead::Captioned);
        let is_led = blocks[..i].iter().all(|block| block.lead != Lead::None);
        let table = Some(&blocks[i]).filter(|table| is_table(table) && is_led);
        if let Some(table) = table
            && (i == 0 || group.stands_alone || !self.fits(span)?)
        {
            self.table(table, span, origin)?;
        } else {
            let overlaps = self.overlaps(&group);
            self.run(span, origin, overlaps)?;
        }
        self.before = Some(group);
        Ok(())
    }

    fn fits(&self, span: Span) -> Result<bool> {
        self.chunker.fits(span.start, span.end)
    }

    /// Adds a chunk, its overlap as long as the limit allows; of what is over the limit the parts, the first one
    /// without an overlap unless it is asked for.
    fn run(&mut self, span: Span, origin: Origin, overlaps: bool) -> Result<()> {
        if !self.fits(span)? || self.goes_over_with_name(span)? {
            return self.split(span, origin, overlaps);
        }
        let open = if overlaps { self.chunker.open_beside(span)? } else { span.start };
        self.push(open, span)?;
        self.chunker.chunks.set_origin(origin);
        Ok(())
    }

    /// Splits a text over the limit, from sentence to sentence where it has any.
    fn split(&mut self, span: Span, origin: Origin, overlaps: bool) -> Result<()> {
        let limits = self.chunker.limits;
        let (mut body, mut part) = (skip_space(self.chunker.text, span.start), origin.part);
        while body < span.end {
            let rest = Span::new(body, span.end);
            let is_turn = self.document.speaker_label(body).is_some()
                || self.document.words_in(rest).is_some();
            let next = if is_turn {
                self.add_named(rest)
            } else {
                if part == origin.part && !(overlaps && self.document.turns().is_empty()) {
                    self.chunker.limits = limits.without_overlap();
                }
                add_chunk(&mut self.chunker, &mut self.levels, body, span.end)
            };
            self.chunker.limits = limits;
            body = skip_space(self.chunker.text, next?);
            self.chunker.chunks.set_origin(Origin { part, ..origin });
            part += 1;
        }
        Ok(())
    }

    /// Whether the first chunk of `group` repeats the end of the one before.
    fn overlaps(&self, group: &BlockGroup) -> bool {
        let is_start = self.blocks[group.blocks.start].is_start;
        self.packing.overlap_all
            && self.before.as_ref().is_some_and(|before| !before.stands_alone)
            && (self.packing.overlap_over_starts || !is_start)
    }

    /// Says of the chunks from `first` on, all made of one table, whether there is only one.
    fn mark_tables(&mut self, rows: Range<usize>) {
        let content = if rows.len() == 1 { Content::Table } else { Content::TablePart };
        for row in rows {
            self.chunker.chunks.set_content(row, content);
        }
    }
}
