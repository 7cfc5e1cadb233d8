//! Rows of chunks as an Arrow record batch, through the PyCapsule interface.

pub(crate) mod capsule;
pub(crate) mod cdata;
pub(crate) mod imports;

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StructArray,
};
use arrow_schema::Field;
use chunkwright_core::rows;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

use crate::arrow::capsule::{Metadata, array_out, batch_out, field, schema_out, to_python};
use crate::error::named;
use crate::numbers::integers;

/// Texts of more bytes do not fit into the 32-bit offsets of `string`.
const MAX_STRING_BYTES: usize = i32::MAX as usize;

/// Name, kind and values of a column; kinds are `str`, `int`, `float`, `bool`, `strs` and `ints`; those of
/// `str?` and `int?` may be none.
type Column<'py> = (String, String, Bound<'py, PyAny>);

/// The names of the columns of rows of chunks: of every row, of places in what was read among these, of those of
/// elements, of those that end where their meaning does.
#[pyfunction]
pub fn row_columns() -> [Vec<&'static str>; 4] {
    let base = rows::BASE.to_vec();
    [base, rows::OF_SOURCE.to_vec(), rows::OF_ELEMENTS.to_vec(), rows::OF_MEANING.to_vec()]
}

/// The schema of columns, with what it says of them.
#[pyfunction]
pub fn export_schema<'py>(
    py: Python<'py>,
    columns: Vec<Column<'py>>,
    metadata: Metadata,
) -> PyResult<Bound<'py, PyCapsule>> {
    schema_out(py, &field(batch(&columns)?.data_type(), &metadata))
}

/// Columns of equal length, as schema and array.
#[pyfunction]
pub fn export_array<'py>(
    py: Python<'py>,
    columns: Vec<Column<'py>>,
    metadata: Metadata,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    array_out(py, &batch(&columns)?, &metadata)
}

/// The same as a stream of one batch.
#[pyfunction]
pub fn export_stream<'py>(
    py: Python<'py>,
    columns: Vec<Column<'py>>,
    metadata: Metadata,
) -> PyResult<Bound<'py, PyCapsule>> {
    batch_out(py, RecordBatch::from(batch(&columns)?), &metadata)
}

fn batch(columns: &[Column<'_>]) -> PyResult<StructArray> {
    let arrays: PyResult<Vec<_>> = columns
        .iter()
        .map(|(name, kind, values)| {
            let array = array(name, kind, values)?;
            let is_nullable = matches!(kind.as_str(), "str?" | "int?" | "float");
            Ok((Field::new(name, array.data_type().clone(), is_nullable), array))
        })
        .collect();
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = arrays?.into_iter().unzip();
    StructArray::try_new(fields.into(), arrays, None).map_err(to_python)
}

fn array(name: &str, kind: &str, values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    Ok(match kind {
        "int" => Arc::new(Int64Array::from(integers::of(name, values)?)),
        "int?" if !values.is_instance_of::<PyList>() => {
            Arc::new(Int64Array::from(integers::of(name, values)?))
        }
        "int?" => Arc::new(Int64Array::from(values.extract::<Vec<Option<i64>>>()?)),
        "str" | "str?" => strings(values.extract()?),
        "bool" => Arc::new(BooleanArray::from(values.extract::<Vec<bool>>()?)),
        "float" => {
            let numbers: Vec<f64> = values.extract()?;
            let known = numbers.into_iter().map(|number| (!number.is_nan()).then_some(number));
            Arc::new(known.collect::<Float64Array>())
        }
        "ints" => {
            let mut lists = ListBuilder::new(Int64Builder::new());
            for list in values.extract::<Vec<Vec<i64>>>()? {
                lists.append_value(list.into_iter().map(Some));
            }
            Arc::new(lists.finish())
        }
        "strs" => {
            let mut lists = ListBuilder::new(StringBuilder::new());
            for list in values.extract::<Vec<Vec<String>>>()? {
                lists.append_value(list.into_iter().map(Some));
            }
            Arc::new(lists.finish())
        }
        other => return Err(named("ConfigError", format!("unknown kind {other:?} of {name}"))),
    })
}

fn strings(strings: Vec<Option<String>>) -> ArrayRef {
    let n_bytes: usize = strings.iter().flatten().map(String::len).sum();
    if n_bytes > MAX_STRING_BYTES {
        Arc::new(LargeStringArray::from(strings))
    } else {
        Arc::new(StringArray::from(strings))
    }
}
