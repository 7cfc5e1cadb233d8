//! Chunks of elements as Python sees them: columns, texts, objects, dicts.

use chunkwright_core::cut::elements::{ChunkKind, ChunkText, ElementChunk};
use chunkwright_core::error::Result as CoreResult;
use chunkwright_core::identity::Identities;
use chunkwright_core::pulse::Pulse;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::collector::Paused;
use super::dicts::Dicts;
use super::document::Elements;
use super::objects::{ElementClasses, Objects};
use super::rows::{self, Row};
use super::ticks::Ticks;
use crate::column::Column;
use crate::error::named;
use crate::gate::detached;

/// Bytes between two looks for signals.
const PULSE_BYTES: usize = 1 << 20;

/// What was cut from an element table.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ElementColumns {
    elements: Py<Elements>,
    chunks: Vec<ElementChunk>,
}

/// The chunks of a document, with their elements.
#[derive(Clone, Copy)]
pub struct Chunks<'a> {
    elements: &'a Elements,
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

impl ElementColumns {
    /// The chunks of `elements`.
    pub const fn new(elements: Py<Elements>, chunks: Vec<ElementChunk>) -> Self {
        Self { elements, chunks }
    }

    fn chunks(&self) -> Chunks<'_> {
        Chunks { elements: self.elements.get(), chunks: &self.chunks }
    }

    fn chunk(&self, row: usize) -> PyResult<&ElementChunk> {
        let missing = || PyIndexError::new_err(format!("chunk {row} of {}", self.chunks.len()));
        self.chunks.get(row).ok_or_else(missing)
    }

    fn column(&self, value: impl Fn(&ElementChunk) -> usize) -> Column {
        Column::new(self.chunks.iter().map(value))
    }

    /// Positions in the text, in code points; -1 for none.
    fn positions(&self, byte: impl Fn(&ElementChunk) -> Option<usize>) -> Column {
        let mut sweep = self.elements.get().document().char_sweep();
        let position = |chunk| match byte(chunk) {
            Some(byte) => i64::try_from(sweep.at(byte)).unwrap_or(i64::MAX),
            None => -1,
        };
        Column::of(self.chunks.iter().map(position).collect())
    }
}

#[pymethods]
impl ElementColumns {
    /// The chunks of `elements` that gave these `rows`.
    #[staticmethod]
    fn restore(elements: Py<Elements>, rows: Vec<Row<'_>>) -> PyResult<Self> {
        let table = elements.get();
        let chunks =
            rows.into_iter().map(|row| rows::chunk(table, row)).collect::<PyResult<_>>()?;
        Ok(Self { elements, chunks })
    }

    /// For each chunk: kind, elements, text or span of it, span of its own text, HTML, part, rows of the
    /// header, size; spans in bytes.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Row<'py>>> {
        self.chunks.iter().map(|chunk| rows::row(py, self.elements.get(), chunk)).collect()
    }

    fn __len__(&self) -> usize {
        self.chunks.len()
    }

    /// What was cut.
    fn elements(&self, py: Python<'_>) -> Py<Elements> {
        self.elements.clone_ref(py)
    }

    /// For each chunk: 0 for elements, 1 for a table, 2 for a part of one, 3 for a table passed on.
    fn kinds(&self) -> Column {
        self.column(|chunk| chunk.kind as usize)
    }

    /// Where each chunk's own text begins in that of the elements, in code points.
    fn starts(&self) -> Column {
        self.positions(|chunk| Some(chunk.body.start))
    }

    /// Where each chunk's own text ends.
    fn ends(&self) -> Column {
        self.positions(|chunk| Some(chunk.body.end))
    }

    /// Where each chunk's text begins, overlap included, if it is a slice of the elements'; else -1.
    fn overlap_starts(&self) -> Column {
        self.positions(|chunk| match chunk.text {
            ChunkText::Slice(span) => Some(span.start),
            ChunkText::Own(_) => None,
        })
    }

    /// The first element of each chunk.
    fn first(&self) -> Column {
        self.column(|chunk| chunk.elements.start)
    }

    /// The last element of each chunk.
    fn last(&self) -> Column {
        self.column(|chunk| chunk.elements.end.saturating_sub(1))
    }

    /// The number of each chunk among those of the same elements.
    fn parts(&self) -> Column {
        self.column(|chunk| chunk.part)
    }

    /// Rows of a header that are repeated in front of each chunk.
    fn n_header_rows(&self) -> Column {
        self.column(|chunk| chunk.n_header_rows)
    }

    /// Sizes in the unit that the chunks were cut by.
    fn sizes(&self) -> Column {
        self.column(|chunk| chunk.size)
    }

    /// The text of one chunk.
    fn text<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyString>> {
        self.chunks().text(py, self.chunk(row)?)
    }

    /// The texts of all chunks.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (chunks, mut ticks) = (self.chunks(), Ticks::default());
        let text = |chunk| {
            ticks.tick(py)?;
            chunks.text(py, chunk)
        };
        let texts: PyResult<Vec<_>> = self.chunks.iter().map(text).collect();
        PyList::new(py, texts?)
    }

    /// The HTML of one chunk, if it is a table or a part of one that has any.
    fn html<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<Bound<'py, PyString>>> {
        let html = self.chunk(row)?.html.as_deref();
        html.map(|html| self.chunks().take(py, html)).transpose()
    }

    /// The ids of all chunks of the document of that name, which may be empty.
    fn ids(&self, py: Python<'_>, name: &Bound<'_, PyString>) -> PyResult<Vec<String>> {
        let name = crate::text::Text::of(name)?;
        let (name, chunks) = (name.as_str(), self.chunks());
        detached(py, |pulse| chunks.ids(name, pulse))
    }

    /// For each part of a table: an id that all of them share, the first part's own.
    fn table_ids(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyString>,
    ) -> PyResult<Vec<Option<String>>> {
        let (ids, mut first) = (self.ids(py, name)?, 0);
        let table_id = |(row, chunk): (usize, &ElementChunk)| {
            first = if chunk.part == 0 { row } else { first };
            (chunk.kind == ChunkKind::TablePart).then(|| ids[first].clone())
        };
        Ok(self.chunks.iter().enumerate().map(table_id).collect())
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
    #[pyo3(signature = (*, originals, name = None))]
    fn dicts<'py>(
        &self,
        py: Python<'py>,
        originals: bool,
        name: Option<&Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let ids = self.ids(py, name.unwrap_or(&PyString::intern(py, "")))?;
        let _paused = Paused::new(py)?;
        Dicts::new(py, self.chunks(), originals).all(&ids)
    }
}
