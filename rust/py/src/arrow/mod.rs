//! Rows of chunks as Arrow record batches and as values of Python.

pub(crate) mod batch;
pub(crate) mod capsule;
pub(crate) mod cdata;
pub(crate) mod imports;
pub(crate) mod values;

use arrow_array::{RecordBatch, StructArray};
use arrow_schema::Schema;
use chunkwright_engine::rows::schema::field_of;
use chunkwright_text::rows::{self, Column};
use pyo3::prelude::*;

use crate::arrow::batch::ArrowBatch;
use crate::arrow::capsule::Metadata;

/// The names of the columns of rows of chunks: of every row, of those of elements, of blocks of their author, of source code, of
/// strategies that score boundaries, of boundaries that a model set, of contexts, and of shadows.
#[pyfunction]
pub fn row_columns() -> [Vec<&'static str>; 8] {
    let names = |columns: &[Column]| columns.iter().map(|column| column.name).collect();
    [
        names(&rows::BASE),
        names(&rows::OF_ELEMENTS),
        names(&rows::OF_BLOCKS),
        names(&rows::OF_CODE),
        names(&rows::OF_ENDINGS),
        names(&rows::OF_BOUNDARIES),
        names(&rows::OF_CONTEXTS),
        names(&rows::OF_SHADOWS),
    ]
}

/// No rows of chunks, with the columns of these names.
#[pyfunction]
pub fn no_rows(names: Vec<String>) -> ArrowBatch {
    let columns = rows::all().filter(|column| names.iter().any(|name| name == column.name));
    let fields: Vec<_> = columns.map(|column| field_of(column, false)).collect();
    let chunks = RecordBatch::new_empty(Schema::new(fields).into());
    ArrowBatch::new(StructArray::from(chunks), Metadata::default())
}
