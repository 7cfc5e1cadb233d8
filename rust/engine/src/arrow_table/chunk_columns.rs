//! Columns of a table of chunks: those of the documents, repeated, and what is known about each chunk.

use std::sync::Arc;

use arrow_array::builder::{GenericStringBuilder, ListBuilder, StringBuilder};
use arrow_array::types::Int64Type;
use arrow_array::{
    ArrayRef, BooleanArray, Int64Array, ListArray, OffsetSizeTrait, StringArray, StructArray,
};
use arrow_schema::ArrowError;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::pulse::{Beat, Pulse};
use chunkwright_core::source_map::SourcePlace;
use chunkwright_core::span::Span;

use super::cut_document::CutDocument;
use super::documents::DocumentTable;
use super::endings;
use super::layout::Layout;
use super::repeat::repeat;
use crate::error::arrow;

/// So many bytes are copied in a few milliseconds.
const PERIOD: usize = 1 << 26;

/// The documents of a table and their chunks, each the number of a document and one in that.
pub struct ChunkColumns<'a> {
    pub layout: &'a Layout,
    pub table: &'a DocumentTable,
    pub documents: &'a [CutDocument],
    /// Whether the texts may be a `large_string` if they are too many for a `string`.
    pub may_be_large: bool,
    /// Felt for each column, and once for so many bytes.
    pub pulse: Pulse<'a>,
}

