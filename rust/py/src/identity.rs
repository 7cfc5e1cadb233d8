//! Ids of documents and chunks, and the hashes that they are made of.

use chunkwright_text::identity;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::strings::text::Text;

/// The id of a document that the caller gave none.
#[pyfunction]
pub fn document_id(text: &Bound<'_, PyString>) -> PyResult<String> {
    Ok(identity::document_id(Text::of(text)?.as_str()))
}

/// For each text its hash after whitespace collapse.
#[pyfunction]
pub fn content_hashes<'py>(
    py: Python<'py>,
    texts: Vec<Bound<'py, PyString>>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let hash = |text| {
        let hash = identity::content_hash(Text::of(text)?.as_str());
        Ok(PyBytes::new(py, &hash))
    };
    texts.iter().map(hash).collect()
}

/// The id of a chunk by its document's name, the hash of its text, and how many others with it stand before it.
#[pyfunction]
pub fn chunk_id(name: &Bound<'_, PyString>, content: &[u8], occurrence: u64) -> PyResult<String> {
    let content = content.try_into().map_err(|_| PyValueError::new_err("a hash has 32 bytes"))?;
    Ok(identity::id_of(Text::of(name)?.as_str(), content, occurrence))
}
