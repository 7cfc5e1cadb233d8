//! Gate out of Python: detach, work, listen for Ctrl-C, map errors.

use std::sync::{Mutex, PoisonError};

use chunkwright_engine::host::Host;
use chunkwright_engine::stop::is_stopped;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;
use pyo3::prelude::*;

use crate::error::{is_exit, to_core, to_python};

/// Runs `work` without the GIL; its pulse lets Python handle signals.
pub fn detached<T: Send>(
    py: Python<'_>,
    work: impl Send + FnOnce(Pulse<'_>) -> Result<T>,
) -> PyResult<T> {
    py.detach(|| work(&heard)).map_err(to_python)
}

/// Runs `work`, which calls Python back, with the GIL.
pub fn attached<T>(py: Python<'_>, work: impl FnOnce(Pulse<'_>) -> Result<T>) -> PyResult<T> {
    work(&|| check_signals(py)).map_err(to_python)
}

/// Python, which starts a run: it stops for signals, if the thread that starts it `listens` to them, and
/// for exceptions that no text is to blame for.
pub struct Interpreter {
    pub listens: bool,
    /// Takes the errors of documents of a table by their rows, if somebody wants them.
    pub failures: Option<Mutex<Vec<(usize, Error)>>>,
}

impl Interpreter {
    /// Of a run whose errors are not asked for.
    pub const fn listening() -> Self {
        Self { listens: true, failures: None }
    }
}

impl Host for Interpreter {
    fn listen(&self) -> Result<()> {
        if self.listens { heard() } else { Ok(()) }
    }

    fn stops_for(&self, error: &Error) -> bool {
        is_exit(error)
    }

    fn failed(&self, row: usize, error: Error) {
        if let Some(failures) = &self.failures {
            failures.lock().unwrap_or_else(PoisonError::into_inner).push((row, error));
        }
    }
}

/// As [`check_signals`], on a thread that has given the GIL away. Once Python is on its way out, when
/// finalizers still run, nobody handles signals any more.
///
/// # Errors
/// The handler's exception.
fn heard() -> Result<()> {
    Python::try_attach(check_signals).unwrap_or(Ok(()))
}

/// Raises what stops the calling thread, for long work that is written in Python.
#[pyfunction]
#[pyo3(name = "check_signals")]
pub fn check_signals_of_python(py: Python<'_>) -> PyResult<()> {
    check_signals(py).map_err(to_python)
}

/// What a handler raises for a signal that has come.
///
/// # Errors
/// The handler's exception; [`Error::Interrupted`] on a thread that has been stopped.
pub fn check_signals(py: Python<'_>) -> Result<()> {
    if is_stopped() {
        return Err(Error::Interrupted);
    }
    py.check_signals().map_err(to_core)
}
