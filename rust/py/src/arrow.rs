//! Chunks as an Arrow record batch, through the PyCapsule interface.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, Int64Array, LargeStringArray, RecordBatch, RecordBatchIterator, StringArray,
    StructArray,
};
use arrow_schema::{DataType, Field, Fields};
use chunkwright_core::boundaries::Ending;
use chunkwright_engine::arrow_table::endings;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::capsule::{array_out, schema_out, stream_out, to_python};
use crate::columns::Columns;

/// Texts of more bytes do not fit into the 32-bit offsets of `string`.
const MAX_STRING_BYTES: usize = i32::MAX as usize;

/// The schema that [`export_array`] exports; `of_batch` adds the column `doc_index`.
#[pyfunction]
pub fn export_schema<'py>(
    py: Python<'py>,
    columns: &Columns,
    of_batch: bool,
) -> PyResult<Bound<'py, PyCapsule>> {
    let with_endings = !columns.chunks().boundaries().text_ends().is_empty();
    let fields = DataType::Struct(fields(text_type(columns.n_bytes()), of_batch, with_endings));
    schema_out(py, &Field::new("", fields, false))
}

/// The rows of `columns` with their ids and token counts, as schema and array; those of a semantic
/// strategy say how they end.
#[pyfunction]
pub fn export_array<'py>(
    py: Python<'py>,
    columns: &Columns,
    of_batch: bool,
    rows: Vec<usize>,
    ids: Vec<String>,
    n_tokens: Vec<i64>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let batch = batch(py, columns, of_batch, &rows, &ids, n_tokens)?;
    array_out(py, &batch)
}

/// The same as a stream of one batch.
#[pyfunction]
pub fn export_stream<'py>(
    py: Python<'py>,
    columns: &Columns,
    of_batch: bool,
    rows: Vec<usize>,
    ids: Vec<String>,
    n_tokens: Vec<i64>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batch = batch(py, columns, of_batch, &rows, &ids, n_tokens)?;
    let batch = RecordBatch::from(batch);
    let schema = batch.schema();
    stream_out(py, Box::new(RecordBatchIterator::new([Ok(batch)], schema)))
}

fn batch(
    py: Python<'_>,
    columns: &Columns,
    of_batch: bool,
    rows: &[usize],
    ids: &[String],
    n_tokens: Vec<i64>,
) -> PyResult<StructArray> {
    let texts = columns.utf8(py, rows)?;
    let numbers = |column: Vec<i64>| Arc::new(Int64Array::from(column)) as ArrayRef;
    let text_type = text_type(columns.n_bytes());
    let texts: ArrayRef = match text_type {
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from_iter_values(&texts)),
        _ => Arc::new(StringArray::from_iter_values(&texts)),
    };
    let [starts, ends, byte_starts, byte_ends] = columns.offsets(rows).map(numbers);
    let ids = Arc::new(StringArray::from_iter_values(ids)) as ArrayRef;
    let docs = of_batch.then(|| numbers(columns.docs(rows)));
    let arrays = [ids, texts, starts, ends, byte_starts, byte_ends, numbers(n_tokens)];
    let endings = columns.all_endings();
    let fields = fields(text_type, of_batch, endings.is_some());
    let of_rows = |all: Vec<Ending>| endings::columns(rows.iter().map(|&row| all[row]));
    let endings = endings.into_iter().flat_map(of_rows);
    let arrays = docs.into_iter().chain(arrays).chain(endings).collect();
    StructArray::try_new(fields, arrays, None).map_err(to_python)
}

fn text_type(n_bytes: usize) -> DataType {
    if n_bytes > MAX_STRING_BYTES { DataType::LargeUtf8 } else { DataType::Utf8 }
}

fn fields(text: DataType, of_batch: bool, with_endings: bool) -> Fields {
    let docs = of_batch.then_some(("doc_index", DataType::Int64));
    let strings = [("id", DataType::Utf8), ("text", text)];
    let numbers = ["start", "end", "byte_start", "byte_end", "n_tokens"];
    let numbers = numbers.map(|name| (name, DataType::Int64));
    let all = docs.into_iter().chain(strings).chain(numbers);
    let all = all.map(|(name, kind)| Field::new(name, kind, false));
    all.chain(with_endings.then(endings::fields).into_iter().flatten()).collect()
}
