//! Sources of chunks: Python's `str`s, and their elements.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::elements::Elements;
use crate::text::{Text, Utf8};

/// Texts, and the elements of those that have any.
pub struct Sources {
    /// The texts.
    pub texts: Vec<Py<PyString>>,
    /// For each text its elements; empty if none has any.
    pub elements: Vec<Option<Py<Elements>>>,
}

impl Sources {
    /// The elements of text `i`.
    pub fn elements(&self, i: usize) -> Option<&Elements> {
        Some(self.elements.get(i)?.as_ref()?.get())
    }

    /// Text `i` as UTF-8.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn utf8<'a>(&'a self, py: Python<'_>, i: usize) -> PyResult<Utf8<'a>> {
        let text = &self.texts[i];
        match self.elements(i).and_then(|elements| elements.utf8(text)) {
            Some(utf8) => Utf8::known(text.bind(py), utf8),
            None => Utf8::of(py, text),
        }
    }

    /// Text `i` for the core.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn text<'a>(&'a self, py: Python<'a>, i: usize) -> PyResult<Text<'a>> {
        Elements::text_of(self.elements(i), self.texts[i].bind(py))
    }
}
