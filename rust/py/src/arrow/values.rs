//! Values of Arrow columns as those of Python that JSON can say, and back.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, NullArray, StringArray, StructArray,
};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::error::named;

/// The values of a column: a null, and a number that JSON cannot say, as None.
///
/// # Errors
/// If memory runs out, or the column is of a type that columns of chunks do not have.
pub fn list_of<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    match column.data_type() {
        DataType::Utf8 => PyList::new(py, column.as_string::<i32>()),
        DataType::LargeUtf8 => PyList::new(py, column.as_string::<i64>()),
        DataType::Int64 => PyList::new(py, column.as_primitive::<Int64Type>()),
        DataType::Boolean => PyList::new(py, column.as_boolean()),
        DataType::Float64 => {
            let numbers = column.as_primitive::<Float64Type>().iter();
            let known: Vec<_> = numbers.map(|number| number.filter(|at| at.is_finite())).collect();
            PyList::new(py, known)
        }
        DataType::Null => PyList::new(py, vec![None::<bool>; column.len()]),
        DataType::List(_) => {
            let lists = column.as_list::<i32>().iter();
            let lists = lists.map(|list| list.map(|list| list_of(py, &list)).transpose());
            PyList::new(py, lists.collect::<PyResult<Vec<_>>>()?)
        }
        DataType::Struct(_) => PyList::new(py, dicts_of(py, column.as_struct())?),
        other => Err(named("ConfigError", format!("a column of chunks cannot be of type {other}"))),
    }
}

/// The rows of columns, each as a dict of their values.
///
/// # Errors
/// Those of [`list_of`].
pub fn dicts_of<'py>(py: Python<'py>, rows: &StructArray) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let columns = rows.column_names().into_iter().zip(rows.columns());
    let columns = columns.map(|(name, of)| Ok((PyString::new(py, name), list_of(py, of)?)));
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let row = |i| {
        let row = PyDict::new(py);
        columns.iter().try_for_each(|(name, list)| row.set_item(name, list.get_item(i)?))?;
        Ok(row)
    };
    (0..rows.len()).map(row).collect()
}

/// A column of scalars or None: `bool`, `int`, `float` or `str`, as `kind` has it; without a kind all are None.
///
/// # Errors
/// If a value is of another type.
pub fn column_of(kind: Option<&str>, values: &[Option<Bound<'_, PyAny>>]) -> PyResult<ArrayRef> {
    Ok(match kind {
        None => Arc::new(NullArray::new(values.len())),
        Some("bool") => Arc::new(BooleanArray::from(extracted::<bool>(values)?)),
        Some("int") => Arc::new(Int64Array::from(extracted::<i64>(values)?)),
        Some("float") => Arc::new(Float64Array::from(extracted::<f64>(values)?)),
        Some(_) => Arc::new(StringArray::from(extracted::<String>(values)?)),
    })
}

fn extracted<'py, T: FromPyObjectOwned<'py>>(
    values: &[Option<Bound<'py, PyAny>>],
) -> PyResult<Vec<Option<T>>> {
    let each = |value: &Option<Bound<'py, PyAny>>| {
        value.as_ref().map(|value| value.extract().map_err(Into::into)).transpose()
    };
    values.iter().map(each).collect()
}
