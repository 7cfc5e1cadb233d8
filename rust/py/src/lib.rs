//! Bindings: each converts, detaches, calls and wraps. What is computed is computed in the core.

mod error;
mod gate;
mod substring;
mod text;

use pyo3::prelude::*;

/// The compiled core of chunkwright.
#[pymodule(gil_used = false)]
mod _core {
    use super::{PyModule, PyResult};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
