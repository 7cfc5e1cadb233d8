//! Arrow's C structures in Python capsules, in and out.
#![allow(unsafe_code, reason = "Arrow's C data interface is one of pointers")]

use std::ffi::CStr;
use std::ptr::NonNull;

use arrow_array::RecordBatchReader;
use arrow_array::StructArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// What Arrow gives.
pub type ArrowResult<T> = Result<T, ArrowError>;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A capsule with a schema, which is that of a record batch if `field` is a struct.
///
/// # Errors
/// If a type has no C form.
pub fn schema_out<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(to_python)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Capsules with the schema and the columns of a record batch.
///
/// # Errors
/// If a type has no C form.
pub fn array_out<'py>(
    py: Python<'py>,
    batch: &StructArray,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let schema = schema_out(py, &Field::new("", batch.data_type().clone(), false))?;
    let array = FFI_ArrowArray::new(&batch.to_data());
    Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?))
}

/// A capsule with a stream.
///
/// # Errors
/// If memory runs out.
pub fn stream_out(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// The array that `__arrow_c_array__` gave.
///
/// # Errors
/// If the capsules hold something else, or nothing any more, or a type that is not known here.
pub fn array_in(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let (schema, array) = (pointer(schema, SCHEMA)?, pointer(array, ARRAY)?);
    // SAFETY: capsules of these names hold these structures, which the protocol says their producer
    // has filled; each is moved out once, which marks the one in the capsule as released. What another
    // reader has moved out is not looked at: its pointers may lead nowhere.
    let data = unsafe {
        let (of_schema, of_array): (&FFI_ArrowSchema, &FFI_ArrowArray) =
            (schema.as_ref(), array.as_ref());
        if of_schema.release().is_none() || of_array.is_released() {
            let message = "the capsules of __arrow_c_array__ have been read before";
            return Err(PyValueError::new_err(message));
        }
        let schema = FFI_ArrowSchema::from_raw(schema.as_ptr());
        from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), &schema)
    };
    data.map(make_array).map_err(to_python)
}

/// The stream that `__arrow_c_stream__` gave.
///
/// # Errors
/// If the capsule holds something else, or what the producer says.
pub fn stream_in(stream: &Bound<'_, PyCapsule>) -> PyResult<ArrayStreamReader> {
    let stream: NonNull<FFI_ArrowArrayStream> = pointer(stream, STREAM)?;
    // SAFETY: as for `array_in`.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) };
    reader.map_err(to_python)
}

fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

/// What Arrow says.
pub fn to_python(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
