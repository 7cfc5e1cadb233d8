//! Chunks from plain tuples, to be written in Unstructured's form.

use chunkwright_core::parity::unstructured::{ChunkKind, ChunkText, ElementChunk};
use chunkwright_core::span::Span;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::document::UnstructuredElements;
use crate::error::named;

/// A position in bytes and the one behind it.
type Range = (usize, usize);

/// A chunk: kind, elements, own text or span of it, body, HTML, part, rows of the header, size.
pub type Row<'py> =
    (u8, Range, Bound<'py, PyAny>, Range, Option<Bound<'py, PyString>>, usize, usize, usize);

/// The chunk of a row.
///
/// # Errors
/// `ConfigError`, if it does not lie in the elements.
pub fn chunk(elements: &UnstructuredElements, row: Row<'_>) -> PyResult<ElementChunk> {
    let (kind, (first, end), text, body, html, part, n_header_rows, size) = row;
    let wrong = || {
        let message = format!("chunk of elements {first}..{end} does not lie in the document");
        named("ConfigError", message)
    };
    let kinds =
        [ChunkKind::Composite, ChunkKind::Table, ChunkKind::TablePart, ChunkKind::Untouched];
    let kind = kinds.into_iter().find(|of| *of as u8 == kind).ok_or_else(wrong)?;
    if first >= end || end > elements.table().len() {
        return Err(wrong());
    }
    let source = elements.table().text();
    let span = |(start, end): Range| {
        source.get(start..end).map(|_| Span::new(start, end)).ok_or_else(wrong)
    };
    let own =
        |text: &Bound<'_, PyString>| Ok::<_, PyErr>(elements.stand_ins().put(text)?.into_owned());
    let text = match text.cast::<PyString>() {
        Ok(text) => ChunkText::Own(own(text)?),
        Err(_) => ChunkText::Slice(span(text.extract()?)?),
    };
    let html = html.as_ref().map(own).transpose()?;
    let (elements, body) = (first..end, span(body)?);
    Ok(ElementChunk { kind, elements, text, body, html, part, n_header_rows, size })
}
