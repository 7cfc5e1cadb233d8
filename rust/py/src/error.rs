//! The core's errors as Python exceptions, in one place.

use chunkwright_core::error::Error;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// An exception that passes through the core unchanged.
#[derive(Debug)]
struct Raised(PyErr);

impl std::fmt::Display for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Raised {}

/// Wraps an exception of the caller's code.
pub fn to_core(error: PyErr) -> Error {
    Error::Caller(Box::new(Raised(error)))
}

/// The exception for an error, or the one that it wraps.
pub fn to_python(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Caller(inner) => match inner.downcast::<Raised>() {
            Ok(raised) => raised.0,
            Err(other) => PyValueError::new_err(other.to_string()),
        },
        Error::Config(_) | Error::Pattern { .. } => named("ConfigError", message),
        Error::Tokenizer(_) | Error::UnknownToken { .. } => named("TokenizerError", message),
        Error::Interrupted => PyKeyboardInterrupt::new_err(message),
        // A position is an index into a text: Python's own class says it best.
        Error::Position(_) => pyo3::exceptions::PyIndexError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// An exception of `chunkwright.errors`.
pub fn named(class: &str, message: String) -> PyErr {
    let exception = Python::attach(|py| {
        let class = py.import("chunkwright.errors")?.getattr(class)?.cast_into::<PyType>()?;
        Ok(PyErr::from_type(class, message))
    });
    exception.unwrap_or_else(|error| error)
}
