//! Regular expressions that Python matches.

use chunkwright_parity::langchain::Patterns;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::offsets::{CharSweep, skip_chars, skip_chars_back};
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::to_core;
use crate::strings::text::Text;

/// Asks an object of Python for matches in pieces of the text.
pub struct Matched<'a, 'py> {
    py: Python<'py>,
    text: &'a Text<'py>,
    starts: CharSweep<'a>,
    ends: CharSweep<'a>,
    matchers: &'a [Option<Py<PyAny>>],
    /// The last piece: it is searched for one separator after the other.
    last: Option<(Span, Bound<'py, PyString>)>,
}

impl<'a, 'py> Matched<'a, 'py> {
    pub fn new(text: &'a Text<'py>, matchers: &'a [Option<Py<PyAny>>], py: Python<'py>) -> Self {
        let (starts, ends) = (text.document().char_sweep(), text.document().char_sweep());
        Self { py, text, starts, ends, matchers, last: None }
    }

    fn ask(&mut self, separator: usize, piece: Span, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let text = self.slice(piece)?;
        match self.matchers[separator].as_ref() {
            Some(matcher) => matcher.bind(self.py).call_method1(name, (text,)),
            None => Ok(self.py.None().into_bound(self.py)),
        }
    }

    fn slice(&mut self, piece: Span) -> PyResult<Bound<'py, PyString>> {
        match &self.last {
            Some((span, text)) if *span == piece => Ok(text.clone()),
            _ => {
                let (start, end) = (self.starts.at(piece.start), self.ends.at(piece.end));
                let text = self.text.slice(start, end)?;
                self.last = Some((piece, text.clone()));
                Ok(text)
            }
        }
    }

    /// Bounds in code points of `piece` as spans of the text.
    fn spans(&self, piece: Span, bounds: &[(usize, usize)]) -> Vec<Span> {
        let document = self.text.document();
        let mut place = Place { document, byte: piece.start, start: piece.start, char: 0 };
        bounds.iter().map(|&(start, end)| Span::new(place.at(start), place.at(end))).collect()
    }
}

impl Patterns for Matched<'_, '_> {
    fn found(&mut self, separator: usize, piece: Span) -> Result<bool> {
        self.ask(separator, piece, "found").and_then(|found| found.is_truthy()).map_err(to_core)
    }

    fn parts(&mut self, separator: usize, piece: Span) -> Result<Vec<Span>> {
        let bounds = self.ask(separator, piece, "parts").map_err(to_core)?;
        let bounds: Vec<(usize, usize)> = bounds.extract().map_err(to_core)?;
        Ok(self.spans(piece, &bounds))
    }
}

/// Turns code points into bytes, going from one place to the next.
struct Place<'a> {
    document: Document<'a>,
    start: usize,
    byte: usize,
    char: usize,
}

impl Place<'_> {
    /// The byte where code point `char` behind `start` begins.
    fn at(&mut self, char: usize) -> usize {
        let text = self.document.text();
        self.byte = if self.document.is_ascii() {
            self.start + char
        } else if char >= self.char {
            skip_chars(text, self.byte, char - self.char)
        } else {
            skip_chars_back(text, self.byte, self.char - char)
        };
        self.char = char;
        self.byte
    }
}
