//! Links of a document, found when they are asked for.

use chunkwright_core::read::html::page::{self, Landmark};
use chunkwright_core::read::link::Link;
use chunkwright_core::read::markdown;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::gate::detached;
use crate::text::Text;

/// What the links of a document are found in, when they are asked for.
pub enum Links {
    /// There are none.
    None,
    /// The text, which is Markdown.
    Markdown,
    /// An HTML page, and the parts of it that are left out.
    Html(Py<PyString>, Vec<Landmark>),
}

impl Links {
    /// The same.
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::None => Self::None,
            Self::Markdown => Self::Markdown,
            Self::Html(source, dropped) => Self::Html(source.clone_ref(py), dropped.clone()),
        }
    }

    /// Those of a document with this text.
    ///
    /// # Errors
    /// What signals say, and if memory runs out.
    pub fn find(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Link>> {
        match self {
            Self::None => Ok(Vec::new()),
            Self::Markdown => Ok(py.detach(|| markdown::links(text))),
            Self::Html(source, dropped) => {
                let source = Text::of(source.bind(py))?;
                let html = source.as_str();
                detached(py, |pulse| page::links(html, dropped, pulse))
            }
        }
    }
}
