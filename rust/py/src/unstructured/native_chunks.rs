//! Chunks of the native strategies in Unstructured's form.

use chunkwright_parity::unstructured::{ChunkKind, ChunkText, ElementChunk};
use chunkwright_text::chunks::Content;
use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::reading::input_elements::{InputElements, read};
use super::reading::kinds::ElementKinds;
use super::writing::dicts::Dicts;
use super::writing::view::ChunkView;
use crate::columns::Columns;
use crate::elements::Elements;
use crate::error::named;

/// The chunks of document `doc` of `columns` as Unstructured's dicts; it was cut from `items`: dicts, or objects
/// whose classes `kinds` knows. With `originals`, the chunks hold their elements, compressed. Each has its id
/// of `ids`.
#[pyfunction]
#[pyo3(signature = (columns, doc, items, kinds, ids, *, originals))]
pub fn native_dicts<'py>(
    columns: &Columns,
    doc: usize,
    items: &Bound<'py, PyAny>,
    kinds: Option<&ElementKinds>,
    ids: Vec<Bound<'py, PyString>>,
    originals: bool,
) -> PyResult<Bound<'py, PyList>> {
    let py = items.py();
    let input = InputElements::of(read(items, kinds)?, kinds.is_none());
    let elements = columns.elements(doc).filter(|elements| elements.items().len() == input.len());
    let elements = elements.ok_or_else(of_others)?;
    let source = elements.utf8();
    let source = source.as_ref().map(|utf8| utf8.document().text());
    let chunk = |row| chunk(py, columns, elements, source, row);
    let chunks = columns.rows_of(doc)?.map(chunk).collect::<PyResult<Vec<_>>>()?;
    let view = ChunkView {
        input: &input,
        source: source.unwrap_or_default(),
        stand_ins: elements.stand_ins(),
        all: &chunks,
    };
    Dicts::new(py, view, originals).all(&ids)
}

fn of_others() -> PyErr {
    named("ConfigError", "chunks must be made of these elements".into())
}

/// Row `row` of `columns`, made of `elements` that have the text `source`, if it is at hand, as Unstructured's
/// chunk; where its text stands and its size are left out, as no form says them.
fn chunk(
    py: Python<'_>,
    columns: &Columns,
    elements: &Elements,
    source: Option<&str>,
    row: usize,
) -> PyResult<ElementChunk> {
    let chunks = columns.chunks();
    let origin = *chunks.origins().get(row).ok_or_else(of_others)?;
    let kind = match origin.content {
        Content::Text => ChunkKind::Composite,
        Content::Table => ChunkKind::Table,
        Content::TablePart => ChunkKind::TablePart,
    };
    // A table is not made of the elements without text that go with it.
    let is_own = |item: &Element| kind == ChunkKind::Composite || is_table(item);
    let own = |i: &usize| elements.items().get(*i).is_some_and(is_own);
    let first = (origin.first..origin.end).find(own).ok_or_else(of_others)?;
    let last = (first..origin.end).rfind(own).ok_or_else(of_others)?;
    let text = match source {
        Some(_) if chunks.is_slice(row) => ChunkText::Slice(chunks.span(row)),
        Some(source) => ChunkText::Own(chunks.text(row, source).into_owned()),
        None => ChunkText::Own(elements.put(&columns.text(py, row)?)?),
    };
    Ok(ElementChunk {
        kind,
        elements: first..last + 1,
        text,
        body: Span::default(),
        html: chunks.html(row).map(str::to_owned),
        part: origin.part,
        n_header_rows: origin.n_header_rows,
        size: 0,
    })
}

fn is_table(item: &Element) -> bool {
    item.kind == Kind::Table && !item.span.is_empty()
}
