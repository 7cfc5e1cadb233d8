//! Names of the fields of an element's metadata, found by their addresses in Python.

use chunkwright_parity::unstructured::fields::{FIELDS, Field, Rule, rule};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// Twice the fields and more: a name is found with few looks.
const N_SLOTS: usize = 256;

/// The names of the fields as Python's own interned strings.
pub struct Names {
    names: Vec<Py<PyString>>,
    /// For an address, where it hashes to or behind that: the field whose name lies there.
    slots: [Option<(usize, Field)>; N_SLOTS],
}

impl Names {
    /// The names, made once.
    pub fn get(py: Python<'_>) -> &'static Self {
        static NAMES: PyOnceLock<Names> = PyOnceLock::new();
        NAMES.get_or_init(py, || Self::new(py))
    }

    fn new(py: Python<'_>) -> Self {
        let intern = |(name, _): &(&str, Rule)| PyString::intern(py, name).unbind();
        let names: Vec<Py<PyString>> = FIELDS.iter().map(intern).collect();
        let mut slots = [None; N_SLOTS];
        for (field, name) in names.iter().enumerate() {
            let address = name.as_ptr() as usize;
            let mut slot = slot(address);
            while slots[slot].is_some() {
                slot = (slot + 1) % N_SLOTS;
            }
            slots[slot] = Some((address, field));
        }
        Self { names, slots }
    }

    /// The name of `field`.
    pub fn name<'py>(&self, py: Python<'py>, field: Field) -> &Bound<'py, PyString> {
        self.names[field].bind(py)
    }

    /// The field of that name, if there is one.
    pub fn field(&self, name: &Bound<'_, PyAny>) -> Option<Field> {
        let address = name.as_ptr() as usize;
        let mut slot = slot(address);
        while let Some((of, field)) = self.slots[slot] {
            if of == address {
                return Some(field);
            }
            slot = (slot + 1) % N_SLOTS;
        }
        // Names of attributes are interned; keys of a dict from elsewhere need not be.
        let name = name.cast::<PyString>().ok()?.to_str().ok()?;
        FIELDS.iter().position(|(known, _)| *known == name)
    }
}

/// Where an address hashes to: objects stand 16 bytes apart or more.
const fn slot(address: usize) -> usize {
    (address >> 4 ^ address >> 12) % N_SLOTS
}

/// Whether a table's chunks lose the field of that name.
pub fn is_dropped(names: &Names, name: &Bound<'_, PyAny>) -> bool {
    names.field(name).is_some_and(|field| rule(field) == Rule::Drop) || is_cache(name)
}

/// Whether an attribute of that name is Unstructured's own notes, which it makes again when it needs them.
fn is_cache(name: &Bound<'_, PyAny>) -> bool {
    name.cast::<PyString>()
        .is_ok_and(|name| name.to_str().is_ok_and(|name| name == "_known_field_names"))
}
