//! Chunks of whole lines behind a repeated prefix.

use chunkwright_parity::docling::line::{LineOptions, LineWarning, chunk_lines};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::measure::unit::Unit;

/// A warning: its name, a size and the limit.
pub type Warning = (&'static str, usize, usize);

/// The chunks, and what is to be warned of.
#[pyfunction]
pub fn docling_lines(
    py: Python<'_>,
    unit: &Unit,
    lines: Vec<PyBackedStr>,
    max_tokens: usize,
    prefix: &str,
    omit_prefix_on_overflow: bool,
) -> PyResult<(Vec<String>, Vec<Warning>)> {
    let options = LineOptions { max: max_tokens, prefix, omit_prefix_on_overflow };
    let lines: Vec<&str> = lines.iter().map(|line| &**line).collect();
    let chunks = unit.with_ruler(py, |ruler, _| chunk_lines(ruler, &lines, &options))?;
    Ok((chunks.texts, chunks.warnings.into_iter().map(warning).collect()))
}

/// A warning for Python.
pub const fn warning(warning: LineWarning) -> Warning {
    match warning {
        LineWarning::LongPrefix { size, max } => ("long_prefix", size, max),
        LineWarning::PrefixOmitted { size, max } => ("prefix_omitted", size, max),
    }
}
