//! A column of numbers that NumPy reads without a copy.
#![allow(unsafe_code, reason = "the buffer protocol is a C interface")]

use std::ffi::{c_int, c_void};
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{Py_buffer, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE};
use pyo3::prelude::*;

/// 64-bit integers, read-only.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Column {
    values: Vec<i64>,
    shape: [isize; 1],
}

const STRIDES: [isize; 1] = [8];

impl Column {
    /// Positions and sizes, all of which are below 2^63.
    pub fn new(values: impl IntoIterator<Item = usize>) -> Self {
        Self::of(values.into_iter().map(|v| i64::try_from(v).unwrap_or(i64::MAX)).collect())
    }

    /// These numbers.
    pub fn of(values: Vec<i64>) -> Self {
        let shape = [values.len().cast_signed()];
        Self { values, shape }
    }

    /// The numbers.
    pub fn values(&self) -> &[i64] {
        &self.values
    }
}

#[pymethods]
impl Column {
    /// Fills `view` with the address, shape and format of the values.
    ///
    /// # Safety
    /// Python calls it with a valid `view`.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill"));
        }
        if flags & PyBUF_WRITABLE == PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("the column is read-only"));
        }
        let column = slf.get();
        let has = |flag: c_int| flags & flag == flag;
        // SAFETY: `view` is valid for writes. The values, the shape and the strides live as long as
        // the column, which `obj` keeps alive, and the column is frozen: none of them moves.
        unsafe {
            (*view).buf = column.values.as_ptr().cast::<c_void>().cast_mut();
            (*view).len = column.shape[0] * STRIDES[0];
            (*view).readonly = 1;
            (*view).itemsize = STRIDES[0];
            (*view).format =
                if has(PyBUF_FORMAT) { c"q".as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).ndim = 1;
            (*view).shape =
                if has(PyBUF_ND) { column.shape.as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).strides =
                if has(PyBUF_STRIDES) { STRIDES.as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).suboffsets = ptr::null_mut();
            (*view).internal = ptr::null_mut();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }
}
