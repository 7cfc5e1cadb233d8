//! Nesting of Unstructured's elements: their levels, and the elements that they belong to.

use std::collections::HashMap;

use chunkwright_read::unstructured::Unstructured;
use chunkwright_text::elements::Parent;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

/// What an element says of its place among others.
pub struct Nesting<'py> {
    /// How deep it is nested, from 1; 0 if it does not say.
    level: u8,
    /// The id of the element that it belongs to.
    above: Option<Bound<'py, PyAny>>,
}

impl<'py> Nesting<'py> {
    /// That of an element with this metadata, if they say anything of it.
    ///
    /// # Errors
    /// If a field cannot be read.
    pub fn of(metadata: &Bound<'py, PyDict>) -> PyResult<Option<Self>> {
        let py = metadata.py();
        let depth = metadata.get_item(pyo3::intern!(py, "category_depth"))?;
        let above = metadata.get_item(pyo3::intern!(py, "parent_id"))?;
        let is_silent = depth.is_none() && above.is_none();
        let level = depth.map_or(0, |depth| level(&depth));
        Ok((!is_silent).then_some(Self { level, above }))
    }
}

/// The id of an element.
fn id_of<'py>(item: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = item.py();
    match item.cast::<PyDict>() {
        Ok(dict) => dict.get_item(pyo3::intern!(py, "element_id")),
        // The peer's `id` makes one up where there is none, and keeps it.
        Err(_) => item.getattr_opt(pyo3::intern!(py, "_element_id")),
    }
}

/// Says in `table` how deep its elements are nested, and what each belongs to: the last element before it that has
/// the id which it names. O(n); nothing is done where no element says so.
///
/// # Errors
/// If an id cannot be read.
pub fn nest<'a, 'py: 'a>(
    items: impl Iterator<Item = (&'a Bound<'py, PyAny>, Option<&'a Nesting<'py>>)> + Clone,
    table: &mut Unstructured,
) -> PyResult<()> {
    let nestings = || items.clone().map(|(_, nesting)| nesting);
    if nestings().flatten().all(|of| of.above.is_none()) {
        for (i, nesting) in nestings().enumerate() {
            if let Some(nesting) = nesting.filter(|of| of.level > 0) {
                table.nest(i, nesting.level, Parent::default());
            }
        }
        return Ok(());
    }
    let ids = items.clone().map(|(item, _)| id_of(item)).collect::<PyResult<Vec<_>>>()?;
    let levels: Vec<u8> = nestings().map(|of| of.map_or(0, |of| of.level)).collect();
    let aboves: Vec<_> = nestings().map(|of| of?.above.as_ref().and_then(Id::of)).collect();
    let mut named = named(&aboves);
    // Neighbours mostly belong to the same element.
    let mut last = (None, Parent::default());
    for (i, above) in aboves.iter().enumerate() {
        let parent = match above {
            None => Parent::default(),
            Some(_) if last.0 == *above => last.1,
            Some(id) => named.get(id).copied().unwrap_or_default(),
        };
        last = (*above, parent);
        if levels[i] > 0 || parent != Parent::default() {
            table.nest(i, levels[i], parent);
        }
        if let Some(id) = ids[i].as_ref().and_then(Id::of)
            && let Some(of) = named.get_mut(&id)
        {
            *of = Parent::of(i);
            last = (None, Parent::default());
        }
    }
    Ok(())
}

/// The ids that are named, each with the last element before it that has it: none yet.
fn named<'a>(aboves: &[Option<Id<'a>>]) -> HashMap<Id<'a>, Parent> {
    let mut named = HashMap::new();
    for (i, above) in aboves.iter().enumerate() {
        if let Some(above) = above
            && (i == 0 || aboves[i - 1].as_ref() != Some(above))
        {
            named.insert(*above, Parent::default());
        }
    }
    named
}

/// A level, from 1, by a depth that counts from 0; 0 if it is no depth.
fn level(depth: &Bound<'_, PyAny>) -> u8 {
    let Ok(depth) = depth.cast::<PyInt>() else { return 0 };
    let Ok(depth) = depth.extract::<i64>() else { return u8::MAX };
    u8::try_from(depth.saturating_add(1).max(0)).unwrap_or(u8::MAX)
}

/// An id that others may name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Id<'a> {
    Integer(i64),
    Text(&'a str),
}

impl<'a> Id<'a> {
    fn of(value: &'a Bound<'_, PyAny>) -> Option<Self> {
        match value.cast::<PyString>() {
            Ok(text) => text.to_str().ok().map(Self::Text),
            Err(_) => value.cast::<PyInt>().ok()?.extract().ok().map(Self::Integer),
        }
    }
}
