//! Kinds of elements, by class or by the name of the type.

use std::collections::HashMap;

use chunkwright_read::unstructured::kind_of_text;
use chunkwright_text::elements::Kind;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyType;

/// The classes whose instances are more than text.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct ElementKinds {
    classes: [(Py<PyType>, Kind); 3],
}

#[pymethods]
impl ElementKinds {
    /// Instances of a subclass are what those of the class are.
    #[new]
    fn new(title: Py<PyType>, table: Py<PyType>, code: Py<PyType>) -> Self {
        Self { classes: [(table, Kind::Table), (title, Kind::Heading), (code, Kind::Code)] }
    }
}

/// The kinds of elements, each class asked about once.
pub struct KindCache<'a, 'py> {
    kinds: &'a ElementKinds,
    /// By the address of a class, which is kept so that it stays the class's.
    seen: HashMap<usize, (Bound<'py, PyType>, Kind)>,
    last: (usize, Kind),
}

impl<'a, 'py> KindCache<'a, 'py> {
    /// Nothing is known yet.
    pub fn new(kinds: &'a ElementKinds) -> Self {
        Self { kinds, seen: HashMap::new(), last: (0, Kind::Paragraph) }
    }

    /// What `item` is.
    ///
    /// # Errors
    /// Those of a class that answers for itself whether another is below it.
    pub fn kind(&mut self, item: &Bound<'py, PyAny>) -> PyResult<Kind> {
        let address = item.get_type_ptr() as usize;
        if self.last.0 != address {
            self.last = (address, self.known(address, item)?);
        }
        Ok(self.last.1)
    }

    fn known(&mut self, address: usize, item: &Bound<'py, PyAny>) -> PyResult<Kind> {
        if let Some((_, kind)) = self.seen.get(&address) {
            return Ok(*kind);
        }
        let kind = self.asked(item)?;
        self.seen.insert(address, (item.get_type(), kind));
        Ok(kind)
    }

    fn asked(&self, item: &Bound<'py, PyAny>) -> PyResult<Kind> {
        for (class, kind) in &self.kinds.classes {
            if item.is_instance(class.bind(item.py()))? {
                return Ok(*kind);
            }
        }
        let category = item.get_type().getattr_opt(pyo3::intern!(item.py(), "category"))?;
        let category = category.and_then(|category| category.extract::<PyBackedStr>().ok());
        Ok(category.map_or(Kind::Paragraph, |category| kind_of_text(&category)))
    }
}
