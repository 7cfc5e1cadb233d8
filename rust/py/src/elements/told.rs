//! Kinds of texts that are told by content.

use chunkwright_core::read::told;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::named;
use crate::text::Text;

/// Whether a text is of a kind that is told by content: `"elements"`, `"html"` or `"markdown"`.
///
/// # Errors
/// If it is another kind.
#[pyfunction]
pub fn looks_like(kind: &str, text: &Bound<'_, PyString>) -> PyResult<bool> {
    let text = Text::of(text)?;
    Ok(match kind {
        "elements" => told::looks_like_elements(text.as_str()),
        "html" => told::looks_like_html(text.as_str()),
        "markdown" => told::looks_like_markdown(text.as_str()),
        other => return Err(named("ConfigError", format!("nothing tells the kind {other:?}"))),
    })
}
