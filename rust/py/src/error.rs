//! Errors of the core as Python exceptions, in one place.

use chunkwright_text::error::{Error, Message, Named};
use pyo3::exceptions::{
    PyException, PyKeyboardInterrupt, PyRecursionError, PyRuntimeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyString, PyTuple, PyType};

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
        Error::Option { option, message } => of_option(&option, &message),
        Error::Value { ref got, .. } | Error::Name { ref got, .. } => Python::attach(|py| {
            let value = PyString::new(py, got.trim_matches('\''));
            refusal(&error, value.as_any(), Some(got)).unwrap_or_else(|error| error)
        }),
        Error::Config(_) | Error::Pattern { .. } => named("ConfigError", message),
        Error::Tokenizer(_) | Error::UnknownToken { .. } => named("TokenizerError", message),
        Error::Model(_) => named("ModelError", message),
        Error::Read(message) => told("ReadError", &message, None),
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
pub fn of_option(option: &str, message: &Message) -> PyErr {
    Python::attach(|py| {
        let about = [("option", option)].into_py_dict(py);
        about.map_or_else(|error| error, |about| told("ConfigError", message, Some(&about)))
    })
}

/// An exception whose message names options, with further fields.
fn told(class: &str, message: &Message, fields: Option<&Bound<'_, PyDict>>) -> PyErr {
    let exception = Python::attach(|py| {
        let errors = py.import("chunkwright.errors")?;
        let name = errors.getattr("OptionName")?;
        let mut parts = Vec::new();
        for Named { before, option, advised } in &message.named {
            let named = name.call1((option, advised.as_deref()))?;
            parts.extend([PyString::new(py, before).into_any(), named]);
        }
        parts.push(PyString::new(py, &message.rest).into_any());
        let error = errors.getattr(class)?.call(PyTuple::new(py, parts)?, fields)?;
        Ok(PyErr::from_value(error))
    });
    exception.unwrap_or_else(|error| error)
}

/// The `ConfigError` for a value of an option, `shown` in other words than Python's, maybe.
///
/// # Errors
/// What Python says, for an error of another kind a `ValueError`.
pub fn refusal(error: &Error, value: &Bound<'_, PyAny>, shown: Option<&str>) -> PyResult<PyErr> {
    let class = value.py().import("chunkwright.errors")?.getattr("ConfigError")?;
    let options = [("shown", shown)].into_py_dict(value.py())?;
    let made = match error {
        Error::Option { option, message } => {
            let about = [("value", value)].into_py_dict(value.py())?;
            about.set_item("option", option)?;
            return Ok(told("ConfigError", message, Some(&about)));
        }
        Error::Value { option, allowed, .. } => {
            class.call_method("refused", (option, allowed, value), Some(&options))?
        }
        Error::Name { option, known, .. } => {
            class.call_method("unknown", (option, value, known.clone()), Some(&options))?
        }
        other => return Err(PyValueError::new_err(other.to_string())),
    };
    Ok(PyErr::from_value(made))
}

/// An exception of `chunkwright.errors`.
pub fn named(class: &str, message: String) -> PyErr {
    let exception = Python::attach(|py| {
        let class = py.import("chunkwright.errors")?.getattr(class)?.cast_into::<PyType>()?;
        Ok(PyErr::from_type(class, message))
    });
    exception.unwrap_or_else(|error| error)
}
