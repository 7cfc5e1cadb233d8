//! The element table as Python sees it, with what the caller gave.

use chunkwright_core::document::Document;
use chunkwright_core::elements::{Element, Elements as Table};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};

use super::kinds::{self, ElementKinds, KindCache};
use super::reading::{Item, Read, Reader, table};
use super::surrogates::StandIns;
use crate::column::Column;

/// A document's elements.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Elements {
    table: Table,
    stand_ins: StandIns,
    unread: Vec<usize>,
    are_dicts: bool,
    items: Vec<Py<PyAny>>,
    metadata: Vec<Py<PyDict>>,
    text: PyOnceLock<Py<PyString>>,
}

impl Elements {
    fn of(
        py: Python<'_>,
        items: Vec<Item<'_>>,
        are_dicts: bool,
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Read { table, stand_ins, unread } = table(py, &items, recover)?;
        let (items, metadata) =
            items.into_iter().map(|item| (item.given.unbind(), item.metadata.unbind())).unzip();
        let text = PyOnceLock::new();
        Ok(Self { table, stand_ins, unread, are_dicts, items, metadata, text })
    }

    /// The core's table.
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The text of the table.
    pub fn document(&self) -> Document<'_> {
        Document::new(self.table.text())
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

    /// Positions in the text, in code points.
    fn positions(&self, byte: impl Fn(&Element) -> usize) -> Column {
        let mut sweep = self.document().char_sweep();
        Column::new(self.table.items().iter().map(|element| sweep.at(byte(element))))
    }
}

#[pymethods]
impl Elements {
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

    /// What all elements say, whitespace normalised, a blank line between two.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        let text = || Ok::<_, PyErr>(self.take(py, self.table.text())?.unbind());
        Ok(self.text.get_or_try_init(py, text)?.clone_ref(py))
    }

    /// Where in the text each element begins, in code points.
    fn starts(&self) -> Column {
        self.positions(|element| element.span.start)
    }

    /// Where in the text each element ends.
    fn ends(&self) -> Column {
        self.positions(|element| element.span.end)
    }

    /// What each element is: `text`, `title`, `table` or `code`.
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let name = |element: &Element| PyString::intern(py, kinds::name(element.kind));
        PyList::new(py, self.table.items().iter().map(name))
    }

    /// The page that each element says it is on.
    fn pages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let name = pyo3::intern!(py, "page_number");
        let page = |fields: &Py<PyDict>| fields.bind(py).get_item(name);
        let pages: PyResult<Vec<_>> = self.metadata.iter().map(page).collect();
        PyList::new(py, pages?)
    }

    /// The numbers of the tables whose HTML is no table, or more than that.
    fn unread(&self) -> Vec<usize> {
        self.unread.clone()
    }

    /// The numbers of the elements that have originals of their own.
    fn with_originals(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let name = pyo3::intern!(py, "orig_elements");
        let mut numbers = Vec::new();
        for (i, fields) in self.metadata.iter().enumerate() {
            if fields.bind(py).get_item(name)?.is_some_and(|originals| !originals.is_none()) {
                numbers.push(i);
            }
        }
        Ok(numbers)
    }

    /// What the caller gave.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.items.iter().map(|item| item.clone_ref(py)))
    }
}
