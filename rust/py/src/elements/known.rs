//! Element table for the core: its text and items, and how one is made.

use std::collections::HashMap;
use std::sync::OnceLock;

use chunkwright_read::{Read, links};
use chunkwright_text::elements::Element;
use chunkwright_text::offsets::{CharIndex, count_chars};
use chunkwright_text::read::link::Link;
use chunkwright_text::source_map::SourceMap;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use super::Elements;
use crate::gate::detached;
use crate::numbers::column::Column;
use crate::strings::text::{Lazy, Text, Utf8};
use crate::unstructured::reading::core_table::table;
use crate::unstructured::reading::nesting::nest;
use crate::unstructured::reading::reader::{InputElement, Reading};
use crate::unstructured::surrogates::StandIns;

impl Elements {
    /// The element table.
    pub fn items(&self) -> &[Element] {
        &self.read.elements
    }

    /// What the reader found.
    pub const fn read(&self) -> &Read {
        &self.read
    }

    /// The text as UTF-8, if it is at hand.
    pub fn utf8(&self) -> Option<Utf8<'_>> {
        self.read.text.as_ref().map(|utf8| Utf8::known(utf8, self.n_chars))
    }

    /// The text for the core.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn text<'a>(&'a self, py: Python<'a>) -> PyResult<Text<'a>> {
        match self.utf8() {
            Some(utf8) => Ok(Text::lazy(py, self, utf8)),
            None => Text::of(self.get(py)?.bind(py)),
        }
    }

    /// Where the characters of the text stand, which [`Elements::text`] is. O(n) when it is first asked for.
    pub fn chars(&self, text: &Text<'_>) -> &CharIndex {
        self.chars.get_or_init(|| CharIndex::new(text.as_str(), text.pairs()))
    }

    /// What stands for surrogates in the HTML of tables.
    pub const fn stand_ins(&self) -> &StandIns {
        &self.stand_ins
    }

    /// A text of the core's, say HTML, for Python.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn take<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
        self.stand_ins.take(py, text)
    }

    /// A text of Python's, say HTML, for the core.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn put(&self, text: &Bound<'_, PyString>) -> PyResult<String> {
        Ok(self.stand_ins.put(text)?.into_owned())
    }

    /// Where the text stands in what was read.
    pub const fn source(&self) -> &SourceMap {
        &self.read.source
    }

    pub(super) fn of_items(
        py: Python<'_>,
        items: Vec<InputElement<'_>>,
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut made = table(py, &items, recover, Reading::Document)?;
        nest(items.iter().map(|item| (&item.object, item.nesting.as_ref())), &mut made.table)?;
        let mut read = made.table.finish();
        let text = match read.text.take() {
            Some(utf8) if !made.stand_ins.is_empty() => self::made(made.stand_ins.take(py, &utf8)?),
            utf8 => {
                read.text = utf8;
                PyOnceLock::new()
            }
        };
        let numbered = items.iter().enumerate().filter(|(_, item)| item.has_originals);
        let with_originals = numbered.map(|(i, _)| i).collect();
        Ok(Self { text, with_originals, stand_ins: made.stand_ins, ..Self::of(read) })
    }

    /// What was read off a text that stays as it is.
    pub fn placed(text: Bound<'_, PyString>, read: Read) -> Self {
        Self { text: made(text), ..Self::of(read) }
    }

    /// What was read, with its text if that is another one than what was read.
    pub fn of(read: Read) -> Self {
        let n_chars = read.text.as_ref().map_or(0, |utf8| count_chars(utf8.as_bytes()));
        Self {
            text: PyOnceLock::new(),
            n_chars,
            chars: OnceLock::new(),
            read,
            with_originals: Vec::new(),
            page: None,
            htmls: HashMap::new(),
            stand_ins: StandIns::default(),
        }
    }

    /// Positions in the text, in code points.
    pub(super) fn positions(&self, py: Python<'_>, side: usize) -> PyResult<Column> {
        if let Some(whole) = &self.read.whole {
            return Ok(Column::new(whole.chars.iter().map(|chars| chars[side])));
        }
        let text = self.text(py)?;
        let mut sweep = text.document().char_sweep();
        let byte = |element: &Element| [element.span.start, element.span.end][side];
        Ok(Column::new(self.items().iter().map(|element| sweep.at(byte(element)))))
    }

    /// The links, found anew.
    pub(super) fn find_links(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Link>> {
        let page = self.page.as_ref().map(|page| Text::of(page.bind(py))).transpose()?;
        let page = page.as_ref().map_or("", Text::as_str);
        detached(py, |pulse| links::find(&self.read.links, text, page, pulse))
    }
}

impl Lazy for Elements {
    fn get(&self, py: Python<'_>) -> PyResult<&Py<PyString>> {
        let make = || {
            let utf8 = self.read.text.as_deref().unwrap_or_default();
            Ok::<_, PyErr>(self.stand_ins.take(py, utf8)?.unbind())
        };
        self.text.get_or_try_init(py, make)
    }
}

/// The cell of a text that need not be made.
pub fn made(text: Bound<'_, PyString>) -> PyOnceLock<Py<PyString>> {
    let cell = PyOnceLock::new();
    // It is empty.
    let _ = cell.set(text.py(), text.unbind());
    cell
}
