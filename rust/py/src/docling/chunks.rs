//! Chunks of a `DoclingDocument` as columns.

use std::sync::Arc;

use chunkwright_core::parity::docling::DocChunk;
use chunkwright_core::read::docling::{Document, NodeId};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// Chunks, each a text with the references of its items and the headings above it.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct DoclingChunks {
    document: Arc<Document>,
    chunks: Vec<DocChunk>,
}

impl DoclingChunks {
    /// Chunks of `document`.
    pub const fn new(document: Arc<Document>, chunks: Vec<DocChunk>) -> Self {
        Self { document, chunks }
    }

    /// The chunks of the core.
    pub fn core(&self) -> &[DocChunk] {
        &self.chunks
    }
}

#[pymethods]
impl DoclingChunks {
    fn __len__(&self) -> usize {
        self.chunks.len()
    }

    /// Their texts.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.chunks.iter().map(|chunk| PyString::new(py, &chunk.text)))
    }

    /// The references of the items that contributed to each, such as `#/texts/3`.
    fn references(&self) -> Vec<Vec<String>> {
        let reference = |id: &NodeId| self.document.reference(*id);
        self.chunks.iter().map(|chunk| chunk.items.iter().map(reference).collect()).collect()
    }

    /// The headings above each, the highest first; `None` where there are none.
    fn headings(&self) -> Vec<Option<Vec<String>>> {
        self.chunks.iter().map(|chunk| chunk.headings.clone()).collect()
    }

    /// Whether each says what the document was made of.
    fn with_origin(&self) -> Vec<bool> {
        self.chunks.iter().map(|chunk| chunk.has_origin).collect()
    }
}
