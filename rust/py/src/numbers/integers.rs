//! Arrays of numbers that belong to Python.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::numbers::floats::native_kind;

/// A copy of a buffer of 64-bit integers.
///
/// # Errors
/// `TypeError` if it is none of one dimension, naming `name`.
pub fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    column(name, "int64", given)
}

/// A copy of a buffer of `T`, which Python calls `kind`.
///
/// # Errors
/// `TypeError` if it is none of one dimension, naming `name`.
pub fn column<T: Element>(name: &str, kind: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let refused =
        |what: String| PyTypeError::new_err(format!("{name} must be an array of {kind}: {what}"));
    let buffer = PyBuffer::<T>::get(given).map_err(|error| refused(error.to_string()))?;
    if buffer.dimensions() != 1 {
        return Err(refused(format!("it has {} dimensions", buffer.dimensions())));
    }
    // pyo3's own check takes the numbers of other machines for native ones.
    if native_kind(buffer.format().to_bytes()).is_none() {
        return Err(refused(format!("its format is {:?}", buffer.format().to_string_lossy())));
    }
    buffer.to_vec(given.py()).map_err(|error| refused(error.to_string()))
}
