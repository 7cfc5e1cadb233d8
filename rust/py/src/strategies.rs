//! The strategies: each is made by a function of its name, and all are run alike.

use chunkwright_core::cut::sentence::Sentencing;
use chunkwright_core::cut::strategy::{Cutter as CoreCutter, Strategy};
use chunkwright_core::options::{Limits as CoreLimits, OverlapAt};
use chunkwright_core::segment::separator::{Keep, Separator};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::columns::Columns;
use crate::error::{named, to_python};
use crate::sentences::known;
use crate::text::Text;
use crate::unit::Unit;

/// Checked limits, and where an overlap may begin.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Limits {
    limits: CoreLimits,
    overlap_at: OverlapAt,
}

#[pymethods]
impl Limits {
    #[new]
    fn new(
        hard_max: usize,
        soft_max: Option<usize>,
        overlap: usize,
        overlap_at: &str,
        language: &str,
    ) -> PyResult<Self> {
        let limits = CoreLimits::new(hard_max, soft_max, overlap).map_err(to_python)?;
        let overlap_at = match overlap_at {
            "word" => OverlapAt::Word,
            "sentence" => OverlapAt::Sentence(known(language).map_err(to_python)?),
            "any" => OverlapAt::Any,
            other => return Err(named("ConfigError", format!("unknown overlap_at {other:?}"))),
        };
        Ok(Self { limits, overlap_at })
    }
}

/// Separators, compiled: each is its text, whether that is a regular expression, and where it goes.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Separators {
    separators: Vec<Separator>,
}

#[pymethods]
impl Separators {
    #[new]
    fn new(separators: Vec<(String, bool, String)>) -> PyResult<Self> {
        let compile = |(text, is_regex, keep): (String, bool, String)| {
            let keep = match keep.as_str() {
                "start" => Keep::Start,
                "end" => Keep::End,
                "drop" => Keep::Drop,
                other => return Err(named("ConfigError", format!("unknown keep {other:?}"))),
            };
            let separator = if is_regex { Separator::pattern } else { Separator::literal };
            separator(&text, keep).map_err(to_python)
        };
        Ok(Self { separators: separators.into_iter().map(compile).collect::<PyResult<_>>()? })
    }
}

/// A strategy with all its options, and the unit that it measures in.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Cutter {
    cutter: CoreCutter,
    unit: Py<Unit>,
}

impl Cutter {
    fn new(strategy: Strategy, unit: Py<Unit>, limits: &Limits) -> Self {
        let Limits { limits, overlap_at } = *limits;
        Self { cutter: CoreCutter { strategy, limits, overlap_at }, unit }
    }
}

#[pymethods]
impl Cutter {
    /// Cuts at the strongest separator within reach.
    #[staticmethod]
    fn recursive(unit: Py<Unit>, limits: &Limits, separators: &Separators) -> Self {
        Self::new(Strategy::Recursive(separators.separators.clone()), unit, limits)
    }

    /// Cuts between sentences: as many to a chunk as fit, or `sentences`, with `window` more on each side.
    #[staticmethod]
    fn sentence(
        unit: Py<Unit>,
        limits: &Limits,
        language: &str,
        sentences: Option<usize>,
        window: usize,
    ) -> PyResult<Self> {
        let language = known(language).map_err(to_python)?;
        let strategy = Strategy::Sentence(Sentencing { language, sentences, window });
        Ok(Self::new(strategy, unit, limits))
    }

    /// Cuts into chunks of even sizes at strong boundaries.
    #[staticmethod]
    fn balanced(unit: Py<Unit>, limits: &Limits, language: &str) -> PyResult<Self> {
        let language = known(language).map_err(to_python)?;
        Ok(Self::new(Strategy::Balanced(language), unit, limits))
    }

    /// Cuts into windows as long as the limit allows.
    #[staticmethod]
    fn window(unit: Py<Unit>, limits: &Limits) -> Self {
        Self::new(Strategy::Window, unit, limits)
    }

    /// The chunks of one text.
    fn cut(&self, py: Python<'_>, text: Bound<'_, PyString>) -> PyResult<Columns> {
        let utf8 = Text::of(&text)?;
        let document = utf8.document();
        let unit = self.unit.get();
        let chunks = unit
            .with_measure(py, &utf8, |measure, pulse| self.cutter.cut(document, measure, pulse))?;
        Columns::new(py, &text, &utf8, chunks)
    }
}
