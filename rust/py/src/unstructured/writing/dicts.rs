//! Chunks as dicts of what JSON knows: what Unstructured's `to_dict` gives of the chunks.

use chunkwright_parity::unstructured::{ChunkKind, ElementChunk};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::deep_copy::{Copier, items};
use super::element_json::{is_empty, is_written};
use super::fields::{Names, is_dropped};
use super::gc_pause::GcPause;
use super::metadata::Consolidator;
use super::objects::part_fields;
use super::payloads::Payloads;
use super::view::ChunkView;
use crate::error::named;
use crate::unstructured::signal_checks::SignalChecks;
use chunkwright_parity::unstructured::fields::DATA_SOURCE;

/// Makes the dicts of one document.
pub struct Dicts<'a, 'py> {
    py: Python<'py>,
    chunks: ChunkView<'a>,
    consolidator: Consolidator<'py>,
    copier: Copier<'py>,
    signals: SignalChecks,
    payloads: Option<Payloads<'py>>,
}

impl<'a, 'py> Dicts<'a, 'py> {
    /// Makes dicts; with `originals`, they hold the elements that they are made of, compressed.
    pub fn new(py: Python<'py>, chunks: ChunkView<'a>, originals: bool) -> Self {
        let payloads = originals.then(|| Payloads::new(py));
        let (consolidator, copier) = (Consolidator::new(py), Copier::new(py));
        Self { py, chunks, consolidator, copier, signals: SignalChecks::default(), payloads }
    }

