//! Signal checks while Python objects are made.

use pyo3::prelude::*;

use crate::error::to_python;
use crate::gate::check_signals;

/// Objects between two looks.
const PERIOD: usize = 1024;

/// Counts what is made.
#[derive(Debug, Default)]
pub struct Ticks(usize);

impl Ticks {
    /// One more; at times, what a handler raises for a signal that has come.
    ///
    /// # Errors
    /// The handler's exception.
    pub fn tick(&mut self, py: Python<'_>) -> PyResult<()> {
        self.0 += 1;
        if self.0.is_multiple_of(PERIOD) { check_signals(py).map_err(to_python) } else { Ok(()) }
    }
}
