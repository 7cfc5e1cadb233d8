//! Places of known blocks in a new text for Python.

use chunkwright_search::align::{Block, block_places as places};
use chunkwright_text::error::Error;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::to_python;
use crate::gate::detached;
use crate::strings::text::Utf8;

/// Whether each block begins, and ends, inside a word of `text`; spans are code points, and the whitespace at their
/// ends does not count.
#[pyfunction]
pub fn word_cuts(
    py: Python<'_>,
    text: Py<PyString>,
    spans: Vec<(usize, usize)>,
) -> PyResult<Vec<(bool, bool)>> {
    let utf8 = Utf8::of(py, &text)?;
    let document = utf8.document();
    let text = document.text();
    detached(py, |_| {
        let chars = CharIndex::new(document.text(), document.pairs());
        let cuts = |(start, end): (usize, usize)| {
            if start > end || end > chars.n_chars() {
                let n_chars = chars.n_chars();
                let message = format!("{start} to {end} is no span of {n_chars} code points");
                return Err(Error::Position(message));
            }
            let span = Span::new(chars.char_to_byte(text, start), chars.char_to_byte(text, end));
            let block = Block::of(text, span);
            Ok((block.starts_inside_word, block.ends_inside_word))
        };
        spans.into_iter().map(cuts).collect()
    })
}

/// The place of each block in the new text, in code points; `cuts` says whether they began, and ended, inside a word.
#[pyfunction]
pub fn block_places(
    py: Python<'_>,
    text: Py<PyString>,
    blocks: Vec<Py<PyString>>,
    cuts: Vec<(bool, bool)>,
) -> PyResult<Vec<Option<(usize, usize)>>> {
    if blocks.len() != cuts.len() {
        let (n_blocks, n_cuts) = (blocks.len(), cuts.len());
        let message = format!("each block has its cuts: got {n_blocks} blocks and {n_cuts} cuts");
        return Err(to_python(Error::Config(message)));
    }
    let utf8 = Utf8::of(py, &text)?;
    let texts: Vec<Utf8<'_>> =
        blocks.iter().map(|block| Utf8::of(py, block)).collect::<PyResult<_>>()?;
    let (document, texts): (_, Vec<_>) =
        (utf8.document(), texts.iter().map(|text| text.document().text()).collect());
    detached(py, |pulse| {
        let block = |(text, (starts_inside_word, ends_inside_word))| Block {
            text,
            starts_inside_word,
            ends_inside_word,
        };
        let blocks: Vec<Block<'_>> = texts.into_iter().zip(cuts).map(block).collect();
        let found = places(document.text(), &blocks, pulse)?;
        let chars = CharIndex::new(document.text(), document.pairs());
        let position = |at: usize| chars.byte_to_char(document.text(), at);
        let chars = |span: Span| (position(span.start), position(span.end));
        Ok(found.into_iter().map(|place| place.map(chars)).collect())
    })
}
