//! Columns of numbers that NumPy reads without a copy.
#![allow(unsafe_code, reason = "the buffer protocol is a C interface")]

use std::ffi::c_int;

use pyo3::ffi::Py_buffer;
use pyo3::prelude::*;

use crate::numbers::buffer::Numbers;

/// 64-bit integers, read-only.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Column {
    numbers: Numbers<i64, 1>,
}

/// 64-bit floating-point numbers, read-only.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct FloatColumn {
    numbers: Numbers<f64, 1>,
}

impl Column {
    /// Positions and sizes, all of which are below 2^63.
    pub fn new(values: impl IntoIterator<Item = usize>) -> Self {
        Self::of(values.into_iter().map(|v| i64::try_from(v).unwrap_or(i64::MAX)).collect())
    }

    /// These numbers.
    pub const fn of(values: Vec<i64>) -> Self {
        Self { numbers: Numbers::column(values) }
    }

    /// The numbers.
    pub fn values(&self) -> &[i64] {
        self.numbers.values()
    }
}

impl FloatColumn {
    /// These numbers.
    pub const fn of(values: Vec<f64>) -> Self {
        Self { numbers: Numbers::column(values) }
    }
}

#[pymethods]
impl Column {
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

#[pymethods]
impl FloatColumn {
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
