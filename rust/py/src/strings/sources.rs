//! Sources of chunks: Python's `str`s, and element tables with their texts.

use chunkwright_text::document::Document;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::elements::Elements;
use crate::strings::substring::n_chars;
use crate::strings::text::{Lazy, Text, Utf8};

/// What is cut: a plain text, or one with elements.
#[derive(FromPyObject)]
pub enum Source {
    /// The text.
    Plain(Py<PyString>),
    /// The text, and the number of the kind that it is told to be of.
    Told(Py<PyString>, usize),
    /// The elements, which have their text.
    Elements(Py<Elements>),
}

impl Source {
    /// The same source.
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::Plain(text) => Self::Plain(text.clone_ref(py)),
            Self::Told(text, kind) => Self::Told(text.clone_ref(py), *kind),
            Self::Elements(elements) => Self::Elements(elements.clone_ref(py)),
        }
    }

    /// Its elements, if it has any.
    pub fn elements(&self) -> Option<&Elements> {
        match self {
            Self::Plain(_) | Self::Told(..) => None,
            Self::Elements(elements) => Some(elements.get()),
        }
    }

    /// `document`, whose text is this one, as it is cut: its body with the elements of that, or of the kind that is
    /// told.
    pub fn complete<'t>(&'t self, document: Document<'t>) -> Document<'t> {
        match self {
            Self::Plain(_) => document,
            Self::Told(_, kind) => document.with_kind(Some(*kind)),
            Self::Elements(elements) => elements.get().read().body(document),
        }
    }

    /// The text as Python has it.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn str(&self, py: Python<'_>) -> PyResult<&Py<PyString>> {
        match self {
            Self::Plain(text) | Self::Told(text, _) => Ok(text),
            Self::Elements(elements) => elements.get().get(py),
        }
    }

    /// The text as UTF-8.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn utf8<'a>(&'a self, py: Python<'_>) -> PyResult<Utf8<'a>> {
        match self.elements().and_then(Elements::utf8) {
            Some(utf8) => Ok(utf8),
            None => Utf8::of(py, self.str(py)?),
        }
    }

    /// The text for the core.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn text<'a>(&'a self, py: Python<'a>) -> PyResult<Text<'a>> {
        match self {
            Self::Plain(text) | Self::Told(text, _) => Text::of(text.bind(py)),
            Self::Elements(elements) => elements.get().text(py),
        }
    }

    /// Code points of the text.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn n_chars(&self, py: Python<'_>) -> PyResult<usize> {
        match self {
            Self::Plain(text) | Self::Told(text, _) => n_chars(text.bind(py)),
            Self::Elements(elements) => elements.get().n_chars(py),
        }
    }
}
