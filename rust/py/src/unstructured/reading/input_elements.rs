//! Elements of the caller's, from which chunks are described.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::kinds::{ElementKinds, KindCache};
use super::reader::{InputElement, Reader, Reading};

/// A document's elements as Python has them.
pub struct InputElements {
    are_dicts: bool,
    items: Vec<Py<PyAny>>,
    metadata: Vec<Py<PyDict>>,
}

impl InputElements {
    /// What was read as `items`.
    pub fn of(items: Vec<InputElement<'_>>, are_dicts: bool) -> Self {
        let (items, metadata) =
            items.into_iter().map(|item| (item.object.unbind(), item.metadata.unbind())).unzip();
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

    /// Element `i` as the caller has it.
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
) -> PyResult<Vec<InputElement<'py>>> {
    match kinds {
        None => Reader::all(items, Reading::Verbatim, Reader::dict),
        Some(kinds) => {
            let mut kinds = KindCache::new(kinds);
            Reader::all(items, Reading::Verbatim, |reader, item| reader.object(item, &mut kinds))
        }
    }
}
