//! Slices of a `str` by code points, lone surrogates included, whatever a subclass's methods say.
#![allow(unsafe_code, reason = "pyo3 has no safe calls for it")]

use pyo3::ffi::{Py_ssize_t, PyUnicode_GetLength, PyUnicode_Substring};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Code points of `source`.
///
/// # Errors
/// What Python says if it is no `str`.
pub fn n_chars(source: &Bound<'_, PyString>) -> PyResult<usize> {
    // SAFETY: `source` is a live `str`.
    let n_chars = unsafe { PyUnicode_GetLength(source.as_ptr()) };
    usize::try_from(n_chars).map_err(|_| PyErr::fetch(source.py()))
}

/// `source[start:end]`, as Python slices it.
///
/// # Errors
/// If memory runs out.
pub fn substring<'py>(
    source: &Bound<'py, PyString>,
    start: usize,
    end: usize,
) -> PyResult<Bound<'py, PyString>> {
    let (start, end) = (Py_ssize_t::try_from(start)?, Py_ssize_t::try_from(end)?);
    // SAFETY: `source` is a live `str`; the function clamps both indices, neither is negative, and it
    // returns a new reference to a `str`, or null with an exception set.
    unsafe {
        let slice = PyUnicode_Substring(source.as_ptr(), start, end);
        let slice = Bound::from_owned_ptr_or_err(source.py(), slice)?;
        Ok(slice.cast_into_unchecked())
    }
}
