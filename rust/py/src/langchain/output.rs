//! Chunks as Python strings.

use chunkwright_parity::langchain::{Chunk, JoinedPart, Output};
use chunkwright_text::offsets::{CharSweep, count_chars};
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::strings::substring::substring;
use crate::strings::text::Text;

/// The chunks as slices of the caller's own string, or of it and the glue.
pub fn texts<'py>(
    py: Python<'py>,
    text: &Text<'py>,
    glues: &[Py<PyString>],
    output: &Output,
) -> PyResult<Bound<'py, PyList>> {
    let mut slices = Slices::new(py, text, glues);
    let texts: PyResult<Vec<_>> = output.chunks.iter().map(|chunk| slices.chunk(chunk)).collect();
    PyList::new(py, texts?)
}

/// Code points before each byte of `bytes`.
pub fn chars<'py>(
    py: Python<'py>,
    text: &Text<'_>,
    bytes: impl Iterator<Item = usize>,
) -> PyResult<Bound<'py, PyList>> {
    let mut sweep = text.document().char_sweep();
    let chars: Vec<usize> = bytes.map(|byte| sweep.at(byte)).collect();
    PyList::new(py, chars)
}

/// Spans of tokens, which may end inside a code point, decoded as Python does with `replace`.
pub fn decoded<'py>(
    py: Python<'py>,
    text: &Text<'py>,
    spans: &[Span],
) -> PyResult<Bound<'py, PyList>> {
    let mut slices = Slices::new(py, text, &[]);
    let utf8 = text.as_str();
    let whole = |span: &Span| utf8.is_char_boundary(span.start) && utf8.is_char_boundary(span.end);
    let texts: PyResult<Vec<_>> = spans
        .iter()
        .map(|span| {
            if whole(span) {
                return slices.span(*span);
            }
            let lossy = String::from_utf8_lossy(&utf8.as_bytes()[span.range()]);
            Ok(PyString::new(py, &lossy))
        })
        .collect();
    PyList::new(py, texts?)
}

struct Slices<'a, 'py> {
    py: Python<'py>,
    text: &'a Text<'py>,
    glues: &'a [Py<PyString>],
    starts: CharSweep<'a>,
    ends: CharSweep<'a>,
}

impl<'a, 'py> Slices<'a, 'py> {
    fn new(py: Python<'py>, text: &'a Text<'py>, glues: &'a [Py<PyString>]) -> Self {
        Self {
            py,
            text,
            glues,
            starts: text.document().char_sweep(),
            ends: text.document().char_sweep(),
        }
    }

    fn chunk(&mut self, chunk: &Chunk) -> PyResult<Bound<'py, PyString>> {
        match chunk {
            Chunk::Slice(span) => self.span(*span),
            Chunk::Joined { parts, .. } => {
                let parts: PyResult<Vec<_>> = parts.iter().map(|part| self.part(*part)).collect();
                let joined = PyString::new(self.py, "").call_method1("join", (parts?,))?;
                Ok(joined.cast_into()?)
            }
        }
    }

    fn span(&mut self, span: Span) -> PyResult<Bound<'py, PyString>> {
        self.text.slice(self.starts.at(span.start), self.ends.at(span.end))
    }

    fn part(&mut self, part: JoinedPart) -> PyResult<Bound<'py, PyString>> {
        match part {
            JoinedPart::Text(span) => self.span(span),
            JoinedPart::Glue(separator, span) => {
                let glue = self.glues[separator].bind(self.py);
                let utf8 = Text::of_code_points(glue)?;
                let chars = |byte: usize| count_chars(&utf8.as_str().as_bytes()[..byte]);
                substring(glue, chars(span.start), chars(span.end))
            }
        }
    }
}
