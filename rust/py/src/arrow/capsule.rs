//! Arrow's C structures in Python capsules, on their way out.

use std::collections::HashMap;
use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The name of a capsule with a schema.
pub const SCHEMA: &CStr = c"arrow_schema";
/// The name of a capsule with an array.
pub const ARRAY: &CStr = c"arrow_array";
/// The name of a capsule with a stream.
pub const STREAM: &CStr = c"arrow_array_stream";

/// A capsule with a schema, which is that of a record batch if `field` is a struct.
///
/// # Errors
/// If a type has no C form.
pub fn schema_out<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(to_python)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// What a table says of itself, by names.
pub type Metadata = HashMap<String, String>;

/// The schema of a record batch as a field.
pub fn field(batch: &DataType, metadata: &Metadata) -> Field {
    Field::new("", batch.clone(), false).with_metadata(metadata.clone())
}

/// Capsules with the schema and the columns of a record batch.
///
/// # Errors
/// If a type has no C form.
pub fn array_out<'py>(
    py: Python<'py>,
    batch: &StructArray,
    metadata: &Metadata,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let schema = schema_out(py, &field(batch.data_type(), metadata))?;
    let array = FFI_ArrowArray::new(&batch.to_data());
    Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?))
}

/// A capsule with a stream of one record batch.
///
/// # Errors
/// If memory runs out.
pub fn batch_out<'py>(
    py: Python<'py>,
    batch: RecordBatch,
    metadata: &Metadata,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = batch.schema().as_ref().clone().with_metadata(metadata.clone());
    stream_out(py, Box::new(RecordBatchIterator::new([Ok(batch)], schema.into())))
}

/// A capsule with a stream.
///
/// # Errors
/// If memory runs out.
pub fn stream_out(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// What Arrow says.
pub fn to_python(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
