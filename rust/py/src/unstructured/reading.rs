//! Reader of objects and dicts from Python into the core's element table.

use std::borrow::Cow;

use chunkwright_core::elements::Kind;
use chunkwright_core::error::Result as CoreResult;
use chunkwright_core::pulse::Pulse;
use chunkwright_core::read::html;
use chunkwright_core::read::unstructured::{Unstructured, kind_of_type};
use chunkwright_core::unicode::space::is_space;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::grid::recovered;
use super::kinds::KindCache;
use super::nesting::Nesting;
use super::pages::Pages;
use super::surrogates::StandIns;
use super::ticks::Ticks;
use super::wrong::{no_elements, not_an_element, wrong};
use crate::gate::detached;

/// An element as Python has it.
pub struct Item<'py> {
    /// What the caller gave.
    pub given: Bound<'py, PyAny>,
    /// Its metadata by name.
    pub metadata: Bound<'py, PyDict>,
    kind: Kind,
    text: Bound<'py, PyString>,
    html: Option<Bound<'py, PyString>>,
    page: Option<i64>,
    /// Whether it says what it was made of.
    pub has_originals: bool,
    /// Its place among others, where that is wanted and said.
    pub nesting: Option<Nesting<'py>>,
}

/// Reads one element after another; `i` is the number of the next.
pub struct Reader<'py> {
    i: usize,
    pages: Pages<'py>,
    no_metadata: Bound<'py, PyDict>,
    /// Whether the places of elements among others are wanted.
    nests: bool,
}

/// Elements between two looks for signals.
const PULSE: usize = 4096;

/// Bytes of HTML between two looks for signals.
const PULSE_BYTES: usize = 1 << 18;

impl<'py> Reader<'py> {
    /// Reads all of `items` by `read`, for that reading.
    ///
    /// # Errors
    /// Those of `read`, of the iterator, and of signals.
    pub fn all(
        items: &Bound<'py, PyAny>,
        reading: Reading,
        mut read: impl FnMut(&mut Self, Bound<'py, PyAny>) -> PyResult<Item<'py>>,
    ) -> PyResult<Vec<Item<'py>>> {
        let py = items.py();
        let nests = reading == Reading::Whole;
        let (pages, no_metadata) = (Pages::new(py), PyDict::new(py));
        let mut reader = Self { i: 0, pages, no_metadata, nests };
        let mut ticks = Ticks::default();
        let mut all = Vec::with_capacity(items.len().unwrap_or(0).min(1 << 20));
        for item in items.try_iter().map_err(|error| no_elements(items, error))? {
            all.push(read(&mut reader, item?)?);
            reader.i += 1;
            ticks.tick(py)?;
        }
        Ok(all)
    }

    /// An object with `text` and `metadata`. No text is an empty one.
    pub fn object(
        &mut self,
        item: Bound<'py, PyAny>,
        kinds: &mut KindCache<'_, 'py>,
    ) -> PyResult<Item<'py>> {
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
    pub fn dict(&mut self, item: Bound<'py, PyAny>) -> PyResult<Item<'py>> {
        let (py, i) = (item.py(), self.i);
        let Ok(dict) = item.cast::<PyDict>() else {
            return Err(wrong(i, "an element", "a dict", &item));
        };
        let kind = match filled(dict, pyo3::intern!(py, "type"))? {
            None => Kind::Paragraph,
            Some(name) => kind_of_type(self.str("type", name)?.to_str().unwrap_or_default()),
        };
        let text = match dict.get_item(pyo3::intern!(py, "text"))? {
            Some(text) => self.str("text", text)?,
            None if is_check_box(dict)? => PyString::intern(py, ""),
            None => return Err(wrong(i, "text", "a str", &py.None().into_bound(py))),
        };
        let metadata = match filled(dict, pyo3::intern!(py, "metadata"))? {
            None => self.no_metadata.clone(),
            Some(metadata) => metadata
                .cast_into::<PyDict>()
                .map_err(|error| wrong(i, "metadata", "a dict", &error.into_inner()))?,
        };
        self.item(item, metadata, kind, text)
    }

    fn item(
        &mut self,
        item: Bound<'py, PyAny>,
        metadata: Bound<'py, PyDict>,
        kind: Kind,
        text: Bound<'py, PyString>,
    ) -> PyResult<Item<'py>> {
        let py = item.py();
        let page = match filled(&metadata, pyo3::intern!(py, "page_number"))? {
            None => None,
            Some(page) => Some(
                self.pages
                    .number(&page)
                    .map_err(|_| wrong(self.i, "page_number", "a number", &page))?,
            ),
        };
        let html = match kind {
            Kind::Table => filled(&metadata, pyo3::intern!(py, "text_as_html"))?,
            _ => None,
        };
        let html = html.map(|html| self.str("text_as_html", html)).transpose()?;
        let has_originals = filled(&metadata, pyo3::intern!(py, "orig_elements"))?.is_some();
        let nesting = if self.nests { Nesting::of(&metadata)? } else { None };
        Ok(Item { given: item, metadata, kind, text, html, page, has_originals, nesting })
    }

