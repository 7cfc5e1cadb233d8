//! Options of the strategies, as dicts.

use chunkwright_engine::options::{DefaultValue, Kind, MAX_SIZE, Most, StrategyOption};
use chunkwright_engine::strategies::{Parts, options, rows};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::spec::{of_spec, spec_of};

type Strategy = (&'static str, &'static str, &'static str, Vec<&'static str>, Vec<&'static str>);

/// The strategies: the name of each, that of its class, what it does, the classes of its families, and the names of
/// the options that it adds to theirs, or says more of.
#[pyfunction]
pub fn strategies() -> Vec<Strategy> {
    let all = rows().map(|row| {
        let families = row.families.iter().map(|family| family.class).collect();
        let own = row.options.iter().map(|option| option.name).collect();
        (row.name, row.class, row.about, families, own)
    });
    all.collect()
}

/// The options that a family of strategies adds to those of more general ones, or says more of, by its class.
#[pyfunction]
pub fn family_options<'py>(py: Python<'py>, class: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let families = rows().flat_map(|row| row.families);
    let family = families.into_iter().find(|family| family.class == class);
    let options = family.map_or(&[][..], |family| family.options);
    options.iter().map(|option| dict_of(py, option)).collect()
}

/// The options of a strategy, in the order in which they are shown; none if there is no such strategy.
#[pyfunction]
pub fn strategy_options<'py>(py: Python<'py>, strategy: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    options(strategy).iter().map(|option| dict_of(py, option)).collect()
}

/// Checks the names and the values of a spec's options, and gives the size that no chunk exceeds; a model may add
/// so many `special_tokens` to each text.
#[pyfunction]
#[pyo3(signature = (spec, *, special_tokens = 0))]
pub fn check_options(spec: &Bound<'_, PyDict>, special_tokens: usize) -> PyResult<usize> {
    let parts = Parts { special_tokens, ..Parts::default() };
    spec_of(spec)?.hard_max(&parts).map_err(|error| of_spec(spec, error))
}

fn dict_of<'py>(py: Python<'py>, option: &StrategyOption) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", option.name)?;
    match option.default {
        DefaultValue::Derived => dict.set_item("default", py.None())?,
        DefaultValue::Flag(flag) => dict.set_item("default", flag)?,
        DefaultValue::Count(count) => dict.set_item("default", count)?,
        DefaultValue::Number(number) => dict.set_item("default", number)?,
        DefaultValue::Name(name) => dict.set_item("default", name)?,
    }
    let kind = match option.kind {
        Kind::Size { least, most } => {
            dict.set_item("least", least)?;
            dict.set_item("unit", "limit")?;
            dict.set_item("is_within_limit", most == Most::Limit)?;
            "size"
        }
        Kind::Count { least, most, unit } => {
            dict.set_item("least", least)?;
            dict.set_item("most", Some(most).filter(|most| *most != MAX_SIZE))?;
            dict.set_item("unit", unit)?;
            "int"
        }
        Kind::Number(range) => {
            dict.set_item("least", range.map(|range| range.least))?;
            dict.set_item("most", range.map(|range| range.most))?;
            dict.set_item("excludes_ends", range.is_some_and(|range| range.excludes_ends))?;
            "number"
        }
        Kind::Name(names) => {
            dict.set_item("names", names.to_vec())?;
            "name"
        }
        Kind::Flag => "flag",
        Kind::Language => "language",
        Kind::Separators => "separators",
        Kind::Marks => "marks",
        Kind::Tokenizer => "tokenizer",
        Kind::Embedder => "embedder",
        Kind::LanguageModel => "llm",
        Kind::Prompt => "prompt",
    };
    dict.set_item("kind", kind)?;
    dict.set_item("about", option.about)?;
    dict.set_item("more", option.more)?;
    dict.set_item("concerns", option.concerns.to_vec())?;
    Ok(dict)
}
