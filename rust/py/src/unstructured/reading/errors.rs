//! Errors of an element that cannot be read.

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;

use crate::error::named;

/// Characters of a value that an error shows.
const N_SHOWN: usize = 80;

/// `ReadError`: a field of element `i` is not what it must be.
pub fn wrong_field(i: usize, field: &str, expected: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let message = format!("elements[{i}]: {field} must be {expected}, got {}", shown(got));
    named("ReadError", message)
}

/// `ReadError`: item `i` lacks what an element has; `cause` says what.
pub fn not_an_element(i: usize, item: &Bound<'_, PyAny>, cause: PyErr) -> PyErr {
    if !cause.is_instance_of::<PyAttributeError>(item.py()) {
        return cause;
    }
    let message = format!(
        "elements[{i}]: an element needs text, and metadata with fields, got {}",
        shown(item)
    );
    let error = named("ReadError", message);
    error.set_cause(item.py(), Some(cause));
    error
}

/// `ReadError`: `items` are not many; `cause` says why.
pub fn no_elements(items: &Bound<'_, PyAny>, cause: PyErr) -> PyErr {
    if !cause.is_instance_of::<PyTypeError>(items.py()) {
        return cause;
    }
    let error = named("ReadError", format!("elements must be iterable, got {}", shown(items)));
    error.set_cause(items.py(), Some(cause));
    error
}

/// A value and its type, as far as an error shows them.
fn shown(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() {
        return "None".into();
    }
    let repr = value.repr().map_or_else(|_| "?".into(), |repr| repr.to_string_lossy().into_owned());
    let repr: String = repr.chars().take(N_SHOWN).collect();
    let class = value.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
    format!("{repr} ({class})")
}
