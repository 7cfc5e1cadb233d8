//! Kinds of inputs, as the front door of the readers asks for them.

use chunkwright_read::kinds::{FileKind, InputKind, KINDS};
use chunkwright_read::signatures::Signature;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Elements;
use crate::error::named;
use crate::gate::detached;
use crate::strings::text::Text;

/// The kinds of inputs by name, those first that are told by content first, with how the names of files end.
#[pyfunction]
pub fn input_kinds() -> Vec<(&'static str, &'static [&'static str])> {
    KINDS.iter().map(|kind| (kind.name, kind.suffixes)).collect()
}

/// The name of the kind of a text: by its content, else by how its name ends; if it has no name, by how it begins.
///
/// # Errors
/// If memory runs out.
#[pyfunction]
pub fn input_kind(text: &Bound<'_, PyString>, suffix: Option<&str>) -> PyResult<&'static str> {
    let text = Text::of(text)?;
    Ok(InputKind::told(text.as_str(), suffix).name)
}

/// The encoding of a text that states none, by its bytes, as the Encoding Standard names it.
#[pyfunction]
pub fn told_encoding(py: Python<'_>, data: &[u8]) -> &'static str {
    py.detach(|| chunkwright_read::encodings::told(data))
}

/// The name of the format that is no text, whose files begin so, the kind that it is read as, if there is a reader
/// of it, and what makes text of it.
#[pyfunction]
pub fn signature(head: &[u8]) -> Option<(&'static str, Option<&'static str>, String)> {
    Signature::of(head).map(|found| (found.name, found.kind, found.remedy()))
}

/// The elements of a file of a kind that holds no text, by the reader of that kind.
#[pyfunction]
pub fn elements_of_file(kind: &str, data: &Bound<'_, PyBytes>) -> PyResult<Elements> {
    let unknown = || named("ConfigError", format!("unknown kind {kind:?}"));
    let kind = FileKind::named(kind).ok_or_else(unknown)?;
    let bytes = data.as_bytes();
    detached(data.py(), |pulse| kind.read(bytes, pulse)).map(Elements::of)
}
