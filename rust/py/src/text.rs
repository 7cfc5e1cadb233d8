//! A Python `str` as UTF-8, and slices of it as `str` again.

use std::borrow::Cow;

use chunkwright_core::document::Document;
use chunkwright_core::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::substring::substring;

/// The text of a `str`: borrowed, or a copy in which each lone surrogate became U+FFFD.
///
/// The repair takes one code point for one, so that offsets in code points hold for the original.
pub struct Text<'py> {
    source: Bound<'py, PyString>,
    n_chars: usize,
    utf8: Cow<'py, str>,
}

impl<'py> Text<'py> {
    /// Borrows `source`.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of(source: &'py Bound<'py, PyString>) -> PyResult<Self> {
        let utf8 = match source.to_str() {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(repaired(source)?),
        };
        Ok(Self { source: source.clone(), n_chars: source.len()?, utf8 })
    }

    /// The repaired copy, if there had to be one.
    pub fn into_repaired(self) -> Option<String> {
        match self.utf8 {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        }
    }

    /// The text as UTF-8.
    pub fn as_str(&self) -> &str {
        &self.utf8
    }

    /// The original's code points `start..end` as a new `str`.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn slice(&self, start: usize, end: usize) -> PyResult<Bound<'py, PyString>> {
        substring(&self.source, start, end)
    }

    /// Slices the original: one `str` for each span of bytes; fastest if they ascend.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn slices(
        &self,
        spans: impl ExactSizeIterator<Item = Span>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (mut starts, mut ends) = (self.document().char_sweep(), self.document().char_sweep());
        let texts: PyResult<Vec<_>> =
            spans.map(|span| self.slice(starts.at(span.start), ends.at(span.end))).collect();
        PyList::new(self.source.py(), texts?)
    }

    /// The text for the core.
    pub fn document(&self) -> Document<'_> {
        Document::with_n_chars(&self.utf8, self.n_chars)
    }
}

/// A copy of `source` in which each lone surrogate is U+FFFD.
fn repaired(source: &Bound<'_, PyString>) -> PyResult<String> {
    let encoded = source.call_method1("encode", ("utf-8", "surrogatepass"))?;
    let bytes: &[u8] = encoded.extract()?;
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                return Ok(text);
            }
            Err(error) => {
                // A surrogate is encoded as three bytes.
                let (valid, invalid) = rest.split_at(error.valid_up_to());
                text.push_str(&String::from_utf8_lossy(valid));
                text.push('\u{fffd}');
                rest = invalid.get(3..).unwrap_or_default();
            }
        }
    }
}

/// The text as tiktoken encodes it: `source` itself, or a copy in which surrogates that make a pair
/// are joined and others became U+FFFD.
///
/// # Errors
/// If memory runs out.
pub fn with_pairs_joined<'py>(source: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    if source.to_str().is_ok() {
        return Ok(source.clone());
    }
    let encoded = source.call_method1("encode", ("utf-16", "surrogatepass"))?;
    Ok(encoded.call_method1("decode", ("utf-16", "replace"))?.cast_into()?)
}
