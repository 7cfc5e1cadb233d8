//! Tables of documents to tables of chunks, through Arrow's PyCapsule interface.

mod stream;

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::{DataType, Field};
use chunkwright_core::document::Document;
use chunkwright_core::error::Result;
use chunkwright_engine::arrow_table::{ChunkStream, ColumnNames, Counting, Job, Layout};
use chunkwright_engine::cut::Cut;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};

use crate::arrow::capsule::{array_out, schema_out, stream_out};
use crate::arrow::imports::{StreamReader, array_in, stream_in};
use crate::error::{ending, named, to_core, to_python};
use crate::gate::Interpreter;
use crate::gil::{Kept, ensured};
use crate::strategies::Cutter;
use crate::text::Text;
use stream::ChunkReader;

/// Which columns a table of documents has, and how its texts are cut.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ArrowPlan {
    cutter: Py<Cutter>,
    names: ColumnNames,
    workers: usize,
}

#[pymethods]
impl ArrowPlan {
    #[new]
    #[pyo3(signature = (cutter, text, name, id, sizes, workers, errors=false))]
    fn new(
        cutter: Py<Cutter>,
        text: String,
        name: Option<String>,
        id: Option<String>,
        sizes: bool,
        workers: usize,
        errors: bool,
    ) -> Self {
        let (endings, elements) =
            (cutter.get().core().gives_boundaries(), cutter.get().core().takes_elements());
        let names = ColumnNames { text, name, id, sizes, endings, elements, errors };
        Self { cutter, names, workers }
    }

    /// The chunks of an object with `__arrow_c_array__`.
    fn batch(&self, py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<ArrowBatch> {
        let capsules = source.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
        let array = array_in(capsules.get_item(0)?.cast()?, capsules.get_item(1)?.cast()?)?;
        let layout = self.layout(array.data_type())?;
        let (cutter, host) = (self.cutter.get(), Interpreter { listens: true });
        let called = |document: Document<'_>| counted(cutter, document);
        let job = Job {
            layout: &layout,
            cutter: cutter.core(),
            counting: counting(cutter, &called),
            workers: self.workers,
            host: &host,
            may_be_large: true,
        };
        let documents = array.as_struct().clone();
        let chunks = py.detach(|| job.chunks(documents)).map_err(to_python)?;
        Ok(ArrowBatch { chunks })
    }

    /// The chunks of an object with `__arrow_c_stream__`, which is read as they are asked for.
    fn stream(slf: Bound<'_, Self>, source: Bound<'_, PyAny>) -> PyResult<ArrowStream> {
        let opened = open(&source)?;
        let layout = Arc::new(slf.get().layout(opened.kind())?);
        let opened = Mutex::new(Some(opened));
        Ok(ArrowStream { plan: slf.unbind(), source: source.unbind(), layout, opened })
    }
}

impl ArrowPlan {
    fn layout(&self, table: &DataType) -> PyResult<Layout> {
        Layout::new(table, &self.names).map_err(|message| named("ConfigError", message))
    }
}

/// What the unit of `cutter` is counted by: `called`, if it needs Python.
fn counting<'a>(
    cutter: &'a Cutter,
    called: &'a (dyn Fn(Document<'_>) -> Result<Cut> + Sync),
) -> Counting<'a> {
    cutter.unit().native().map_or(Counting::Caller(called), Counting::Unit)
}

/// Cuts a document with a caller's counter.
fn counted(cutter: &Cutter, document: Document<'_>) -> Result<Cut> {
    let cut = ensured(|py| {
        let text = PyString::new(py, document.text());
        cutter.cut_text(py, &Text::of(&text)?, document.elements())
    });
    cut.map_or_else(|| Err(ending()), |cut| cut.map_err(to_core))
}

fn open(source: &Bound<'_, PyAny>) -> PyResult<StreamReader> {
    stream_in(source.call_method0("__arrow_c_stream__")?.cast()?)
}

/// A record batch of chunks.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ArrowBatch {
    chunks: StructArray,
}

#[pymethods]
impl ArrowBatch {
    fn __len__(&self) -> usize {
        self.chunks.len()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_out(py, &Field::new("", self.chunks.data_type().clone(), false))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        array_out(py, &self.chunks)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batch = RecordBatch::from(self.chunks.clone());
        let schema = batch.schema();
        stream_out(py, Box::new(RecordBatchIterator::new([Ok(batch)], schema)))
    }

    fn __repr__(&self) -> String {
        format!("<{} chunks as an Arrow record batch>", self.chunks.len())
    }
}

/// A stream of record batches of chunks.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ArrowStream {
    plan: Py<ArrowPlan>,
    source: Py<PyAny>,
    layout: Arc<Layout>,
    /// The source's stream, until somebody reads it; the source is asked again for a second one.
    opened: Mutex<Option<StreamReader>>,
}

#[pymethods]
impl ArrowStream {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let table = DataType::Struct(self.layout.schema().fields().clone());
        schema_out(py, &Field::new("", table, false))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        let input = opened.map_or_else(|| open(self.source.bind(py)), Ok)?;
        let plan = self.plan.get();
        let (layout, cutter) = (Arc::clone(&self.layout), plan.cutter.clone_ref(py));
        let chunks = ChunkStream::new(input, Arc::clone(&layout));
        stream_out(py, Box::new(ChunkReader::new(chunks, layout, Kept::new(cutter), plan.workers)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let source = self.source.bind(py).get_type().name()?;
        Ok(format!("<chunks of a {source} as a stream of Arrow record batches>"))
    }
}
