//! Tables of documents to tables of chunks, through Arrow's PyCapsule interface.

mod contexts;
mod stream;

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use chunkwright_engine::arrow_table::checks::contradiction;
use chunkwright_engine::arrow_table::{
    ChunkStream, ColumnNames, Counting, CutDocument, Documents, Job, Layout, Reading,
};
use chunkwright_engine::cut::Cut;
use chunkwright_engine::rows::RowSchema;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::no_pulse;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};

use crate::arrow::batch::ArrowBatch;
use crate::arrow::capsule::{Metadata, field, schema_out, stream_out};
use crate::arrow::imports::{StreamReader, array_in, stream_in};
use crate::error::{ending, named, to_core, to_python};
use crate::gate::Interpreter;
use crate::gil::{Kept, ensured};
use crate::measure::ruler::size_of;
use crate::measure::unit::{Unit, UnitKind};
use crate::strategies::Cutter;
use crate::strings::text::Text;
use contexts::contexts;
use stream::ChunkReader;

/// Which columns a table of documents has, and how its texts are cut.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ArrowPlan {
    cutter: Py<Cutter>,
    names: ColumnNames,
    /// Counts the tokens of chunks that the cutter measures in another unit.
    counter: Option<Py<Unit>>,
    /// Called with the chunks of many documents for their contexts.
    writes: Option<Py<PyAny>>,
    workers: usize,
    /// Called once a stream's reader has got the error that Ctrl-C makes.
    interrupt: Py<PyAny>,
    /// Called with the errors of a stream as what they are, and the documents' rows; none for what ends it.
    failed: Option<Py<PyAny>>,
    /// What the table of chunks says of itself.
    metadata: Metadata,
}

/// Columns of the table that is cut, and of that of its chunks.
#[derive(FromPyObject)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of the caller's")]
pub struct PlanColumns {
    text: String,
    name: Option<String>,
    document_id: Option<String>,
    /// Whether a document without a name is called by its id.
    name_from_id: bool,
    /// The name of the column of chunk ids, if there is to be one.
    ids: Option<String>,
    document_ids: bool,
    n_tokens: bool,
    /// The unit of token counts, where it is not the cutter's.
    counter: Option<Py<Unit>>,
    errors: bool,
    kind: Option<String>,
    boundaries: Option<[String; 2]>,
    /// The fingerprint of the model that writes contexts, and what calls it.
    contexts: Option<(String, Py<PyAny>)>,
    failed: Option<Py<PyAny>>,
}

#[pymethods]
impl ArrowPlan {
    #[new]
    fn new(
        cutter: Py<Cutter>,
        columns: PlanColumns,
        workers: usize,
        interrupt: Py<PyAny>,
        metadata: Metadata,
    ) -> PyResult<Self> {
        let core = cutter.get().core();
        let PlanColumns { text, name, document_id, ids, n_tokens, counter, errors, kind, .. } =
            columns;
        let name_from_id = columns.name_from_id;
        let unknown = || named("ConfigError", format!("unknown kind {kind:?}"));
        let reading = Reading::named(kind.as_deref(), core.takes_elements()).ok_or_else(unknown)?;
        let (model, writes) = columns.contexts.unzip();
        let rows = RowSchema {
            ids,
            document_ids: columns.document_ids,
            n_tokens,
            elements: core.takes_elements() || reading.has_elements(),
            blocks: core.gives_blocks(),
            code: [core.gives_subjects(); 4],
            endings: core.gives_boundaries(),
            boundaries: columns.boundaries,
            contexts: model,
            shadows: false,
            errors,
        };
        let needs_elements = core.needs_elements();
        let names =
            ColumnNames { text, name, document_id, name_from_id, rows, reading, needs_elements };
        let failed = columns.failed;
        Ok(Self { cutter, names, counter, writes, workers, interrupt, failed, metadata })
    }

    /// The chunks of an object with `__arrow_c_array__`.
    fn batch(&self, py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<ArrowBatch> {
        let capsules = source.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
        let array = array_in(capsules.get_item(0)?.cast()?, capsules.get_item(1)?.cast()?)?;
        let layout = self.layout(array.data_type())?;
        let (host, documents) = (Interpreter::listening(), array.as_struct().clone());
        let chunks = self.with_job(&layout, &host, true, |job| py.detach(|| job.chunks(documents)));
        Ok(ArrowBatch::new(chunks.map_err(to_python)?, self.metadata.clone()))
    }

    /// The chunks of an object with `__arrow_c_stream__`, which is read as they are asked for; `like`, if given, has
    /// the same columns, so that the source need not be opened before.
    #[pyo3(signature = (source, like=None))]
    fn stream(
        slf: Bound<'_, Self>,
        source: Bound<'_, PyAny>,
        like: Option<Bound<'_, PyAny>>,
    ) -> PyResult<ArrowStream> {
        let opened = open(like.as_ref().unwrap_or(&source))?;
        let kind = opened.kind().clone();
        let layout = Arc::new(slf.get().layout(&kind)?);
        let opened = Mutex::new(if like.is_none() { Some(opened) } else { None });
        Ok(ArrowStream { plan: slf.unbind(), source: source.unbind(), kind, layout, opened })
    }
}

impl ArrowPlan {
    /// Whether threads of a run call Python: for vectors, boundaries, token counts or contexts.
    fn calls_back(&self) -> bool {
        let counts = |unit: &Py<Unit>| unit.get().native().is_none();
        self.cutter.get().core().calls_back()
            || self.writes.is_some()
            || self.counter.as_ref().is_some_and(counts)
    }