impl ChunkColumns<'_> {
    fn span(&self, (doc, chunk): (usize, usize)) -> Span {
        self.documents[doc].cut.chunks.span(chunk)
    }

    /// Whether a row is that of a document that could not be cut.
    fn has_failed(&self, doc: usize) -> bool {
        self.documents[doc].error.is_some()
    }

    /// One batch of these chunks.
    ///
    /// # Errors
    /// What the pulse says, or Arrow.
    pub fn batch(&self, rows: &[(usize, usize)]) -> Result<StructArray> {
        let layout = self.layout;
        let mut columns = self.carried(rows)?;
        columns[layout.text] = self.texts(rows)?;
        let number = |value: &dyn Fn(usize, usize) -> usize| -> ArrayRef {
            let of = |&(doc, chunk): &(usize, usize)| {
                (!self.has_failed(doc)).then(|| index(value(doc, chunk)))
            };
            Arc::new(rows.iter().map(of).collect::<Int64Array>())
        };
        columns.push(numbers(rows, |(doc, _)| index(self.table.number(self.documents[doc].row))));
        if layout.ids {
            columns.push(self.ids(rows)?);
        }
        let signed = |at: i64| usize::try_from(at).unwrap_or(0);
        columns.push(number(&|_, chunk| chunk));
        columns.push(number(&|doc, chunk| signed(self.documents[doc].cut.starts[chunk])));
        columns.push(number(&|doc, chunk| signed(self.documents[doc].cut.ends[chunk])));
        columns.push(number(&|doc, chunk| self.span((doc, chunk)).start));
        columns.push(number(&|doc, chunk| self.span((doc, chunk)).end));
        columns.push(number(&|doc, chunk| self.documents[doc].lines[chunk][0]));
        columns.push(number(&|doc, chunk| self.documents[doc].lines[chunk][1]));
        let source = |value: fn(SourcePlace) -> usize| -> ArrayRef {
            let of = |&(doc, chunk): &(usize, usize)| {
                let place = self.documents[doc].sources.get(chunk).copied().flatten();
                place.map(|place| index(value(place)))
            };
            Arc::new(rows.iter().map(of).collect::<Int64Array>())
        };
        columns.push(source(|place| place.chars[0]));
        columns.push(source(|place| place.chars[1]));
        columns.push(source(|place| place.lines[0]));
        columns.push(source(|place| place.lines[1]));
        if layout.sizes {
            columns.push(number(&|doc, chunk| self.documents[doc].cut.chunks.sizes()[chunk]));
        }
        let oversize = |&(doc, chunk): &(usize, usize)| {
            (!self.has_failed(doc)).then(|| self.documents[doc].cut.chunks.is_oversize(chunk))
        };
        columns.push(Arc::new(rows.iter().map(oversize).collect::<BooleanArray>()));
        if layout.elements {
            columns.extend(self.of_elements(rows)?);
        }
        if layout.endings {
            let ending =
                |&(doc, chunk): &(usize, usize)| self.documents[doc].endings.get(chunk).copied();
            columns.extend(endings::columns(rows.iter().map(ending)));
        }
        if layout.errors {
            let error = |&(doc, _): &(usize, usize)| self.documents[doc].error.as_deref();
            columns.push(Arc::new(rows.iter().map(error).collect::<StringArray>()));
        }
        layout.assemble(columns).map_err(arrow)
    }

    /// The columns of elements.
    fn of_elements(&self, rows: &[(usize, usize)]) -> Result<[ArrayRef; 8]> {
        // A plain text is no part of anything.
        let origin = |&(doc, chunk): &(usize, usize)| {
            let origins = self.documents[doc].cut.chunks.origins();
            (!self.has_failed(doc)).then(|| origins.get(chunk).copied().unwrap_or_default())
        };
        let kind = |row| origin(row).map(|origin| origin.content.name());
        let part = |row| origin(row).map(|origin| index(origin.part));
        let elements = |&(doc, chunk): &(usize, usize)| self.documents[doc].elements(chunk);
        let first = |row| elements(row).map(|elements| index(elements.start));
        let last = |row| elements(row).map(|elements| index(elements.end.saturating_sub(1)));
        let html = |&(doc, chunk): &(usize, usize)| self.documents[doc].cut.chunks.html(chunk);
        let pages = |row: &(usize, usize)| {
            let origin = origin(row)?;
            let pages = self.documents[row.0].sections.pages(origin.first..origin.end);
            Some(pages.into_iter().map(Some))
        };
        Ok([
            Arc::new(rows.iter().map(kind).collect::<StringArray>()),
            Arc::new(rows.iter().map(part).collect::<Int64Array>()),
            Arc::new(rows.iter().map(first).collect::<Int64Array>()),
            Arc::new(rows.iter().map(last).collect::<Int64Array>()),
            Arc::new(rows.iter().map(html).collect::<StringArray>()),
            Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(rows.iter().map(pages))),
            self.headings(rows, CutDocument::headings)?,
            self.headings(rows, CutDocument::headings_above)?,
        ])
    }

    fn headings(
        &self,
        rows: &[(usize, usize)],
        of_chunk: impl Fn(&CutDocument, usize) -> Vec<&str>,
    ) -> Result<ArrayRef> {
        let mut lists = ListBuilder::new(StringBuilder::new());
        let (mut n_bytes, beat) = (0, Beat::every(PERIOD, self.pulse));
        for &(doc, chunk) in rows {
            for heading in of_chunk(&self.documents[doc], chunk) {
                n_bytes += heading.len();
                if i32::try_from(n_bytes).is_err() {
                    return Err(arrow(ArrowError::OffsetOverflowError(n_bytes)));
                }
                beat.after(heading.len())?;
                lists.values().append_value(heading);
            }
            lists.append(!self.has_failed(doc));
        }
        Ok(Arc::new(lists.finish()))
    }

    /// The documents' own columns, each row as often as there are chunks of it.
    fn carried(&self, chunks: &[(usize, usize)]) -> Result<Vec<ArrayRef>> {
        let rows: Vec<usize> = chunks.iter().map(|&(doc, _)| self.documents[doc].row).collect();
        let repeated = |(i, column): (usize, &ArrayRef)| {
            (self.pulse)()?;
            // The texts are not repeated: what comes in their place is made anew.
            let is_text = i == self.layout.text;
            if is_text {
                return Ok(numbers(&rows, index));
            }
            repeat(column, &rows).map_err(|error| self.not_carried(i, &error))
        };
        self.table.columns().iter().enumerate().map(repeated).collect()
    }

    fn not_carried(&self, column: usize, error: &ArrowError) -> Error {
        let layout = self.layout;
        let message =
            format!("column {:?} cannot be carried along: {error}", layout.name_of(column));
        arrow(ArrowError::ComputeError(message))
    }

    fn text(&self, (doc, chunk): (usize, usize)) -> Result<Option<&str>> {
        let document = &self.documents[doc];
        if self.has_failed(doc) {
            return Ok(None);
        }
        if let Some(text) = document.texts.get(chunk) {
            return Ok(Some(text));
        }
        self.table.part(document.row, self.span((doc, chunk))).map(Some)
    }

    fn texts(&self, chunks: &[(usize, usize)]) -> Result<ArrayRef> {
        let texts = chunks.iter().map(|&chunk| self.text(chunk));
        let n_bytes = |&(doc, chunk): &(usize, usize)| {
            if self.has_failed(doc) { 0 } else { self.documents[doc].cut.chunks.n_bytes(chunk) }
        };
        let n_bytes = chunks.iter().map(n_bytes).sum();
        if self.may_be_large && i32::try_from(n_bytes).is_err() {
            return self.strings::<i64>(texts, n_bytes);
        }
        self.strings::<i32>(texts, n_bytes)
    }

    fn ids(&self, chunks: &[(usize, usize)]) -> Result<ArrayRef> {
        let id = |&(doc, chunk): &(usize, usize)| {
            Ok(self.documents[doc].ids.get(chunk).map(String::as_str))
        };
        let n_bytes = 32 * chunks.len();
        self.strings::<i32>(chunks.iter().map(id), n_bytes)
    }

    fn strings<'s, O: OffsetSizeTrait>(
        &self,
        strings: impl ExactSizeIterator<Item = Result<Option<&'s str>>>,
        n_bytes: usize,
    ) -> Result<ArrayRef> {
        if O::from_usize(n_bytes).is_none() {
            return Err(arrow(ArrowError::OffsetOverflowError(n_bytes)));
        }
        let mut column = GenericStringBuilder::<O>::with_capacity(strings.len(), n_bytes);
        let beat = Beat::every(PERIOD, self.pulse);
        for string in strings {
            let string = string?;
            column.append_option(string);
            beat.after(string.map_or(0, str::len))?;
        }
        Ok(Arc::new(column.finish()))
    }
}

fn numbers<C: Copy>(chunks: &[C], number: impl Fn(C) -> i64) -> ArrayRef {
    Arc::new(chunks.iter().map(|&chunk| number(chunk)).collect::<Int64Array>())
}

/// Positions and numbers of rows, all of which are below 2^63.
fn index(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
