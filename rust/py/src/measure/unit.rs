//! Units of sizes for Python: code points, bytes, tokens, or what a callable counts.

use chunkwright_engine::unit::Unit as EngineUnit;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::{Ruled, Ruler};
use chunkwright_text::measure::{Counter, Measure};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::Pulse;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::{named, to_python};
use crate::gate::{attached, detached};
use crate::measure::ruler::{CalledMeasure, CalledRuler, size_of};
use crate::strings::text::Text;

/// What sizes are counted in.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Unit {
    kind: UnitKind,
}

/// How a unit is counted.
pub enum UnitKind {
    /// Without Python.
    Native(EngineUnit),
    /// By a callable.
    Counter(Py<PyAny>),
}

#[pymethods]
impl Unit {
    /// The unit of that name: `chars`, `bytes`, or a built-in vocabulary.
    #[staticmethod]
    fn named(name: &str) -> PyResult<Self> {
        let native = EngineUnit::named(name);
        let native =
            native.ok_or_else(|| named("ConfigError", format!("unknown unit {name:?}")))?;
        Ok(Self { kind: UnitKind::Native(native) })
    }

    /// What `count`, a callable from `str` to `int`, counts.
    #[staticmethod]
    const fn counter(count: Py<PyAny>) -> Self {
        Self { kind: UnitKind::Counter(count) }
    }
}

impl Unit {
    /// A unit that is counted without Python.
    pub const fn of(native: EngineUnit) -> Self {
        Self { kind: UnitKind::Native(native) }
    }

    /// How it is counted.
    pub const fn kind(&self) -> &UnitKind {
        &self.kind
    }

    /// The unit, if it is counted without Python.
    pub const fn native(&self) -> Option<&EngineUnit> {
        match &self.kind {
            UnitKind::Native(native) => Some(native),
            UnitKind::Counter(_) => None,
        }
    }

    /// Runs `work` with this unit's measure of `document`, of which `text` is the text, or more behind it: detached,
    /// unless it has to call Python.
    ///
    /// # Errors
    /// Those of `work`, as Python exceptions.
    pub fn with_measure<T: Send>(
        &self,
        py: Python<'_>,
        text: &Text<'_>,
        document: Document<'_>,
        work: impl Send + FnOnce(&dyn Measure, Pulse<'_>) -> Result<T>,
    ) -> PyResult<T> {
        match &self.kind {
            UnitKind::Native(native) => {
                detached(py, |pulse| native.with_measure(document, pulse, work))
            }
            UnitKind::Counter(count) => {
                let utf8 = document.text();
                let chars = CharIndex::new(utf8, document.pairs());
                let of_text =
                    CalledMeasure { called: CalledRuler(count.bind(py)), text, chars: &chars };
                let counter = Counter::new(utf8, |span| of_text.size_of(span));
                let measure = Ruled::new(counter, &of_text);
                attached(py, |pulse| work(&measure, pulse))
            }
        }
    }

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
            UnitKind::Native(native) => detached(py, |pulse| work(&native.ruler(pulse), pulse)),
            UnitKind::Counter(count) => {
                attached(py, |pulse| work(&CalledRuler(count.bind(py)), pulse))
            }
        }
    }
}

/// The answer of a caller's counter for a text of `n_chars`, checked.
#[pyfunction]
pub fn checked_size(counted: &Bound<'_, PyAny>, n_chars: usize) -> PyResult<usize> {
    size_of(counted, n_chars).map_err(to_python)
}

/// The greatest `end` for which `text[start:end]` has at most `most` units; positions in code points.
#[pyfunction]
pub fn longest(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    unit: &Unit,
    start: usize,
    most: usize,
) -> PyResult<usize> {
    let text = Text::of(text)?;
    let chars = CharIndex::new(text.as_str(), text.pairs());
    let start = chars.char_to_byte(text.as_str(), start);
    let end =
        unit.with_measure(py, &text, text.document(), |measure, _| measure.longest(start, most))?;
    Ok(chars.byte_to_char(text.as_str(), end))
}
