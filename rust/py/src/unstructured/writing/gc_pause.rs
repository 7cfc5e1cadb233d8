//! Pause of Python's cycle collector while many objects are made.

use pyo3::prelude::*;
use pyo3::types::PyModule;

/// While it lives, no cycles are collected: each of many new objects would be looked at several times.
pub struct GcPause<'py> {
    collector: Option<Bound<'py, PyModule>>,
}

impl<'py> GcPause<'py> {
    /// Pauses the collector, if it is not switched off already.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(py: Python<'py>) -> PyResult<Self> {
        let collector = py.import("gc")?;
        if !collector.call_method0("isenabled")?.is_truthy()? {
            return Ok(Self { collector: None });
        }
        collector.call_method0("disable")?;
        Ok(Self { collector: Some(collector) })
    }
}

impl Drop for GcPause<'_> {
    fn drop(&mut self) {
        if let Some(collector) = &self.collector {
            // `gc.enable` cannot fail; a destructor could not say so either.
            let _ = collector.call_method0("enable");
        }
    }
}
