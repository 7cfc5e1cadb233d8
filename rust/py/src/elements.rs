//! Element table of a document as Python sees it.

mod links;
mod rows;
mod told;

use std::collections::HashMap;

use chunkwright_core::elements::{Element, Kind, Parent, is_page_number};
use chunkwright_core::heading_paths::{HeadingPaths as Paths, Node};
use chunkwright_core::markup::Markup;
use chunkwright_core::offsets::{CharIndex, count_chars};
use chunkwright_core::read::html::page::{self, Landmark};
use chunkwright_core::read::link::Link;
use chunkwright_core::read::markdown;
use chunkwright_core::source_map::SourceMap;
use chunkwright_core::span::Span;
use chunkwright_engine::arrow_table::ReadDocument;
use chunkwright_engine::arrow_table::reading::single_spaced;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

use self::links::Links;
pub use self::told::looks_like;
use crate::error::named;
use crate::gate::detached;
use crate::heading_paths::HeadingPaths;
use crate::numbers::column::Column;
use crate::substring::n_chars;
use crate::text::{Lazy, Text, Utf8};
use crate::unstructured::kinds::{ElementKinds, KindCache};
use crate::unstructured::reading::{Item, Reader, Reading, table};
use crate::unstructured::surrogates::StandIns;

/// The text of a document and its elements.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Elements {
    /// The text, made when it is asked for if `utf8` is at hand.
    text: PyOnceLock<Py<PyString>>,
    /// The text as UTF-8, without surrogates, and its code points.
    utf8: Option<(String, usize)>,
    items: Vec<Element>,
    /// The numbers of the elements that say what they were made of.
    with_originals: Vec<usize>,
    /// Where each element is in what was read, in code points, if the text is another one.
    places: Option<[Py<Column>; 2]>,
    /// Where the text stands in what was read.
    source: SourceMap,
    /// The pages of the elements that are on several, by their numbers, ascending.
    several_pages: Vec<(usize, Vec<i64>)>,
    /// What headings say without the marks that make them headings, where their spans have such.
    titles: Vec<(usize, Span)>,
    /// The languages of code, where they are stated.
    languages: Vec<(usize, Box<str>)>,
    links: Links,
    /// What stands for surrogates in the HTML of tables.
    stand_ins: StandIns,
}

impl Elements {
    /// The element table.
    pub fn items(&self) -> &[Element] {
        &self.items
    }

    /// The text as UTF-8, if it is at hand.
    pub fn utf8(&self) -> Option<Utf8<'_>> {
        self.utf8.as_ref().map(|(utf8, n_chars)| Utf8::known(utf8, *n_chars))
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

    /// What the text is written in, if its reader knows.
    pub const fn markup(&self) -> Markup {
        match self.links {
            Links::Markdown => Markup::Markdown,
            Links::None | Links::Html(..) => Markup::Unknown,
        }
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
        &self.source
    }

