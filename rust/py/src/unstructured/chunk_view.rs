//! View of chunks with the elements that they are cut from.

use chunkwright_core::parity::unstructured::{ChunkText, ElementChunk};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::document::UnstructuredElements;

/// The chunks of a document, with their elements.
#[derive(Clone, Copy)]
pub struct Chunks<'a> {
    /// The elements.
    pub elements: &'a UnstructuredElements,
    /// The chunks.
    pub chunks: &'a [ElementChunk],
}

impl<'a> Chunks<'a> {
    /// How many there are.
    pub const fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Chunks of the same elements together.
    pub fn groups(&self) -> impl Iterator<Item = &'a [ElementChunk]> + use<'a> {
        self.chunks.chunk_by(|_, next| next.part > 0)
    }

    /// What the caller gave as element `i`.
    pub fn item<'py>(&self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyAny> {
        self.elements.item(py, i)
    }

    /// The fields of element `i`.
    pub fn metadata<'py>(&self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyDict> {
        self.elements.metadata(py, i)
    }

    /// Whether the elements are dicts, not objects.
    pub const fn are_dicts(&self) -> bool {
        self.elements.are_dicts()
    }

    /// The text of a chunk as the core has it.
    fn utf8(&self, chunk: &'a ElementChunk) -> &'a str {
        match &chunk.text {
            ChunkText::Slice(span) => &self.elements.table().text()[span.range()],
            ChunkText::Own(text) => text,
        }
    }

    /// The text of a chunk.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn text<'py>(
        &self,
        py: Python<'py>,
        chunk: &'a ElementChunk,
    ) -> PyResult<Bound<'py, PyString>> {
        self.take(py, self.utf8(chunk))
    }

    /// A text of the core's for Python.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn take<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
        self.elements.take(py, text)
    }
}
