//! Chunks from plain tuples, to be written in Unstructured's form.

use chunkwright_core::parity::unstructured::{ChunkKind, ChunkText, ElementChunk};
use chunkwright_core::span::Span;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::document::UnstructuredElements;
use crate::error::named;

/// A chunk: kind, elements, text, HTML, part, rows of the header.
pub type Row<'py> =
    (u8, (usize, usize), Bound<'py, PyString>, Option<Bound<'py, PyString>>, usize, usize);

/// The chunk of a row; where its text stands and its size are left out, as no form says them.
///
/// # Errors
/// `ConfigError`, if its elements are not in the document.
pub fn chunk(elements: &UnstructuredElements, row: Row<'_>) -> PyResult<ElementChunk> {
    let (kind, (first, end), text, html, part, n_header_rows) = row;
    let wrong = || {
        let message = format!("chunk of elements {first}..{end} does not lie in the document");
        named("ConfigError", message)
    };
    let kinds = [ChunkKind::Composite, ChunkKind::Table, ChunkKind::TablePart];
    let kind = kinds.into_iter().find(|of| *of as u8 == kind).ok_or_else(wrong)?;
    if first >= end || end > elements.table().len() {
        return Err(wrong());
    }
    let own =
        |text: &Bound<'_, PyString>| Ok::<_, PyErr>(elements.stand_ins().put(text)?.into_owned());
    let text = ChunkText::Own(own(&text)?);
    let html = html.as_ref().map(own).transpose()?;
    let (elements, body) = (first..end, Span::default());
    Ok(ElementChunk { kind, elements, text, body, html, part, n_header_rows, size: 0 })
}
