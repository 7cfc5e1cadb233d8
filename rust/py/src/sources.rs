//! Sources of chunks: Python's `str`s, and their elements.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::elements::Elements;

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
}
