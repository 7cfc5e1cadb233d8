//! Instances of Python classes, made without their constructors.
#![allow(unsafe_code, reason = "pyo3 has no safe calls for it")]

use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{Py_tp_new, PyObject_GenericSetDict, PyType_GetSlot, newfunc};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

/// Makes instances of a class that are empty: `__init__` is not called.
pub struct Maker<'py> {
    class: Bound<'py, PyType>,
    make: newfunc,
    no_arguments: Bound<'py, PyTuple>,
}

impl<'py> Maker<'py> {
    /// A maker of instances of `class`.
    ///
    /// # Errors
    /// If the class has none.
    pub fn of(class: &Bound<'py, PyType>) -> PyResult<Self> {
        // SAFETY: `class` is a live type; what is in the slot `tp_new` is null or a `newfunc`.
        let make = unsafe {
            let slot = PyType_GetSlot(class.as_type_ptr(), Py_tp_new);
            std::mem::transmute::<*mut std::ffi::c_void, Option<newfunc>>(slot)
        };
        let make = make.ok_or_else(|| PyTypeError::new_err(format!("{class} has no instances")))?;
        Ok(Self { class: class.clone(), make, no_arguments: PyTuple::empty(class.py()) })
    }

    /// An instance without attributes.
    ///
    /// # Errors
    /// Those of the class's `__new__`.
    pub fn empty(&self) -> PyResult<Bound<'py, PyAny>> {
        let (class, arguments) = (self.class.as_type_ptr(), self.no_arguments.as_ptr());
        // SAFETY: this is how Python calls `__new__`: with the class, a tuple, and no keywords. The answer
        // is a new reference, or null with an exception set.
        unsafe {
            let instance = (self.make)(class, arguments, ptr::null_mut());
            Bound::from_owned_ptr_or_err(self.class.py(), instance)
        }
    }

    /// An instance whose attributes are `attributes`, whatever its class does when one is set.
    ///
    /// # Errors
    /// Those of the class's `__new__`, and if its instances have no `__dict__`.
    pub fn with(&self, attributes: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        let instance = self.empty()?;
        // SAFETY: both are live objects; the function answers a number below 0 with an exception set.
        let done = unsafe {
            PyObject_GenericSetDict(instance.as_ptr(), attributes.as_ptr(), ptr::null_mut())
        };
        if done < 0 { Err(PyErr::fetch(self.class.py())) } else { Ok(instance) }
    }
}
