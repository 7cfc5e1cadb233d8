//! Elements as the caller gave them, which chunks are described from.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::kinds::{ElementKinds, KindCache};
use super::reading::{Item, Reader, Reading};

/// A document's elements as Python has them.
pub struct Given {
    are_dicts: bool,
    items: Vec<Py<PyAny>>,
    metadata: Vec<Py<PyDict>>,
}

impl Given {
    /// What was read as `items`.
    pub fn of(items: Vec<Item<'_>>, are_dicts: bool) -> Self {
        let (items, metadata) =
            items.into_iter().map(|item| (item.given.unbind(), item.metadata.unbind())).unzip();
        Self { are_dicts, items, metadata }
    }

    /// Whether they are dicts, not objects.
    pub const fn are_dicts(&self) -> bool {
        self.are_dicts
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// What the caller gave as element `i`.
    pub fn item<'a, 'py>(&'a self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyAny> {
        self.items[i].bind(py)
    }

    /// The fields of element `i`.
    pub fn metadata<'a, 'py>(&'a self, py: Python<'py>, i: usize) -> &'a Bound<'py, PyDict> {
        self.metadata[i].bind(py)
    }
}

/// Reads objects, whose classes `kinds` knows, or dicts where there are none.
///
/// # Errors
/// Those of what is no element, of the iterator, and of signals.
pub fn read<'py>(
    items: &Bound<'py, PyAny>,
    kinds: Option<&ElementKinds>,
) -> PyResult<Vec<Item<'py>>> {
    match kinds {
        None => Reader::all(items, Reading::Given, Reader::dict),
        Some(kinds) => {
            let mut kinds = KindCache::new(kinds);
            Reader::all(items, Reading::Given, |reader, item| reader.object(item, &mut kinds))
        }
    }
}
