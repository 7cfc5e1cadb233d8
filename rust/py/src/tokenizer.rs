//! Token counts of whole texts and of spans.

use chunkwright_core::error::Error;
use chunkwright_core::measure::bpe::NAMES;
use chunkwright_core::measure::{Bpe as CoreBpe, Memo, TokenIndex as CoreIndex};
use chunkwright_core::offsets::CharIndex;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::{named, to_python};
use crate::gate::detached;
use crate::pool::Pool;
use crate::text::{Text, with_pairs_joined};

/// A built-in vocabulary.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Bpe {
    /// Its encoders.
    pub pool: Pool,
}

#[pymethods]
impl Bpe {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let known = || format!("unknown vocabulary {name:?}; built in are {}", NAMES.join(", "));
        CoreBpe::named(name)
            .map(|bpe| Self { pool: Pool::new(bpe) })
            .ok_or_else(|| named("ConfigError", known()))
    }

    /// Names of the built-in vocabularies.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        NAMES.to_vec()
    }

    /// Number of tokens, special ones excluded.
    #[getter]
    const fn n_vocab(&self) -> usize {
        self.pool.bpe().n_vocab()
    }

    /// The regular expression that splits a text into pre-tokens.
    #[getter]
    const fn pattern(&self) -> &'static str {
        self.pool.bpe().pattern()
    }

    /// Tokens of `text`.
    fn count(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<usize> {
        let text = with_pairs_joined(text)?;
        let utf8 = text.to_str()?;
        detached(py, |pulse| self.pool.with(|encoder| encoder.count(utf8, pulse)))
    }

    /// The ids of the tokens of `text`.
    fn encode(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Vec<u32>> {
        let text = with_pairs_joined(text)?;
        let utf8 = text.to_str()?;
        detached(py, |pulse| self.pool.with(|encoder| encoder.encode(utf8, pulse)))
    }

    /// The bytes that `ids` stand for.
    fn decode<'py>(&self, py: Python<'py>, ids: Vec<u32>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, |_| self.pool.bpe().decode(&ids))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Encodes `text` once, so that any span of it can be counted.
    fn index(&self, py: Python<'_>, text: Bound<'_, PyString>) -> PyResult<TokenIndex> {
        let utf8 = Text::of(&text)?;
        let (source, pairs) = (utf8.as_str(), utf8.pairs());
        let (index, chars) = detached(py, |pulse| {
            let index = self.pool.with(|encoder| encoder.index(source, pulse))?;
            Ok((index, CharIndex::new(source, pairs)))
        })?;
        let repaired = utf8.into_repaired();
        Ok(TokenIndex { source: text.unbind(), repaired, index, chars })
    }
}

/// A text whose spans can be counted.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct TokenIndex {
    source: Py<PyString>,
    /// The text as it was encoded, if it is not the source itself.
    repaired: Option<String>,
    index: CoreIndex,
    chars: CharIndex,
}

impl TokenIndex {
    fn with_utf8<T>(&self, py: Python<'_>, ask: impl FnOnce(&str) -> PyResult<T>) -> PyResult<T> {
        match &self.repaired {
            Some(text) => ask(text),
            None => ask(self.source.bind(py).to_str()?),
        }
    }

    fn check(&self, start: usize, end: usize) -> PyResult<()> {
        let n_chars = self.chars.n_chars();
        if start <= end && end <= n_chars {
            return Ok(());
        }
        let message = format!("{start}:{end} is no range of a text of {n_chars} characters");
        Err(to_python(Error::Position(message)))
    }
}

#[pymethods]
impl TokenIndex {
    /// The text that was encoded.
    #[getter]
    fn text(&self, py: Python<'_>) -> Py<PyString> {
        self.source.clone_ref(py)
    }

    /// Tokens of `text[start:end]`; positions in code points.
    fn count(&self, py: Python<'_>, start: usize, end: usize) -> PyResult<usize> {
        self.check(start, end)?;
        self.with_utf8(py, |text| {
            let byte = |char| self.chars.char_to_byte(text, char);
            Ok(self.index.count(text, byte(start), byte(end)))
        })
    }

    /// The greatest `end` for which `text[start:end]` has at most `max_tokens` tokens.
    fn longest(&self, py: Python<'_>, start: usize, max_tokens: usize) -> PyResult<usize> {
        self.check(start, self.chars.n_chars())?;
        self.with_utf8(py, |text| {
            let start = self.chars.char_to_byte(text, start);
            let end = self.index.longest(text, start, max_tokens, &mut Memo::default());
            Ok(self.chars.byte_to_char(text, end))
        })
    }
}
