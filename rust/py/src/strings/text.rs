//! Text of a Python `str` as UTF-8, and slices of it as `str` again.

use std::borrow::Cow;

use chunkwright_text::document::Document;
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::strings::substring::{n_chars, substring};

/// The UTF-8 of a `str`: borrowed, or a copy whose surrogates, which UTF-8 lacks, are repaired.
///
/// Offsets in code points are those of the original, also where two of its surrogates became one
/// character. Any thread may read it.
#[derive(Debug)]
pub struct Utf8<'a> {
    text: Cow<'a, str>,
    n_chars: usize,
    /// Bytes of the characters that were two surrogates.
    pairs: Vec<usize>,
}

impl<'a> Utf8<'a> {
    /// Borrows `source`; surrogates that make a pair are joined, others become U+FFFD.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of(py: Python<'_>, source: &'a Py<PyString>) -> PyResult<Self> {
        Self::repaired_by(py, source, true)
    }

    /// Borrows `source`; each surrogate becomes U+FFFD, so that code points stay code points.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of_code_points(py: Python<'_>, source: &'a Py<PyString>) -> PyResult<Self> {
        Self::repaired_by(py, source, false)
    }

    /// `text` of `n_chars` code points, as it is.
    pub const fn known(text: &'a str, n_chars: usize) -> Self {
        Self { text: Cow::Borrowed(text), n_chars, pairs: Vec::new() }
    }

    fn repaired_by(py: Python<'_>, source: &'a Py<PyString>, joins_pairs: bool) -> PyResult<Self> {
        let (text, pairs) = if let Ok(text) = source.to_str(py) {
            (Cow::Borrowed(text), Vec::new())
        } else {
            let (text, pairs) = repaired(source.bind(py), joins_pairs)?;
            (Cow::Owned(text), pairs)
        };
        Ok(Self { text, n_chars: n_chars(source.bind(py))?, pairs })
    }

    /// The text for the core.
    pub fn document(&self) -> Document<'_> {
        Document::with_n_chars(&self.text, self.n_chars, &self.pairs)
    }
}

/// What makes a `str` when it is asked for.
pub trait Lazy {
    /// The `str`.
    ///
    /// # Errors
    /// If memory runs out.
    fn get(&self, py: Python<'_>) -> PyResult<&Py<PyString>>;
}

/// Where the `str` of a text is from.
enum Source<'py> {
    Given(&'py Bound<'py, PyString>),
    Lazy(Python<'py>, &'py dyn Lazy),
}

/// A `str` with its [`Utf8`].
pub struct Text<'py> {
    source: Source<'py>,
    utf8: Utf8<'py>,
}

impl<'py> Text<'py> {
    /// Borrows `source`; surrogates that make a pair are joined, others become U+FFFD.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of(source: &'py Bound<'py, PyString>) -> PyResult<Self> {
        Self::repaired_by(source, true)
    }

    /// The text of `source`, which is `utf8`.
    pub const fn lazy(py: Python<'py>, source: &'py dyn Lazy, utf8: Utf8<'py>) -> Self {
        Self { source: Source::Lazy(py, source), utf8 }
    }

    /// Borrows `source`; each surrogate becomes U+FFFD, so that code points stay code points.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of_code_points(source: &'py Bound<'py, PyString>) -> PyResult<Self> {
        Self::repaired_by(source, false)
    }

    fn repaired_by(source: &'py Bound<'py, PyString>, joins_pairs: bool) -> PyResult<Self> {
        let utf8 = Utf8::repaired_by(source.py(), source.as_unbound(), joins_pairs)?;
        Ok(Self { source: Source::Given(source), utf8 })
    }

    fn source(&self) -> PyResult<&Bound<'py, PyString>> {
        match self.source {
            Source::Given(source) => Ok(source),
            Source::Lazy(py, lazy) => Ok(lazy.get(py)?.bind(py)),
        }
    }

    /// Bytes of the characters that were two surrogates.
    pub fn pairs(&self) -> &[usize] {
        &self.utf8.pairs
    }

    /// The repaired copy, if there had to be one.
    pub fn into_repaired(self) -> Option<String> {
        match self.utf8.text {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        }
    }

    /// The text as UTF-8.
    pub fn as_str(&self) -> &str {
        &self.utf8.text
    }

    /// The original's code points `start..end` as a new `str`.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn slice(&self, start: usize, end: usize) -> PyResult<Bound<'py, PyString>> {
        substring(self.source()?, start, end)
    }

    /// Slices the original: one `str` for each span of bytes; fastest if they ascend.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn slices(
        &self,
        spans: impl ExactSizeIterator<Item = Span>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (mut starts, mut ends) = (self.document().char_sweep(), self.document().char_sweep());
        let texts: PyResult<Vec<_>> =
            spans.map(|span| self.slice(starts.at(span.start), ends.at(span.end))).collect();
        PyList::new(self.source()?.py(), texts?)
    }

    /// The text for the core.
    pub fn document(&self) -> Document<'_> {
        self.utf8.document()
    }
}

