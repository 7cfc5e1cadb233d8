//! Chunks of elements as Python sees them: columns, texts, objects, dicts.

use chunkwright_core::error::Result as CoreResult;
use chunkwright_core::identity::Identities;
use chunkwright_core::parity::unstructured::{ChunkText, ElementChunk};
use chunkwright_core::pulse::Pulse;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::collector::Paused;
use super::dicts::Dicts;
use super::document::UnstructuredElements;
use super::objects::{ElementClasses, Objects};
use super::rows::{self, Row};
use crate::column::Column;
use crate::error::named;
use crate::gate::detached;

/// Bytes between two looks for signals.
const PULSE_BYTES: usize = 1 << 20;

/// What was cut from an element table.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct UnstructuredChunks {
    elements: Py<UnstructuredElements>,
    chunks: Vec<ElementChunk>,
}

/// The chunks of a document, with their elements.
#[derive(Clone, Copy)]
pub struct Chunks<'a> {
    elements: &'a UnstructuredElements,
    chunks: &'a [ElementChunk],
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
    pub fn utf8(&self, chunk: &'a ElementChunk) -> &'a str {
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

    /// Ids derived from what the chunks say; `name` is that of their document.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn ids(&self, name: &str, pulse: Pulse<'_>) -> CoreResult<Vec<String>> {
        let (mut identities, mut n_bytes) = (Identities::new(name), 0);
        let id = |chunk| {
            let text = self.utf8(chunk);
            n_bytes += text.len();
            if n_bytes > PULSE_BYTES {
                n_bytes = 0;
                pulse()?;
            }
            Ok(identities.next(text))
        };
        self.chunks.iter().map(id).collect()
    }
}

impl UnstructuredChunks {
    /// The chunks of `elements`.
    pub const fn new(elements: Py<UnstructuredElements>, chunks: Vec<ElementChunk>) -> Self {
        Self { elements, chunks }
    }

    fn chunks(&self) -> Chunks<'_> {
        Chunks { elements: self.elements.get(), chunks: &self.chunks }
    }

    fn column(&self, value: impl Fn(&ElementChunk) -> usize) -> Column {
        Column::new(self.chunks.iter().map(value))
    }
}

#[pymethods]
impl UnstructuredChunks {
    /// The chunks of `elements` that gave these `rows`.
    #[staticmethod]
    fn restore(elements: Py<UnstructuredElements>, rows: Vec<Row<'_>>) -> PyResult<Self> {
        let table = elements.get();
        let chunks =
            rows.into_iter().map(|row| rows::chunk(table, row)).collect::<PyResult<_>>()?;
        Ok(Self { elements, chunks })
    }

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

    /// The ids of all chunks of the document of that name, which may be empty.
    fn ids(&self, py: Python<'_>, name: &Bound<'_, PyString>) -> PyResult<Vec<String>> {
        let name = crate::text::Text::of(name)?;
        let (name, chunks) = (name.as_str(), self.chunks());
        detached(py, |pulse| chunks.ids(name, pulse))
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
        let _paused = Paused::new(py)?;
        Objects::new(py, self.chunks(), classes, originals)?.all()
    }

    /// The chunks as dicts of what JSON knows; with `originals`, they hold their elements, compressed.
    ///
    /// Their `ids` are those given, or derived from what they say in a document of that `name`.
    #[pyo3(signature = (*, originals, name = None, ids = None))]
    fn dicts<'py>(
        &self,
        py: Python<'py>,
        originals: bool,
        name: Option<&Bound<'py, PyString>>,
        ids: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let derived = || self.ids(py, name.unwrap_or(&PyString::intern(py, "")));
        let ids = ids.map_or_else(derived, Ok)?;
        if ids.len() != self.chunks.len() {
            let message =
                format!("{} chunks need as many ids, got {}", self.chunks.len(), ids.len());
            return Err(named("ConfigError", message));
        }
        let _paused = Paused::new(py)?;
        Dicts::new(py, self.chunks(), originals).all(&ids)
    }
}
