//! Job that makes tables of chunks of tables of documents.

use std::collections::VecDeque;
use std::ops::Range;

use arrow_array::StructArray;
use chunkwright_core::chunks::Chunks;
use chunkwright_core::cut::strategy::Cutter;
use chunkwright_core::document::Document;
use chunkwright_core::error::Result;
use chunkwright_core::identity::Identities;
use chunkwright_core::offsets::LineSweep;
use chunkwright_core::sections::Sections;
use chunkwright_core::source_map::{SourceMap, SourcePlace};
use chunkwright_core::span::Span;

use super::checks::caught;
use super::chunk_columns::ChunkColumns;
use super::cut_document::CutDocument;
use super::documents::{DocumentTable, Documents};
use super::layout::Layout;
use super::width::width;
use crate::batch::{Batch, Texts};
use crate::cut::Cut;
use crate::host::Host;
use crate::unit::Unit;

/// How documents become chunks.
pub struct Job<'a> {
    /// The columns.
    pub layout: &'a Layout,
    /// How to cut.
    pub cutter: &'a Cutter,
    /// What to count in.
    pub counting: Counting<'a>,
    /// How many threads may cut.
    pub workers: usize,
    /// Who started the job.
    pub host: &'a dyn Host,
    /// Whether the texts may be a `large_string` if they are too many for a `string`.
    pub may_be_large: bool,
}

/// What sizes are counted by.
#[derive(Clone, Copy)]
pub enum Counting<'a> {
    /// A unit, on any thread.
    Unit(&'a Unit),
    /// The caller's own code, which cuts one document after another.
    Caller(&'a (dyn Fn(Document<'_>) -> Result<Cut> + Sync)),
}

/// Documents that were cut, whose chunks are not in batches yet.
pub struct CutDocuments {
    documents: Vec<CutDocument>,
    /// All chunks, each the number of a document and one in that.
    order: Vec<(usize, usize)>,
    /// The chunks of each batch.
    ranges: VecDeque<Range<usize>>,
}

impl Job<'_> {
    /// The chunks of the documents in `columns`, as one batch.
    ///
    /// # Errors
    /// The first that a document gave, that of the host, or Arrow's.
    pub fn chunks(&self, columns: StructArray) -> Result<StructArray> {
        caught(|| {
            let table = DocumentTable::new(columns, self.layout, 0)?;
            // Without a limit there is one batch.
            let mut cut = self.cut(&table.documents(0..table.len()), usize::MAX)?;
            let batch =
                cut.next_range().map(|range| self.batch(&table, &cut, range)).transpose()?;
            Ok(batch.unwrap_or_else(|| self.layout.empty()))
        })
    }

    /// Cuts `documents`, for batches of at most `most_bytes` of texts and of what is carried along
    /// with them each, or of one chunk.
    ///
    /// # Errors
    /// The first that a document gave, or that of the host.
    pub fn cut(&self, documents: &Documents<'_>, most_bytes: usize) -> Result<CutDocuments> {
        let cut = self.cut_each(documents)?;
        let order: Vec<_> = (cut.iter().enumerate())
            .flat_map(|(doc, of)| (0..of.n_rows()).map(move |chunk| (doc, chunk)))
            .collect();
        let mut all = CutDocuments { documents: cut, order, ranges: VecDeque::new() };
        let columns = documents.table.columns().iter().enumerate();
        let carried: Vec<_> = columns.filter(|(i, _)| *i != self.layout.text).collect();
        let carried_bytes =
            |of: &CutDocument| carried.iter().map(|(_, column)| width(column, of.row)).sum();
        let carried_bytes: Vec<usize> = all.documents.iter().map(carried_bytes).collect();
        all.ranges = all.split(&carried_bytes, most_bytes);
        Ok(all)
    }

    /// One batch of the chunks of `table`.
    ///
    /// # Errors
    /// That of the host, or Arrow's.
    pub fn batch(
        &self,
        table: &DocumentTable,
        cut: &CutDocuments,
        range: Range<usize>,
    ) -> Result<StructArray> {
        let columns = ChunkColumns {
            layout: self.layout,
            table,
            documents: &cut.documents,
            may_be_large: self.may_be_large,
            pulse: &|| self.host.listen(),
        };
        columns.batch(&cut.order[range])
    }

    fn cut_each(&self, documents: &Documents<'_>) -> Result<Vec<CutDocument>> {
        let finish = |i: usize, document: Document<'_>, cut: Cut| {
            let (row, text) = (documents.rows[i], document.text());
            let ids = if self.layout.ids {
                ids(documents.table.name(row)?, text, &cut)
            } else {
                Vec::new()
            };
            let endings = if self.layout.endings {
                cut.chunks.boundaries().endings(0, cut.chunks.spans().map(|span| span.end))
            } else {
                Vec::new()
            };
            let chunks = &cut.chunks;
            let is_apart = !documents.is_in_place(i) || !cut.apart.is_empty();
            let texts = if is_apart {
                (0..chunks.len()).map(|i| chunks.text(i, text).into_owned()).collect()
            } else {
                Vec::new()
            };
            let sections = if self.layout.elements {
                documents.sections(i, document)
            } else {
                Sections::default()
            };
            let lines = lines(text, chunks);
            let sources = sources(documents.source(i), &cut, &lines);
            let error = None;
            Ok(CutDocument { row, cut, ids, endings, texts, sections, lines, sources, error })
        };
        let collects = self.layout.errors;
        let kept = |(i, done): (usize, Result<CutDocument>)| match done {
            Err(error) if collects && !self.host.stops_for(&error) => {
                Ok(CutDocument::failed(documents.rows[i], &error))
            }
            done => done,
        };
        match self.counting {
            Counting::Unit(unit) => {
                let batch = Batch {
                    cutter: self.cutter,
                    unit,
                    texts: &documents,
                    finish: &finish,
                    collects,
                };
                batch.run(self.workers, self.host)?.into_iter().enumerate().map(kept).collect()
            }
            Counting::Caller(cut) => {
                let counted = |i| {
                    let document = (&documents).document(i)?;
                    finish(i, document, cut(document)?)
                };
                (0..documents.rows.len()).map(|i| kept((i, counted(i)))).collect()
            }
        }
    }
}

