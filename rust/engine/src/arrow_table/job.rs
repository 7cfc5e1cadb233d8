//! Job that makes tables of chunks of tables of documents.

use std::collections::VecDeque;
use std::ops::Range;

use arrow_array::StructArray;
use chunkwright_text::cut::strategy::Cutter;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;

use super::checks::caught;
use super::chunk_columns::ChunkColumns;
use super::cut_document::CutDocument;
use super::documents::{DocumentTable, Documents};
use super::layout::Layout;
use super::width::width;
use crate::batch::{Batch, Texts};
use crate::cut::Cut;
use crate::host::Host;
use crate::rows::Context;
use crate::rows::facts::{ElementFacts, Places, endings, ids};
use crate::unit::Unit;

/// How documents become chunks.
pub struct Job<'a> {
    /// The columns.
    pub layout: &'a Layout,
    /// How to cut.
    pub cutter: &'a Cutter,
    /// What to count in.
    pub counting: Counting<'a>,
    /// What counts the tokens of a chunk; without, its size is that.
    pub count_tokens: Option<&'a CountTokens<'a>>,
    /// What writes the contexts of the chunks of documents, if these are wanted.
    pub write_contexts: Option<&'a WriteContexts<'a>>,
    /// How many threads may cut.
    pub workers: usize,
    /// Who started the job.
    pub host: &'a dyn Host,
    /// Whether the texts may be a `large_string` if they are too many for a `string`.
    pub may_be_large: bool,
}

/// Counts the tokens of a text.
pub type CountTokens<'a> = dyn Fn(&str) -> Result<usize> + Sync + 'a;

/// Writes the contexts of the chunks of documents that were cut: for each document one a chunk.
pub type WriteContexts<'a> =
    dyn Fn(&Documents<'_>, &[CutDocument]) -> Result<Vec<Vec<Context>>> + Sync + 'a;

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
        let mut cut = self.cut_each(documents)?;
        if let Some(write) = self.write_contexts {
            let contexts = write(documents, &cut)?;
            cut.iter_mut().zip(contexts).for_each(|(of, contexts)| of.contexts = contexts);
        }
        let order: Vec<_> = (cut.iter().enumerate())
            .flat_map(|(doc, of)| (0..of.n_rows()).map(move |chunk| (doc, chunk)))
            .collect();
        let mut all = CutDocuments { documents: cut, order, ranges: VecDeque::new() };
        let columns = documents.table.columns();
        let carried_bytes = |of: &CutDocument| {
            self.layout.carried.iter().map(|&i| width(&columns[i], of.row)).sum()
        };
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
        let finish =
            |i: usize, document: Document<'_>, cut: Cut| self.finished(documents, i, document, cut);
        let collects = self.layout.rows.errors;
        let kept = |(i, done): (usize, Result<CutDocument>)| match done {
            Err(error) if collects && !self.host.stops_for(&error) => {
                let row = documents.rows[i];
                let id = documents.table.id_of_failed(row);
                let failed = CutDocument::failed(row, id, &error);
                self.host.failed(documents.table.number(row), error);
                Ok(failed)
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

    /// Document number `i`, which was cut, with the facts that the columns ask for.
    fn finished(
        &self,
        documents: &Documents<'_>,
        i: usize,
        document: Document<'_>,
        cut: Cut,
    ) -> Result<CutDocument> {
        let (row, text, schema) = (documents.rows[i], document.text(), &self.layout.rows);
        let labels = &documents.table.labels;
        let whole_text = || documents.whole_text(i, document);
        let id = labels.has_ids(schema).then(|| labels.id(row, whole_text()?)).transpose()?;
        let mut done = CutDocument { row, id, cut, ..CutDocument::default() };
        let of = done.of();
        let name = labels.name(row, done.id.as_deref())?.unwrap_or_default();
        let ids = if schema.ids.is_some() { ids(name, text, &of) } else { Vec::new() };
        let endings = if schema.endings { endings(0, &of) } else { Vec::new() };
        let elements = if schema.elements {
            ElementFacts::of(document, &of, documents.sections(i, document))
        } else {
            ElementFacts::default()
        };
        let places = Places::of(text, &of, documents.source(i));
        let n_tokens = if schema.n_tokens { self.tokens(text, &done.cut)? } else { Vec::new() };
        if !documents.is_in_place(i) || !done.cut.apart.is_empty() {
            let chunks = &done.cut.chunks;
            done.texts = (0..chunks.len()).map(|i| chunks.text(i, text).into_owned()).collect();
        }
        Ok(CutDocument { ids, n_tokens, endings, elements, places, ..done })
    }

    /// Tokens of each chunk of a text.
    fn tokens(&self, text: &str, cut: &Cut) -> Result<Vec<i64>> {
        let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let chunks = &cut.chunks;
        match self.count_tokens {
            None => Ok(chunks.sizes().iter().copied().map(signed).collect()),
            Some(count) => {
                (0..chunks.len()).map(|i| count(&chunks.text(i, text)).map(signed)).collect()
            }
        }
    }
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

    /// Ranges of chunks with at most `most_bytes` each, of texts, headings, boxes, contexts and carried columns, or
    /// one chunk; one range at least.
    fn split(&self, carried_bytes: &[usize], most_bytes: usize) -> VecDeque<Range<usize>> {
        let (mut ranges, mut start, mut n_bytes) = (VecDeque::new(), 0, 0_usize);
        for (i, &(doc, chunk)) in self.order.iter().enumerate() {
            let chunks = &self.documents[doc].cut.chunks;
            let n_bytes_of = if chunks.is_empty() { 0 } else { chunks.n_bytes(chunk) };
            let n_more_bytes = self.documents[doc].n_bytes_beside_text(chunk);
            let more = carried_bytes[doc].saturating_add(n_bytes_of).saturating_add(n_more_bytes);
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
