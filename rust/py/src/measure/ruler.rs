//! Ruler that calls Python for any text, also one that is made on the way.

use chunkwright_text::error::{Error, Result};
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::measure::{Counter, Measure};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::to_core;
use crate::gate::check_signals;
use crate::strings::substring::n_chars;
use crate::strings::text::Text;

/// What a callable counts.
pub struct CalledRuler<'a, 'py>(pub &'a Bound<'py, PyAny>);

impl<'py> CalledRuler<'_, 'py> {
    fn count(&self, text: Bound<'py, PyString>) -> Result<usize> {
        let n_chars = n_chars(&text).map_err(to_core)?;
        let counted = self.0.call1((text,)).map_err(to_core)?;
        size_of(&counted, n_chars)
    }
}

impl Ruler for CalledRuler<'_, '_> {
    fn size(&self, text: &str) -> Result<usize> {
        check_signals(self.0.py())?;
        self.count(PyString::new(self.0.py(), text))
    }

    fn counts_chars(&self) -> bool {
        false
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        Ok(Box::new(Counter::new(text, move |span: Span| self.size(&text[span.range()]))))
    }
}

/// What a callable counts of the caller's own text, slices of which it gets as they are.
pub struct CalledMeasure<'a, 'py> {
    /// The callable.
    pub called: CalledRuler<'a, 'py>,
    /// The text.
    pub text: &'a Text<'py>,
    /// The code points of the text.
    pub chars: &'a CharIndex,
}

impl<'py> CalledMeasure<'_, 'py> {
    /// The size of a span.
    ///
    /// # Errors
    /// Those of the callable.
    pub fn size_of(&self, span: Span) -> Result<usize> {
        self.called.count(self.slice(span).map_err(to_core)?)
    }

    fn slice(&self, span: Span) -> PyResult<Bound<'py, PyString>> {
        let char = |byte| self.chars.byte_to_char(self.text.as_str(), byte);
        self.text.slice(char(span.start), char(span.end))
    }
}

impl Ruler for &CalledMeasure<'_, '_> {
    fn size(&self, text: &str) -> Result<usize> {
        self.called.size(text)
    }

    fn size_joined(
        &self,
        _: &str,
        _: &dyn Measure,
        spans: &mut dyn Iterator<Item = Span>,
    ) -> Result<usize> {
        check_signals(self.called.0.py())?;
        let slices: PyResult<Vec<_>> = spans.map(|span| self.slice(span)).collect();
        let empty = PyString::new(self.called.0.py(), "");
        let joined =
            slices.and_then(|slices| Ok(empty.call_method1("join", (slices,))?.cast_into()?));
        self.called.count(joined.map_err(to_core)?)
    }

    fn counts_chars(&self) -> bool {
        self.called.counts_chars()
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        self.called.measure(text)
    }
}

/// A callable's answer as a size.
///
/// # Errors
/// If it is no size.
pub fn size_of(counted: &Bound<'_, PyAny>, n_chars: usize) -> Result<usize> {
    let wrong = |what: &str| {
        let value = counted.repr().map_or_else(|_| "?".into(), |repr| repr.to_string());
        let value: String = value.chars().take(80).collect();
        Err(Error::Tokenizer(format!(
            "the token counter returned {value}, {what}, for a text of {n_chars} characters"
        )))
    };
    match counted.extract::<i64>() {
        Ok(size) => usize::try_from(size).or_else(|_| wrong("a negative number")),
        Err(error) if error.is_instance_of::<PyOverflowError>(counted.py()) => {
            wrong(if counted.lt(0).map_err(to_core)? {
                "a negative number"
            } else {
                "a number over 2**63 - 1"
            })
        }
        Err(_) => wrong("which is not an int"),
    }
}
