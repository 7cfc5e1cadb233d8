//! Quotations looked for in texts, for Python.

use chunkwright_search::quotes::{
    self as core, MIN_QUOTE_BYTES, Nearest, Outcome, Place, Slot, Source, Verdict, compare_slots,
};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};

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

/// So many bytes of UTF-8 a quotation of one word has at least.
#[pyfunction]
pub const fn min_quote_bytes() -> usize {
    MIN_QUOTE_BYTES
}

/// What normalised texts may have, without them.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct QuoteFilter {
    filter: core::QuoteFilter,
}

#[pymethods]
impl QuoteFilter {
    #[classattr]
    const VERSION: u32 = core::QuoteFilter::VERSION;

    #[new]
    fn new(py: Python<'_>, texts: Vec<Py<PyString>>) -> PyResult<Self> {
        let held: Vec<Utf8<'_>> =
            texts.iter().map(|text| Utf8::of(py, text)).collect::<PyResult<_>>()?;
        let texts: Vec<&str> = held.iter().map(|text| text.document().text()).collect();
        let filter = detached(py, |pulse| {
            let indexes = texts.iter().map(|text| core::QuoteIndex::new(text, pulse));
            let indexes = indexes.collect::<Result<Vec<_>, _>>()?;
            Ok(core::QuoteFilter::of(indexes.iter()))
        })?;
        Ok(Self { filter })
    }

    #[staticmethod]
    fn of_bytes(py: Python<'_>, data: PyBackedBytes, key: PyBackedBytes) -> PyResult<Self> {
        Ok(Self { filter: detached(py, |_| core::QuoteFilter::of_bytes(&data, &key))? })
    }

    fn to_bytes<'py>(&self, py: Python<'py>, key: PyBackedBytes) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.filter.to_bytes(&key))
    }
}

type Texts = Vec<Py<QuoteIndex>>;
type Numbers = (usize, usize);
type Compared = (
    Vec<usize>,
    &'static str,
    Vec<(Numbers, CharSpan)>,
    Option<(Numbers, CharSpan, CharSpan, CharSpan)>,
);

/// The verdict on a quotation in slots of texts, each with a filter, its texts, or both; or the numbers of the slots
/// whose texts it takes to tell.
#[pyfunction]
pub fn compare_quote(
    py: Python<'_>,
    slots: Vec<(Option<Py<QuoteFilter>>, Option<Texts>)>,
    quote: Py<PyString>,
    limit: usize,
    n_near: usize,
) -> PyResult<Compared> {
    let filters: Vec<Option<&QuoteFilter>> =
        slots.iter().map(|(filter, _)| filter.as_ref().map(Py::get)).collect();
    let indexes: Vec<Option<Vec<&QuoteIndex>>> = slots
        .iter()
        .map(|(_, texts)| texts.as_ref().map(|texts| texts.iter().map(Py::get).collect()))
        .collect();
    let mut held: Vec<Vec<Utf8<'_>>> = Vec::with_capacity(indexes.len());
    for texts in &indexes {
        let texts = texts.iter().flatten().map(|index| Utf8::of(py, &index.text));
        held.push(texts.collect::<PyResult<_>>()?);
    }
    let quote = Utf8::of(py, &quote)?;
    let texts: Vec<Vec<&str>> = held
        .iter()
        .map(|texts| texts.iter().map(|text| text.document().text()).collect())
        .collect();
    let quote = quote.document();
    detached(py, |pulse| {
        let mut slots: Vec<Slot<'_>> = Vec::with_capacity(indexes.len());
        for (i, of) in indexes.iter().enumerate() {
            let mut sources = Vec::new();
            for (text, index) in texts[i].iter().zip(of.iter().flatten()) {
                sources.push(Source { text, index: &index.index });
            }
            let filter = filters[i].map(|each| &each.filter);
            slots.push(Slot { filter, texts: of.is_some().then_some(sources) });
        }
        let found = match compare_slots(&slots, quote.text(), limit, n_near, pulse)? {
            Outcome::Needs(numbers) => return Ok((numbers, "missing", Vec::new(), None)),
            Outcome::Done(found) => found,
        };
        let chars = |slot: usize, text: usize, span: Span| {
            let index = indexes[slot].as_ref().map(|of| of[text]);
            index.map_or((0, 0), |index| chars_of(&index.chars, texts[slot][text], span))
        };
        let place = |Place { slot, text, span }| ((slot, text), chars(slot, text, span));
        let nearest = |Nearest { place: Place { slot, text, span }, quoted, stands }| {
            let quoted =
                chars_of(&CharIndex::new(quote.text(), quote.pairs()), quote.text(), quoted);
            ((slot, text), chars(slot, text, span), quoted, chars(slot, text, stands))
        };
        let places = found.places.into_iter().map(place).collect();
        Ok((Vec::new(), name(found.verdict), places, found.nearest.map(nearest)))
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
