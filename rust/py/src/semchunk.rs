//! semchunk's chunks of a `str`, counted natively or by a callable.

use chunkwright_engine::unit::Unit as EngineUnit;
use chunkwright_parity::semchunk::{Counts, Prefix, Tokens, v3, v4};
use chunkwright_text::error::Result;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::to_core;
use crate::gate::{attached, check_signals, detached};
use crate::measure::unit::Unit;
use crate::strings::text::Text;

/// Chunks, and where they start and end.
type Found = (Py<PyList>, Py<PyList>);

/// What semchunk 3.2.5 makes of `text`: for tests of what Docling's chunkers stand on.
#[pyfunction]
#[pyo3(signature = (text, unit, size, max_token_chars=None))]
pub fn semchunk_v3(
    text: &Bound<'_, PyString>,
    unit: &Unit,
    size: usize,
    max_token_chars: Option<usize>,
) -> PyResult<Py<PyList>> {
    let source = Text::of_code_points(text)?;
    let utf8 = source.as_str();
    let spans = unit.with_measure(text.py(), &source, source.document(), |measure, pulse| {
        v3::split(utf8, size, max_token_chars, measure, pulse)
    })?;
    Ok(source.slices(spans.into_iter())?.unbind())
}

/// What semchunk 4.1.1 makes of `text` without overlap: the chunks, and their starts and ends in code
/// points.
///
/// Counted by `unit`, if it is native and the text is valid Unicode, else by `count`. `prefix` is the
/// size of the counter's own chunks and the length of its longest token.
#[pyfunction]
#[pyo3(signature = (text, limit, count, unit=None, prefix=None))]
pub fn semchunk(
    text: &Bound<'_, PyString>,
    limit: &Bound<'_, PyAny>,
    count: &Bound<'_, PyAny>,
    unit: Option<&Unit>,
    prefix: Option<(usize, usize)>,
) -> PyResult<Found> {
    let source = Text::of_code_points(text)?;
    let chars = CharIndex::new(source.as_str(), &[]);
    let native = unit.and_then(Unit::native).filter(|_| text.to_str().is_ok());
    let spans = match (native, limit.extract::<f64>()) {
        (Some(native), Ok(limit)) => natively(&source, &chars, limit, native, prefix, text.py())?,
        (_, number) => {
            let called = CalledCounts {
                text: &source,
                chars: &chars,
                limit,
                is_number: number.is_ok(),
                count,
            };
            let limit = number.unwrap_or(f64::NAN);
            attached(text.py(), |pulse| v4::split(source.as_str(), &chars, limit, &called, pulse))?
        }
    };
    let offsets = spans.iter().map(|&span| ends(source.as_str(), &chars, span));
    let offsets = PyList::new(text.py(), offsets)?.unbind();
    Ok((source.slices(spans.into_iter())?.unbind(), offsets))
}

fn natively(
    source: &Text<'_>,
    chars: &CharIndex,
    limit: f64,
    native: &EngineUnit,
    prefix: Option<(usize, usize)>,
    py: Python<'_>,
) -> PyResult<Vec<Span>> {
    let document = source.document();
    let prefix = prefix.map(|(size, longest)| Prefix::new(size, longest));
    detached(py, |pulse| {
        native.with_measure(document, pulse, |measure, pulse| {
            let counts = Tokens::new(document.text(), chars, measure, prefix);
            v4::split(document.text(), chars, limit, &counts, pulse)
        })
    })
}

/// The code points at which `span` starts and ends.
fn ends(text: &str, chars: &CharIndex, span: Span) -> (usize, usize) {
    (chars.byte_to_char(text, span.start), chars.byte_to_char(text, span.end))
}

/// A callable that counts.
struct CalledCounts<'a, 'py> {
    text: &'a Text<'py>,
    chars: &'a CharIndex,
    limit: &'a Bound<'py, PyAny>,
    /// Whether the limit is a number.
    is_number: bool,
    count: &'a Bound<'py, PyAny>,
}

impl CalledCounts<'_, '_> {
    fn call(&self, span: Span) -> PyResult<f64> {
        let (start, end) = ends(self.text.as_str(), self.chars, span);
        let counted = self.count.call1((self.text.slice(start, end)?,))?;
        let number = counted.extract::<f64>();
        if self.is_number && number.is_ok() {
            return number;
        }
        // What is no number is compared first, which raises what it does in semchunk.
        counted.gt(self.limit)?;
        number
    }
}

impl Counts for CalledCounts<'_, '_> {
    fn tokens(&self, span: Span) -> Result<f64> {
        check_signals(self.count.py())?;
        self.call(span).map_err(to_core)
    }
}
