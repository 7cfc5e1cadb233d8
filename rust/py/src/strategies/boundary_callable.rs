//! Callable of the caller's that says with which pieces of texts chunks begin.

use chunkwright_text::cut::pieces::Asked;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::{ending, to_core};

/// A callable, which is asked for the boundaries of many texts at once.
#[derive(Debug)]
pub struct BoundaryCallable {
    callable: Py<PyAny>,
}

impl BoundaryCallable {
    pub const fn new(callable: Py<PyAny>) -> Self {
        Self { callable }
    }

    fn call(&self, py: Python<'_>, texts: &[Vec<&str>]) -> PyResult<Vec<Result<Vec<usize>>>> {
        let lists: Vec<_> =
            texts.iter().map(|pieces| PyList::new(py, pieces)).collect::<PyResult<_>>()?;
        let answers = self.callable.bind(py).call1((PyList::new(py, lists)?,))?;
        answers.try_iter()?.map(|answer| starts(&answer?)).collect()
    }
}

/// Where chunks begin, or the exception that says why nobody knows.
fn starts(answer: &Bound<'_, PyAny>) -> PyResult<Result<Vec<usize>>> {
    if answer.is_instance_of::<PyException>() {
        return Ok(Err(to_core(PyErr::from_value(answer.clone()))));
    }
    answer.extract().map(Ok)
}

impl Asked for BoundaryCallable {
    fn starts(&self, texts: &[Vec<&str>], pulse: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>> {
        pulse()?;
        let called = Python::try_attach(|py| self.call(py, texts).map_err(to_core));
        called.unwrap_or_else(|| Err::<_, Error>(ending()))
    }
}
