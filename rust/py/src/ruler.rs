//! Ruler of a unit for any text, also one that is made on the way.

use chunkwright_core::error::Result;
use chunkwright_core::measure::ruler::Ruler;
use chunkwright_core::measure::{Counter, Measure};
use chunkwright_core::offsets::count_chars;
use chunkwright_core::pulse::Pulse;
use chunkwright_core::span::Span;
use pyo3::prelude::*;

use crate::error::to_core;
use crate::gate::{attached, check_signals, detached};
use crate::unit::{Kind, Unit, size_of};

impl Unit {
    /// Runs `work` with this unit's ruler: detached, unless it has to call Python.
    ///
    /// # Errors
    /// Those of `work`, as Python exceptions.
    pub fn with_ruler<T: Send>(
        &self,
        py: Python<'_>,
        work: impl Send + FnOnce(&dyn Ruler, Pulse<'_>) -> Result<T>,
    ) -> PyResult<T> {
        match self.kind() {
            Kind::Native(native) => detached(py, |pulse| work(&native.ruler(pulse), pulse)),
            Kind::Counter(count) => attached(py, |pulse| work(&Called(count.bind(py)), pulse)),
        }
    }
}

/// What a callable counts.
pub struct Called<'a, 'py>(pub &'a Bound<'py, PyAny>);

impl Ruler for Called<'_, '_> {
    fn size(&self, text: &str) -> Result<usize> {
        check_signals(self.0.py())?;
        let counted = self.0.call1((text,)).map_err(to_core)?;
        size_of(&counted, count_chars(text.as_bytes()))
    }

    fn counts_chars(&self) -> bool {
        false
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        Ok(Box::new(Counter::new(text, move |span: Span| self.size(&text[span.range()]))))
    }
}
