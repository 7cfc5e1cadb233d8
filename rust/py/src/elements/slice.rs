//! Slice of elements: some of them with their texts, apart from the document.

use std::collections::HashMap;

use chunkwright_text::read::slice::Whole;
use chunkwright_text::span::Span;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::Elements;
use crate::strings::substring::substring;
use crate::strings::text::{Lazy, Text};

/// What a slice keeps of an element: its number, where it starts and ends, its first and last line, and where what is
/// kept of it starts and ends, all in the document and in code points; and its HTML.
pub type KeptRow<'py> = (usize, [usize; 2], [usize; 2], [usize; 2], Option<Bound<'py, PyString>>);

/// Where a link starts and ends in the text, in code points, its target, and whether it is an image.
pub type LinkRow = (usize, usize, String, bool);

impl Elements {
    /// See the method `slice`.
    pub(super) fn sliced(
        &self,
        py: Python<'_>,
        rows: Vec<KeptRow<'_>>,
        links: Vec<LinkRow>,
    ) -> PyResult<Self> {
        let source = self.get(py)?.bind(py);
        let mut whole = Whole { links, ..Whole::default() };
        let (mut spans, mut htmls) = (Vec::with_capacity(rows.len()), HashMap::new());
        // Texts stand on lines of their own, so that no two surrogates of two of them make a pair.
        let (mut texts, mut at) = (vec![PyString::intern(py, "")], 1);
        for (i, (number, chars, lines, kept, html)) in rows.into_iter().enumerate() {
            let element = self.items().get(number);
            let element =
                element.ok_or_else(|| PyIndexError::new_err(format!("no element {number}")))?;
            let n_bytes = |of: [usize; 2]| -> PyResult<usize> {
                Ok(Text::of(&substring(source, of[0], of[1])?)?.as_str().len())
            };
            let text = substring(source, kept[0], kept[1])?;
            let start = element.span.start
                + if kept[0] == chars[0] { 0 } else { n_bytes([chars[0], kept[0]])? };
            let n = Text::of(&text)?.as_str().len();
            htmls.extend(html.map(|html| (i, html.unbind())));
            whole.numbers.push(number);
            whole.chars.push(chars);
            whole.lines.push(lines);
            whole.kept.push(Span::new(start, start + n));
            whole.kept_chars.push(kept);
            spans.push(Span::new(at, at + n));
            texts.push(text);
            at += n + 1;
        }
        let texts = PyList::new(py, texts)?;
        let text = PyString::intern(py, "\n").call_method1("join", (texts,))?.cast_into()?;
        let stand_ins = self.stand_ins.clone();
        Ok(Self { htmls, stand_ins, ..Self::placed(text, self.read.slice(whole, &spans)) })
    }

    /// Where a place in the text of an element, in code points, is in the document that it is a slice of.
    pub(super) fn in_document(&self, index: usize, char: usize, text: &Text<'_>) -> usize {
        let Some(whole) = &self.read.whole else { return char };
        let start = self.items()[index].span.start;
        char + whole.kept_chars[index][0] - self.chars(text).byte_to_char(text.as_str(), start)
    }
}