    /// The dicts of all chunks, which have these `ids`.
    ///
    /// # Errors
    /// `ConfigError`, if there is not an id for each chunk; what Python says of metadata that is not what it is said to be, and those of signals.
    pub fn all(mut self, ids: &[Bound<'py, PyString>]) -> PyResult<Bound<'py, PyList>> {
        if ids.len() != self.chunks.len() {
            let message =
                format!("{} chunks need as many ids, got {}", self.chunks.len(), ids.len());
            return Err(named("ConfigError", message));
        }
        let _paused = GcPause::new(self.py)?;
        let mut all: Vec<Bound<'py, PyAny>> = Vec::with_capacity(self.chunks.len());
        for group in self.chunks.groups() {
            let group_ids = &ids[all.len()..];
            match group[0].kind {
                ChunkKind::Untouched => all.push(self.untouched(group[0].elements.start)?),
                ChunkKind::Composite => self.composites(group, group_ids, &mut all)?,
                ChunkKind::Table | ChunkKind::TablePart => {
                    self.tables(group, group_ids, &mut all)?;
                }
            }
        }
        if let Some(payloads) = &mut self.payloads {
            payloads.finish()?;
        }
        PyList::new(self.py, all)
    }

    /// An element as it is.
    fn untouched(&mut self, i: usize) -> PyResult<Bound<'py, PyAny>> {
        let item = self.chunks.item(self.py, i);
        if self.chunks.are_dicts() { self.copier.copy(item) } else { item.call_method0("to_dict") }
    }

    /// Elements, in one chunk or in several; parts of a unit have elements of their own.
    fn composites(
        &mut self,
        group: &'a [ElementChunk],
        ids: &[Bound<'py, PyString>],
        all: &mut Vec<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let mut ids = ids.iter();
        for parts in group.chunk_by(|part, next| part.elements == next.elements) {
            let fields = self.consolidated(&parts[0])?;
            let is_kept = self.begin_payload(parts)?;
            for (chunk, id) in parts.iter().zip(&mut ids) {
                self.signals.after_one(self.py)?;
                let fields = self.copier.copy_fields(&fields, |_| false)?;
                if is_kept && let Some(payloads) = &mut self.payloads {
                    payloads.keep(&fields)?;
                }
                if chunk.part > 0 {
                    fields.set_item(pyo3::intern!(self.py, "is_continuation"), true)?;
                }
                let class = pyo3::intern!(self.py, "CompositeElement");
                all.push(self.dict(class, chunk, id, &fields)?);
            }
        }
        Ok(())
    }

    /// The metadata of all elements of a chunk as one.
    fn consolidated(&mut self, chunk: &ElementChunk) -> PyResult<Bound<'py, PyDict>> {
        for i in chunk.elements.clone() {
            self.consolidator.add(self.chunks.metadata(self.py, i));
        }
        let fields = PyDict::new(self.py);
        for (field, value) in self.consolidator.finish()? {
            if field == DATA_SOURCE {
                fields.set_item(self.consolidator.names().name(self.py, field), source(&value)?)?;
            } else if !is_empty(&value) {
                let value = self.copier.copy(&value)?;
                fields.set_item(self.consolidator.names().name(self.py, field), value)?;
            }
        }
        Ok(fields)
    }

    /// Writes the elements of chunks, if they keep them, and returns whether they do.
    fn begin_payload(&mut self, group: &[ElementChunk]) -> PyResult<bool> {
        let (py, chunks) = (self.py, self.chunks);
        let Some(payloads) = &mut self.payloads else { return Ok(false) };
        if chunks.size_over(py, group)?.is_some() {
            return Ok(false);
        }
        let elements = group[0].elements.clone();
        let items = elements.map(|i| (i, chunks.item(py, i), chunks.metadata(py, i)));
        payloads.begin(items, chunks.are_dicts())?;
        Ok(true)
    }

    /// A table, in one chunk or in several.
    fn tables(
        &mut self,
        group: &'a [ElementChunk],
        ids: &[Bound<'py, PyString>],
        all: &mut Vec<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let is_whole = group[0].kind == ChunkKind::Table;
        let is_kept = self.begin_payload(group)?;
        let metadata = self.chunks.metadata(self.py, group[0].elements.start);
        for (chunk, id) in group.iter().zip(ids) {
            self.signals.after_one(self.py)?;
            let fields = self.table_fields(metadata, chunk)?;
            if is_kept && let Some(payloads) = &mut self.payloads {
                payloads.keep(&fields)?;
            }
            if !is_whole {
                part_fields(&fields, chunk, ids[0].as_any())?;
            }
            let class = if is_whole {
                pyo3::intern!(self.py, "Table")
            } else {
                pyo3::intern!(self.py, "TableChunk")
            };
            all.push(self.dict(class, chunk, id, &fields)?);
        }
        Ok(())
    }

    /// A table's metadata without what is dropped or empty, with the HTML of `chunk`.
    fn table_fields(
        &mut self,
        metadata: &Bound<'py, PyDict>,
        chunk: &ElementChunk,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (py, names) = (self.py, Names::get(self.py));
        let fields = PyDict::new(py);
        for (name, value) in items(metadata) {
            let key = name.cast::<PyString>()?.to_string_lossy();
            if is_dropped(names, &name) || !is_written(&key, &value) {
                continue;
            }
            let value = match (&*key, &chunk.html) {
                ("text_as_html", None) => continue,
                ("text_as_html", Some(html)) => self.chunks.take(py, html)?.into_any(),
                ("data_source", _) => source(&value)?,
                _ => self.copier.copy(&value)?,
            };
            fields.set_item(name, value)?;
        }
        Ok(fields)
    }

    fn dict(
        &self,
        class: &Bound<'py, PyString>,
        chunk: &'a ElementChunk,
        id: &Bound<'py, PyString>,
        fields: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let dict = PyDict::new(py);
        dict.set_item(pyo3::intern!(py, "type"), class)?;
        dict.set_item(pyo3::intern!(py, "element_id"), id)?;
        dict.set_item(pyo3::intern!(py, "text"), self.chunks.text(py, chunk)?)?;
        dict.set_item(pyo3::intern!(py, "metadata"), fields)?;
        Ok(dict.into_any())
    }
}

/// What is known of the source of a document, in the order of its fields.
const SOURCE: [&str; 7] = [
    "url",
    "version",
    "record_locator",
    "date_created",
    "date_modified",
    "date_processed",
    "permissions_data",
];

/// The source of a document as a dict.
fn source<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let Ok(given) = value.cast::<PyDict>() else { return value.call_method0("to_dict") };
    let (known, mut copier) = (PyDict::new(value.py()), Copier::new(value.py()));
    for name in SOURCE {
        if let Some(value) = given.get_item(name)?.filter(|value| !value.is_none()) {
            known.set_item(name, copier.copy(&value)?)?;
        }
    }
    Ok(known.into_any())
}
