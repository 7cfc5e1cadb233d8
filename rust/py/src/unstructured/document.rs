//! Unstructured's elements as its chunkers cut them, with what the caller gave.

use chunkwright_core::read::unstructured::Unstructured;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::kinds::{ElementKinds, KindCache};
use super::reading::{Item, Read, Reader, Reading, table};
use super::surrogates::StandIns;

/// A document's elements.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct UnstructuredElements {
    table: Unstructured,
    stand_ins: StandIns,
    unread: Vec<usize>,
    are_dicts: bool,
    items: Vec<Py<PyAny>>,
    metadata: Vec<Py<PyDict>>,
}

impl UnstructuredElements {
    fn of(
        py: Python<'_>,
        items: Vec<Item<'_>>,
        are_dicts: bool,
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Read { table, stand_ins, unread } = table(py, &items, recover, Reading::Given)?;
        let (items, metadata) =
            items.into_iter().map(|item| (item.given.unbind(), item.metadata.unbind())).unzip();
        Ok(Self { table, stand_ins, unread, are_dicts, items, metadata })
    }

    /// The core's table.
    pub const fn table(&self) -> &Unstructured {
        &self.table
    }

    /// What stands in the core's texts for surrogates.
    pub const fn stand_ins(&self) -> &StandIns {
        &self.stand_ins
    }

    /// Whether the elements are dicts, not objects.
    pub const fn are_dicts(&self) -> bool {
        self.are_dicts
    }

    /// What the caller gave as element `i`.
    pub fn item<'a, 'py>(&'a self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyAny> {
        self.items[i].bind(py)
    }

    /// The fields of element `i`.
    pub fn metadata<'a, 'py>(&'a self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyDict> {
        self.metadata[i].bind(py)
    }

    /// A text of the core's for Python.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn take<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
        self.stand_ins.take(py, text)
    }
}

#[pymethods]
impl UnstructuredElements {
    /// The table of objects that have `text` and `metadata`.
    #[staticmethod]
    #[pyo3(signature = (items, kinds, recover = None))]
    fn of_objects(
        items: &Bound<'_, PyAny>,
        kinds: &ElementKinds,
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut kinds = KindCache::new(kinds);
        let read = Reader::all(items, |reader, item| reader.object(item, &mut kinds))?;
        Self::of(items.py(), read, false, recover)
    }

    /// The table of dicts that have `type`, `text` and `metadata`.
    #[staticmethod]
    #[pyo3(signature = (items, recover = None))]
    fn of_dicts(items: &Bound<'_, PyAny>, recover: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let read = Reader::all(items, Reader::dict)?;
        Self::of(items.py(), read, true, recover)
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    /// The numbers of the tables whose HTML is no table, or more than that.
    fn unread(&self) -> Vec<usize> {
        self.unread.clone()
    }
}
