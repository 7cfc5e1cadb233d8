//! Unstructured's chunking, chunk for chunk: elements packed, what is too long split, tables by rows.

mod combine;
pub mod fields;
mod fit;
pub mod fragments;
pub mod json;
mod prechunk;
pub mod split_table;
#[cfg(test)]
mod split_table_tests;
mod table;
#[cfg(test)]
mod tests;
mod write;

use std::ops::Range;

use self::combine::Combined;
use self::write::Writer;
pub use crate::unstructured::fragments::ChunkText;
use chunkwright_text::cut::elements::boundaries;
use chunkwright_text::elements::{Element, Kind};

use chunkwright_read::unstructured::{SEPARATOR, Unstructured};
use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::options::Limits;
use chunkwright_text::pulse::{Beat, CHUNK_BYTES, Pulse};
use chunkwright_text::span::Span;

/// What all strategies over elements are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Packing {
    /// The size that no chunk exceeds.
    pub hard_max: usize,
    /// The size over which nothing is added to a chunk; 0 leaves each element by itself.
    pub soft_max: usize,
    /// How much of a split element's part is repeated in the next one.
    pub overlap: usize,
    /// Whether chunks of whole elements overlap too.
    pub overlap_all: bool,
    /// Whether an overlap may reach over a boundary of the strategy (a title, a page).
    pub overlap_over_boundaries: bool,
    /// Chunks of less than this are combined with the next, whatever stood between; 0: none.
    pub combine_under: usize,
    /// Whether tables stand alone.
    pub isolate_tables: bool,
    /// Whether a table that stands alone is passed on as it is.
    pub skip_tables: bool,
    /// Whether the parts of a table repeat its header.
    pub repeat_headers: bool,
}

/// What a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ChunkKind {
    /// Elements, or a part of one.
    Composite = 0,
    /// A whole table.
    Table = 1,
    /// A part of a table.
    TablePart = 2,
    /// A table that was passed on as it is.
    Untouched = 3,
}

/// A chunk of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementChunk {
    /// What it is.
    pub kind: ChunkKind,
    /// The elements that it is made of.
    pub elements: Range<usize>,
    /// What it says, overlap included.
    pub text: ChunkText,
    /// The part of [`Unstructured::text`] that is its own, overlap excluded; that of the whole table where
    /// rows are not found in it.
    pub body: Span,
    /// HTML of a table or a part of one.
    pub html: Option<String>,
    /// The number of the chunk among those of the same elements.
    pub part: usize,
    /// Rows of the header that are repeated in front of a part of a table.
    pub n_header_rows: usize,
    /// Its size in the unit of the ruler.
    pub size: usize,
}

/// What all steps need to know.
struct Context<'a> {
    elements: &'a Unstructured,
    begins: &'a [bool],
    packing: &'a Packing,
    ruler: &'a dyn Ruler,
    /// Sizes of the spans of the text of all elements.
    measure: &'a dyn Measure,
    counts_chars: bool,
}

impl Context<'_> {
    fn text(&self) -> &str {
        self.elements.text()
    }

    /// Whether element `i` begins a unit of the strategy.
    fn begins(&self, i: usize) -> bool {
        self.begins.get(i).copied().unwrap_or(false)
    }
}

/// Whether the text of an element that begins at `start` stands right behind what ends with `before`.
const fn is_next(before: Span, start: usize) -> bool {
    before.end + SEPARATOR.len() == start
}

/// Where titles begin sections, and pages too, unless a section may have several.
///
/// The first element is on page 1 if it does not say otherwise, or says 0. O(n).
pub fn by_title(elements: &[Element], multipage: bool) -> Vec<bool> {
    let titles = elements.iter().map(|element| element.kind == Kind::Heading);
    if multipage {
        return titles.collect();
    }
    let first = elements.first().and_then(|element| element.page);
    let is_new = boundaries::new_pages(elements, first.filter(|&page| page != 0).unwrap_or(1));
    titles.zip(is_new).map(|(is_title, is_page)| is_title || is_page).collect()
}

/// The chunks of `elements`, of which those for which `begins` says so begin a new unit.
///
/// Elements are gathered as long as they fit, small groups combined, and what is still too long is split.
/// O(n) in the text, but for what the ruler costs and what is repeated.
///
/// # Errors
/// [`Error::Config`](chunkwright_text::error::Error::Config) for limits that make no sense, those of the ruler, and what
/// `pulse` says.
pub fn pack(
    elements: &Unstructured,
    begins: &[bool],
    packing: &Packing,
    ruler: &dyn Ruler,
    pulse: Pulse<'_>,
) -> Result<Vec<ElementChunk>> {
    Limits::new(packing.hard_max, None, packing.overlap)?;
    pulse()?;
    let measure = ruler.measure(elements.text())?;
    let counts_chars = ruler.counts_chars();
    let context = Context { elements, begins, packing, ruler, measure: &*measure, counts_chars };
    let beat = Beat::of_bytes(pulse);
    let mut pre_chunks = Combined::new(&context);
    let mut writer = Writer::new(&context, &beat);
    while let Some(pre_chunk) = pre_chunks.next()? {
        beat.after(pre_chunk.own.len() + CHUNK_BYTES)?;
        writer.write(&pre_chunk)?;
    }
    Ok(writer.chunks)
}
