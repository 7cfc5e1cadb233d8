//! Stream of tables of chunks, cut as they are asked for of a stream of tables of documents.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::SchemaRef;
use chunkwright_text::error::{Error, Result};

use super::documents::DocumentTable;
use super::job::{CutDocuments, Job};
use super::layout::Layout;

/// Bytes of text that are cut at once, unless one document has more.
const INPUT_BYTES: usize = 1 << 25;
/// Bytes of text, and of what is carried along with it, in one batch of chunks: a `string` column
/// holds at most 32 times as much.
const OUTPUT_BYTES: usize = 1 << 26;

/// Reads batches of documents, and gives batches of chunks.
pub struct ChunkStream<I> {
    input: I,
    layout: Arc<Layout>,
    /// Documents that were read, and how many of them were cut.
    table: Option<DocumentTable>,
    n_cut: usize,
    /// How many were read.
    n_read: usize,
    /// Chunks that were cut and not asked for yet.
    chunks: Option<CutDocuments>,
}

impl<I: Iterator<Item = Result<StructArray>>> ChunkStream<I> {
    /// Nothing is read yet.
    pub const fn new(input: I, layout: Arc<Layout>) -> Self {
        Self { input, layout, table: None, n_cut: 0, n_read: 0, chunks: None }
    }

    /// The columns of the chunks.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(self.layout.schema())
    }

    /// The next batch of chunks; none behind the last one.
    ///
    /// # Errors
    /// Those of the input, and of [`Job::chunks`]. Behind an error part of the documents is missing.
    pub fn next_batch(&mut self, job: &Job<'_>) -> Result<Option<RecordBatch>> {
        Ok(if self.fill()? { Some(self.cut(job)?) } else { None })
    }

    /// Reads until there are documents to cut or chunks to give; whether there are. Apart from
    /// [`ChunkStream::cut`], since the input may need locks that those who cut must not hold.
    ///
    /// # Errors
    /// Those of the input.
    pub fn fill(&mut self) -> Result<bool> {
        if self.chunks.as_ref().is_some_and(CutDocuments::has_range) {
            return Ok(true);
        }
        self.chunks = None;
        while self.table.as_ref().is_none_or(|table| self.n_cut == table.len()) {
            let Some(documents) = self.input.next().transpose()? else { return Ok(false) };
            let n_before = self.n_read;
            (self.n_cut, self.n_read) = (0, n_before + documents.len());
            self.table = Some(DocumentTable::new(documents, &self.layout, n_before)?);
        }
        Ok(true)
    }

    /// The next batch of what was read; to be called after [`ChunkStream::fill`] said that there is one.
    ///
    /// # Errors
    /// Those of [`Job::chunks`].
    pub fn cut(&mut self, job: &Job<'_>) -> Result<RecordBatch> {
        let Some(table) = &self.table else { return Err(Error::Interrupted) };
        let mut chunks = if let Some(chunks) = self.chunks.take() {
            chunks
        } else {
            let rows = table.rows(self.n_cut, INPUT_BYTES);
            let end = rows.end;
            let chunks = job.cut(&table.documents(rows), OUTPUT_BYTES)?;
            self.n_cut = end;
            chunks
        };
        let Some(range) = chunks.next_range() else { return Err(Error::Interrupted) };
        let batch = job.batch(table, &chunks, range)?;
        self.chunks = Some(chunks);
        Ok(batch.into())
    }
}
