//! Chunks of the native strategies, to be written in Unstructured's form.

use chunkwright_core::chunks::Content;
use chunkwright_core::elements::{Element, Kind};
use chunkwright_core::parity::unstructured::{ChunkKind, ChunkText, ElementChunk};
use chunkwright_core::span::Span;
use pyo3::prelude::*;

use super::document::UnstructuredElements;
use crate::columns::Columns;
use crate::error::named;

/// Row `row` of `columns` as Unstructured's chunk of `elements`, the same ones that it was cut from; where
/// its text stands and its size are left out, as no form says them.
///
/// # Errors
/// `ConfigError`, if it is not made of them, and if memory runs out.
pub fn chunk(
    py: Python<'_>,
    elements: &UnstructuredElements,
    columns: &Columns,
    row: usize,
) -> PyResult<ElementChunk> {
    let wrong = || named("ConfigError", "chunks must be made of these elements".into());
    let (origin, items) = columns.origin(row).ok_or_else(wrong)?;
    let kind = match origin.content {
        Content::Text => ChunkKind::Composite,
        Content::Table => ChunkKind::Table,
        Content::TablePart => ChunkKind::TablePart,
    };
    if items.len() != elements.table().len() {
        return Err(wrong());
    }
    // A table is not made of the elements without text that go with it.
    let is_own = |item: &Element| kind == ChunkKind::Composite || is_table(item);
    let own = |i: &usize| items.get(*i).is_some_and(is_own);
    let first = (origin.first..origin.end).find(own).ok_or_else(wrong)?;
    let last = (first..origin.end).rfind(own).ok_or_else(wrong)?;
    let put = |text: &_| Ok::<_, PyErr>(elements.stand_ins().put(text)?.into_owned());
    Ok(ElementChunk {
        kind,
        elements: first..last + 1,
        text: ChunkText::Own(put(&columns.text(py, row)?)?),
        body: Span::default(),
        html: columns.html(py, row)?.as_ref().map(put).transpose()?,
        part: origin.part,
        n_header_rows: origin.n_header_rows,
        size: 0,
    })
}

fn is_table(item: &Element) -> bool {
    item.kind == Kind::Table && !item.span.is_empty()
}
