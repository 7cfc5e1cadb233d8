//! Flag that stops what other threads do: Python tells the main thread alone of signals.

use chunkwright_engine::stop::StopFlag;
use pyo3::prelude::*;

/// Stops the threads that obey it, once it is set.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Stop {
    flag: StopFlag,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self { flag: StopFlag::default() }
    }

    /// Makes the calling thread obey from now on.
    fn obey(&self) {
        self.flag.obey();
    }

    /// Interrupts, within a pulse, what the threads that obey do in the core now or later.
    fn set(&self) {
        self.flag.set();
    }
}
