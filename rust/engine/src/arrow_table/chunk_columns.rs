//! Columns of a table of chunks: those of the documents, repeated, and what is known about each chunk.

use std::sync::Arc;

use arrow_array::builder::GenericStringBuilder;
use arrow_array::{ArrayRef, Int64Array, OffsetSizeTrait, StructArray};
use arrow_schema::ArrowError;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::pulse::Pulse;
use chunkwright_core::span::Span;

use super::documents::DocumentTable;
use super::endings;
use super::job::CutDocument;
use super::layout::Layout;
use super::repeat::repeat;
use crate::error::arrow;

/// The pulse is felt once for so many bytes copied.
const PULSE_BYTES: usize = 1 << 26;

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

    /// One batch of these chunks.
    ///
    /// # Errors
    /// What the pulse says, or Arrow.
    pub fn batch(&self, chunks: &[(usize, usize)]) -> Result<StructArray> {
        let layout = self.layout;
        let mut columns = self.carried(chunks)?;
        columns[layout.text] = self.texts(chunks)?;
        columns.push(numbers(chunks, |(doc, _)| index(self.table.number(self.documents[doc].row))));
        if layout.ids {
            columns.push(self.ids(chunks)?);
        }
        columns.push(numbers(chunks, |(doc, chunk)| self.documents[doc].cut.starts[chunk]));
        columns.push(numbers(chunks, |(doc, chunk)| self.documents[doc].cut.ends[chunk]));
        columns.push(numbers(chunks, |chunk| index(self.span(chunk).start)));
        columns.push(numbers(chunks, |chunk| index(self.span(chunk).end)));
        if layout.sizes {
            let size = |(doc, chunk): (usize, usize)| self.documents[doc].cut.chunks.sizes()[chunk];
            columns.push(numbers(chunks, |chunk| index(size(chunk))));
        }
        if layout.endings {
            let endings = chunks.iter().map(|&(doc, chunk)| self.documents[doc].endings[chunk]);
            columns.extend(endings::columns(endings));
        }
        layout.assemble(columns).map_err(arrow)
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

    fn texts(&self, chunks: &[(usize, usize)]) -> Result<ArrayRef> {
        let text = |&chunk: &(usize, usize)| {
            self.table.part(self.documents[chunk.0].row, self.span(chunk))
        };
        let texts = chunks.iter().map(text);
        let n_bytes = chunks.iter().map(|&chunk| self.span(chunk).len()).sum();
        if self.may_be_large && i32::try_from(n_bytes).is_err() {
            return self.strings::<i64>(texts, n_bytes);
        }
        self.strings::<i32>(texts, n_bytes)
    }

    fn ids(&self, chunks: &[(usize, usize)]) -> Result<ArrayRef> {
        let ids = chunks.iter().map(|&(doc, chunk)| Ok(self.documents[doc].ids[chunk].as_str()));
        let n_bytes = chunks.iter().map(|&(doc, chunk)| self.documents[doc].ids[chunk].len()).sum();
        self.strings::<i32>(ids, n_bytes)
    }

    fn strings<'s, O: OffsetSizeTrait>(
        &self,
        strings: impl ExactSizeIterator<Item = Result<&'s str>>,
        n_bytes: usize,
    ) -> Result<ArrayRef> {
        if O::from_usize(n_bytes).is_none() {
            return Err(arrow(ArrowError::OffsetOverflowError(n_bytes)));
        }
        let mut column = GenericStringBuilder::<O>::with_capacity(strings.len(), n_bytes);
        let mut n_copied = 0;
        for string in strings {
            let string = string?;
            column.append_value(string);
            n_copied += string.len();
            if n_copied > PULSE_BYTES {
                n_copied = 0;
                (self.pulse)()?;
            }
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
