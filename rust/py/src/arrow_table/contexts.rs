//! Contexts of the chunks of a table of documents, which Python writes.

use chunkwright_engine::arrow_table::{CutDocument, Documents};
use chunkwright_engine::cut::Cut;
use chunkwright_engine::rows::Context;
use chunkwright_text::error::Result;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::columns::Columns;
use crate::columns::rows::{ContextRow, context_of};
use crate::elements::Elements;
use crate::error::{ending, to_core};
use crate::gil::ensured;
use crate::strings::sources::Source;

/// For each document the contexts of its chunks: what `write` gives for the columns of all chunks, with the
/// names of their documents and the elements of those that have any.
///
/// # Errors
/// Those of `write`.
pub fn contexts(
    write: &Py<PyAny>,
    documents: &Documents<'_>,
    cut: &[CutDocument],
) -> Result<Vec<Vec<Context>>> {
    let written = ensured(|py| written(py, write, documents, cut));
    let written = written.map_or_else(|| Err(ending()), |written| written.map_err(to_core))?;
    let mut contexts = written.into_iter().map(context_of);
    Ok(cut.iter().map(|of| contexts.by_ref().take(of.cut.chunks.len()).collect()).collect())
}

fn written(
    py: Python<'_>,
    write: &Py<PyAny>,
    documents: &Documents<'_>,
    cut: &[CutDocument],
) -> PyResult<Vec<ContextRow>> {
    let names: Vec<_> = cut.iter().map(|of| documents.table.labels.title(of.row)).collect();
    let elements = (0..cut.len()).map(|i| elements_of(py, documents, i));
    let elements: Vec<Option<Py<Elements>>> = elements.collect::<PyResult<_>>()?;
    let source = |(i, of): (usize, &Option<Py<Elements>>)| {
        let text = || documents.text_of(i).unwrap_or_default();
        let plain = || Source::Plain(PyString::new(py, text()).unbind());
        of.as_ref().map_or_else(plain, |of| Source::Elements(of.clone_ref(py)))
    };
    let sources = elements.iter().enumerate().map(source).collect();
    let cuts = cut.iter().map(|of| copied(&of.cut));
    let columns = Columns::of_many(py, sources, cuts)?;
    write.call1(py, (columns, names, elements))?.extract(py)
}

/// The elements of document `i`, if it has any.
fn elements_of(
    py: Python<'_>,
    documents: &Documents<'_>,
    i: usize,
) -> PyResult<Option<Py<Elements>>> {
    let Some(read) = documents.read_as(i) else { return Ok(None) };
    let elements = if read.text.is_some() {
        Elements::of(read.clone())
    } else {
        let text = PyString::new(py, documents.text_of(i).unwrap_or_default());
        Elements::placed(text, read.clone())
    };
    Py::new(py, elements).map(Some)
}

fn copied(cut: &Cut) -> Cut {
    let mut copy = Cut::default();
    copy.append(cut);
    copy
}