fn ids(name: &str, text: &str, cut: &Cut) -> Vec<String> {
    let mut identities = Identities::new(name);
    let chunks = &cut.chunks;
    (0..chunks.len()).map(|i| identities.next(&chunks.text(i, text))).collect()
}

impl CutDocuments {
    /// The chunks of the next batch.
    pub fn next_range(&mut self) -> Option<Range<usize>> {
        self.ranges.pop_front()
    }

    /// Whether there is a next batch.
    pub fn has_range(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// Ranges of chunks with at most `most_bytes` each, of texts, of headings and of what each document's
    /// chunks carry, or one chunk; one range at least.
    fn split(&self, carried_bytes: &[usize], most_bytes: usize) -> VecDeque<Range<usize>> {
        let (mut ranges, mut start, mut n_bytes) = (VecDeque::new(), 0, 0_usize);
        for (i, &(doc, chunk)) in self.order.iter().enumerate() {
            let chunks = &self.documents[doc].cut.chunks;
            let n_bytes_of = if chunks.is_empty() { 0 } else { chunks.n_bytes(chunk) };
            let document = &self.documents[doc];
            let headings = [document.headings(chunk), document.headings_above(chunk)];
            let n_heading_bytes = headings.iter().flatten().map(|heading| heading.len()).sum();
            let more =
                carried_bytes[doc].saturating_add(n_bytes_of).saturating_add(n_heading_bytes);
            if i > start && n_bytes.saturating_add(more) > most_bytes {
                ranges.push_back(start..i);
                (start, n_bytes) = (i, 0);
            }
            n_bytes = n_bytes.saturating_add(more);
        }
        ranges.push_back(start..self.order.len());
        ranges
    }
}

/// Where chunks stand in what was read, by where they stand in the text.
fn sources(map: &SourceMap, cut: &Cut, lines: &[[usize; 2]]) -> Vec<Option<SourcePlace>> {
    let place = |(i, &lines): (usize, &[usize; 2])| {
        let chars = [cut.starts[i], cut.ends[i]].map(|at| usize::try_from(at).unwrap_or(0));
        map.place(cut.chunks.span(i), SourcePlace { chars, lines })
    };
    lines.iter().enumerate().map(place).collect()
}

/// The lines, from 1, on which chunks begin and end.
fn lines(text: &str, chunks: &Chunks) -> Vec<[usize; 2]> {
    let (mut starts, mut ends) = (LineSweep::new(text), LineSweep::new(text));
    let lines = |span: Span| [starts.at(span.start), ends.at(span.end.saturating_sub(1))];
    chunks.spans().map(lines).collect()
}
