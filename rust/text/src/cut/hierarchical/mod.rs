//! Hierarchical and hybrid strategies: chunks of elements under their headings, long ones split, peers merged.
//!
//! A heading is the chunk's own text where it stands: it begins the first chunk of its section. The chunks
//! behind repeat it as a piece in front, which counts against the limit; so no heading is lost, and every
//! chunk but a part of a table is one slice of the text with headings before it.
//!
//! Steps, each a module: `units` are what belongs together; `split` makes atoms of a unit over the limit,
//! `rows` those of a table; `groups` gathers atoms of peers as long as they fit; `write` puts headings,
//! table headers and overlaps in front. Headings are looked up by element and their sizes kept, so a chunk costs
//! O(headings above it).

mod groups;
pub(super) mod headings;
mod rows;
mod split;
#[cfg(test)]
mod tests;
pub(super) mod units;
mod write;

use std::ops::Range;

use self::headings::Headings;
use self::units::units;
use super::chunker::Chunker;
use super::elements::blocks::{Block, blocks};
use super::levels::Natural;
use super::prefix::{Prefix, Prefixed};
use super::sentence::{Sentencing, sentence};
use super::small::join_small;
use super::speakers::Speakers;
use super::table::html::Shown;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::sentence::Language;
use crate::span::{Piece, Span};
use crate::unicode::line_ends::unified;

/// Options of the strategies that know headings.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Hierarchy {
    /// Whether neighbours under the same heading are merged as long as they fit.
    pub merge_peers: bool,
    /// Whether the items of one list are kept together.
    pub merge_list_items: bool,
    /// Whether chunks repeat the headings above them.
    pub repeat_headings: bool,
    /// Whether headings with nothing below them are chunks of their own, not the start of the next one.
    pub always_emit_headings: bool,
    /// Whether the parts of a table repeat its header.
    pub repeat_headers: bool,
    /// Whether a row that fits without the header only is kept whole without it; else it is cut between
    /// its cells.
    pub omit_header_on_overflow: bool,
    /// The language in which a text over the limit is split between sentences.
    pub language: Language,
}

/// Cuts a document into its elements under their headings.
///
/// Items of a list, and a caption and what it belongs to, are one unit; so are headings and what follows
/// them. A unit over the limit is split: between its elements, a table between its rows, a text at the best
/// boundary. Where the headings above leave less than half of the limit, the outermost are left out. A text
/// without elements is cut between sentences.
///
/// O(n) in the text and in 64 headings an element.
///
/// ```
/// use chunkwright_text::cut::hierarchical::{Hierarchy, hierarchical};
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::measure::ruler::{CharRuler, Ruled};
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_text::syntax::markdown;
///
/// let text = "# Rain\n\nIt fell for two days. The river rose.\n\n# Sun\n\nIt came out.\n";
/// let elements = markdown::read(text).elements;
/// let document = Document::new(text).with_elements(&elements);
/// let measure = Ruled::new(Chars::new(document), CharRuler);
/// let options = Hierarchy { merge_peers: true, repeat_headings: true, ..Hierarchy::default() };
/// let (limits, at) = (Limits::new(40, None, 0)?, OverlapAt::Word);
/// let chunks = hierarchical(document, &measure, limits, at, options, no_pulse())?;
/// let texts: Vec<_> = (0..chunks.len()).map(|i| chunks.text(i, text)).collect();
/// assert_eq!(texts, ["# Rain\n\nIt fell for two days.", "# Rain\n\nThe river rose.", "# Sun\n\nIt came out."]);
/// // The heading of the second chunk is a piece of its own, which stands at the start of the text.
/// assert_eq!(chunks.pieces(1)[0].span.range(), 0..8);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure and its ruler, [`Error::Config`] if it has none, and what `pulse` says.
pub fn hierarchical(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    options: Hierarchy,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let items = document.elements().unwrap_or_default();
    if items.is_empty() {
        return between_sentences(document, measure, limits, overlap_at, options.language, pulse);
    }
    let missing = || Error::Config("elements need a measure of any text".into());
    let ruler = measure.ruler().ok_or_else(missing)?;
    let lines = unified(document.text());
    let text = &*lines;
    let blocks = blocks(document, text, &[], false);
    let headings = Headings::new(text, items, &blocks);
    let chunker = Chunker::new(text, measure, limits, overlap_at, pulse);
    let mut chunker = chunker.of_source(document.text());
    chunker.language = options.language;
    let mut cutter = SectionCutter {
        document,
        measure,
        ruler,
        bare: ruler.size("")?,
        limits,
        options,
        blocks: &blocks,
        headings: &headings,
        chunker,
        levels: Natural::all(text, options.language),
        atoms: Vec::new(),
    };
    for unit in units(document, &blocks, &headings, options) {
        cutter.split_unit(&unit)?;
    }
    let groups = cutter.groups()?;
    cutter.write(&groups)?;
    Ok(cutter.chunker.chunks)
}

