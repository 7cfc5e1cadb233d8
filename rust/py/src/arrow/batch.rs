//! Record batch of chunks: through Arrow's PyCapsule interface, and as values of Python.

use arrow_array::{Array, RecordBatch, StructArray};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::DataType;
use chunkwright_engine::arrow_table::json_rows;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use super::capsule::{Metadata, array_out, batch_out, field, schema_out, to_python};
use super::values::{dicts_of, list_of};
use crate::gate::detached;

/// A record batch of chunks.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ArrowBatch {
    chunks: StructArray,
    metadata: Metadata,
}

impl ArrowBatch {
    /// These chunks, and what the table says of itself.
    pub const fn new(chunks: StructArray, metadata: Metadata) -> Self {
        Self { chunks, metadata }
    }
}

#[pymethods]
impl ArrowBatch {
    fn __len__(&self) -> usize {
        self.chunks.len()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_out(py, &field(self.chunks.data_type(), &self.metadata))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        array_out(py, &self.chunks, &self.metadata)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        batch_out(py, RecordBatch::from(self.chunks.clone()), &self.metadata)
    }

    /// The rows of several batches, one after another, as one batch; none if their columns differ.
    #[staticmethod]
    fn joined(batches: Vec<PyRef<'_, Self>>) -> PyResult<Option<Self>> {
        let Some(first) = batches.first() else { return Ok(None) };
        if batches.iter().any(|batch| batch.chunks.data_type() != first.chunks.data_type()) {
            return Ok(None);
        }
        let parts: Vec<_> = batches.iter().map(|batch| batch.chunks.to_data()).collect();
        let n_rows = parts.iter().map(ArrayData::len).sum();
        let mut joined =
            MutableArrayData::try_new(parts.iter().collect(), false, n_rows).map_err(to_python)?;
        for (i, part) in parts.iter().enumerate() {
            joined.try_extend(i, 0, part.len()).map_err(to_python)?;
        }
        let chunks = StructArray::from(joined.freeze());
        Ok(Some(Self::new(chunks, first.metadata.clone())))
    }

    /// Bytes that the columns hold.
    fn n_bytes(&self) -> usize {
        self.chunks.get_buffer_memory_size()
    }

    /// The columns by name, as lists of what JSON can say.
    fn to_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (name, column) in self.chunks.column_names().into_iter().zip(self.chunks.columns()) {
            columns.set_item(name, list_of(py, column)?)?;
        }
        Ok(columns)
    }

    /// The names of the columns of integers that no row lacks.
    fn integers(&self) -> Vec<&str> {
        let fields = self.chunks.fields().iter();
        let integers = fields.filter(|of| of.data_type() == &DataType::Int64 && !of.is_nullable());
        integers.map(|field| field.name().as_str()).collect()
    }

    /// The rows, as dicts of what JSON can say.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        dicts_of(py, &self.chunks)
    }

    /// The rows as JSON objects in UTF-8, with `separator` between them.
    fn json_rows<'py>(&self, py: Python<'py>, separator: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let json = detached(py, |pulse| json_rows(&self.chunks, separator, pulse))?;
        Ok(PyBytes::new(py, &json))
    }

    fn __repr__(&self) -> String {
        format!("<{} chunks as an Arrow record batch>", self.chunks.len())
    }
}