    /// The same for tables of documents.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn as_read(&self, py: Python<'_>) -> PyResult<ReadDocument> {
        let text = self.text(py)?;
        let text = text.as_str();
        let title = |&(i, span): &(usize, Span)| (i, single_spaced(&text[span.range()]));
        Ok(ReadDocument {
            text: Some(text.to_owned()),
            elements: Some(self.items.clone()),
            titles: self.titles.iter().map(title).collect(),
            several_pages: self.several_pages.clone(),
            source: self.source.clone(),
            markup: self.markup(),
        })
    }

    fn of_items(
        py: Python<'_>,
        items: &[Item<'_>],
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let read = table(py, items, recover, Reading::Whole)?;
        let (utf8, elements) = read.table.finish();
        let (text, utf8) = if read.stand_ins.is_empty() {
            let n_chars = count_chars(utf8.as_bytes());
            (PyOnceLock::new(), Some((utf8, n_chars)))
        } else {
            (made(read.stand_ins.take(py, &utf8)?), None)
        };
        let numbered = items.iter().enumerate().filter(|(_, item)| item.has_originals);
        let with_originals = numbered.map(|(i, _)| i).collect();
        let stand_ins = read.stand_ins;
        Ok(Self { text, utf8, with_originals, stand_ins, ..Self::of(elements) })
    }

    /// `items` that stand in `text` as it is.
    pub fn placed(text: Bound<'_, PyString>, items: Vec<Element>) -> Self {
        Self { text: made(text), source: SourceMap::Same, ..Self::of(items) }
    }

    /// `items` of a text that a reader made; `places` is where each is in what was read: starts and ends in
    /// code points; `source` where the text is.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn read(
        py: Python<'_>,
        utf8: String,
        items: Vec<Element>,
        places: Option<[Vec<i64>; 2]>,
        source: SourceMap,
    ) -> PyResult<Self> {
        let n_chars = count_chars(utf8.as_bytes());
        let column = |values| Py::new(py, Column::of(values));
        let places = match places {
            Some([starts, ends]) => Some([column(starts)?, column(ends)?]),
            None => None,
        };
        Ok(Self { utf8: Some((utf8, n_chars)), places, source, ..Self::of(items) })
    }

    /// The same, with what headings say without marks, and the languages of code.
    #[must_use]
    pub fn with_words(self, titles: Vec<(usize, Span)>, languages: Vec<(usize, Box<str>)>) -> Self {
        Self { titles, languages, ..self }
    }

    /// The same, with the pages of the elements that are on several.
    #[must_use]
    pub fn with_pages(self, several_pages: Vec<(usize, Vec<i64>)>) -> Self {
        Self { several_pages, ..self }
    }

    /// `items` of which nothing else is known yet, not even the text.
    fn of(items: Vec<Element>) -> Self {
        Self {
            text: PyOnceLock::new(),
            utf8: None,
            items,
            with_originals: Vec::new(),
            places: None,
            source: SourceMap::Nowhere,
            several_pages: Vec::new(),
            titles: Vec::new(),
            languages: Vec::new(),
            links: Links::None,
            stand_ins: StandIns::default(),
        }
    }

    fn check_nesting(&self, levels: &[i64], parents: &[i64]) -> PyResult<()> {
        if [levels.len(), parents.len()] == [self.items.len(); 2] {
            return Ok(());
        }
        let message = format!("{} elements need as many levels and parents", self.items.len());
        Err(named("ConfigError", message))
    }

    /// Positions in the text, in code points.
    fn positions(&self, py: Python<'_>, byte: impl Fn(&Element) -> usize) -> PyResult<Column> {
        let text = self.text(py)?;
        let mut sweep = text.document().char_sweep();
        Ok(Column::new(self.items.iter().map(|element| sweep.at(byte(element)))))
    }
}

impl Lazy for Elements {
    fn get(&self, py: Python<'_>) -> PyResult<&Py<PyString>> {
        let make = || {
            let utf8 = self.utf8.as_ref().map_or("", |(utf8, _)| utf8);
            Ok::<_, PyErr>(self.stand_ins.take(py, utf8)?.unbind())
        };
        self.text.get_or_try_init(py, make)
    }
}

#[pymethods]
impl Elements {
    /// Those of Unstructured's objects, which have `text` and `metadata`; `kinds` knows their classes.
    #[staticmethod]
    #[pyo3(signature = (items, kinds, recover = None))]
    fn of_objects(
        items: &Bound<'_, PyAny>,
        kinds: &ElementKinds,
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut kinds = KindCache::new(kinds);
        let read = Reader::all(items, |reader, item| reader.object(item, &mut kinds))?;
        Self::of_items(items.py(), &read, recover)
    }

    /// Those of dicts that have `type`, `text` and `metadata`.
    #[staticmethod]
    #[pyo3(signature = (items, recover = None))]
    fn of_dicts(items: &Bound<'_, PyAny>, recover: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let read = Reader::all(items, Reader::dict)?;
        Self::of_items(items.py(), &read, recover)
    }

    /// Elements that stand in a text as it is: their kinds, starts and ends in code points, and pages.
    #[staticmethod]
    #[pyo3(signature = (text, kinds, starts, ends, pages = None))]
    fn of_spans(
        text: Bound<'_, PyString>,
        kinds: Vec<String>,
        starts: Vec<usize>,
        ends: Vec<usize>,
        pages: Option<Vec<Option<i64>>>,
    ) -> PyResult<Self> {
        let utf8 = Text::of(&text)?;
        let (index, n_chars) = (CharIndex::new(utf8.as_str(), utf8.pairs()), text.len()?);
        let wrong = |message: String| named("ConfigError", message);
        let pages = pages.unwrap_or_else(|| vec![None; kinds.len()]);
        if [starts.len(), ends.len(), pages.len()] != [kinds.len(); 3] {
            return Err(wrong(format!("{} elements need as many places and pages", kinds.len())));
        }
        let (mut items, mut before) = (Vec::with_capacity(kinds.len()), 0);
        for (i, name) in kinds.iter().enumerate() {
            let (start, end) = (starts[i], ends[i]);
            if start < before || end < start || end > n_chars {
                let message = format!("elements[{i}] stands at {start}..{end}, which is not");
                return Err(wrong(format!("{message} behind {before} in a text of {n_chars}")));
            }
            let kind = Kind::named(name)
                .ok_or_else(|| wrong(format!("elements[{i}]: unknown kind {name:?}")))?;
            let at = |char| index.char_to_byte(utf8.as_str(), char);
            items.push(Element {
                kind,
                span: Span::new(at(start), at(end)),
                page: pages[i],
                ..Element::default()
            });
            before = end;
        }
        drop(utf8);
        Ok(Self::placed(text, items))
    }

