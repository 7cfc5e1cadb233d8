//! Offsets of a text in UTF-8 bytes and in code points, each by the other, for Python.

use chunkwright_text::offsets::CharIndex;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::gate::detached;
use crate::strings::text::Text;

/// Offsets of a text; any thread may ask it.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct CharOffsets {
    /// Empty where every code point is a byte.
    text: String,
    n_bytes: usize,
    index: CharIndex,
}

#[pymethods]
impl CharOffsets {
    #[new]
    fn new(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Self> {
        let text = Text::of(text)?;
        let (utf8, pairs) = (text.as_str(), text.pairs());
        detached(py, |_| {
            let index = CharIndex::new(utf8, pairs);
            let kept = if utf8.is_ascii() { String::new() } else { utf8.to_owned() };
            Ok(Self { text: kept, n_bytes: utf8.len(), index })
        })
    }

    /// The byte at which a code point begins.
    fn bytes_at(&self, char: usize) -> PyResult<usize> {
        let n_chars = self.index.n_chars();
        if char > n_chars {
            return Err(PyIndexError::new_err(format!("{n_chars} code points, got {char}")));
        }
        Ok(self.index.char_to_byte(&self.text, char))
    }

    /// The number of the code point that begins at a byte, or behind it.
    fn chars_at(&self, byte: usize) -> PyResult<usize> {
        if byte > self.n_bytes {
            return Err(PyIndexError::new_err(format!("{} bytes, got {byte}", self.n_bytes)));
        }
        Ok(self.index.byte_to_char(&self.text, byte))
    }
}
