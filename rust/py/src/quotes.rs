//! Quotations looked for in texts, for Python.

use chunkwright_core::offsets::CharIndex;
use chunkwright_core::quotes::{
    self as core, MIN_QUOTE_CHARS, Nearest, Place, Source, Verdict, compare,
};
use chunkwright_core::span::Span;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::gate::detached;
use crate::strings::text::Utf8;

/// A text, normalised for many quotations; any thread may ask it.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct QuoteIndex {
    text: Py<PyString>,
    index: core::QuoteIndex,
    chars: CharIndex,
}

type CharSpan = (usize, usize);

#[pymethods]
impl QuoteIndex {
    #[new]
    fn new(py: Python<'_>, text: Py<PyString>) -> PyResult<Self> {
        let utf8 = Utf8::of(py, &text)?;
        let document = utf8.document();
        let (index, chars) = detached(py, |pulse| {
            let index = core::QuoteIndex::new(document.text(), pulse)?;
            Ok((index, CharIndex::new(document.text(), document.pairs())))
        })?;
        drop(utf8);
        Ok(Self { text, index, chars })
    }

    #[getter]
    fn text(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    /// The first places of the quotation, `limit` at most.
    fn find(&self, py: Python<'_>, quote: Py<PyString>, limit: usize) -> PyResult<Vec<CharSpan>> {
        let (text, quote) = (Utf8::of(py, &self.text)?, Utf8::of(py, &quote)?);
        let (text, quote) = (text.document().text(), quote.document().text());
        detached(py, |pulse| {
            let spans = self.index.find(text, quote, limit, pulse)?;
            Ok(spans.into_iter().map(|span| chars_of(&self.chars, text, span)).collect())
        })
    }
}

/// So many characters a quotation has at least.
#[pyfunction]
pub const fn min_quote_chars() -> usize {
    MIN_QUOTE_CHARS
}

type Compared =
    (&'static str, Vec<(usize, usize, usize)>, Option<(usize, CharSpan, CharSpan, CharSpan)>);

/// The verdict on a quotation in several texts.
#[pyfunction]
pub fn compare_quote(
    py: Python<'_>,
    indexes: Vec<Py<QuoteIndex>>,
    quote: Py<PyString>,
    limit: usize,
) -> PyResult<Compared> {
    let indexes: Vec<&QuoteIndex> = indexes.iter().map(Py::get).collect();
    let texts: Vec<Utf8<'_>> =
        indexes.iter().map(|index| Utf8::of(py, &index.text)).collect::<PyResult<_>>()?;
    let quote = Utf8::of(py, &quote)?;
    let (texts, quote): (Vec<&str>, _) =
        (texts.iter().map(|text| text.document().text()).collect(), quote.document());
    detached(py, |pulse| {
        let pairs = texts.iter().zip(&indexes);
        let sources: Vec<Source<'_>> =
            pairs.map(|(text, index)| Source { text, index: &index.index }).collect();
        let found = compare(&sources, quote.text(), limit, pulse)?;
        let chars = |text: usize, span: Span| chars_of(&indexes[text].chars, texts[text], span);
        let place = |Place { text, span }| {
            let (start, end) = chars(text, span);
            (text, start, end)
        };
        let nearest = |Nearest { text, span, quoted, stands }| {
            let quoted =
                chars_of(&CharIndex::new(quote.text(), quote.pairs()), quote.text(), quoted);
            (text, chars(text, span), quoted, chars(text, stands))
        };
        let places = found.places.into_iter().map(place).collect();
        Ok((name(found.verdict), places, found.nearest.map(nearest)))
    })
}

const fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Found => "found",
        Verdict::Abridged => "abridged",
        Verdict::Stitched => "stitched",
        Verdict::Missing => "missing",
    }
}

fn chars_of(chars: &CharIndex, text: &str, span: Span) -> CharSpan {
    (chars.byte_to_char(text, span.start), chars.byte_to_char(text, span.end))
}
