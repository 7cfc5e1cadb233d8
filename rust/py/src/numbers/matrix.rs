//! Matrix of numbers that NumPy reads without a copy.
#![allow(unsafe_code, reason = "the buffer protocol is a C interface")]

use std::ffi::c_int;

use pyo3::ffi::Py_buffer;
use pyo3::prelude::*;

use crate::numbers::buffer::Numbers;

/// 32-bit floating-point numbers by rows, read-only.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Matrix {
    numbers: Numbers<f32, 2>,
}

impl Matrix {
    /// The rows of `n_dims` numbers each that `values` holds.
    pub fn new(values: Vec<f32>, n_dims: usize) -> Self {
        Self { numbers: Numbers::rows(values, n_dims) }
    }
}

#[pymethods]
impl Matrix {
    /// Fills `view` with the address, shape and format of the numbers.
    ///
    /// # Safety
    /// Python calls it with a valid `view`.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        // SAFETY: Python's `view`; the object is frozen and owns its numbers.
        unsafe { slf.get().numbers.fill(slf.clone().into_any(), view, flags) }
    }
}
