//! Unstructured's elements as its chunkers cut them, with the caller's own.

use chunkwright_read::unstructured::Unstructured;
use pyo3::prelude::*;

use super::reading::core_table::{CoreTable, table};
use super::reading::input_elements::{InputElements, read};
use super::reading::kinds::ElementKinds;
use super::reading::reader::Reading;
use super::surrogates::StandIns;

/// A document's elements.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct UnstructuredElements {
    table: Unstructured,
    stand_ins: StandIns,
    unread: Vec<usize>,
    input: InputElements,
}

impl UnstructuredElements {
    fn of(
        items: &Bound<'_, PyAny>,
        kinds: Option<&ElementKinds>,
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let read = read(items, kinds)?;
        let CoreTable { table, stand_ins, unread } =
            table(items.py(), &read, recover, Reading::Verbatim)?;
        Ok(Self { table, stand_ins, unread, input: InputElements::of(read, kinds.is_none()) })
    }

    /// The core's table.
    pub const fn table(&self) -> &Unstructured {
        &self.table
    }

    /// What stands in the core's texts for surrogates.
    pub const fn stand_ins(&self) -> &StandIns {
        &self.stand_ins
    }

    /// The caller's own.
    pub const fn input(&self) -> &InputElements {
        &self.input
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
        Self::of(items, Some(kinds), recover)
    }

    /// The table of dicts that have `type`, `text` and `metadata`.
    #[staticmethod]
    #[pyo3(signature = (items, recover = None))]
    fn of_dicts(items: &Bound<'_, PyAny>, recover: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Self::of(items, None, recover)
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    /// The numbers of the tables whose HTML is no table, or more than that.
    fn unread(&self) -> Vec<usize> {
        self.unread.clone()
    }
}
