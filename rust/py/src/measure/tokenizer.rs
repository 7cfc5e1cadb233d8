//! Token counts of whole texts and of spans.

use chunkwright_engine::pool::Pool;
use chunkwright_engine::tokenizer_cache::{Parsed, parsed};
use chunkwright_engine::unit::{Prepared, Unit as EngineUnit};
use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::measure::bpe::{BpeParts, NAMES, Pattern};
use chunkwright_text::measure::tokenizer_json::Specials;
use chunkwright_text::measure::{Bpe, Measure};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::{named, to_python};
use crate::gate::{attached, detached};
use crate::measure::unit::Unit;
use crate::strings::text::{Text, with_pairs_joined};

/// A tokenizer that needs no Python.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Tokenizer {
    native: EngineUnit,
    /// What the model expects around a text; none if that depends on the text.
    specials: Option<Specials>,
}

impl Tokenizer {
    /// What it encodes with.
    pub const fn native(&self) -> &EngineUnit {
        &self.native
    }

    /// The encoders of a vocabulary that is counted natively.
    pub fn pool(&self) -> Option<&Pool> {
        self.native.pool()
    }
}

#[pymethods]
impl Tokenizer {
    /// Names of the built-in ones.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        NAMES.to_vec()
    }

    /// A built-in one, which adds no special tokens.
    #[staticmethod]
    fn named(name: &str) -> PyResult<Self> {
        let known = || format!("unknown vocabulary {name:?}; built in are {}", NAMES.join(", "));
        let bpe = Bpe::named(name).ok_or_else(|| named("ConfigError", known()))?;
        Ok(Self { native: EngineUnit::bpe(bpe), specials: Some(Specials::default()) })
    }

    /// One of tiktoken's kind, from its tokens in the order of their ranks, which are the ids; none if
    /// its pattern is unknown or its tokens do not fit the tables.
    #[staticmethod]
    fn from_ranks(
        name: String,
        pattern: &str,
        tokens: Vec<Bound<'_, PyBytes>>,
        ranks: Vec<u32>,
    ) -> PyResult<Option<Self>> {
        let Some(pattern) = Pattern::of_regex(pattern) else { return Ok(None) };
        let parts = BpeParts {
            name,
            tokens: tokens.iter().map(PyBytesMethods::as_bytes).collect(),
            ids: ranks,
            others: Vec::new(),
            pattern,
            added: Vec::new(),
            nfc: false,
        };
        let bpe = Bpe::new(parts).map_err(to_python)?;
        let specials = Some(Specials::default());
        Ok(bpe.map(|bpe| Self { native: EngineUnit::bpe(bpe), specials }))
    }

    /// The one that the text of a `tokenizer.json` describes, read once while it is in use; none if it is not
    /// counted natively.
    #[staticmethod]
    fn from_json(py: Python<'_>, name: &str, json: &Bound<'_, PyString>) -> PyResult<Option<Self>> {
        let Parsed { unit, specials } = parsed_json(py, name, json)?;
        Ok(unit.ok().map(|native| Self { native, specials }))
    }

    /// What is known of the one that the text of a `tokenizer.json` describes, if it is not counted natively:
    /// how many times longer its normaliser may make a text, and whether it puts the same special tokens
    /// around each text.
    #[staticmethod]
    fn foreign(
        py: Python<'_>,
        name: &str,
        json: &Bound<'_, PyString>,
    ) -> PyResult<Option<(usize, bool)>> {
        let Parsed { unit, specials } = parsed_json(py, name, json)?;
        Ok(unit.err().map(|foreign| (foreign.growth, specials.is_some())))
    }

    /// The same, with the special tokens that the model adds to each text.
    fn with_special_tokens(&self) -> PyResult<Self> {
        let message =
            "what its post-processor adds depends on the text: special_tokens cannot be True";
        let specials = self.specials.as_ref();
        let specials = specials.ok_or_else(|| named("ConfigError", message.into()))?;
        let native = self.native.with_specials(specials.clone());
        Ok(Self { native, specials: self.specials.clone() })
    }

    /// How tokens are counted: `bpe`, `wordpiece`, or `unigram`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.native.kind()
    }

    /// The regular expression that splits a text into pre-tokens, if there is one.
    #[getter]
    fn pattern(&self) -> Option<&'static str> {
        self.pool().map(|pool| pool.vocabulary().pattern())
    }

    /// The largest id that a token may have.
    #[getter]
    fn max_id(&self) -> u32 {
        self.native.max_id()
    }

    /// Bytes of the longest token of a byte-pair encoding, special ones excluded.
    #[getter]
    fn max_token_bytes(&self) -> Option<usize> {
        self.pool().map(|pool| pool.vocabulary().max_token_bytes())
    }

    /// What strategies count in.
    fn unit(&self) -> Unit {
        Unit::of(self.native.clone())
    }

    /// Tokens of `text`.
    fn count(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<usize> {
        let text = with_pairs_joined(text)?;
        let utf8 = text.to_str()?;
        detached(py, |pulse| self.native.count(utf8, pulse))
    }

    /// The ids of the tokens of `text`.
    fn encode(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Vec<u32>> {
        let text = with_pairs_joined(text)?;
        let utf8 = text.to_str()?;
        detached(py, |pulse| self.native.encode(utf8, pulse))
    }

    /// The bytes that `ids` stand for.
    fn decode<'py>(&self, py: Python<'py>, ids: Vec<u32>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, |_| self.native.decode(&ids))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Encodes `text` once, so that any span of it can be counted.
    fn index(&self, py: Python<'_>, text: Bound<'_, PyString>) -> PyResult<TokenIndex> {
        let utf8 = Text::of(&text)?;
        let (source, pairs) = (utf8.as_str(), utf8.pairs());
        let (prepared, chars) = detached(py, |pulse| {
            Ok((self.native.prepare(source, pulse)?, CharIndex::new(source, pairs)))
        })?;
        let (native, repaired) = (self.native.clone(), utf8.into_repaired());
        Ok(TokenIndex { source: text.unbind(), repaired, native, prepared, chars })
    }
}

