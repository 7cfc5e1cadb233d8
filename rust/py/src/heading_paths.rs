//! Headings above the elements of a document, by their numbers.

use chunkwright_text::heading_paths::HeadingPaths as Core;
use pyo3::prelude::*;

/// The headings above the elements of a document.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct HeadingPaths(Core);

impl HeadingPaths {
    /// The same for Python.
    pub const fn new(paths: Core) -> Self {
        Self(paths)
    }

    fn path(&self, heading: Option<usize>) -> Vec<usize> {
        let mut path: Vec<usize> = self.0.up(heading).collect();
        path.reverse();
        path
    }
}

#[pymethods]
impl HeadingPaths {
    /// The headings above an element, the outermost first: at most the 64 innermost.
    fn above(&self, element: usize) -> Vec<usize> {
        self.path(self.0.above(element))
    }

    /// Those of the section that a chunk of the elements from `first` up to `end` is from, its own included.
    fn section(&self, first: usize, end: usize) -> Vec<usize> {
        self.path(self.0.section(first..end))
    }
}
