//! A flag that stops what other threads do: Python tells the main thread alone of signals.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

thread_local! {
    /// What the thread obeys.
    static OBEYED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Stops the threads that obey it, once it is set.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Stop {
    is_set: Arc<AtomicBool>,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self { is_set: Arc::default() }
    }

    /// Makes the calling thread obey from now on.
    fn obey(&self) {
        obey(&self.is_set);
    }

    /// Interrupts, within a pulse, what the threads that obey do in the core now or later.
    fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }
}

/// Makes the calling thread one that is stopped once `is_set` is.
pub fn obey(is_set: &Arc<AtomicBool>) {
    OBEYED.set(Some(Arc::clone(is_set)));
}

/// Whether the calling thread has been stopped.
pub fn is_stopped() -> bool {
    OBEYED.with_borrow(|stop| stop.as_ref().is_some_and(|is_set| is_set.load(Ordering::Relaxed)))
}
