//! Facts about the chunks of a document that its rows tell beside texts and offsets.

use std::ops::Range;

use chunkwright_text::block_types::block_type;
use chunkwright_text::boundaries::Ending;
use chunkwright_text::chunks::{Chunks, Origin};
use chunkwright_text::document::Document;
use chunkwright_text::elements::Kind;
use chunkwright_text::identity::Identities;
use chunkwright_text::offsets::LineSweep;
use chunkwright_text::sections::Sections;
use chunkwright_text::source_map::{SourceMap, SourcePlace};
use serde::{Deserialize, Serialize};

/// Bytes of a box: five numbers.
const BOX_BYTES: usize = 40;

/// The chunks of a document: a range of rows of its columns, and where they stand in code points.
#[derive(Clone)]
pub struct DocumentChunks<'a> {
    /// Chunks, of this document or of several.
    pub chunks: &'a Chunks,
    /// Those of this document.
    pub rows: Range<usize>,
    /// Starts of all chunks in code points.
    pub starts: &'a [i64],
    /// Ends of all chunks in code points.
    pub ends: &'a [i64],
}

/// Lines and places of chunks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Places {
    /// The lines, from 1, on which each chunk begins and ends.
    pub lines: Vec<[usize; 2]>,
    /// Where each chunk stands in the source that was read, if that is known.
    pub sources: Vec<Option<SourcePlace>>,
}

impl Places {
    /// Those of chunks of a text that stands in its source as `map` tells. O(text + chunks log parts).
    pub fn of(text: &str, of: &DocumentChunks<'_>, map: &SourceMap) -> Self {
        let (mut starts, mut ends) = (LineSweep::new(text), LineSweep::new(text));
        let spans = || of.rows.clone().map(|row| (row, of.chunks.span(row)));
        let lines: Vec<_> = spans()
            .map(|(_, span)| [starts.at(span.start), ends.at(span.end.saturating_sub(1))])
            .collect();
        let place = |((row, span), &lines): ((usize, _), &[usize; 2])| {
            let chars = [of.starts[row], of.ends[row]].map(|at| usize::try_from(at).unwrap_or(0));
            map.place(span, SourcePlace { chars, lines })
        };
        let sources = spans().zip(&lines).map(place).collect();
        Self { lines, sources }
    }
}

/// Sections of the elements of a document, and the kinds of its chunks by these.
#[derive(Debug, Default)]
pub struct ElementFacts {
    /// Headings, pages and boxes.
    pub sections: Sections,
    /// The kind of each chunk; none of a plain text, whose chunks are paragraphs of no element.
    pub kinds: Vec<&'static str>,
    /// The block type of each chunk.
    pub block_types: Vec<&'static str>,
}

impl ElementFacts {
    /// Those of the chunks of `document`, whose sections are known.
    pub fn of(document: Document<'_>, of: &DocumentChunks<'_>, sections: Sections) -> Self {
        let Some(elements) = document.elements() else { return Self::default() };
        let origins = of.chunks.origins().get(of.rows.clone()).unwrap_or_default();
        let kinds = origins.iter().map(|origin| origin.kind(elements).name()).collect();
        let block = |origin| block_type(document.text(), origin, elements);
        let block_types = origins.iter().map(block).collect();
        Self { sections, kinds, block_types }
    }

    /// The block type of a chunk.
    pub fn block_type(&self, chunk: usize) -> &'static str {
        self.block_types.get(chunk).copied().unwrap_or("text")
    }

    /// The kind of a chunk.
    pub fn kind(&self, chunk: usize) -> &'static str {
        self.kinds.get(chunk).copied().unwrap_or(Kind::Paragraph.name())
    }

    /// The headings of the section that a chunk is from, the outermost first.
    pub fn headings(&self, origin: &Origin) -> Vec<&str> {
        self.sections.headings(origin.first..origin.end)
    }

    /// The headings above a chunk's first element, the outermost first.
    pub fn headings_above(&self, origin: &Origin) -> Vec<&str> {
        if origin.first < origin.end {
            self.sections.headings_above(origin.first)
        } else {
            Vec::new()
        }
    }

    /// The number of the chunk that holds the heading above the first element of one.
    pub fn parent(&self, of: &DocumentChunks<'_>, chunk: usize) -> Option<usize> {
        let origins = of.chunks.origins().get(of.rows.clone())?;
        let own = origins.get(chunk).filter(|own| !self.kinds.is_empty() && own.first < own.end)?;
        let heading = self.sections.heading_above(own.first)?;
        let last = origins.partition_point(|origin| origin.first <= heading).checked_sub(1)?;
        let holder = origins.get(last).filter(|origin| heading < origin.end)?.first;
        Some(origins.partition_point(|origin| origin.first < holder))
    }

    /// Bytes of all these headings of a chunk, and of its boxes.
    pub fn n_bytes(&self, origin: &Origin) -> usize {
        let headings = [self.headings(origin), self.headings_above(origin)];
        let n_heading_bytes: usize = headings.iter().flatten().map(|heading| heading.len()).sum();
        n_heading_bytes + BOX_BYTES * self.sections.boxes(origin.first..origin.end).count()
    }
}

/// The ids of the chunks of the document of that name, empty if it has none.
pub fn ids(name: &str, text: &str, of: &DocumentChunks<'_>) -> Vec<String> {
    let mut identities = Identities::new(name);
    of.rows.clone().map(|row| identities.next(&of.chunks.text(row, text))).collect()
}

/// How the chunks of text number `doc` end, if its boundaries were scored.
pub fn endings(doc: usize, of: &DocumentChunks<'_>) -> Vec<Ending> {
    let boundaries = of.chunks.boundaries();
    if boundaries.text_ends().is_empty() {
        return Vec::new();
    }
    boundaries.endings(doc, of.rows.clone().map(|row| of.chunks.span(row).end))
}