    /// Those of a Markdown text, which stand in it as it is.
    #[staticmethod]
    fn of_markdown(text: Bound<'_, PyString>) -> PyResult<Self> {
        let utf8 = Text::of(&text)?;
        let source = utf8.as_str();
        let read = text.py().detach(|| markdown::read(source));
        drop(utf8);
        let (titles, languages) = (read.titles, read.languages);
        let links = Links::Markdown;
        Ok(Self { titles, languages, links, ..Self::placed(text, read.elements) })
    }

    /// One table of what stands in `source`: for each row its cells, without surrogates, and where it starts and
    /// ends, in code points of the source without surrogates.
    #[staticmethod]
    fn of_rows(
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        n_header_rows: usize,
        source: &Bound<'_, PyString>,
    ) -> PyResult<Self> {
        rows::table(py, rows, n_header_rows, source)
    }

    /// The same elements with these levels, 0 where it is not known, and parents, -1 where there is none.
    fn nested(&self, py: Python<'_>, levels: Vec<i64>, parents: Vec<i64>) -> PyResult<Self> {
        self.check_nesting(&levels, &parents)?;
        let of_element = |((item, level), parent): ((&Element, i64), i64)| Element {
            level: level_of(level),
            parent: usize::try_from(parent).map(Parent::of).unwrap_or_default(),
            ..item.clone()
        };
        let items = self.items.iter().zip(levels).zip(parents).map(of_element).collect();
        let text = PyOnceLock::new();
        if let Some(made) = self.text.get(py) {
            // It is empty.
            let _ = text.set(py, made.clone_ref(py));
        }
        Ok(Self {
            text,
            utf8: self.utf8.clone(),
            items,
            with_originals: self.with_originals.clone(),
            places: self.places(py),
            source: self.source.clone(),
            several_pages: self.several_pages.clone(),
            titles: self.titles.clone(),
            languages: self.languages.clone(),
            links: self.links.clone_ref(py),
            stand_ins: self.stand_ins.clone(),
        })
    }

    /// The headings above the elements, which have these levels, 0 where it is not known, and parents, -1 where
    /// there is none.
    fn heading_paths(&self, levels: Vec<i64>, parents: Vec<i64>) -> PyResult<HeadingPaths> {
        self.check_nesting(&levels, &parents)?;
        let nodes = self.items.iter().zip(levels).zip(parents);
        let node = |((item, level), parent): ((&Element, i64), i64)| Node {
            is_heading: item.kind == Kind::Heading,
            level: level_of(level),
            parent: usize::try_from(parent).ok(),
        };
        Ok(HeadingPaths::new(Paths::new(nodes.map(node))))
    }

    /// Those of an HTML page, of which the parts `drop` are left out, and its title.
    #[staticmethod]
    fn of_html(source: &Bound<'_, PyString>, drop: Vec<String>) -> PyResult<(Self, String)> {
        let landmark = |name: &String| {
            Landmark::named(name)
                .ok_or_else(|| named("ConfigError", format!("drop has an unknown part {name:?}")))
        };
        let dropped = drop.iter().map(landmark).collect::<PyResult<Vec<_>>>()?;
        let (py, given, source) = (source.py(), source, Text::of(source)?);
        let html = source.as_str();
        let page = detached(py, |pulse| page::read(html, &dropped, pulse))?;
        let index = CharIndex::new(html, source.pairs());
        let chars = |byte: fn(&Span) -> usize| {
            let bytes = page.places.iter().map(byte);
            bytes.map(|byte| index.byte_to_char(html, byte).cast_signed() as i64).collect()
        };
        let places = [chars(|place| place.start), chars(|place| place.end)];
        let links = Links::Html(given.clone().unbind(), dropped);
        let source_map = page.source_map(html, source.pairs());
        let read = Self::read(py, page.text, page.elements, Some(places), source_map)?;
        Ok((Self { links, languages: page.languages, ..read }, page.title))
    }

