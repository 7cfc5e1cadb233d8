//! Nesting of Unstructured's elements: their levels, and the elements that they belong to.

use chunkwright_core::elements::Parent;
use chunkwright_core::read::unstructured::Unstructured;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

use super::reading::Item;

/// Says in `table` how deep each of `items` is nested, and what it belongs to: the last element before it that
/// has the id which it names. O(n).
///
/// # Errors
/// If an id cannot be read.
pub fn nesting(items: &[Item<'_>], table: &mut Unstructured) -> PyResult<()> {
    let Some(py) = items.first().map(|item| item.given.py()) else { return Ok(()) };
    let (depth, above) = (pyo3::intern!(py, "category_depth"), pyo3::intern!(py, "parent_id"));
    // The elements that have ids, up to the last one that was looked up.
    let (seen, mut n_seen) = (PyDict::new(py), 0);
    for (i, item) in items.iter().enumerate() {
        let level = item.metadata.get_item(depth)?.map_or(0, |depth| level(&depth));
        let named = item.metadata.get_item(above)?.filter(is_id);
        let parent = match named {
            None => Parent::default(),
            Some(named) => {
                for (number, before) in items.iter().enumerate().take(i).skip(n_seen) {
                    if let Some(id) = id(before)? {
                        seen.set_item(id, number)?;
                    }
                }
                n_seen = i;
                let found = seen.get_item(named)?.map(|number| number.extract()).transpose()?;
                found.map_or(Parent::default(), Parent::of)
            }
        };
        if level > 0 || parent != Parent::default() {
            table.nest(i, level, parent);
        }
    }
    Ok(())
}

/// A level, from 1, by a depth that counts from 0; 0 if it is no depth.
fn level(depth: &Bound<'_, PyAny>) -> u8 {
    let Ok(depth) = depth.cast::<PyInt>() else { return 0 };
    let Ok(depth) = depth.extract::<i64>() else { return u8::MAX };
    u8::try_from(depth.saturating_add(1).max(0)).unwrap_or(u8::MAX)
}

fn id<'py>(item: &Item<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = item.given.py();
    let id = match item.given.cast::<PyDict>() {
        Ok(dict) => dict.get_item(pyo3::intern!(py, "element_id"))?,
        // The peer's `id` makes one up where there is none, and keeps it.
        Err(_) => item.given.getattr_opt(pyo3::intern!(py, "_element_id"))?,
    };
    Ok(id.filter(is_id))
}

fn is_id(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>()
}
