//! Values of Arrow columns as those of Python that JSON can say, and back.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, NullArray, StringArray,
};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};

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
        other => Err(named("ConfigError", format!("a column of chunks cannot be of type {other}"))),
    }
}

/// A column of scalars, which are all of one type or None; integers beside floats are floats.
///
/// # Errors
/// `ConfigError` for values of two types, naming the column.
pub fn column_of(name: &str, values: &[Option<Bound<'_, PyAny>>]) -> PyResult<ArrayRef> {
    let kinds: Vec<Kind> = values.iter().flatten().filter_map(Kind::of).collect();
    let Some(&first) = kinds.first() else { return Ok(Arc::new(NullArray::new(values.len()))) };
    let is_number = |kind: &Kind| matches!(kind, Kind::Integer | Kind::Float);
    let kind = match kinds.iter().find(|kind| **kind != first) {
        None => first,
        Some(_) if kinds.iter().all(is_number) => Kind::Float,
        Some(other) => {
            let (one, two) = (first.name(), other.name());
            let message =
                format!("metadata {name:?} is {one} in one document and {two} in another");
            return Err(named("ConfigError", message));
        }
    };
    Ok(match kind {
        Kind::Boolean => Arc::new(BooleanArray::from(extracted::<bool>(values)?)),
        Kind::Integer => Arc::new(Int64Array::from(extracted::<i64>(values)?)),
        Kind::Float => Arc::new(Float64Array::from(extracted::<f64>(values)?)),
        Kind::Text => Arc::new(StringArray::from(extracted::<String>(values)?)),
    })
}

/// Type of a scalar of Python.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Integer,
    Float,
    Text,
}

impl Kind {
    fn of(value: &Bound<'_, PyAny>) -> Option<Self> {
        // Booleans are integers of Python, too.
        let kinds = [
            (value.is_instance_of::<PyBool>(), Self::Boolean),
            (value.is_instance_of::<PyInt>(), Self::Integer),
            (value.is_instance_of::<PyFloat>(), Self::Float),
            (value.is_instance_of::<PyString>(), Self::Text),
        ];
        kinds.into_iter().find_map(|(is_kind, kind)| is_kind.then_some(kind))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Boolean => "a bool",
            Self::Integer => "an int",
            Self::Float => "a float",
            Self::Text => "a str",
        }
    }
}

fn extracted<'py, T: FromPyObjectOwned<'py>>(
    values: &[Option<Bound<'py, PyAny>>],
) -> PyResult<Vec<Option<T>>> {
    let each = |value: &Option<Bound<'py, PyAny>>| {
        value.as_ref().map(|value| value.extract().map_err(Into::into)).transpose()
    };
    values.iter().map(each).collect()
}
