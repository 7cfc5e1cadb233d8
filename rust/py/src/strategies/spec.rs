//! Specs of strategies, read off dicts of Python's, and errors about what these hold.

use chunkwright_engine::options::{DefaultValue, Kind, StrategyOption};
use chunkwright_engine::strategies::{Spec, options};
use chunkwright_text::error::{Error, Message, Result};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Value};

use crate::error::{of_option, refusal, to_python};

/// The spec that a dict says: `strategy`, and the options.
///
/// # Errors
/// A `ConfigError` for a value that is no data.
pub fn spec_of(dict: &Bound<'_, PyDict>) -> PyResult<Spec> {
    let name = strategy_of(dict)?;
    let known = options(&name);
    let mut spec = Spec { name, options: Map::new() };
    for (name, value) in dict {
        let name: String = name.extract()?;
        if name == "strategy" {
            continue;
        }
        let value = match known.iter().find(|option| option.name == name) {
            Some(option) => typed(option, &value)?.map_err(|error| of_spec(dict, error))?,
            None => data(&name, &value)?,
        };
        spec.options.insert(name, value);
    }
    Ok(spec)
}

/// The name of the strategy that a dict says; empty without one.
fn strategy_of(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    dict.get_item("strategy")?.map_or_else(|| Ok(String::new()), |name| name.extract())
}

/// A `ConfigError` about an option of a dict, which shows the value as Python does.
pub fn of_spec(dict: &Bound<'_, PyDict>, error: Error) -> PyErr {
    match shown(dict, &error) {
        Ok(None) => to_python(error),
        Ok(Some(error)) | Err(error) => error,
    }
}

fn shown(dict: &Bound<'_, PyDict>, error: &Error) -> PyResult<Option<PyErr>> {
    let (Error::Option { option, .. } | Error::Value { option, .. } | Error::Name { option, .. }) =
        error
    else {
        return Ok(None);
    };
    let Some(value) = dict.get_item(option)? else { return Ok(None) };
    refusal(error, &plain_int(dict, option, &value)?, None).map(Some)
}

/// The int that a value of an option stands for, if the option takes ints, and the value itself if not.
fn plain_int<'py>(
    dict: &Bound<'py, PyDict>,
    option: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let takes_ints = options(&strategy_of(dict)?).iter().any(|known| {
        known.name == option && matches!(known.kind, Kind::Size { .. } | Kind::Count { .. })
    });
    if !takes_ints || value.is_instance_of::<PyBool>() {
        return Ok(value.clone());
    }
    let index = value.py().import("operator")?.getattr("index")?;
    Ok(index.call1((value,)).unwrap_or_else(|_| value.clone()))
}

/// The value of an option as JSON has it, or why it is none: a number of NumPy's is a number, too.
fn typed(option: &StrategyOption, value: &Bound<'_, PyAny>) -> PyResult<Result<Value>> {
    let refused = || Ok(Err(option.refused("")));
    if value.is_none() {
        // What has a usual value is not without one.
        let is_missing = option.default == DefaultValue::Derived;
        return if is_missing { Ok(Ok(Value::Null)) } else { refused() };
    }
    let is_flag = value.is_instance_of::<PyBool>();
    match option.kind {
        Kind::Size { .. } | Kind::Count { .. } if !is_flag => Ok(int(option, value)),
        Kind::Number(_) if !is_flag && is_real(value)? => Ok(number(option, value)),
        Kind::Flag if is_flag => Ok(Ok(value.is_truthy()?.into())),
        Kind::Name(_) | Kind::Language if value.is_instance_of::<PyString>() => {
            value.extract::<String>().map_or_else(|_| refused(), |name| Ok(Ok(name.into())))
        }
        Kind::Separators
        | Kind::Marks
        | Kind::Tokenizer
        | Kind::Embedder
        | Kind::LanguageModel
        | Kind::Prompt => data(option.name, value).map(Ok),
        _ => refused(),
    }
}

/// Whether a value is a number: NumPy says so of its own, too.
fn is_real(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
        return Ok(true);
    }
    value.is_instance(&value.py().import("numbers")?.getattr("Real")?)
}

/// A number; one that is whole stays so.
fn number(option: &StrategyOption, value: &Bound<'_, PyAny>) -> Result<Value> {
    if value.is_instance_of::<PyInt>()
        && let Ok(whole) = value.extract::<i64>()
    {
        return Ok(whole.into());
    }
    match value.extract::<f64>() {
        Ok(number) if number.is_finite() => Ok(number.into()),
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => {
            Err(option.refused(""))
        }
        _ => Err(option.not_finite("")),
    }
}

/// A whole number; the nearest that there is for one that no size can be.
fn int(option: &StrategyOption, value: &Bound<'_, PyAny>) -> Result<Value> {
    match value.extract::<i64>() {
        Ok(number) => Ok(number.into()),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            let is_below = value.lt(0).unwrap_or(false);
            Ok(if is_below { i64::MIN } else { i64::MAX }.into())
        }
        Err(_) => Err(option.refused("")),
    }
}

/// A value as JSON has it.
fn data(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let unfit = |what: &str| {
        let got = value.repr().map_or_else(|_| String::new(), |shown| shown.to_string());
        of_option(option, &Message::new([("", option)], format!(" holds {got}: {what}")))
    };
    let number = |_| unfit("it is no number that JSON has");
    let text = |_| unfit("a surrogate is no character");
    Ok(if value.is_none() {
        Value::Null
    } else if let Ok(flag) = value.cast::<PyBool>() {
        flag.is_true().into()
    } else if value.is_instance_of::<PyInt>() {
        value.extract::<i64>().map_err(number)?.into()
    } else if value.is_instance_of::<PyFloat>() {
        value.extract::<f64>().map_err(number)?.into()
    } else if value.is_instance_of::<PyString>() {
        value.extract::<String>().map_err(text)?.into()
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| data(option, &item?));
        Value::Array(items.collect::<PyResult<_>>()?)
    } else if let Ok(dict) = value.cast::<PyDict>() {
        let items = dict.iter().map(|(key, value)| Ok((key.extract()?, data(option, &value)?)));
        Value::Object(items.collect::<PyResult<_>>()?)
    } else {
        let kind = value.get_type().name()?;
        let message = Message::new([("", option)], format!(" must be plain data, got a {kind}"));
        return Err(of_option(option, &message));
    })
}
