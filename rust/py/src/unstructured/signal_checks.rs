//! Signal checks while Python objects are made.

use pyo3::prelude::*;

use crate::error::to_python;
use crate::gate::check_signals;

/// Objects between two looks.
const PERIOD: usize = 1024;

/// Counts what is made.
#[derive(Debug, Default)]
pub struct SignalChecks(usize);

impl SignalChecks {
    /// Counts one more object, and at times looks whether a signal has come.
    ///
    /// # Errors
    /// The handler's exception.
    pub fn after_one(&mut self, py: Python<'_>) -> PyResult<()> {
        self.0 += 1;
        if self.0.is_multiple_of(PERIOD) { check_signals(py).map_err(to_python) } else { Ok(()) }
    }
}
