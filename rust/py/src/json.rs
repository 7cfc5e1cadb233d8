//! JSON Pointers of places in a text.

use chunkwright_core::offsets::CharIndex;
use chunkwright_core::read::json::{Json, pointers};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::gate::detached;
use crate::text::Text;

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
