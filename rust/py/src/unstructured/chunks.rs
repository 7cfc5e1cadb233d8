//! Chunks of elements for Python: columns, objects, dicts.

use chunkwright_parity::unstructured::ElementChunk;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::document::UnstructuredElements;
use super::writing::dicts::Dicts;
use super::writing::gc_pause::GcPause;
use super::writing::objects::{ElementClasses, Objects};
use super::writing::view::ChunkView;
use crate::error::named;
use crate::numbers::column::Column;

/// What was cut from an element table.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct UnstructuredChunks {
    elements: Py<UnstructuredElements>,
    chunks: Vec<ElementChunk>,
}

impl UnstructuredChunks {
    /// The chunks of `elements`.
    pub const fn new(elements: Py<UnstructuredElements>, chunks: Vec<ElementChunk>) -> Self {
        Self { elements, chunks }
    }

    fn chunks(&self) -> ChunkView<'_> {
        let elements = self.elements.get();
        ChunkView {
            input: elements.input(),
            source: elements.table().text(),
            stand_ins: elements.stand_ins(),
            all: &self.chunks,
        }
    }

    fn column(&self, value: impl Fn(&ElementChunk) -> usize) -> Column {
        Column::new(self.chunks.iter().map(value))
    }
}

#[pymethods]
impl UnstructuredChunks {
    fn __len__(&self) -> usize {
        self.chunks.len()
    }

    /// What was cut.
    fn elements(&self, py: Python<'_>) -> Py<UnstructuredElements> {
        self.elements.clone_ref(py)
    }

    /// For each chunk: 0 for elements, 1 for a table, 2 for a part of one, 3 for a table passed on.
    fn kinds(&self) -> Column {
        self.column(|chunk| chunk.kind as usize)
    }

    /// The first element of each chunk.
    fn first(&self) -> Column {
        self.column(|chunk| chunk.elements.start)
    }

    /// The number of each chunk among those of the same elements.
    fn parts(&self) -> Column {
        self.column(|chunk| chunk.part)
    }

    /// The first parts of elements that are so large that their parts do not keep them: the number of the chunk,
    /// and the size of the element in code points of its text, HTML and picture.
    fn without_originals(&self, py: Python<'_>) -> PyResult<Vec<(usize, usize)>> {
        let (chunks, mut row, mut all) = (self.chunks(), 0, Vec::new());
        for group in chunks.groups() {
            all.extend(chunks.size_over(py, group)?.map(|size| (row, size)));
            row += group.len();
        }
        Ok(all)
    }

    /// The chunks as objects; with `originals`, they hold the elements that they were made of.
    #[pyo3(signature = (classes, *, originals))]
    fn objects<'py>(
        &self,
        py: Python<'py>,
        classes: &ElementClasses,
        originals: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        if self.chunks().are_dicts() {
            return Err(named("ConfigError", "dicts become dicts, not objects".into()));
        }
        let _paused = GcPause::new(py)?;
        Objects::new(py, self.chunks(), classes, originals)?.all()
    }

    /// The chunks as dicts of what JSON knows; with `originals`, they hold their elements, compressed. Each has its
    /// id of `ids`.
    #[pyo3(signature = (ids, *, originals))]
    fn dicts<'py>(
        &self,
        py: Python<'py>,
        ids: Vec<Bound<'py, PyString>>,
        originals: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        Dicts::new(py, self.chunks(), originals).all(&ids)
    }
}
