//! Original elements of a chunk, as the chunk keeps them.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::deep_copy::Copier;

/// The element itself; a copy, if it has originals of its own, which are not kept.
///
/// # Errors
/// Those of odd classes.
pub fn without_own<'py>(
    item: &Bound<'py, PyAny>,
    fields: &Bound<'py, PyDict>,
    copier: &mut Copier<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = item.py();
    let own = pyo3::intern!(py, "orig_elements");
    if fields.get_item(own)?.is_none_or(|originals| originals.is_none()) {
        return Ok(item.clone());
    }
    let metadata = shallow(&item.getattr(pyo3::intern!(py, "metadata"))?, copier)?;
    attributes(&metadata)?.del_item(own)?;
    let copy = shallow(item, copier)?;
    attributes(&copy)?.set_item(pyo3::intern!(py, "metadata"), metadata)?;
    Ok(copy)
}

/// A deep copy of the element without originals of its own.
///
/// # Errors
/// Those of odd classes.
pub fn deep_copy<'py>(
    item: &Bound<'py, PyAny>,
    fields: &Bound<'py, PyDict>,
    copier: &mut Copier<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let item = without_own(item, fields, copier)?;
    copier.copy(&item)
}

/// What `copy.copy` gives.
fn shallow<'py>(
    value: &Bound<'py, PyAny>,
    copier: &mut Copier<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match copier.maker(value)? {
        Some(maker) => maker.with(&attributes(value)?.copy()?),
        None => value.py().import("copy")?.call_method1("copy", (value,)),
    }
}

fn attributes<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    Ok(value.getattr(pyo3::intern!(value.py(), "__dict__"))?.cast_into()?)
}
