//! Chunks of elements in JSON, as JSON: bytes to bytes, without objects.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chunkwright_parity::unstructured::json::{JsonElement, Told, elements_of, written};
use chunkwright_read::unstructured::kind_of_type;
use chunkwright_text::elements::Kind;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::cutter::{Rule, UnstructuredCutter};
use super::reading::core_table::{PreparedElement, prepared_table};
use super::reading::reader::Reading;
use super::surrogates::StandIns;
use crate::gate::detached;

/// What Unstructured calls each type, and what repairs HTML that only a lenient parser reads.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct UnstructuredJson {
    categories: BTreeMap<String, String>,
    recover: Option<Py<PyAny>>,
}

#[pymethods]
impl UnstructuredJson {
    #[new]
    #[pyo3(signature = (categories, recover))]
    const fn new(categories: BTreeMap<String, String>, recover: Option<Py<PyAny>>) -> Self {
        Self { categories, recover }
    }

    /// The chunks of the elements that `data` holds, as the unstructured-api answers them in JSON, and how many there
    /// are; with `lines`, each line is an element. Random ids are made of `seed`. None if `data` is no JSON of
    /// elements, or holds what is said only by way of objects.
    #[pyo3(signature = (
        data, cutter, strategy, *, multipage, lines, filename, filetype, originals, unique_ids, seed
    ))]
    #[allow(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "named in Python"
    )]
    fn chunks<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        cutter: &UnstructuredCutter,
        strategy: &str,
        multipage: bool,
        lines: bool,
        filename: &str,
        filetype: &str,
        originals: bool,
        unique_ids: bool,
        seed: &[u8],
    ) -> PyResult<Option<(Bound<'py, PyBytes>, usize)>> {
        let Some(rule) = Rule::of(strategy, multipage).filter(|_| !filename.is_empty()) else {
            return Ok(None);
        };
        let told = Told { filename, filetype, originals, unique_ids, seed };
        let Some(elements) = detached(py, |_| Ok(read(data, lines, &self.categories)))? else {
            return Ok(None);
        };
        let prepared: Vec<PreparedElement<'_>> = elements.iter().map(prepared).collect();
        let recover = self.recover.as_ref().map(|recover| recover.bind(py));
        let none = StandIns::default();
        let (table, _) = prepared_table(py, &prepared, &none, recover, Reading::Verbatim)?;
        let json = cutter.written(py, &table, rule, |chunks, pulse| {
            let json = written(&elements, table.text(), chunks, &told, pulse)?;
            Ok(json.map(|json| (json, chunks.len())))
        })?;
        Ok(json.map(|(json, n_chunks)| (PyBytes::new(py, &json), n_chunks)))
    }
}

/// The elements of UTF-8, with or without a mark of its byte order.
fn read<'a>(
    data: &'a [u8],
    lines: bool,
    categories: &'a BTreeMap<String, String>,
) -> Option<Vec<JsonElement<'a>>> {
    let text = std::str::from_utf8(data).ok()?;
    elements_of(text.strip_prefix('\u{feff}').unwrap_or(text), lines, categories)
}

fn prepared<'a>(element: &'a JsonElement<'_>) -> PreparedElement<'a> {
    let kind = kind_of_type(element.category);
    let html = element.html().filter(|_| kind == Kind::Table).map(Cow::Borrowed);
    PreparedElement { kind, text: Cow::Borrowed(&element.text), html, page: element.page() }
}