    fn str(&self, field: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        value
            .cast_into::<PyString>()
            .map_err(|error| wrong(self.i, field, "a str", &error.into_inner()))
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

/// An element as the core takes it.
struct Given<'a> {
    kind: Kind,
    text: Cow<'a, str>,
    html: Option<Cow<'a, str>>,
    page: Option<i64>,
}

/// Elements as they were read.
pub struct Read {
    /// The core's table.
    pub table: Unstructured,
    /// What stands in it for surrogates.
    pub stand_ins: StandIns,
    /// The numbers of the tables whose HTML is none.
    pub unread: Vec<usize>,
}

/// How the texts of elements become that of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As they are given, surrogates one by one.
    Given,
    /// Tables say what their cells do, and surrogates that make a character are one.
    Whole,
}

/// Reads `items`.
///
/// HTML that only a lenient parser reads goes through `recover`, which answers with regular HTML or None;
/// without it, through one of our own.
///
/// # Errors
/// Those of `recover`, and of signals.
pub fn table(
    py: Python<'_>,
    items: &[Item<'_>],
    recover: Option<&Bound<'_, PyAny>>,
    reading: Reading,
) -> PyResult<Read> {
    let htmls = items.iter().filter_map(|item| item.html.as_ref());
    let stand_ins = StandIns::of(items.iter().map(|item| &item.text).chain(htmls).cloned())?;
    let given: PyResult<Vec<Given<'_>>> =
        items.iter().map(|item| given(item, &stand_ins, reading)).collect();
    let given = given?;
    let recovers = recover.is_none();
    let mut tables = detached(py, |pulse| parsed(&given, recovers, pulse))?;
    if let Some(recover) = recover {
        for (i, table) in &mut tables {
            if let (html::Table::Irregular, Some(html)) = (&*table, &given[*i].html) {
                *table = recovered(html.trim_matches(is_space), &stand_ins, recover)?;
            }
        }
    }
    let is_read = |table: &html::Table| matches!(table, html::Table::Grid(_));
    let unread = tables.iter().filter(|(_, table)| !is_read(table)).map(|(i, _)| *i).collect();
    let table = detached(py, |pulse| filled_table(&given, tables, reading, pulse))?;
    Ok(Read { table, stand_ins, unread })
}

fn given<'a>(item: &'a Item<'_>, stand_ins: &StandIns, reading: Reading) -> PyResult<Given<'a>> {
    let put = |text: &'a Bound<'_, PyString>| match reading {
        Reading::Given => stand_ins.put(text),
        Reading::Whole => stand_ins.put_characters(text),
    };
    let html = item.html.as_ref().map(put).transpose()?;
    Ok(Given { kind: item.kind, text: put(&item.text)?, html, page: item.page })
}

/// The tables among `given`, with their numbers.
fn parsed(
    given: &[Given<'_>],
    recovers: bool,
    pulse: Pulse<'_>,
) -> CoreResult<Vec<(usize, html::Table)>> {
    let (mut tables, mut n_bytes) = (Vec::new(), 0);
    for (i, given) in given.iter().enumerate() {
        let html = given.html.as_deref().unwrap_or_default().trim_matches(is_space);
        if html.is_empty() {
            continue;
        }
        n_bytes += html.len();
        if n_bytes > PULSE_BYTES {
            pulse()?;
            n_bytes = 0;
        }
        tables.push((
            i,
            match html::parse(html) {
                html::Table::Irregular if recovers => html::recover(html),
                table => table,
            },
        ));
    }
    Ok(tables)
}

fn filled_table(
    given: &[Given<'_>],
    tables: Vec<(usize, html::Table)>,
    reading: Reading,
    pulse: Pulse<'_>,
) -> CoreResult<Unstructured> {
    let n_bytes = given.iter().map(|given| given.text.len()).sum();
    let mut table = Unstructured::with_capacity(given.len(), n_bytes);
    let mut tables = tables.into_iter().peekable();
    for (i, given) in given.iter().enumerate() {
        if i.is_multiple_of(PULSE) {
            pulse()?;
        }
        let grid = match tables.next_if(|(of, _)| *of == i) {
            Some((_, html::Table::Grid(grid))) => Some(grid),
            _ => None,
        };
        match reading {
            Reading::Given => table.push(given.kind, &given.text, given.page, grid),
            Reading::Whole => table.push_with_cells(given.kind, &given.text, given.page, grid),
        }
    }
    Ok(table)
}