/// Cuts a text without elements.
fn between_sentences(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    language: Language,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let how = Sentencing { language, sentences: None, window: 0, repeat_headers: true };
    let chunks = sentence(document, measure, limits, overlap_at, how, pulse)?;
    join_small(chunks, document.text(), measure, limits, pulse, |_| true)
}

/// What is never cut again: a unit that fits, or a part of one.
#[derive(Clone, Debug)]
struct Atom {
    /// Its text.
    body: Span,
    /// The innermost heading of its section.
    path: Option<usize>,
    /// The heading that it begins with.
    opens: Option<usize>,
    /// Its elements.
    elements: Range<usize>,
    /// Its number among the parts of one element.
    part: usize,
    /// Units that the repeated headings may take.
    most_headings: usize,
    /// The table that it is, or rows of.
    table: Option<AtomTable>,
}

/// What is known of a table, or of a part of one.
#[derive(Clone, Debug)]
struct AtomTable {
    /// The number of its element.
    element: usize,
    /// What it shows, and the rows of the header in front; none of the whole table.
    part: Option<(Shown, usize)>,
    /// What is repeated of the table before the rows.
    header: Vec<Piece>,
    /// What is repeated behind them.
    footer: Vec<Piece>,
}

impl Atom {
    /// Whether it may be in one chunk with its neighbours.
    const fn is_joinable(&self) -> bool {
        match &self.table {
            Some(table) => table.part.is_none(),
            None => true,
        }
    }
}

/// Turns units into atoms, and atoms into chunks.
struct SectionCutter<'a> {
    document: Document<'a>,
    measure: &'a dyn Measure,
    ruler: &'a dyn Ruler,
    /// The size of nothing, which each text has on top: special tokens.
    bare: usize,
    limits: Limits,
    options: Hierarchy,
    blocks: &'a [Block],
    headings: &'a Headings<'a>,
    chunker: Chunker<'a>,
    levels: [Natural<'a>; 5],
    atoms: Vec<Atom>,
}

impl<'a> SectionCutter<'a> {
    /// The text of the document.
    const fn text(&self) -> &'a str {
        self.document.text()
    }

    /// The headings of `path` that stand before `at`, the outermost left out beyond `most` units, then the name of
    /// the speaker in whose turn the text goes on there, then `header`.
    fn prefix(
        &self,
        path: Option<usize>,
        at: usize,
        most: usize,
        header: &[Piece],
    ) -> Result<Prefix> {
        let mut pieces = Vec::new();
        if self.options.repeat_headings && most > 0 {
            let size = |span: Span| Ok(self.measure.size(span)?.saturating_sub(self.bare));
            pieces = self.headings.above(path, at, most, size)?;
        }
        pieces.extend(self.speakers().label(at)?);
        pieces.extend_from_slice(header);
        self.prefixed().prefix(pieces)
    }

    /// The names of speakers that chunks repeat.
    const fn speakers(&self) -> Speakers<'_, 'a> {
        Speakers { document: self.document, prefixed: self.prefixed() }
    }

    /// Measures chunks with what stands in front of them.
    const fn prefixed(&self) -> Prefixed<'_, 'a> {
        let Self { chunker, ruler, bare, limits, .. } = self;
        Prefixed { chunker, ruler: *ruler, bare: *bare, limits: *limits }
    }

    /// The size of `span` behind `prefix`, exactly.
    fn size(&self, prefix: &Prefix, span: Span) -> Result<usize> {
        self.prefixed().size(prefix, span)
    }

    /// Whether `span` fits behind `prefix`.
    fn fits(&self, prefix: &Prefix, span: Span) -> Result<bool> {
        self.prefixed().fits(prefix, span)
    }

    /// What `prefix` leaves of `limit`, at least 1.
    fn room(&self, prefix: &Prefix, limit: usize) -> usize {
        self.prefixed().room(prefix, limit)
    }
}
