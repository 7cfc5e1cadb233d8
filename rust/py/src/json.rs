//! JSON Pointers of places in a text, and whether the places of YAML's entries are known.

use chunkwright_read::json::{Json, pointers};
use chunkwright_read::yaml::entries;
use chunkwright_text::offsets::CharIndex;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::gate::detached;
use crate::strings::text::Text;

/// The JSON Pointers of the values at `places`, ascending code points of `text`, which is JSON.
#[pyfunction]
pub fn json_pointers(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    places: Vec<usize>,
) -> PyResult<Vec<String>> {
    let text = Text::of(text)?;
    let (utf8, document) = (text.as_str(), text.document());
    detached(py, |pulse| {
        let json = Json::check(utf8, pulse)?;
        let index = CharIndex::new(utf8, document.pairs());
        let places: Vec<usize> =
            places.into_iter().map(|place| index.char_to_byte(utf8, place)).collect();
        Ok(pointers(&json, &places))
    })
}

/// Whether the places of the entries of `text`, which is YAML, are known: it is cut between them, else between
/// lines.
#[pyfunction]
pub fn has_yaml_places(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<bool> {
    let text = Text::of(text)?;
    let utf8 = text.as_str();
    detached(py, |pulse| Ok(!entries(utf8, pulse)?.is_empty()))
}
