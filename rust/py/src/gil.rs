//! GIL for code that does not know who has it.
#![allow(unsafe_code, reason = "pyo3 takes a thread that it attached once to be attached still")]

use std::thread::Builder;

use pyo3::PyClass;
use pyo3::ffi::{Py_IsInitialized, PyGILState_Ensure, PyGILState_Release, PyGILState_STATE};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;

/// Runs `work` with the GIL, also below a function of ours whose thread gave the GIL away since.
///
/// That is so when a function of ours asks a library for its table, and the library lets the GIL go and
/// reads a stream of ours. Nothing, if Python is on its way out: then there is no way back into it.
pub fn ensured<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    // SAFETY: it may be asked at any time.
    if unsafe { Py_IsInitialized() } == 0 {
        return None;
    }
    // SAFETY: Python runs; the state is given back, once, by the guard.
    let _guard = Ensured(unsafe { PyGILState_Ensure() });
    Python::try_attach(work)
}

struct Ensured(PyGILState_STATE);

impl Drop for Ensured {
    fn drop(&mut self) {
        // SAFETY: the state is what `PyGILState_Ensure` gave on this thread.
        unsafe { PyGILState_Release(self.0) }
    }
}

/// An object of Python's that is kept by something that may be dropped by anybody.
pub struct Kept<T: 'static>(Option<Py<T>>);

impl<T> Kept<T> {
    /// Keeps `object`.
    pub const fn new(object: Py<T>) -> Self {
        Self(Some(object))
    }
}

impl<T: PyClass<Frozen = True> + Sync> Kept<T> {
    /// The object; there until it is dropped.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref().map(Py::get)
    }
}

impl<T: 'static> Drop for Kept<T> {
    fn drop(&mut self) {
        let object = self.0.take();
        // On a thread that pyo3 has not seen it is put by until somebody has the GIL. Here nobody knows
        // whether this thread has it. Where no thread can be had there is nothing better.
        if let Ok(thread) = Builder::new().spawn(move || drop(object)) {
            let _ = thread.join();
        }
    }
}
