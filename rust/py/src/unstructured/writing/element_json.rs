//! Elements as JSON: what chunks in dicts are made of.

use std::collections::HashMap;

use chunkwright_parity::unstructured::json::ascii;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString, PyType};

use super::json::{Json, entries};
use crate::error::named;

/// How an element of a class becomes a dict.
#[derive(Clone)]
enum Shape<'py> {
    /// As a text of this category, by its attributes.
    Text(Bound<'py, PyAny>),
    /// By its own method.
    Own,
}

/// Writes the elements of one chunk after another.
pub struct Writer<'py> {
    py: Python<'py>,
    /// What was written.
    pub json: Json,
    /// By the address of a class, which is kept so that it stays the class's.
    shapes: HashMap<usize, (Bound<'py, PyType>, Shape<'py>)>,
}

impl<'py> Writer<'py> {
    /// Has written nothing yet.
    pub fn new(py: Python<'py>) -> Self {
        Self { py, json: Json::default(), shapes: HashMap::new() }
    }

    /// Writes a JSON array of `items`, dicts or objects, with their numbers and their metadata.
    ///
    /// # Errors
    /// If one of them is not JSON.
    pub fn array<'a>(
        &mut self,
        items: impl Iterator<Item = (usize, &'a Bound<'py, PyAny>, &'a Bound<'py, PyDict>)>,
        are_dicts: bool,
    ) -> PyResult<()>
    where
        'py: 'a,
    {
        self.json.raw("[");
        for (n, (i, item, fields)) in items.enumerate() {
            self.json.raw(if n > 0 { ", " } else { "" });
            let done =
                if are_dicts { self.dict(item, fields) } else { self.element(i, item, fields) };
            done.map_err(|error| not_json(self.py, i, error))?;
        }
        self.json.raw("]");
        Ok(())
    }

    /// An element as the caller gave it.
    fn dict(&mut self, item: &Bound<'py, PyAny>, fields: &Bound<'py, PyDict>) -> PyResult<()> {
        let Some(mut all) = item.cast::<PyDict>().ok().and_then(entries) else {
            return self.json.value(item);
        };
        self.json.object(&mut all, |json, key, value| match key {
            "metadata" if !value.is_none() => write_fields(json, fields),
            _ => json.value(value),
        })
    }

    /// An object's dict.
    fn element(
        &mut self,
        i: usize,
        item: &Bound<'py, PyAny>,
        fields: &Bound<'py, PyDict>,
    ) -> PyResult<()> {
        match self.shape(item)? {
            Shape::Text(category) => self.text(i, item, fields, &category),
            Shape::Own => {
                let dict = item.call_method0("to_dict")?.cast_into::<PyDict>()?;
                let metadata = dict.get_item("metadata")?;
                let metadata = metadata.and_then(|fields| fields.cast_into::<PyDict>().ok());
                self.dict(&dict, &metadata.unwrap_or_else(|| PyDict::new(self.py)))
            }
        }
    }

    fn text(
        &mut self,
        i: usize,
        item: &Bound<'py, PyAny>,
        fields: &Bound<'py, PyDict>,
        category: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let py = self.py;
        let text = item.getattr(pyo3::intern!(py, "text"))?;
        let id = item.getattr(pyo3::intern!(py, "_element_id"))?;
        self.json.raw(r#"{"element_id": "#);
        if id.is_none() {
            let text = text.cast::<PyString>().map(|text| text.to_string_lossy());
            self.json.id(i, &text.unwrap_or_default());
        } else {
            self.json.value(&id)?;
        }
        let embeddings = item.getattr(pyo3::intern!(py, "embeddings"))?;
        if embeddings.is_truthy()? {
            self.json.raw(r#", "embeddings": "#);
            self.json.value(&embeddings)?;
        }
        self.json.raw(r#", "metadata": "#);
        write_fields(&mut self.json, fields)?;
        self.json.raw(r#", "text": "#);
        self.json.value(&text)?;
        self.json.raw(r#", "type": "#);
        self.json.value(category)?;
        self.json.raw("}");
        Ok(())
    }

    fn shape(&mut self, item: &Bound<'py, PyAny>) -> PyResult<Shape<'py>> {
        let address = item.get_type_ptr() as usize;
        if let Some((_, shape)) = self.shapes.get(&address) {
            return Ok(shape.clone());
        }
        let class = item.get_type();
        let shape = shape(&class)?;
        self.shapes.insert(address, (class, shape.clone()));
        Ok(shape)
    }
}

/// Modules whose texts become dicts as it is done here.
const MODULES: [&str; 2] =
    ["unstructured.documents.elements", "chunkwright.compat.unstructured.elements"];

fn shape<'py>(class: &Bound<'py, PyType>) -> PyResult<Shape<'py>> {
    let Some(to_dict) = class.getattr_opt("to_dict")? else { return Ok(Shape::Own) };
    let name = |of: &str| to_dict.getattr(of).and_then(|name| name.extract::<String>());
    let is_ours = name("__qualname__").is_ok_and(|name| name == "Text.to_dict")
        && name("__module__").is_ok_and(|name| MODULES.contains(&name.as_str()));
    if is_ours { Ok(Shape::Text(class.getattr("category")?)) } else { Ok(Shape::Own) }
}

/// Writes the fields of an element's metadata that are not empty, rounded; not its own originals.
fn write_fields(json: &mut Json, fields: &Bound<'_, PyDict>) -> PyResult<()> {
    let Some(mut all) = entries(fields) else { return json.value(fields) };
    all.retain(|(key, value)| is_written(key.to_str().unwrap_or_default(), value));
    json.object(&mut all, |json, key, value| match key {
        "coordinates" => coordinates(json, value),
        "detection_class_prob" => rounded(json, value, 5),
        _ => json.value(value),
    })
}

/// Whether a field stands in an element's dict; Unstructured keeps a source that says nothing.
pub fn is_written(name: &str, value: &Bound<'_, PyAny>) -> bool {
    !value.is_none()
        && !name.starts_with('_')
        && !matches!(name, "orig_elements" | "detection_origin")
        && (name == "data_source" || !is_empty(value))
}

/// Whether a value is an empty list or dict.
pub fn is_empty(value: &Bound<'_, PyAny>) -> bool {
    match (value.cast::<PyList>(), value.cast::<PyDict>()) {
        (Ok(list), _) => list.is_empty(),
        (_, Ok(dict)) => dict.is_empty(),
        _ => false,
    }
}

/// Writes the coordinates of an element: whole and half pixels say enough.
fn coordinates(json: &mut Json, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let dict = match value.cast::<PyDict>() {
        Ok(dict) => dict.clone(),
        Err(_) => value.call_method0("to_dict")?.cast_into::<PyDict>()?,
    };
    let system = dict.get_item("system")?;
    let in_pixels = system.is_some_and(|system| system.eq("PixelSpace").unwrap_or(false));
    let n_digits = if in_pixels { 1 } else { 2 };
    let Some(mut all) = entries(&dict) else { return json.value(&dict) };
    json.object(&mut all, |json, key, value| match key {
        "points" if !value.is_none() => points(json, value, n_digits),
        _ => json.value(value),
    })
}

fn points(json: &mut Json, points: &Bound<'_, PyAny>, n_digits: usize) -> PyResult<()> {
    json.raw("[");
    for (i, point) in points.try_iter()?.enumerate() {
        json.raw(if i > 0 { ", [" } else { "[" });
        for (i, number) in point?.try_iter()?.enumerate() {
            json.raw(if i > 0 { ", " } else { "" });
            rounded(json, &number?, n_digits)?;
        }
        json.raw("]");
    }
    json.raw("]");
    Ok(())
}

/// Writes a number as Python's `round` leaves it.
fn rounded(json: &mut Json, number: &Bound<'_, PyAny>, n_digits: usize) -> PyResult<()> {
    match number.cast_exact::<PyFloat>() {
        Ok(number) if number.value().is_finite() => {
            ascii::rounded(&mut json.bytes, number.value(), n_digits);
            Ok(())
        }
        _ => json.value(number),
    }
}

/// `ReadError`: element `i` is not JSON. What is no exception of JSON's passes.
fn not_json(py: Python<'_>, i: usize, error: PyErr) -> PyErr {
    let is_value = error.is_instance_of::<pyo3::exceptions::PyTypeError>(py)
        || error.is_instance_of::<pyo3::exceptions::PyValueError>(py)
        || error.is_instance_of::<pyo3::exceptions::PyRecursionError>(py);
    if !is_value {
        return error;
    }
    let wrong = named("ReadError", format!("elements[{i}] is not JSON: {}", error.value(py)));
    wrong.set_cause(py, Some(error));
    wrong
}
