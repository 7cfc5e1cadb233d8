//! One batch of documents to batches of chunks.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::GenericStringBuilder;
use arrow_array::{Array, ArrayRef, Int64Array, OffsetSizeTrait, StringArray, StructArray};
use arrow_select::take::take;
use chunkwright_core::document::Document;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::identity::Identities;
use chunkwright_core::span::Span;
use pyo3::types::PyString;

use super::layout::Layout;
use super::strings::Strings;
use crate::batch::{Batch, Texts};
use crate::capsule::ArrowResult;
use crate::cut::Cut;
use crate::error::to_core;
use crate::gil::ensured;
use crate::strategies::Cutter;
use crate::text::Text;

/// How documents become chunks.
pub struct Work<'a> {
    pub layout: &'a Layout,
    pub cutter: &'a Cutter,
    pub workers: usize,
    /// Whether the calling thread lets Python handle signals.
    pub listens: bool,
}

/// A table of documents.
pub struct Table {
    columns: StructArray,
    texts: Strings,
    names: Option<Strings>,
    /// The number of its first row, if it is part of a larger one.
    first: usize,
}

/// Rows of a table that have a text.
pub struct Documents<'a> {
    table: &'a Table,
    rows: Vec<usize>,
}

/// A document that was cut.
struct Cuts<'t> {
    row: usize,
    text: &'t str,
    cut: Cut,
    ids: Vec<String>,
}

impl Table {
    /// The documents in `columns`, of which `first` others stand before.
    ///
    /// # Errors
    /// If a column of strings is damaged.
    pub fn new(columns: StructArray, layout: &Layout, first: usize) -> Result<Self> {
        let texts = Strings::of(columns.column(layout.text))?;
        let names = layout.name.map(|name| Strings::of(columns.column(name))).transpose()?;
        Ok(Self { columns, texts, names, first })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// As many rows from `start` on as have `most_bytes` of text together, or one.
    pub fn rows(&self, start: usize, most_bytes: usize) -> Range<usize> {
        let mut n_bytes = 0_usize;
        let rows = (start..self.len()).take_while(|&row| {
            n_bytes = n_bytes.saturating_add(self.n_bytes(row));
            row == start || n_bytes <= most_bytes
        });
        start..start + rows.count()
    }

    /// Those of `rows` that have a text.
    pub fn documents(&self, rows: Range<usize>) -> Documents<'_> {
        Documents { table: self, rows: rows.filter(|&row| self.has_text(row)).collect() }
    }

    fn has_text(&self, row: usize) -> bool {
        self.columns.is_valid(row) && self.texts.is_some(row)
    }

    fn n_bytes(&self, row: usize) -> usize {
        if self.has_text(row) { self.texts.bytes(row).len() } else { 0 }
    }

    fn text(&self, row: usize) -> Result<&str> {
        self.texts.string(row, self.first)
    }

    fn name(&self, row: usize) -> Result<&str> {
        self.names.as_ref().map_or(Ok(""), |names| names.string(row, self.first))
    }
}

impl<'t> Texts<'t> for Documents<'t> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn n_bytes(&self, i: usize) -> usize {
        self.table.n_bytes(self.rows[i])
    }

    fn prepare(&self) -> Result<()> {
        Ok(())
    }

    fn document(&self, i: usize) -> Result<Document<'t>> {
        self.table.text(self.rows[i]).map(Document::new)
    }
}

impl Work<'_> {
    /// The chunks of `documents`, in batches of at most `most_bytes` of text each, or one chunk.
    ///
    /// # Errors
    /// The first that a document gave, that of a signal, or Arrow's.
    pub fn batches(
        &self,
        documents: &Documents<'_>,
        most_bytes: usize,
    ) -> Result<Vec<StructArray>> {
        let cuts = self.cuts(documents)?;
        let order = (cuts.iter().enumerate())
            .flat_map(|(doc, cuts)| (0..cuts.cut.chunks.len()).map(move |chunk| (doc, chunk)))
            .collect();
        let chunks = Chunks { layout: self.layout, table: documents.table, cuts, order };
        let batches = chunks.split(most_bytes).into_iter().map(|range| chunks.batch(range));
        batches.collect::<ArrowResult<_>>().map_err(|error| Error::Caller(Box::new(error)))
    }

    fn cuts<'t>(&self, documents: &Documents<'t>) -> Result<Vec<Cuts<'t>>> {
        let finish = |i: usize, document: Document<'t>, cut: Cut| {
            let (row, text) = (documents.rows[i], document.text());
            let ids = if self.layout.ids {
                ids(documents.table.name(row)?, text, &cut)
            } else {
                Vec::new()
            };
            Ok(Cuts { row, text, cut, ids })
        };
        let Some(unit) = self.cutter.unit().native() else {
            let counted = |i| {
                let document = documents.document(i)?;
                finish(i, document, self.counted(document)?)
            };
            return (0..documents.len()).map(counted).collect();
        };
        let batch = Batch { strategy: self.cutter.core(), unit, texts: documents, finish: &finish };
        batch.run(self.workers, self.listens)?.into_iter().collect()
    }

    /// Cuts a text with a caller's counter.
    fn counted(&self, document: Document<'_>) -> Result<Cut> {
        let cut = ensured(|py| {
            let text = PyString::new(py, document.text());
            self.cutter.cut_text(py, &Text::of(&text)?)
        });
        cut.map_err(to_core)
    }
}

