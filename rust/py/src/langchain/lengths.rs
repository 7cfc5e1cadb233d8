//! Length functions of the caller.

use chunkwright_parity::langchain::{Depth, Sizes};
use chunkwright_text::error::Result;
use chunkwright_text::offsets::CharSweep;
use chunkwright_text::span::Span;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString};

use super::LangChainLengths;
use crate::error::{named, to_core};
use crate::strings::text::Text;

/// Calls the function once for each piece and once for each glue that is used.
pub struct CalledLength<'a, 'py> {
    py: Python<'py>,
    text: &'a Text<'py>,
    starts: CharSweep<'a>,
    ends: CharSweep<'a>,
    lengths: &'a LangChainLengths,
    glues: &'a [Py<PyString>],
    /// Whether a length is compared before it is added up.
    compares: bool,
    /// Why the length of some glue is no number: it may be that nothing has to be glued.
    odd_glue: Option<PyErr>,
}

impl<'a, 'py> CalledLength<'a, 'py> {
    pub fn new(
        text: &'a Text<'py>,
        lengths: &'a LangChainLengths,
        glues: &'a [Py<PyString>],
        py: Python<'py>,
        depth: Depth,
    ) -> Self {
        let compares = depth == Depth::EveryLevel;
        let (starts, ends) = (text.document().char_sweep(), text.document().char_sweep());
        Self { py, text, starts, ends, lengths, glues, compares, odd_glue: None }
    }

    fn call(&self, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        self.lengths.function.bind(self.py).call1((text,))
    }

    fn number(&self, length: &Bound<'py, PyAny>, compares: bool) -> PyResult<f64> {
        if length.is_instance_of::<PyInt>() || length.is_instance_of::<PyFloat>() {
            return clamped(length);
        }
        self.try_out(length, compares)?;
        clamped(length).map(on_grid)
    }

    /// Raises what LangChain would for a length that is no number.
    fn try_out(&self, length: &Bound<'py, PyAny>, compares: bool) -> PyResult<()> {
        if compares {
            length.lt(self.lengths.chunk_size.bind(self.py))?;
        } else {
            0_u8.into_pyobject(self.py)?.add(length)?;
        }
        Ok(())
    }
}

impl Sizes for CalledLength<'_, '_> {
    fn piece(&mut self, piece: Span) -> Result<f64> {
        let (start, end) = (self.starts.at(piece.start), self.ends.at(piece.end));
        let length = self.text.slice(start, end).and_then(|text| self.call(&text));
        let number = length.and_then(|length| self.number(&length, self.compares));
        match self.odd_glue.take() {
            None => number.map_err(to_core),
            Some(error) => Err(to_core(number.err().unwrap_or(error))),
        }
    }

    fn glue(&mut self, separator: usize) -> Result<f64> {
        let length = self.call(self.glues[separator].bind(self.py)).map_err(to_core)?;
        Ok(self.number(&length, false).unwrap_or_else(|error| {
            self.odd_glue = Some(error);
            f64::NAN
        }))
    }
}

/// Rounds what is neither `int` nor `float` (a `Decimal`, a `Fraction`) so that sums and differences of
/// such numbers are exact, as Python's would be: none leaves a rest where nothing is left.
fn on_grid(number: f64) -> f64 {
    const STEPS: f64 = (1_u32 << 20) as f64;
    let rounded = (number * STEPS).round() / STEPS;
    if rounded.is_finite() { rounded } else { number }
}

/// A number as float; an integer beyond all floats is as large as they get.
pub fn clamped(number: &Bound<'_, PyAny>) -> PyResult<f64> {
    match number.extract::<f64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => {
            Ok(if number.lt(0)? { f64::MIN } else { f64::MAX })
        }
        Err(_) => {
            let value = number.repr()?;
            Err(named("TokenizerError", format!("a length must be a number, got {value}")))
        }
        Ok(float) => Ok(float),
    }
}
