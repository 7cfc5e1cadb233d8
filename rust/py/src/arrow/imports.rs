//! Arrow arrays and streams of other libraries, checked on their way in.
#![allow(unsafe_code, reason = "Arrow's C data interface is one of pointers")]

use std::ffi::CStr;
use std::ptr::NonNull;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, StructArray, make_array};
use arrow_schema::{ArrowError, DataType};
use chunkwright_engine::arrow_table::checks::{caught, check_columns, check_type, contradiction};
use chunkwright_text::error::{Error, Result};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::capsule::{ARRAY, SCHEMA, STREAM};
use crate::arrow::cdata::{check_array, check_schema};
use crate::error::to_python;

/// The array that `__arrow_c_array__` gave.
///
/// # Errors
/// If the capsules hold something else, or nothing any more, or a type that is not known here; a
/// `ReadError` if the array is not what the schema says.
pub fn array_in(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let (schema, array) = (pointer(schema, SCHEMA)?, pointer(array, ARRAY)?);
    // SAFETY: capsules of these names hold these structures, which the protocol says their producer
    // has filled; each is moved out once, which marks the one in the capsule as released. What another
    // reader has moved out is not looked at: its pointers may lead nowhere.
    let (schema, array) = unsafe {
        let (of_schema, of_array): (&FFI_ArrowSchema, &FFI_ArrowArray) =
            (schema.as_ref(), array.as_ref());
        if of_schema.release().is_none() || of_array.is_released() {
            let message = "the capsules of __arrow_c_array__ have been read before";
            return Err(PyValueError::new_err(message));
        }
        (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr()))
    };
    let imported = caught(|| imported(array, &type_of(&schema)?));
    imported.map_err(to_python)
}

/// The stream that `__arrow_c_stream__` gave.
///
/// # Errors
/// If the capsule holds something else, or nothing any more, or a type that is not known here.
pub fn stream_in(stream: &Bound<'_, PyCapsule>) -> PyResult<StreamReader> {
    let stream: NonNull<FFI_ArrowArrayStream> = pointer(stream, STREAM)?;
    // SAFETY: as for `array_in`.
    let stream = unsafe {
        let of_stream: &FFI_ArrowArrayStream = stream.as_ref();
        if of_stream.release().is_none() {
            let message = "the capsule of __arrow_c_stream__ has been read before";
            return Err(PyValueError::new_err(message));
        }
        FFI_ArrowArrayStream::from_raw(stream.as_ptr())
    };
    caught(|| StreamReader::new(stream)).map_err(to_python)
}

fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

/// Arrays that a stream gives, each checked to be of the stream's type.
pub struct StreamReader {
    stream: FFI_ArrowArrayStream,
    kind: DataType,
}

impl StreamReader {
    fn new(mut stream: FFI_ArrowArrayStream) -> Result<Self> {
        let get = stream.get_schema().ok_or_else(|| Error::read("a stream has no schema"))?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the callback is the stream's own.
        let code = unsafe { get(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(failed(&mut stream, "its schema", code));
        }
        let kind = type_of(&schema)?;
        Ok(Self { stream, kind })
    }

    /// The type of the arrays.
    pub const fn kind(&self) -> &DataType {
        &self.kind
    }

    /// The next array, if there is one.
    ///
    /// # Errors
    /// What the producer says; a `ReadError` if the array is not what the stream's schema says.
    fn next_array(&mut self) -> Result<Option<ArrayRef>> {
        let get = self.stream.get_next();
        let get = get.ok_or_else(|| Error::read("a stream has no batches"))?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the callback is the stream's own.
        let code = unsafe { get(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(failed(&mut self.stream, "its next batch", code));
        }
        if array.is_released() { Ok(None) } else { imported(array, &self.kind).map(Some) }
    }
}

impl Iterator for StreamReader {
    type Item = Result<StructArray>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_array().map(|array| Some(array?.as_struct().clone())).transpose()
    }
}

/// What the producer of a stream says of its last failure.
fn failed(stream: &mut FFI_ArrowArrayStream, what: &str, code: i32) -> Error {
    let message = stream.get_last_error().and_then(|get| {
        // SAFETY: the callback is the stream's own, and its last one failed.
        let message = unsafe { get(stream) };
        // SAFETY: it is a string until the next call.
        (!message.is_null()).then(|| unsafe { CStr::from_ptr(message) }.to_string_lossy())
    });
    let message = message.map_or_else(|| format!("error {code}"), Into::into);
    let message = format!("the source of the stream failed to give {what}: {message}");
    Error::Caller(Box::new(ArrowError::CDataInterface(message)))
}

fn type_of(schema: &FFI_ArrowSchema) -> Result<DataType> {
    check_schema(schema).map_err(|error| contradiction(&error))?;
    let kind = DataType::try_from(schema).map_err(|error| Error::Caller(Box::new(error)))?;
    check_type(&kind).map_err(|error| contradiction(&error))?;
    Ok(kind)
}

fn imported(array: FFI_ArrowArray, kind: &DataType) -> Result<ArrayRef> {
    check_array(&array, kind).map_err(|error| contradiction(&error))?;
    // SAFETY: counts and pointers are those of the type; what they lead to is checked next.
    let data = unsafe { from_ffi_and_data_type(array, kind.clone()) };
    let data = data.map_err(|error| contradiction(&error.to_string()))?;
    check_columns(&data)?;
    Ok(make_array(data))
}
