//! Batches of chunks, made as they are asked for.

use std::ops::Range;
use std::sync::Arc;
use std::thread::{self, ThreadId};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use chunkwright_core::error::{Error, Result};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use super::documents::Table;
use super::layout::Layout;
use super::rows::{AllCuts, Work};
use crate::capsule::ArrowResult;
use crate::error::{ending, to_python};
use crate::gil::{Kept, ensured};
use crate::imports::{StreamReader, caught};
use crate::strategies::Cutter;

/// Bytes of text that are cut at once, unless one document has more.
const INPUT_BYTES: usize = 1 << 25;
/// Bytes of text, and of what is carried along with it, in one batch of chunks: a `string` column
/// holds at most 32 times as much.
const OUTPUT_BYTES: usize = 1 << 26;

/// Reads batches of documents, and gives batches of chunks.
pub struct ChunkReader {
    input: StreamReader,
    layout: Arc<Layout>,
    cutter: Kept<Cutter>,
    workers: usize,
    /// The thread that made the reader: Python's own, most likely, which signals are handled on.
    maker: ThreadId,
    /// Documents that were read, and how many of them were cut.
    table: Option<Table>,
    n_cut: usize,
    /// How many were read.
    n_read: usize,
    /// Chunks that were cut and not asked for yet.
    chunks: Option<AllCuts>,
    is_over: bool,
}

impl ChunkReader {
    /// Nothing is read yet.
    pub fn new(
        input: StreamReader,
        layout: Arc<Layout>,
        cutter: Kept<Cutter>,
        workers: usize,
    ) -> Self {
        let maker = thread::current().id();
        Self {
            input,
            layout,
            cutter,
            workers,
            maker,
            table: None,
            n_cut: 0,
            n_read: 0,
            chunks: None,
            is_over: false,
        }
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some(range) = self.chunks.as_mut().and_then(AllCuts::next_range) {
                return self.batch(range).map(Some);
            }
            self.chunks = None;
            if self.table.as_ref().is_some_and(|table| self.n_cut < table.len()) {
                self.chunks = Some(self.cut()?);
            } else if let Some(documents) = self.input.next()? {
                let documents = documents.as_struct().clone();
                (self.n_cut, self.n_read) = (0, self.n_read + documents.len());
                let n_before = self.n_read - documents.len();
                self.table = Some(Table::new(documents, &self.layout, n_before)?);
            } else {
                return Ok(None);
            }
        }
    }

    /// Cuts the next documents of the table.
    fn cut(&mut self) -> Result<AllCuts> {
        let Some(table) = &self.table else { return Err(Error::Interrupted) };
        let rows = table.rows(self.n_cut, INPUT_BYTES);
        let end = rows.end;
        let documents = table.documents(rows);
        let chunks = self.working(|work| work.cut(&documents, OUTPUT_BYTES))?;
        self.n_cut = end;
        Ok(chunks)
    }

    /// A batch of the chunks that there are.
    fn batch(&self, range: Range<usize>) -> Result<RecordBatch> {
        let (Some(table), Some(chunks)) = (&self.table, &self.chunks) else {
            return Err(Error::Interrupted);
        };
        self.working(|work| work.batch(table, chunks, range)).map(Into::into)
    }

    fn working<T: Send>(&self, run: impl FnOnce(&Work<'_>) -> Result<T> + Send) -> Result<T> {
        let listens = thread::current().id() == self.maker;
        let Some(cutter) = self.cutter.get() else { return Err(Error::Interrupted) };
        let work = Work {
            layout: &self.layout,
            cutter,
            workers: self.workers,
            listens,
            may_be_large: false,
        };
        // Python may hold the GIL on its own thread; on another one it may wait for it in vain. A caller's
        // embedder must have it.
        if !listens && !cutter.core().calls_back() {
            return run(&work);
        }
        ensured(|py| py.detach(|| run(&work))).unwrap_or_else(|| Err(ending()))
    }
}

/// An error as a consumer that knows no Python can show it.
fn foreign(error: Error) -> ArrowError {
    let message = ensured(|py| {
        let error = to_python(error);
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            let tables = py.import("chunkwright.chunking.tables");
            // The consumer's own error comes first; if this fails, it is the only one.
            drop(tables.and_then(|tables| tables.call_method0("interrupt_soon")));
        }
        error.to_string()
    });
    let message = message.unwrap_or_else(|| ending().to_string());
    // A C string ends at the first NUL.
    ArrowError::ComputeError(message.replace('\0', "\\0"))
}

impl Iterator for ChunkReader {
    type Item = ArrowResult<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        // Who asks is C: nothing may unwind into it.
        let next = caught(|| self.next_batch()).map_err(foreign).transpose();
        // Behind an error there is nothing: part of the documents would be missing.
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

impl RecordBatchReader for ChunkReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.layout.schema())
    }
}