fn parsed_json(py: Python<'_>, name: &str, json: &Bound<'_, PyString>) -> PyResult<Parsed> {
    let json = with_pairs_joined(json)?;
    let json = json.to_str()?;
    detached(py, |_| parsed(name, json))
}

/// A text whose spans can be counted.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct TokenIndex {
    source: Py<PyString>,
    /// The text as it was encoded, if it is not the source itself.
    repaired: Option<String>,
    native: EngineUnit,
    prepared: Prepared,
    chars: CharIndex,
}

impl TokenIndex {
    /// Asks the measure of the text, which `ask` is given too; detached if the answer takes its time.
    fn measured(
        &self,
        py: Python<'_>,
        ask: impl Send + FnOnce(&str, &dyn Measure) -> Result<usize>,
    ) -> PyResult<usize> {
        let text = match &self.repaired {
            Some(text) => text,
            None => self.source.bind(py).to_str()?,
        };
        let document = Document::with_n_chars(text, self.chars.n_chars(), &[]);
        let (native, prepared) = (&self.native, &self.prepared);
        if matches!(prepared, Prepared::Nothing) {
            detached(py, |pulse| native.measured(document, prepared, pulse, |m| ask(text, m)))
        } else {
            attached(py, |pulse| native.measured(document, prepared, pulse, |m| ask(text, m)))
        }
    }

    fn check(&self, start: usize, end: usize) -> PyResult<()> {
        let n_chars = self.chars.n_chars();
        if start <= end && end <= n_chars {
            return Ok(());
        }
        let message = format!("{start}:{end} is not a range of a text of {n_chars} characters");
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
        self.measured(py, |text, measure| {
            let byte = |char| self.chars.char_to_byte(text, char);
            measure.size(Span::new(byte(start), byte(end)))
        })
    }

    /// The greatest `end` for which `text[start:end]` has at most `max_tokens` tokens.
    fn longest(&self, py: Python<'_>, start: usize, max_tokens: usize) -> PyResult<usize> {
        self.check(start, self.chars.n_chars())?;
        self.measured(py, |text, measure| {
            let start = self.chars.char_to_byte(text, start);
            Ok(self.chars.byte_to_char(text, measure.longest(start, max_tokens)?))
        })
    }
}
