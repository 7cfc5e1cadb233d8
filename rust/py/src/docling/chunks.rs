//! Chunks of a `DoclingDocument` as columns.

use std::sync::Arc;

use chunkwright_parity::docling::dump;
use chunkwright_parity::docling::hybrid::{ChunkItem, HybridChunk};
use chunkwright_read::docling::{Document, NodeId};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::to_python;

/// Chunks, each a text with the references of its items and the headings above it.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct DoclingChunks {
    document: Arc<Document>,
    nodes: Vec<NodeId>,
    chunks: Vec<HybridChunk>,
}

impl DoclingChunks {
    /// Chunks of `document`.
    pub fn new(document: Arc<Document>, chunks: Vec<HybridChunk>) -> Self {
        let nodes = document.ids().collect();
        Self { document, nodes, chunks }
    }

    fn reference(&self, item: &ChunkItem) -> String {
        self.document.reference(self.nodes[item.index])
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
        let of = |chunk: &HybridChunk| chunk.items.iter().map(|i| self.reference(i)).collect();
        self.chunks.iter().map(of).collect()
    }

    /// Which items of each are bare: no more than what all items have in common.
    fn bare(&self) -> Vec<Vec<bool>> {
        let of = |chunk: &HybridChunk| chunk.items.iter().map(|item| item.is_bare).collect();
        self.chunks.iter().map(of).collect()
    }

    /// The headings above each, the highest first; `None` where there are none.
    fn headings(&self) -> Vec<Option<Vec<String>>> {
        let of = |chunk: &HybridChunk| chunk.headings.as_ref().map(|headings| headings.to_vec());
        self.chunks.iter().map(of).collect()
    }

    /// Whether each says what the document was made of.
    fn with_origin(&self) -> Vec<bool> {
        self.chunks.iter().map(|chunk| chunk.has_origin).collect()
    }

    /// How Docling made the metadata of each.
    fn made(&self) -> Vec<&'static str> {
        self.chunks.iter().map(|chunk| chunk.made.name()).collect()
    }

    /// JSON of an array: what Docling dumps of each bare item of each chunk, in order.
    fn bare_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| {
            let items = self.chunks.iter().flat_map(|chunk| &chunk.items);
            let bare = items.filter(|item| item.is_bare).map(|item| self.nodes[item.index]);
            dump::items(&self.document, bare)
        })
        .map_err(to_python)
    }
}