    fn __len__(&self) -> usize {
        self.items.len()
    }

    /// The text of the document.
    #[getter(text)]
    fn text_of_document(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        Ok(self.get(py)?.clone_ref(py))
    }

    /// Code points of the text.
    #[getter]
    pub fn n_chars(&self, py: Python<'_>) -> PyResult<usize> {
        match self.utf8 {
            Some((_, n_chars)) => Ok(n_chars),
            None => n_chars(self.get(py)?.bind(py)),
        }
    }

    /// Where in the text each element begins, in code points.
    fn starts(&self, py: Python<'_>) -> PyResult<Column> {
        self.positions(py, |element| element.span.start)
    }

    /// Where in the text each element ends.
    fn ends(&self, py: Python<'_>) -> PyResult<Column> {
        self.positions(py, |element| element.span.end)
    }

    /// What each element is; see [`Kind::name`].
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let name = |element: &Element| PyString::intern(py, element.kind.name());
        PyList::new(py, self.items.iter().map(name))
    }

    /// What headings say without the marks that make them headings, by their numbers; those that have no such
    /// marks are left out.
    fn titles(&self, py: Python<'_>) -> PyResult<HashMap<usize, String>> {
        if self.titles.is_empty() {
            return Ok(HashMap::new());
        }
        let text = self.text(py)?;
        let said = |span: Span| text.as_str()[span.range()].to_owned();
        Ok(self.titles.iter().map(|&(i, span)| (i, said(span))).collect())
    }

    /// The languages of code by the numbers of the elements, as far as they are stated.
    fn languages(&self) -> HashMap<usize, &str> {
        self.languages.iter().map(|(i, language)| (*i, &**language)).collect()
    }

    /// The links, in the order of their starts: where each stands in the text, in code points, its target, and
    /// whether it is an image. They are found anew each time.
    fn links(&self, py: Python<'_>) -> PyResult<Vec<(usize, usize, String, bool)>> {
        let text = self.text(py)?;
        let links = self.links.find(py, text.as_str())?;
        let index = CharIndex::new(text.as_str(), text.pairs());
        let char = |byte| index.byte_to_char(text.as_str(), byte);
        let row = |Link { span, target, is_image }| {
            (char(span.start), char(span.end), target.into_string(), is_image)
        };
        Ok(links.into_iter().map(row).collect())
    }

    /// Where the rows of a table begin, in code points; none if that is not known.
    fn row_starts(&self, py: Python<'_>, index: usize) -> PyResult<Option<Vec<usize>>> {
        self.items.get(index).map_or(Ok(None), |element| rows::starts(&self.text(py)?, element))
    }

    /// How deep each element is nested among those of its kind, from 1, if that is known.
    fn levels(&self) -> Vec<Option<u8>> {
        self.items.iter().map(|element| Some(element.level).filter(|&level| level > 0)).collect()
    }

    /// The number of the element that each belongs to, if it does to any.
    fn parents(&self) -> Vec<Option<usize>> {
        self.items.iter().map(|element| element.parent.get()).collect()
    }

    /// Where each element is in what was read: starts and ends in code points; none if that is where it is in
    /// the text.
    fn places(&self, py: Python<'_>) -> Option<[Py<Column>; 2]> {
        self.places.as_ref().map(|places| places.each_ref().map(|column| column.clone_ref(py)))
    }

    /// The pages of the elements that are on several, by their numbers.
    fn several_pages(&self) -> HashMap<usize, Vec<i64>> {
        self.several_pages.iter().cloned().collect()
    }

    /// The page that each element says it is on, if it is a number.
    fn pages(&self) -> Vec<Option<i64>> {
        self.items.iter().map(|element| element.page.filter(|&page| is_page_number(page))).collect()
    }

    /// The numbers of the elements that say what they were made of.
    fn with_originals(&self) -> Vec<usize> {
        self.with_originals.clone()
    }
}

/// A level as the core has it: deeper ones than it knows are its deepest.
fn level_of(level: i64) -> u8 {
    u8::try_from(level.max(0)).unwrap_or(u8::MAX)
}

/// The cell of a text that need not be made.
fn made(text: Bound<'_, PyString>) -> PyOnceLock<Py<PyString>> {
    let cell = PyOnceLock::new();
    // It is empty.
    let _ = cell.set(text.py(), text.unbind());
    cell
}
