//! Ruler that calls Python for any text, also one that is made on the way.

use chunkwright_core::error::{Error, Result};
use chunkwright_core::measure::ruler::Ruler;
use chunkwright_core::measure::{Counter, Measure};
use chunkwright_core::offsets::count_chars;
use chunkwright_core::span::Span;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::error::to_core;
use crate::gate::check_signals;

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

/// A callable's answer as a size; a number too large for one is the largest size there is.
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
            if counted.lt(0).map_err(to_core)? {
                wrong("a negative number")
            } else {
                Ok(usize::MAX)
            }
        }
        Err(_) => wrong("which is no int"),
    }
}