fn ids(name: &str, text: &str, cut: &Cut) -> Vec<String> {
    let mut identities = Identities::new(name);
    cut.chunks.spans().map(|span| identities.next(&text[span.range()])).collect()
}

/// All chunks of a table, each the number of a document and one in that.
struct Chunks<'a, 't> {
    layout: &'a Layout,
    table: &'a Table,
    cuts: Vec<Cuts<'t>>,
    order: Vec<(usize, usize)>,
}

impl Chunks<'_, '_> {
    fn span(&self, (doc, chunk): (usize, usize)) -> Span {
        self.cuts[doc].cut.chunks.span(chunk)
    }

    /// Ranges of chunks with at most `most_bytes` of text each, or one chunk; one range at least.
    fn split(&self, most_bytes: usize) -> Vec<Range<usize>> {
        let (mut ranges, mut start, mut n_bytes) = (Vec::new(), 0, 0);
        for (i, &chunk) in self.order.iter().enumerate() {
            let more = self.span(chunk).len();
            if i > start && n_bytes + more > most_bytes {
                ranges.push(start..i);
                (start, n_bytes) = (i, 0);
            }
            n_bytes += more;
        }
        ranges.push(start..self.order.len());
        ranges
    }

    fn batch(&self, range: Range<usize>) -> ArrowResult<StructArray> {
        let chunks = &self.order[range];
        let mut columns = self.carried(chunks)?;
        columns[self.layout.text] = self.texts(chunks);
        columns.push(numbers(chunks, |(doc, _)| index(self.table.first + self.cuts[doc].row)));
        if self.layout.ids {
            columns.push(self.ids(chunks));
        }
        columns.push(numbers(chunks, |(doc, chunk)| self.cuts[doc].cut.starts[chunk]));
        columns.push(numbers(chunks, |(doc, chunk)| self.cuts[doc].cut.ends[chunk]));
        columns.push(numbers(chunks, |chunk| index(self.span(chunk).start)));
        columns.push(numbers(chunks, |chunk| index(self.span(chunk).end)));
        if self.layout.sizes {
            let size = |(doc, chunk): (usize, usize)| self.cuts[doc].cut.chunks.sizes()[chunk];
            columns.push(numbers(chunks, |chunk| index(size(chunk))));
        }
        self.layout.assemble(columns)
    }

    /// The documents' own columns, each row as often as there are chunks of it.
    fn carried(&self, chunks: &[(usize, usize)]) -> ArrowResult<Vec<ArrayRef>> {
        let rows = numbers(chunks, |(doc, _)| index(self.cuts[doc].row));
        let columns = self.table.columns.columns().iter().enumerate();
        let repeated = |(i, column): (usize, &ArrayRef)| {
            // The texts are not repeated: what comes in their place is made anew.
            if i == self.layout.text { Ok(Arc::clone(&rows)) } else { take(column, &rows, None) }
        };
        columns.map(repeated).collect()
    }

    fn texts(&self, chunks: &[(usize, usize)]) -> ArrayRef {
        let n_bytes = chunks.iter().map(|&chunk| self.span(chunk).len()).sum();
        let is_short = i32::try_from(n_bytes).is_ok();
        if is_short {
            self.strings::<i32>(chunks, n_bytes)
        } else {
            self.strings::<i64>(chunks, n_bytes)
        }
    }

    fn strings<O: OffsetSizeTrait>(&self, chunks: &[(usize, usize)], n_bytes: usize) -> ArrayRef {
        let mut strings = GenericStringBuilder::<O>::with_capacity(chunks.len(), n_bytes);
        for &chunk in chunks {
            strings.append_value(&self.cuts[chunk.0].text[self.span(chunk).range()]);
        }
        Arc::new(strings.finish())
    }

    fn ids(&self, chunks: &[(usize, usize)]) -> ArrayRef {
        let ids = chunks.iter().map(|&(doc, chunk)| &self.cuts[doc].ids[chunk]);
        Arc::new(StringArray::from_iter_values(ids))
    }
}

fn numbers<C: Copy>(chunks: &[C], number: impl Fn(C) -> i64) -> ArrayRef {
    Arc::new(chunks.iter().map(|&chunk| number(chunk)).collect::<Int64Array>())
}

/// Positions and numbers of rows, all of which are below 2^63.
fn index(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
