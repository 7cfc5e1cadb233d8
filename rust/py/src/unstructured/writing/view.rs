//! View of chunks with the elements that they are cut from.

use chunkwright_parity::unstructured::ElementChunk;
use chunkwright_parity::unstructured::fields::{MAX_KEPT_CHARS, PAYLOADS};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::unstructured::reading::input_elements::InputElements;
use crate::unstructured::surrogates::StandIns;

/// The chunks of a document, with what they are described from.
#[derive(Clone, Copy)]
pub struct ChunkView<'a> {
    /// The elements.
    pub input: &'a InputElements,
    /// The text that chunks are slices of.
    pub source: &'a str,
    /// What stands in the texts for surrogates.
    pub stand_ins: &'a StandIns,
    /// The chunks.
    pub all: &'a [ElementChunk],
}

impl<'a> ChunkView<'a> {
    /// How many there are.
    pub const fn len(&self) -> usize {
        self.all.len()
    }

    /// Chunks of the same elements together.
    pub fn groups(&self) -> impl Iterator<Item = &'a [ElementChunk]> + use<'a> {
        self.all.chunk_by(|_, next| next.part > 0)
    }

    /// Element `i` as the caller has it.
    pub fn item<'py>(&self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyAny> {
        self.input.item(py, i)
    }

    /// The fields of element `i`.
    pub fn metadata<'py>(&self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyDict> {
        self.input.metadata(py, i)
    }

    /// Whether the elements are dicts, not objects.
    pub const fn are_dicts(&self) -> bool {
        self.input.are_dicts()
    }

    /// The size of an element that is so large that its parts, which are `group`, do not keep it.
    ///
    /// # Errors
    /// Those of odd classes.
    pub fn size_over(&self, py: Python<'_>, group: &[ElementChunk]) -> PyResult<Option<usize>> {
        let i = group[0].elements.start;
        if group.len() == 1 || group[0].elements.len() > 1 {
            return Ok(None);
        }
        let (item, metadata) = (self.item(py, i), self.metadata(py, i));
        let text = match item.cast::<PyDict>() {
            Ok(dict) => dict.get_item("text")?,
            Err(_) => item.getattr_opt("text")?,
        };
        let values = PAYLOADS.iter().map(|name| metadata.get_item(name));
        let values = values.chain([Ok(text)]).collect::<PyResult<Vec<_>>>()?;
        let size = values.iter().flatten().filter_map(|value| value.len().ok()).sum();
        Ok(Some(size).filter(|&size| size > MAX_KEPT_CHARS))
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
        self.take(py, chunk.text.of(self.source))
    }

    /// A text of the core's for Python.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn take<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
        self.stand_ins.take(py, text)
    }
}
