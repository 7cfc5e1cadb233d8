//! Segments of a text: ends of sentences, and the separators of Markdown.

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::sentence::{Language, Sentences};
use chunkwright_text::segment::separator::{MARKDOWN, RST};
use chunkwright_text::unicode::line_ends::unified;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::gate::detached;
use crate::strings::text::Text;

/// The ends of the sentences of `text`, in code points; the last one is the text's length.
#[pyfunction]
pub fn sentence_ends(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    language: &str,
) -> PyResult<Vec<usize>> {
    let text = Text::of(text)?;
    let (utf8, document) = (text.as_str(), text.document());
    detached(py, |pulse| {
        let mut chars = document.char_sweep();
        let ends = byte_ends(&unified(utf8), Language::known(language)?, pulse)?;
        Ok(ends.into_iter().map(|end| chars.at(end)).collect())
    })
}

/// The codes of the languages that sentences are told apart in.
#[pyfunction]
pub fn sentence_languages() -> Vec<&'static str> {
    Language::codes().collect()
}

/// The separators of a markup that has its own, and whether each is a regular expression; none of others.
#[pyfunction]
pub fn markup_separators(markup: &str) -> Vec<(&'static str, bool)> {
    match markup {
        "markdown" => MARKDOWN.to_vec(),
        "rst" => RST.to_vec(),
        _ => Vec::new(),
    }
}

fn byte_ends(text: &str, language: Language, pulse: Pulse<'_>) -> Result<Vec<usize>> {
    let (mut ends, beat) = (Vec::new(), Beat::of_bytes(pulse));
    let mut sentences = Sentences::in_language(text, language);
    while let Some(sentence) = sentences.try_next(&beat)? {
        ends.push(sentence.end);
    }
    Ok(ends)
}
