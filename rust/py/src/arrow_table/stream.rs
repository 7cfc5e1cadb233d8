//! Stream of batches of chunks for consumers that know no Python.

use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use chunkwright_engine::arrow_table::checks::caught;
use chunkwright_engine::arrow_table::{ArrowResult, ChunkStream, Layout};
use chunkwright_text::error::{Error, Result};
use pyo3::exceptions::PyKeyboardInterrupt;

use super::ArrowPlan;
use crate::arrow::imports::StreamReader;
use crate::error::{ending, to_core, to_python};
use crate::gate::Interpreter;
use crate::gil::{Kept, ensured};

/// Reads batches of documents, and gives batches of chunks.
pub struct ChunkReader {
    chunks: ChunkStream<StreamReader>,
    layout: Arc<Layout>,
    plan: Kept<ArrowPlan>,
    schema: SchemaRef,
    /// The thread that made the reader: Python's own, most likely, which signals are handled on.
    maker: ThreadId,
    is_over: bool,
}

impl ChunkReader {
    /// Nothing is read yet.
    pub fn new(
        chunks: ChunkStream<StreamReader>,
        layout: Arc<Layout>,
        plan: Kept<ArrowPlan>,
        schema: SchemaRef,
    ) -> Self {
        Self { chunks, layout, plan, schema, maker: thread::current().id(), is_over: false }
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        // The source may take the GIL, and may know whether this thread has it: it is not given away here.
        Ok(if self.chunks.fill()? { Some(self.cut()?) } else { None })
    }

    fn cut(&mut self) -> Result<RecordBatch> {
        let listens = thread::current().id() == self.maker;
        let Some(plan) = self.plan.get() else { return Err(Error::Interrupted) };
        let (chunks, calls_back) = (&mut self.chunks, plan.calls_back());
        let host =
            Interpreter { listens, failures: plan.failed.as_ref().map(|_| Mutex::default()) };
        let batch = plan.with_job(&self.layout, &host, false, |job| {
            // Python may hold the GIL on its own thread; on another one it may wait for it in vain. What calls
            // Python back must have it, and here nobody else may keep it meanwhile.
            if !listens && !calls_back {
                return chunks.cut(job);
            }
            ensured(|py| py.detach(|| chunks.cut(job))).unwrap_or_else(|| Err(ending()))
        })?;
        let failures = host.failures.map(|failures| failures.into_inner().unwrap_or_default());
        for (row, error) in failures.into_iter().flatten() {
            ensured(|py| plan.tell(py, Some(row), to_python(error)).map_err(to_core))
                .unwrap_or_else(|| Err(ending()))?;
        }
        Ok(batch)
    }
}

/// An error as a consumer that knows no Python can show it.
fn foreign(error: Error, plan: Option<&ArrowPlan>) -> ArrowError {
    let message = ensured(|py| {
        let error = to_python(error);
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            // The consumer's own error comes first; if this fails, it is the only one.
            drop(plan.map(|plan| plan.interrupt.call0(py)));
        }
        let message = error.to_string();
        drop(plan.map(|plan| plan.tell(py, None, error)));
        message
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
        let next = caught(|| self.next_batch());
        let next = next.map_err(|error| foreign(error, self.plan.get())).transpose();
        // Behind an error there is nothing: part of the documents would be missing.
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

impl RecordBatchReader for ChunkReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