/// `source` in an encoding that lets surrogates pass, by the method of `str`, not that of a subclass.
///
/// # Errors
/// If memory runs out.
pub fn encoded<'py>(source: &Bound<'py, PyString>, encoding: &str) -> PyResult<Bound<'py, PyAny>> {
    let kind = source.py().get_type::<PyString>();
    kind.call_method1("encode", (source, encoding, "surrogatepass"))
}

/// A surrogate in the encoding that Python calls `surrogatepass`.
const SURROGATE_BYTES: usize = 3;

/// A copy of `source` without surrogates, and where in it those stand that were a pair.
fn repaired(source: &Bound<'_, PyString>, joins_pairs: bool) -> PyResult<(String, Vec<usize>)> {
    let encoded = encoded(source, "utf-8")?;
    let mut rest: &[u8] = encoded.extract()?;
    let (mut text, mut pairs) = (String::with_capacity(rest.len()), Vec::new());
    loop {
        match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                return Ok((text, pairs));
            }
            Err(error) => {
                let (valid, invalid) = rest.split_at(error.valid_up_to());
                text.push_str(&String::from_utf8_lossy(valid));
                let pair = pair(invalid).filter(|_| joins_pairs);
                if pair.is_some() {
                    pairs.push(text.len());
                }
                text.push(pair.unwrap_or(char::REPLACEMENT_CHARACTER));
                let n_bytes = SURROGATE_BYTES * if pair.is_some() { 2 } else { 1 };
                rest = invalid.get(n_bytes..).unwrap_or_default();
            }
        }
    }
}

/// The character of the two surrogates that `bytes` begin with, if they make one.
fn pair(bytes: &[u8]) -> Option<char> {
    let unit = |bytes: &[u8]| u16::from(bytes[1] & 0x3f) << 6 | u16::from(bytes[2] & 0x3f) | 0xd000;
    let is_surrogate = |bytes: &[u8]| bytes[0] == 0xed && bytes[1] >= 0xa0;
    let (high, low) = bytes.get(..2 * SURROGATE_BYTES)?.split_at(SURROGATE_BYTES);
    let units = [unit(high), unit(low)];
    (is_surrogate(high) && is_surrogate(low))
        .then(|| char::decode_utf16(units).next())?
        .and_then(Result::ok)
}

/// The text as tiktoken encodes it: `source` itself, or a copy in which surrogates that make a pair
/// are joined and others became U+FFFD.
///
/// # Errors
/// If memory runs out.
pub fn with_pairs_joined<'py>(source: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    if source.to_str().is_ok() {
        return Ok(source.clone());
    }
    let encoded = encoded(source, "utf-16")?;
    Ok(encoded.call_method1("decode", ("utf-16", "replace"))?.cast_into()?)
}
