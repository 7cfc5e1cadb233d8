//! Buffer protocol: numbers that NumPy reads where they are.
#![allow(unsafe_code, reason = "the buffer protocol is a C interface")]

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{Py_buffer, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE};
use pyo3::prelude::*;

/// An array of `N` dimensions, row by row, which does not move.
pub struct Numbers<T, const N: usize> {
    values: Vec<T>,
    shape: [isize; N],
    /// Bytes from one number to the next of each dimension.
    strides: [isize; N],
}

/// A number that Python's `struct` knows.
pub trait Number {
    /// What it is called there.
    const FORMAT: &CStr;
}

impl Number for i64 {
    const FORMAT: &CStr = c"q";
}

impl Number for f64 {
    const FORMAT: &CStr = c"d";
}

impl Number for f32 {
    const FORMAT: &CStr = c"f";
}

impl<T: Number> Numbers<T, 1> {
    /// A column.
    pub const fn column(values: Vec<T>) -> Self {
        let shape = [values.len().cast_signed()];
        Self { values, shape, strides: [Self::ITEM_BYTES] }
    }
}

impl<T: Number> Numbers<T, 2> {
    /// Rows of `n_dims` numbers each; one behind the last whole row is left out.
    pub fn rows(mut values: Vec<T>, n_dims: usize) -> Self {
        let n_rows = values.len().checked_div(n_dims).unwrap_or(0);
        values.truncate(n_rows * n_dims);
        let shape = [n_rows.cast_signed(), n_dims.cast_signed()];
        Self { values, shape, strides: [shape[1] * Self::ITEM_BYTES, Self::ITEM_BYTES] }
    }
}

impl<T: Number, const N: usize> Numbers<T, N> {
    const ITEM_BYTES: isize = size_of::<T>().cast_signed();

    /// The numbers.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Fills `view` with the address, shape and format of the values.
    ///
    /// # Safety
    /// `view` is null or valid for writes, and `owner` keeps the numbers where they are.
    pub unsafe fn fill(
        &self,
        owner: Bound<'_, PyAny>,
        view: *mut Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill"));
        }
        if flags & PyBUF_WRITABLE == PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("the numbers are read-only"));
        }
        let asked = |flag: c_int, pointer: *const isize| {
            if flags & flag == flag { pointer.cast_mut() } else { ptr::null_mut() }
        };
        // SAFETY: `view` is valid for writes. The values, the shape and the strides live as long as
        // the owner, which `obj` keeps alive and which does not move them. There are as many values as
        // the shape says.
        unsafe {
            (*view).buf = self.values.as_ptr().cast::<c_void>().cast_mut();
            (*view).len = self.values.len().cast_signed() * Self::ITEM_BYTES;
            (*view).readonly = 1;
            (*view).itemsize = Self::ITEM_BYTES;
            (*view).format = asked(PyBUF_FORMAT, T::FORMAT.as_ptr().cast()).cast();
            (*view).ndim = c_int::try_from(N)?;
            (*view).shape = asked(PyBUF_ND, self.shape.as_ptr());
            (*view).strides = asked(PyBUF_STRIDES, self.strides.as_ptr());
            (*view).suboffsets = ptr::null_mut();
            (*view).internal = ptr::null_mut();
            (*view).obj = owner.into_ptr();
        }
        Ok(())
    }
}
