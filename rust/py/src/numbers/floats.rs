//! Arrays of floating-point numbers that belong to Python, read where they are.
#![allow(unsafe_code, reason = "pyo3 has no safe view of a buffer for threads without the GIL")]

use std::ptr::NonNull;

use chunkwright_text::error::{Error, Result};
use chunkwright_text::vectors::dot::Float;
use chunkwright_text::vectors::{Dense, Embedded};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;

use crate::error::to_core;

/// The numbers of a matrix, row by row; any thread may read them.
///
/// Whoever gave the matrix must not write to it meanwhile, as with NumPy's own functions that let the GIL
/// go.
#[derive(Debug)]
pub struct Floats<T> {
    /// Keeps the memory where it is; gives it back, with the GIL, when it is dropped.
    buffer: PyUntypedBuffer,
    /// All of the memory.
    numbers: NonNull<[T]>,
}

// SAFETY: `numbers` is memory that `buffer` holds, which may itself go to any thread and be looked at from
// any. It is only read, and nothing in it depends on a thread: `T` is a float.
unsafe impl<T: Float> Send for Floats<T> {}
// SAFETY: as above.
unsafe impl<T: Float> Sync for Floats<T> {}

impl<T: Float> AsRef<[T]> for Floats<T> {
    fn as_ref(&self) -> &[T] {
        // SAFETY: `Floats::of` has seen that so many `T` lie there, aligned and without gaps. Until a
        // buffer is released its exporter neither frees nor moves nor shrinks the memory, and `buffer`
        // lives as long as `self`, which the slice borrows. All bits make floats. That nobody writes is
        // asked of the caller.
        unsafe { self.numbers.as_ref() }
    }
}

impl<T: Float> Floats<T> {
    /// The numbers of a buffer whose format is that of `T`.
    ///
    /// # Errors
    /// [`Error::Model`] if the rows do not lie behind one another.
    fn of(buffer: PyUntypedBuffer) -> Result<Self> {
        if !buffer.is_c_contiguous() {
            let strides = buffer.strides();
            let message = format!("vectors must be C-contiguous, got strides of {strides:?} bytes");
            return Err(Error::Model(message));
        }
        let n = buffer.item_count();
        let start = NonNull::new(buffer.buf_ptr().cast::<T>());
        let numbers = match start.filter(|_| n > 0) {
            None => NonNull::slice_from_raw_parts(NonNull::dangling(), 0),
            Some(start) if start.is_aligned() => NonNull::slice_from_raw_parts(start, n),
            Some(_) => return Err(Error::Model("vectors must be aligned in memory".into())),
        };
        Ok(Self { buffer, numbers })
    }

    /// Rows and columns.
    pub fn shape(&self) -> [usize; 2] {
        match *self.buffer.shape() {
            [n_rows, n_dims] => [n_rows, n_dims],
            _ => [0, 0],
        }
    }
}

/// A matrix of either precision.
#[derive(Debug)]
pub enum Rows {
    /// `numpy.float32`.
    F32(Floats<f32>),
    /// `numpy.float64`.
    F64(Floats<f64>),
}

impl Rows {
    /// Borrows what `given` says it holds.
    ///
    /// # Errors
    /// [`Error::Model`] if it is no matrix of floats whose rows lie behind one another, or rows are empty;
    /// what a `__buffer__` of the caller's own raises.
    pub fn of(given: &Bound<'_, PyAny>) -> Result<Self> {
        let buffer = PyUntypedBuffer::get(given).map_err(|error| no_buffer(given, error))?;
        if !matches!(*buffer.shape(), [n_rows, n_dims] if n_rows == 0 || n_dims > 0) {
            let shape = shape_of(buffer.shape());
            return Err(Error::Model(format!("vectors must have the shape (n, d), got {shape}")));
        }
        // pyo3's own check takes the numbers of other machines for native ones.
        match (native_kind(buffer.format().to_bytes()), buffer.item_size()) {
            (Some(b'f'), 4) => Floats::of(buffer).map(Self::F32),
            (Some(b'd'), 8) => Floats::of(buffer).map(Self::F64),
            _ => {
                let format = buffer.format().to_string_lossy();
                Err(no_floats(&format!("an array of format {format:?}")))
            }
        }
    }

    /// Rows and columns.
    pub fn shape(&self) -> [usize; 2] {
        match self {
            Self::F32(floats) => floats.shape(),
            Self::F64(floats) => floats.shape(),
        }
    }

    /// The same as vectors.
    ///
    /// # Errors
    /// [`Error::Model`] if a number is not finite.
    pub fn into_vectors(self) -> Result<Embedded<'static>> {
        let [_, n_dims] = self.shape();
        Ok(match self {
            Self::F32(floats) => Box::new(Dense::new(floats, n_dims)?),
            Self::F64(floats) => Box::new(Dense::new(floats, n_dims)?),
        })
    }
}

/// The letter of a format of single numbers in this machine's order of bytes.
pub const fn native_kind(format: &[u8]) -> Option<u8> {
    match format {
        [kind] | [b'@' | b'=', kind] => Some(*kind),
        [b'<', kind] if cfg!(target_endian = "little") => Some(*kind),
        [b'>' | b'!', kind] if cfg!(target_endian = "big") => Some(*kind),
        _ => None,
    }
}

/// As NumPy writes a shape.
fn shape_of(shape: &[usize]) -> String {
    let numbers: Vec<String> = shape.iter().map(usize::to_string).collect();
    match &numbers[..] {
        [n] => format!("({n},)"),
        numbers => format!("({})", numbers.join(", ")),
    }
}

/// What `given` has no buffer for, or an exception that has nothing to do with that.
fn no_buffer(given: &Bound<'_, PyAny>, error: PyErr) -> Error {
    let py = given.py();
    if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyBufferError>(py) {
        let name = given.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        return no_floats(&name);
    }
    to_core(error)
}

fn no_floats(got: &str) -> Error {
    Error::Model(format!("vectors must be an array of float32 or float64, got {got}"))
}
