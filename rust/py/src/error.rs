//! Errors of the core as Python exceptions, in one place.

use chunkwright_text::error::Error;
use pyo3::exceptions::{
    PyException, PyKeyboardInterrupt, PyRecursionError, PyRuntimeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyType};

/// An exception that passes through the core unchanged.
#[derive(Debug)]
struct Raised(PyErr);

impl std::fmt::Display for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Raised {}

/// There is no way back into Python, which is on its way out; only finalizers still run.
#[derive(Debug)]
struct Ending;

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Python is shutting down")
    }
}

impl std::error::Error for Ending {}

/// What becomes a `RuntimeError`: Python cannot be called, since it is shutting down.
pub fn ending() -> Error {
    Error::Caller(Box::new(Ending))
}

/// Wraps an exception of the caller's code.
pub fn to_core(error: PyErr) -> Error {
    Error::Caller(Box::new(Raised(error)))
}

/// Whether an error is an exception that no text is to blame for, such as `KeyboardInterrupt`.
pub fn is_exit(error: &Error) -> bool {
    let Error::Caller(inner) = error else { return false };
    inner.downcast_ref::<Raised>().is_some_and(|Raised(raised)| {
        Python::try_attach(|py| !raised.is_instance_of::<PyException>(py)).unwrap_or(false)
    })
}

/// The exception for an error, or the one that it wraps.
pub fn to_python(error: Error) -> PyErr {
    let error = match error {
        Error::Caller(inner) => return of_caller(inner),
        error => error,
    };
    let message = error.to_string();
    match error {
        Error::Option { option, .. } | Error::Value { option, .. } | Error::Name { option, .. } => {
            of_option(&option, message)
        }
        Error::Config(_) | Error::Pattern { .. } => named("ConfigError", message),
        Error::Tokenizer(_) | Error::UnknownToken { .. } => named("TokenizerError", message),
        Error::Model(_) => named("ModelError", message),
        Error::Read(_) => named("ReadError", message),
        Error::Endless(_) => PyRecursionError::new_err(message),
        Error::Interrupted => PyKeyboardInterrupt::new_err(message),
        // A position is an index into a text: Python's own class says it best.
        Error::Position(_) => pyo3::exceptions::PyIndexError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// What has passed through the core; an exception's own `__str__` is not asked.
fn of_caller(error: Box<dyn std::error::Error + Send + Sync>) -> PyErr {
    let error = match error.downcast::<Raised>() {
        Ok(raised) => return raised.0,
        Err(error) => error,
    };
    let message = error.to_string();
    if error.is::<Ending>() {
        PyRuntimeError::new_err(message)
    } else {
        PyValueError::new_err(message)
    }
}

/// A `ConfigError` about the value of an option.
pub fn of_option(option: &str, message: String) -> PyErr {
    let exception = Python::attach(|py| {
        let class = py.import("chunkwright.errors")?.getattr("ConfigError")?;
        let named = [("option", option)].into_py_dict(py)?;
        Ok(PyErr::from_value(class.call((message,), Some(&named))?))
    });
    exception.unwrap_or_else(|error| error)
}

/// An exception of `chunkwright.errors`.
pub fn named(class: &str, message: String) -> PyErr {
    let exception = Python::attach(|py| {
        let class = py.import("chunkwright.errors")?.getattr(class)?.cast_into::<PyType>()?;
        Ok(PyErr::from_type(class, message))
    });
    exception.unwrap_or_else(|error| error)
}
