//! Specs of strategies, read off dicts of Python's.

use chunkwright_engine::spec::Spec;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Value};

use crate::error::of_option;

/// The spec that a dict says: `strategy`, and the options.
///
/// # Errors
/// A `ConfigError` for a value that is no data.
pub fn spec_of(dict: &Bound<'_, PyDict>) -> PyResult<Spec> {
    let mut spec = Spec { name: String::new(), options: Map::new() };
    for (name, value) in dict {
        let name: String = name.extract()?;
        if name == "strategy" {
            spec.name = value.extract()?;
        } else {
            let value = data(&name, &value)?;
            spec.options.insert(name, value);
        }
    }
    Ok(spec)
}

/// A value as JSON has it.
fn data(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    Ok(if value.is_none() {
        Value::Null
    } else if let Ok(flag) = value.cast::<PyBool>() {
        flag.is_true().into()
    } else if value.is_instance_of::<PyInt>() {
        value.extract::<i64>()?.into()
    } else if value.is_instance_of::<PyFloat>() {
        value.extract::<f64>()?.into()
    } else if value.is_instance_of::<PyString>() {
        value.extract::<String>()?.into()
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| data(option, &item?));
        Value::Array(items.collect::<PyResult<_>>()?)
    } else if let Ok(dict) = value.cast::<PyDict>() {
        let items = dict.iter().map(|(key, value)| Ok((key.extract()?, data(option, &value)?)));
        Value::Object(items.collect::<PyResult<_>>()?)
    } else {
        let kind = value.get_type().name()?;
        return Err(of_option(option, format!("{option} is no data, but a {kind}")));
    })
}
