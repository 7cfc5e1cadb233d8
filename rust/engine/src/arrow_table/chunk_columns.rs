//! Columns of a table of chunks: those of the row schema, and those of the documents, repeated.

use arrow_array::{ArrayRef, StructArray};
use arrow_schema::ArrowError;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

use super::cut_document::CutDocument;
use super::documents::DocumentTable;
use super::layout::Layout;
use super::repeat::repeat;
use crate::error::arrow;
use crate::rows::RowWriter;

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
    /// One batch of these chunks.
    ///
    /// # Errors
    /// What the pulse says, or Arrow.
    pub fn batch(&self, rows: &[(usize, usize)]) -> Result<StructArray> {
        let first = rows.first().map_or(0, |(doc, _)| *doc);
        let behind = rows.last().map_or(0, |(doc, _)| doc + 1);
        let documents = &self.documents[first..behind];
        let within: Vec<_> = rows.iter().map(|&(doc, chunk)| (doc - first, chunk)).collect();
        let shown: Vec<_> = documents.iter().map(|document| document.rows(self.table)).collect();
        let of = |&(doc, chunk): &(usize, usize)| documents[doc].n_tokens.get(chunk).copied();
        let n_tokens: Vec<_> = within.iter().map(of).collect();
        let context = |&(doc, chunk): &(usize, usize)| documents[doc].contexts.get(chunk);
        let contexts: Vec<_> = within.iter().map(context).collect();
        let writer = RowWriter {
            schema: &self.layout.rows,
            documents: &shown,
            rows: &within,
            n_tokens: &n_tokens,
            contexts: &contexts,
            shadows: &[],
            may_be_large: self.may_be_large,
            pulse: self.pulse,
        };
        let mut columns = writer.arrays()?;
        columns.extend(self.carried(rows)?);
        self.layout.assemble(columns).map_err(arrow)
    }

    /// The documents' own columns, each row as often as there are chunks of it.
    fn carried(&self, chunks: &[(usize, usize)]) -> Result<Vec<ArrayRef>> {
        let rows: Vec<usize> = chunks.iter().map(|&(doc, _)| self.documents[doc].row).collect();
        let repeated = |&i: &usize| {
            (self.pulse)()?;
            let column = &self.table.columns()[i];
            repeat(column, &rows).map_err(|error| self.not_carried(i, &error))
        };
        self.layout.carried.iter().map(repeated).collect()
    }

    fn not_carried(&self, column: usize, error: &ArrowError) -> Error {
        let name = self.table.name_of_column(column);
        let message = format!("column {name:?} cannot be copied: {error}");
        arrow(ArrowError::ComputeError(message))
    }
}
