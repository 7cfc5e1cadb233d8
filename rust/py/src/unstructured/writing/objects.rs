//! Chunks as objects of Unstructured's classes, or of any that have the same attributes.

use chunkwright_parity::unstructured::{ChunkKind, ElementChunk};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};

use super::deep_copy::Copier;
use super::fields::{Names, is_dropped};
use super::instances::Maker;
use super::metadata::Consolidator;
use super::originals;
use super::view::ChunkView;
use crate::unstructured::signal_checks::SignalChecks;
use chunkwright_parity::unstructured::fields::ENRICHMENT_ORIGINS;

/// The classes of chunks and of their metadata.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ElementClasses {
    composite: Py<PyType>,
    table: Py<PyType>,
    table_chunk: Py<PyType>,
    metadata: Py<PyType>,
}

#[pymethods]
impl ElementClasses {
    #[new]
    fn new(
        composite: Py<PyType>,
        table: Py<PyType>,
        table_chunk: Py<PyType>,
        metadata: Py<PyType>,
    ) -> Self {
        Self { composite, table, table_chunk, metadata }
    }
}

/// Makes the objects of one document.
pub struct Objects<'a, 'py> {
    py: Python<'py>,
    chunks: ChunkView<'a>,
    originals: bool,
    composite: Maker<'py>,
    table: Maker<'py>,
    table_chunk: Maker<'py>,
    metadata: Maker<'py>,
    consolidator: Consolidator<'py>,
    copier: Copier<'py>,
    signals: SignalChecks,
}

impl<'a, 'py> Objects<'a, 'py> {
    /// Makes objects of `classes`; with `originals`, they know the elements that they are made of.
    ///
    /// # Errors
    /// If one of the classes has no instances.
    pub fn new(
        py: Python<'py>,
        chunks: ChunkView<'a>,
        classes: &ElementClasses,
        originals: bool,
    ) -> PyResult<Self> {
        Ok(Self {
            py,
            chunks,
            originals,
            composite: Maker::of(classes.composite.bind(py))?,
            table: Maker::of(classes.table.bind(py))?,
            table_chunk: Maker::of(classes.table_chunk.bind(py))?,
            metadata: Maker::of(classes.metadata.bind(py))?,
            consolidator: Consolidator::new(py),
            copier: Copier::new(py),
            signals: SignalChecks::default(),
        })
    }