    /// Tells of an error of a stream, if somebody wants to know it as what it is.
    fn tell(&self, py: Python<'_>, row: Option<usize>, error: PyErr) -> PyResult<()> {
        self.failed.as_ref().map_or(Ok(()), |failed| failed.call1(py, (row, error)).map(drop))
    }

    fn layout(&self, table: &DataType) -> PyResult<Layout> {
        Layout::new(table, &self.names).map_err(|message| named("ConfigError", message))
    }

    /// What `work` makes of the job of cutting a table of this layout.
    fn with_job<T>(
        &self,
        layout: &Layout,
        host: &Interpreter,
        may_be_large: bool,
        work: impl FnOnce(&Job<'_>) -> T,
    ) -> T {
        let cutter = self.cutter.get();
        let called = |document: Document<'_>| counted(cutter, document);
        let counter = self.counter.as_ref().map(|unit| move |text: &str| count(unit.get(), text));
        let writes = self.writes.as_ref().map(|writes| {
            move |documents: &Documents<'_>, cut: &[CutDocument]| contexts(writes, documents, cut)
        });
        work(&Job {
            layout,
            cutter: cutter.core(),
            counting: counting(cutter, &called),
            count_tokens: counter.as_ref().map(|count| count as _),
            write_contexts: writes.as_ref().map(|writes| writes as _),
            workers: self.workers,
            host,
            may_be_large,
        })
    }
}

/// What the unit of `cutter` is counted by: `called`, if it needs Python.
fn counting<'a>(
    cutter: &'a Cutter,
    called: &'a (dyn Fn(Document<'_>) -> Result<Cut> + Sync),
) -> Counting<'a> {
    cutter.unit().native().map_or(Counting::Caller(called), Counting::Unit)
}

/// Counts the tokens of a text.
fn count(unit: &Unit, text: &str) -> Result<usize> {
    match unit.kind() {
        UnitKind::Native(unit) => unit.count(text, no_pulse()),
        UnitKind::Counter(count) => {
            let n_chars = text.chars().count();
            let counted = ensured(|py| {
                let counted = count.call1(py, (text,)).map_err(to_core)?;
                size_of(counted.bind(py), n_chars)
            });
            counted.unwrap_or_else(|| Err(ending()))
        }
    }
}

/// Cuts a document with a caller's counter.
fn counted(cutter: &Cutter, document: Document<'_>) -> Result<Cut> {
    let cut = ensured(|py| {
        let text = PyString::new(py, document.text());
        cutter.cut_text(py, &Text::of(&text)?, document.elements(), document.markup())
    });
    cut.map_or_else(|| Err(ending()), |cut| cut.map_err(to_core))
}

fn open(source: &Bound<'_, PyAny>) -> PyResult<StreamReader> {
    stream_in(source.call_method0("__arrow_c_stream__")?.cast()?)
}

/// A stream of record batches of chunks.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ArrowStream {
    plan: Py<ArrowPlan>,
    source: Py<PyAny>,
    /// The type of its rows.
    kind: DataType,
    layout: Arc<Layout>,
    /// The source's stream, until somebody reads it; the source is asked again for a second one.
    opened: Mutex<Option<StreamReader>>,
}

#[pymethods]
impl ArrowStream {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let table = DataType::Struct(self.layout.schema().fields().clone());
        schema_out(py, &field(&table, &self.plan.get().metadata))
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
        if input.kind() != &self.kind {
            let message = format!("the source had the columns {}, now {}", self.kind, input.kind());
            return Err(to_python(contradiction(&message)));
        }
        let (layout, plan) = (Arc::clone(&self.layout), Kept::new(self.plan.clone_ref(py)));
        let chunks = ChunkStream::new(input, Arc::clone(&layout));
        let metadata = self.plan.get().metadata.clone();
        let schema = layout.schema().as_ref().clone().with_metadata(metadata).into();
        stream_out(py, Box::new(ChunkReader::new(chunks, layout, plan, schema)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let source = self.source.bind(py).get_type().name()?;
        Ok(format!("<chunks of a {source} as a stream of Arrow record batches>"))
    }
}
