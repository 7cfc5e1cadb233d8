//! Structural strategy: atomic blocks of a document, and neighbours under one parent that are alike made one.
//!
//! An atomic block is the least that says something by itself: a heading with the block behind it, a list with the
//! line that leads to it, a table or a figure with its caption, a paragraph. Without an embedder these are the
//! chunks. With one, neighbours are merged that have the same parent, fit together and are alike by their vectors.
//!
//! Both phases know atomic blocks by their spans: phase one ([`pieces`]) finds them, since their texts are what is
//! embedded; phase two is given them, and measures no block a second time to find them again.
//! O(n) in the text and the elements, and a cosine for each two neighbours.

mod atoms;
mod merging;
#[cfg(test)]
mod tests;
mod units;

use std::sync::Arc;

use self::atoms::Atomizer;
use self::merging::{Atom, Between, Merger};
use self::units::Joints;
use super::blocks::{Block, blocks};
use super::groups::BlockGroup;
use super::{ElementCutter, Packing};
use crate::boundaries::{Boundaries, Verdict};
use crate::chunks::{Chunks, Origin};
use crate::cut::chunker::Chunker;
use crate::cut::pieces::Pieces;
use crate::document::Document;
use crate::elements::{Element, Kind};
use crate::error::Result;
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::options::Limits;
use crate::pulse::Pulse;
use crate::span::Span;
use crate::vectors::{Embedder, Vectors};

/// Options of the structural strategy.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Lists over this are split between their items.
    pub list_max: usize,
    /// Tables over this are split between their rows, into parts of no more.
    pub table_max: usize,
    /// How neighbours are merged; none if they are not.
    pub merging: Option<Merging>,
}

/// How neighbouring atomic blocks are merged.
#[derive(Clone, Debug)]
pub struct Merging {
    /// Gives the texts of atomic blocks their vectors.
    pub embedder: Arc<dyn Embedder>,
    /// The least cosine of two neighbours that are merged.
    pub merge_at: f64,
    /// Texts over this are split between sentences that are less alike.
    pub split_above: usize,
}

/// Phase one: the atomic blocks of a document, or the sentences of long ones, whose texts need vectors; none if
/// nothing is merged.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn pieces(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    (structure, packing): (&Structure, &Packing),
    pulse: Pulse<'_>,
) -> Result<Pieces> {
    if structure.merging.is_none() {
        return Ok(Pieces::default());
    }
    let blocks = blocks_of(document, packing);
    let joints = Joints::new(document, &blocks);
    let (text, language, joints) = (document.text(), packing.language, &joints);
    let atomizer = Atomizer { text, joints, measure, limits, structure, language, pulse };
    Ok(Pieces::embedded(atomizer.spans()?))
}

/// The blocks of a document, each heading behind something else a start.
fn blocks_of(document: Document<'_>, packing: &Packing) -> Vec<Block> {
    let items = document.elements().unwrap_or_default();
    let mut starts = starts(items);
    // A figure without text goes with its caption behind it, and not with what stands before it.
    for i in 1..items.len() {
        let is_figure = items[i - 1].kind == Kind::Figure && items[i - 1].span.is_empty();
        if is_figure && items[i].kind == Kind::Caption {
            starts[i - 1] = true;
        }
    }
    blocks(document, document.text(), &starts, packing.isolate_tables)
}

/// For each element whether it is a heading that none stands right before.
pub(super) fn starts(items: &[Element]) -> Vec<bool> {
    let mut is_behind = false;
    let is_start = |item: &Element| {
        let is_heading = item.kind == Kind::Heading;
        let is_start = is_heading && !is_behind;
        is_behind = is_heading || is_behind && item.span.is_empty();
        is_start
    };
    items.iter().map(is_start).collect()
}

/// Phase two: the chunks of the atomic blocks `pieces`, with the boundaries between them.
///
/// # Errors
/// [`Error::Model`](crate::error::Error::Model) if there is not a vector for each piece; those of the measure and
/// its ruler, and of the pulse.
pub(super) fn cut(
    document: Document<'_>,
    chunker: Chunker<'_>,
    ruler: &dyn Ruler,
    (structure, packing): (&Structure, &Packing),
    pieces: &Pieces,
    vectors: Option<&mut dyn Vectors>,
) -> Result<Chunks> {
    let blocks = blocks_of(document, packing);
    let joints = Joints::new(document, &blocks);
    let (measure, limits, pulse) = (chunker.measure, chunker.limits, chunker.beat.pulse());
    let (text, language) = (document.text(), packing.language);
    let atomizer = Atomizer { text, joints: &joints, measure, limits, structure, language, pulse };
    let spans = if pieces.is_empty() { &atomizer.spans()? } else { pieces.spans() };
    let atoms = Atom::all(spans, &joints);
    let merger = Merger {
        atoms: &atoms,
        joints: &joints,
        measure,
        structure,
        isolate_tables: packing.isolate_tables,
        soft_max: limits.soft_max(),
    };
    let between = merger.all(vectors, pulse)?;
    let mut cutter = ElementCutter::new(document, chunker, ruler, packing, &blocks);
    cutter.table_max = Some(structure.table_max);
    let mut boundaries = cutter.write(&atoms, &between)?;
    let threshold = structure.merging.as_ref().map_or(f64::NAN, |merging| 1.0 - merging.merge_at);
    boundaries.end_text(threshold);
    Ok(cutter.chunker.chunks.with_boundaries(boundaries))
}

impl ElementCutter<'_> {
    /// Adds the chunks of all atoms; returns the boundaries between these.
    fn write(&mut self, atoms: &[Atom], between: &[Between]) -> Result<Boundaries> {
        let (mut boundaries, mut first, mut part) = (Boundaries::default(), 0, 0);
        for end in 1..=atoms.len() {
            let between = between.get(end - 1);
            if let Some(between) = between {
                boundaries.push(atoms[end - 1].span.end, between.score, between.verdict);
            }
            if between.is_none_or(|between| between.verdict != Verdict::Whole) {
                part = if atoms[first].is_rest { part } else { 0 };
                let n_before = self.chunker.chunks.len();
                self.merged(&atoms[first..end], part)?;
                part += self.chunker.chunks.len() - n_before;
                first = end;
            }
        }
        Ok(boundaries)
    }

    /// Adds the chunks of merged `atoms`: one, unless a single one is over the limit. Their first
    /// one is number `part` of those that a text between whose sentences is cut has.
    fn merged(&mut self, atoms: &[Atom], part: usize) -> Result<()> {
        let Some((first, last)) = atoms.first().zip(atoms.last()) else { return Ok(()) };
        let blocks = first.blocks.start..last.blocks.end;
        let own = &self.blocks[blocks.clone()];
        let elements = own.first().zip(own.last());
        let Some((of_first, of_last)) = elements else { return Ok(()) };
        let (start, end) = (of_first.elements.start, of_last.elements.end);
        let origin = Origin { first: start, end, part, ..Origin::default() };
        let span = Span::new(first.span.start, last.span.end);
        let table = first.table.filter(|_| atoms.len() == 1);
        let group = BlockGroup { blocks, stands_alone: table.is_some() };
        if let Some(table) = table {
            self.table(&self.blocks[table], span, origin)?;
        } else {
            let overlaps = part > 0 || self.overlaps(&group);
            self.run(span, origin, overlaps)?;
        }
        self.before = Some(group);
        Ok(())
    }
}
