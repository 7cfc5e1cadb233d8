//! Batches of chunks, made as they are asked for.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::{self, ThreadId};

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use chunkwright_core::error::Result;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use super::layout::Layout;
use super::rows::{Table, Work};
use crate::capsule::ArrowResult;
use crate::error::to_python;
use crate::strategies::Cutter;

/// Bytes of text that are cut at once, unless one document has more.
const INPUT_BYTES: usize = 1 << 26;
/// Bytes of text in one batch of chunks: what a `string` column holds at most is eight times as much.
const OUTPUT_BYTES: usize = 1 << 28;

/// Reads batches of documents, and gives batches of chunks.
pub struct ChunkReader {
    input: ArrayStreamReader,
    layout: Arc<Layout>,
    cutter: Py<Cutter>,
    workers: usize,
    /// The thread that made the reader: Python's own, most likely, which signals are handled on.
    maker: ThreadId,
    /// Documents that were read but not cut, and how many stood before them.
    documents: Option<StructArray>,
    n_before: usize,
    ready: VecDeque<StructArray>,
    is_over: bool,
}

impl ChunkReader {
    /// Nothing is read yet.
    pub fn new(
        input: ArrayStreamReader,
        layout: Arc<Layout>,
        cutter: Py<Cutter>,
        workers: usize,
    ) -> Self {
        let (maker, ready) = (thread::current().id(), VecDeque::new());
        Self {
            input,
            layout,
            cutter,
            workers,
            maker,
            documents: None,
            n_before: 0,
            ready,
            is_over: false,
        }
    }

    fn next_batch(&mut self) -> ArrowResult<Option<RecordBatch>> {
        loop {
            if let Some(batch) = self.ready.pop_front() {
                return Ok(Some(batch.into()));
            }
            let documents = match self.documents.take() {
                Some(documents) => documents,
                None => match self.input.next().transpose()? {
                    Some(documents) => documents.as_struct().clone(),
                    None => return Ok(None),
                },
            };
            self.ready = self.cut(&documents).map_err(|error| foreign(to_python(error)))?.into();
        }
    }

    /// Cuts the first of `documents`, and keeps the others for later.
    fn cut(&mut self, documents: &StructArray) -> Result<Vec<StructArray>> {
        let n_rows = n_first(&Table::new(documents, &self.layout, 0)?);
        let first = documents.slice(0, n_rows);
        if n_rows < documents.len() {
            self.documents = Some(documents.slice(n_rows, documents.len() - n_rows));
        }
        let table = Table::new(&first, &self.layout, self.n_before)?;
        self.n_before += n_rows;
        let listens = thread::current().id() == self.maker;
        let work = Work {
            layout: &self.layout,
            cutter: self.cutter.get(),
            workers: self.workers,
            listens,
        };
        let cut = || work.batches(&table, OUTPUT_BYTES);
        // Python may hold the GIL on its own thread; on another one it may wait for it in vain.
        if listens { Python::attach(|py| py.detach(cut)) } else { cut() }
    }
}

/// How many rows have [`INPUT_BYTES`] together; one at least.
fn n_first(table: &Table<'_>) -> usize {
    let mut n_bytes = 0;
    let n_rows = table.n_bytes_by_row().take_while(|more| {
        let fits = n_bytes == 0 || n_bytes + more <= INPUT_BYTES;
        n_bytes += more;
        fits
    });
    n_rows.count()
}

/// An exception as a consumer that knows no Python can show it.
fn foreign(error: PyErr) -> ArrowError {
    let message = Python::attach(|py| {
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            let tables = py.import("chunkwright.chunking.tables");
            // The consumer's own error comes first; if this fails, it is the only one.
            drop(tables.and_then(|tables| tables.call_method0("interrupt_soon")));
        }
        error.to_string()
    });
    // A C string ends at the first NUL.
    ArrowError::ComputeError(message.replace('\0', "\\0"))
}

impl Iterator for ChunkReader {
    type Item = ArrowResult<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.next_batch().transpose();
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