    /// The objects of all chunks.
    ///
    /// # Errors
    /// What Python says of metadata that is not what it is said to be, and those of signals.
    pub fn all(mut self) -> PyResult<Bound<'py, PyList>> {
        let mut all = Vec::with_capacity(self.chunks.len());
        for group in self.chunks.groups() {
            match group[0].kind {
                ChunkKind::Composite => self.composites(group, &mut all)?,
                ChunkKind::Untouched => {
                    all.push(self.chunks.item(self.py, group[0].elements.start).clone());
                }
                ChunkKind::Table | ChunkKind::TablePart => self.tables(group, &mut all)?,
            }
        }
        PyList::new(self.py, all)
    }

    /// Elements, in one chunk or in several.
    fn composites(
        &mut self,
        group: &[ElementChunk],
        all: &mut Vec<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let fields = self.consolidated(group)?;
        let names = self.consolidator.names();
        let origins = fields.get_item(names.name(self.py, ENRICHMENT_ORIGINS))?;
        for (part, chunk) in group.iter().enumerate() {
            self.signals.after_one(self.py)?;
            let fields = if part + 1 < group.len() { fields.copy()? } else { fields.clone() };
            if let Some(origins) = &origins {
                let origins = self.copier.copy(origins)?;
                fields.set_item(names.name(self.py, ENRICHMENT_ORIGINS), origins)?;
            }
            if part > 0 {
                fields.set_item(pyo3::intern!(self.py, "is_continuation"), true)?;
            }
            let metadata = self.metadata.with(&fields)?;
            all.push(self.element(&self.composite, chunk, &metadata)?);
        }
        Ok(())
    }

    /// The metadata of all elements of a chunk as one.
    fn consolidated(&mut self, group: &[ElementChunk]) -> PyResult<Bound<'py, PyDict>> {
        let chunk = &group[0];
        for i in chunk.elements.clone() {
            self.consolidator.add(self.chunks.metadata(self.py, i));
        }
        let fields = PyDict::new(self.py);
        for (field, value) in self.consolidator.finish()? {
            fields.set_item(self.consolidator.names().name(self.py, field), value)?;
        }
        if self.originals && self.chunks.size_over(self.py, group)?.is_none() {
            let items = chunk.elements.clone().map(|i| {
                let (item, metadata) =
                    (self.chunks.item(self.py, i), self.chunks.metadata(self.py, i));
                originals::without_own(item, metadata, &mut self.copier)
            });
            let items: PyResult<Vec<_>> = items.collect();
            let items = PyList::new(self.py, items?)?;
            fields.set_item(pyo3::intern!(self.py, "orig_elements"), items)?;
        }
        Ok(fields)
    }

    /// A table, in one chunk or in several.
    fn tables(&mut self, group: &[ElementChunk], all: &mut Vec<Bound<'py, PyAny>>) -> PyResult<()> {
        let (py, i) = (self.py, group[0].elements.start);
        let (item, metadata) = (self.chunks.item(py, i), self.chunks.metadata(py, i));
        let originals = if self.originals && self.chunks.size_over(py, group)?.is_none() {
            let copy = originals::deep_copy(item, metadata, &mut self.copier)?;
            Some(PyList::new(py, [copy])?)
        } else {
            None
        };
        let is_whole = group[0].kind == ChunkKind::Table;
        let table_id = if is_whole { None } else { Some(random_id(py)?) };
        for chunk in group {
            self.signals.after_one(py)?;
            let (metadata, fields) = self.table_metadata(item, metadata)?;
            set_or_remove(&fields, "orig_elements", originals.as_deref())?;
            let html = chunk.html.as_deref().map(|html| self.chunks.take(py, html)).transpose()?;
            set_or_remove(&fields, "text_as_html", html.as_deref())?;
            if let Some(table_id) = &table_id {
                part_fields(&fields, chunk, table_id)?;
            }
            let maker = if is_whole { &self.table } else { &self.table_chunk };
            all.push(self.element(maker, chunk, &metadata)?);
        }
        Ok(())
    }

    /// A copy of a table's metadata without what is dropped, and its fields to be changed.
    fn table_metadata(
        &mut self,
        item: &Bound<'py, PyAny>,
        fields: &Bound<'py, PyDict>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let metadata = item.getattr(pyo3::intern!(self.py, "metadata"))?;
        let names = Names::get(self.py);
        if self.copier.maker(&metadata)?.is_none() {
            let copy = self.copier.copy(&metadata)?;
            let fields = copy.getattr(pyo3::intern!(self.py, "__dict__"))?.cast_into::<PyDict>()?;
            for name in fields.keys().iter().filter(|name| is_dropped(names, name)) {
                fields.del_item(name)?;
            }
            return Ok((copy, fields));
        }
        let fields = self.copier.copy_fields(fields, |name| is_dropped(names, name))?;
        let copy = match self.copier.maker(&metadata)? {
            Some(maker) => maker.with(&fields)?,
            None => metadata,
        };
        Ok((copy, fields))
    }

    /// An element as its constructor leaves it.
    fn element(
        &self,
        maker: &Maker<'py>,
        chunk: &ElementChunk,
        metadata: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let element = maker.empty()?;
        element.setattr(pyo3::intern!(py, "text"), self.chunks.text(py, chunk)?)?;
        element.setattr(pyo3::intern!(py, "embeddings"), py.None())?;
        element.setattr(pyo3::intern!(py, "_element_id"), py.None())?;
        element.setattr(pyo3::intern!(py, "metadata"), metadata)?;
        Ok(element)
    }
}

/// Sets what a part of a table says about itself.
///
/// # Errors
/// If memory runs out.
pub fn part_fields<'py>(
    fields: &Bound<'py, PyDict>,
    chunk: &ElementChunk,
    table_id: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let py = fields.py();
    if chunk.part > 0 {
        fields.set_item(pyo3::intern!(py, "is_continuation"), true)?;
    }
    let n_rows = if chunk.part > 0 { chunk.n_header_rows } else { 0 };
    fields.set_item(pyo3::intern!(py, "num_carried_over_header_rows"), n_rows)?;
    fields.set_item(pyo3::intern!(py, "table_id"), table_id)?;
    fields.set_item(pyo3::intern!(py, "chunk_index"), chunk.part)
}

fn set_or_remove(
    fields: &Bound<'_, PyDict>,
    name: &str,
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    match value {
        Some(value) => fields.set_item(name, value),
        None if fields.contains(name)? => fields.del_item(name),
        None => Ok(()),
    }
}

/// An id of a table that nobody else has, as Unstructured makes one.
fn random_id(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    Ok(py.import("uuid")?.call_method0("uuid4")?.str()?.into_any())
}
