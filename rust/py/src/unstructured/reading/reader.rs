//! Reader of elements: objects and dicts from Python, their fields checked.

use chunkwright_read::unstructured::kind_of_type;
use chunkwright_text::elements::Kind;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::errors::{no_elements, not_an_element, wrong_field};
use super::kinds::KindCache;
use super::nesting::Nesting;
use super::page_numbers::PageNumbers;
use crate::unstructured::signal_checks::SignalChecks;

/// An element as Python has it.
pub struct InputElement<'py> {
    /// What the caller gave.
    pub object: Bound<'py, PyAny>,
    /// Its metadata by name.
    pub metadata: Bound<'py, PyDict>,
    /// Its kind, by its class or type.
    pub kind: Kind,
    /// Its text, empty if there is none.
    pub text: Bound<'py, PyString>,
    /// The HTML of a table.
    pub html: Option<Bound<'py, PyString>>,
    /// The number of its page.
    pub page: Option<i64>,
    /// Whether it says what it was made of.
    pub has_originals: bool,
    /// Its place among others, where that is wanted and said.
    pub nesting: Option<Nesting<'py>>,
}

/// Reads one element after another; `i` is the number of the next.
pub struct Reader<'py> {
    i: usize,
    pages: PageNumbers<'py>,
    no_metadata: Bound<'py, PyDict>,
    /// Whether the places of elements among others are wanted.
    nests: bool,
}

impl<'py> Reader<'py> {
    /// Reads all of `items` by `read`, for that reading.
    ///
    /// # Errors
    /// Those of `read`, of the iterator, and of signals.
    pub fn all(
        items: &Bound<'py, PyAny>,
        reading: Reading,
        mut read: impl FnMut(&mut Self, Bound<'py, PyAny>) -> PyResult<InputElement<'py>>,
    ) -> PyResult<Vec<InputElement<'py>>> {
        let py = items.py();
        let nests = reading == Reading::Document;
        let (pages, no_metadata) = (PageNumbers::new(py), PyDict::new(py));
        let mut reader = Self { i: 0, pages, no_metadata, nests };
        let mut signals = SignalChecks::default();
        let mut all = Vec::with_capacity(items.len().unwrap_or(0).min(1 << 20));
        for item in items.try_iter().map_err(|error| no_elements(items, error))? {
            all.push(read(&mut reader, item?)?);
            reader.i += 1;
            signals.after_one(py)?;
        }
        Ok(all)
    }

    /// An object with `text` and `metadata`. No text is an empty one.
    pub fn object(
        &mut self,
        item: Bound<'py, PyAny>,
        kinds: &mut KindCache<'_, 'py>,
    ) -> PyResult<InputElement<'py>> {
        let py = item.py();
        let missing = |error| not_an_element(self.i, &item, error);
        let text = item.getattr(pyo3::intern!(py, "text")).map_err(missing)?;
        let metadata = item.getattr(pyo3::intern!(py, "metadata")).map_err(missing)?;
        let metadata = metadata.getattr(pyo3::intern!(py, "__dict__"));
        let metadata = metadata.map_err(missing)?.cast_into::<PyDict>().map_err(PyErr::from)?;
        let text = if text.is_none() { PyString::intern(py, "") } else { self.str("text", text)? };
        let kind = kinds.kind(&item)?;
        self.item(item, metadata, kind, text)
    }

    /// A dict with `type`, `text` and `metadata`, as JSON has it.
    pub fn dict(&mut self, item: Bound<'py, PyAny>) -> PyResult<InputElement<'py>> {
        let (py, i) = (item.py(), self.i);
        let Ok(dict) = item.cast::<PyDict>() else {
            return Err(wrong_field(i, "an element", "a dict", &item));
        };
        let kind = match filled(dict, pyo3::intern!(py, "type"))? {
            None => Kind::Paragraph,
            Some(name) => kind_of_type(self.str("type", name)?.to_str().unwrap_or_default()),
        };
        let text = match dict.get_item(pyo3::intern!(py, "text"))? {
            Some(text) => self.str("text", text)?,
            None if is_check_box(dict)? => PyString::intern(py, ""),
            None => return Err(wrong_field(i, "text", "a str", &py.None().into_bound(py))),
        };
        let metadata = match filled(dict, pyo3::intern!(py, "metadata"))? {
            None => self.no_metadata.clone(),
            Some(metadata) => metadata
                .cast_into::<PyDict>()
                .map_err(|error| wrong_field(i, "metadata", "a dict", &error.into_inner()))?,
        };
        self.item(item, metadata, kind, text)
    }

    fn item(
        &mut self,
        item: Bound<'py, PyAny>,
        metadata: Bound<'py, PyDict>,
        kind: Kind,
        text: Bound<'py, PyString>,
    ) -> PyResult<InputElement<'py>> {
        let py = item.py();
        let page = match filled(&metadata, pyo3::intern!(py, "page_number"))? {
            None => None,
            Some(page) => Some(
                self.pages
                    .number(&page)
                    .map_err(|_| wrong_field(self.i, "page_number", "a number", &page))?,
            ),
        };
        let html = match kind {
            Kind::Table => filled(&metadata, pyo3::intern!(py, "text_as_html"))?,
            _ => None,
        };
        let html = html.map(|html| self.str("text_as_html", html)).transpose()?;
        let has_originals = filled(&metadata, pyo3::intern!(py, "orig_elements"))?.is_some();
        let nesting = if self.nests { Nesting::of(&metadata)? } else { None };
        Ok(InputElement { object: item, metadata, kind, text, html, page, has_originals, nesting })
    }

    fn str(&self, field: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        value
            .cast_into::<PyString>()
            .map_err(|error| wrong_field(self.i, field, "a str", &error.into_inner()))
    }
}

/// What stands under `key`, unless it is None.
fn filled<'py>(
    dict: &Bound<'py, PyDict>,
    key: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(dict.get_item(key)?.filter(|value| !value.is_none()))
}

/// Whether a dict is of the one type of element that needs no text.
fn is_check_box(dict: &Bound<'_, PyDict>) -> PyResult<bool> {
    let name = dict.get_item(pyo3::intern!(dict.py(), "type"))?;
    name.map_or(Ok(false), |name| name.eq("CheckBox"))
}

/// How the texts of elements become that of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As they are given, surrogates one by one.
    Verbatim,
    /// Tables say what their cells do, and surrogates that make a character are one.
    Document,
}
