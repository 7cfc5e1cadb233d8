//! Deep copies, as `copy.deepcopy` makes them, of what metadata is made of.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use super::instances::Maker;

/// Containers in containers that are copied here; deeper ones are left to Python, which bounds them.
const DEPTH: usize = 32;

/// Copies many values, and remembers their classes.
pub struct Copier<'py> {
    py: Python<'py>,
    deepcopy: Option<Bound<'py, PyAny>>,
    /// By the address of a class, which is kept: how instances are made, if that is all there is to it.
    makers: HashMap<usize, (Bound<'py, PyType>, Option<Maker<'py>>)>,
    /// Copies of containers by address: what occurs twice is copied once.
    copies: HashMap<usize, Bound<'py, PyAny>>,
}

impl<'py> Copier<'py> {
    /// Has copied nothing yet.
    pub fn new(py: Python<'py>) -> Self {
        Self { py, deepcopy: None, makers: HashMap::new(), copies: HashMap::new() }
    }

    /// A copy of `value` that shares nothing with it that can be changed.
    ///
    /// # Errors
    /// Those of classes that copy themselves.
    pub fn copy(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if is_constant(value) {
            return Ok(value.clone());
        }
        self.copies.clear();
        self.copied(value, 0)
    }

    /// A copy of `fields` without those that `drops`.
    ///
    /// # Errors
    /// As for [`Copier::copy`].
    pub fn copy_fields(
        &mut self,
        fields: &Bound<'py, PyDict>,
        drops: impl Fn(&Bound<'py, PyAny>) -> bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.copies.clear();
        let copy = PyDict::new(self.py);
        for (key, value) in items(fields) {
            if !drops(&key) {
                copy.set_item(&key, self.copied(&value, 0)?)?;
            }
        }
        Ok(copy)
    }

    /// How instances of the class of `value` are made from their attributes alone, if they can be: nothing
    /// of the class has a say in how they are copied.
    ///
    /// # Errors
    /// Those of odd classes.
    pub fn maker(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Option<&Maker<'py>>> {
        let address = value.get_type_ptr() as usize;
        let known = match self.makers.entry(address) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let class = value.get_type();
                let maker = if is_plain(&class)? { Some(Maker::of(&class)?) } else { None };
                place.insert((class, maker))
            }
        };
        Ok(known.1.as_ref())
    }

    fn copied(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        if is_constant(value) {
            return Ok(value.clone());
        }
        let address = value.as_ptr() as usize;
        if let Some(copy) = self.copies.get(&address) {
            return Ok(copy.clone());
        }
        if depth == DEPTH {
            return self.left_to_python(value);
        }
        if let Ok(list) = value.cast_exact::<PyList>() {
            let copy = PyList::empty(self.py);
            self.copies.insert(address, copy.clone().into_any());
            for item in list {
                copy.append(self.copied(&item, depth + 1)?)?;
            }
            return Ok(copy.into_any());
        }
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            let copy = PyDict::new(self.py);
            self.copies.insert(address, copy.clone().into_any());
            self.fill(&copy, dict, depth)?;
            return Ok(copy.into_any());
        }
        if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            return self.tuple(tuple, depth);
        }
        self.instance(value, depth)
    }

    fn fill(
        &mut self,
        copy: &Bound<'py, PyDict>,
        dict: &Bound<'py, PyDict>,
        depth: usize,
    ) -> PyResult<()> {
        for (key, value) in items(dict) {
            copy.set_item(self.copied(&key, depth + 1)?, self.copied(&value, depth + 1)?)?;
        }
        Ok(())
    }

    /// A tuple of things that cannot be changed is its own copy.
    fn tuple(&mut self, tuple: &Bound<'py, PyTuple>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        let items: PyResult<Vec<_>> =
            tuple.iter().map(|item| self.copied(&item, depth + 1)).collect();
        let items = items?;
        if items.iter().zip(tuple.iter()).all(|(copy, item)| copy.is(&item)) {
            return Ok(tuple.clone().into_any());
        }
        Ok(PyTuple::new(self.py, items)?.into_any())
    }

    fn instance(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        let attributes = PyDict::new(self.py);
        let Some(maker) = self.maker(value)? else {
            return self.left_to_python(value);
        };
        let copy = maker.with(&attributes)?;
        self.copies.insert(value.as_ptr() as usize, copy.clone());
        let of = value.getattr(pyo3::intern!(self.py, "__dict__"))?;
        self.fill(&attributes, of.cast()?, depth)?;
        Ok(copy)
    }

    fn left_to_python(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.deepcopy.is_none() {
            self.deepcopy = Some(self.py.import("copy")?.getattr("deepcopy")?);
        }
        self.deepcopy.as_ref().map_or_else(|| Ok(value.clone()), |copy| copy.call1((value,)))
    }
}

/// The items of a dict, which may be changed by whoever is asked about one of them.
pub fn items<'py>(dict: &Bound<'py, PyDict>) -> Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    dict.iter().collect()
}

/// Whether a value cannot be changed.
fn is_constant(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyString>()
        || value.is_none()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyBool>()
}

/// Whether the attributes of an instance are all there is to it, and its class does not copy by itself.
fn is_plain(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let object = class.py().get_type::<PyAny>();
    let custom = ["__deepcopy__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"];
    if class.is_subclass_of::<PyType>()? || class.getattr("__dictoffset__")?.eq(0)? {
        return Ok(false);
    }
    for name in custom {
        if class.hasattr(name)? {
            return Ok(false);
        }
    }
    for name in ["__reduce_ex__", "__reduce__", "__getstate__", "__new__", "__getattribute__"] {
        if !class.getattr(name)?.is(&object.getattr(name)?) {
            return Ok(false);
        }
    }
    for base in class.mro() {
        if !base.is(&object) && !has_no_more_than_attributes(&base)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What Python says of a class that was made by a `class` statement.
const HEAP_TYPE: u64 = 1 << 9;

/// Whether instances hold nothing on account of the class `base` but what is in their `__dict__`.
fn has_no_more_than_attributes(base: &Bound<'_, PyAny>) -> PyResult<bool> {
    let slots = match base.getattr("__dict__")?.get_item("__slots__") {
        Ok(slots) => slots.is_truthy()?,
        Err(_) => false,
    };
    Ok(!slots && base.getattr("__flags__")?.extract::<u64>()? & HEAP_TYPE != 0)
}
