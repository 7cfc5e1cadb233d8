//! Element table of a document as Python sees it.

mod blocks;
mod kinds;
mod known;
mod places;
mod slice;
mod state;

use std::collections::HashMap;
use std::sync::OnceLock;

use chunkwright_read::csv::{self, CsvOptions};
use chunkwright_read::docling::{Document as Docling, Form};
use chunkwright_read::html::{landmark::Landmark, page};
use chunkwright_read::{Read, blocks::read as read_blocks, kinds::InputKind};
use chunkwright_text::cut::table::row_starts;
use chunkwright_text::elements::{Element, Kind, is_page_number};
use chunkwright_text::heading_paths::HeadingPaths as Paths;
use chunkwright_text::markup::Markup;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::read::link::Link;
use chunkwright_text::read::{PageBox, PageRead, entries};
use chunkwright_text::span::Span;
use chunkwright_text::turns::{Cue, Turn};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyString};

use self::blocks::GivenBlock;
pub use self::kinds::{elements_of_file, input_kind, input_kinds, signature, told_encoding};
use self::places::{BoxRow, Placed, Placing, SaidCellRow, cell_rows, placing};
pub use self::places::{boxes_in, pages_in};
use self::slice::{KeptRow, LinkRow};
use self::state::State;

use crate::error::{named, to_python};
use crate::gate::detached;
use crate::heading_paths::HeadingPaths;
use crate::numbers::column::Column;
use crate::strings::substring::{n_chars, substring};
use crate::strings::text::{Lazy, Text};
use crate::unstructured::reading::kinds::{ElementKinds, KindCache};
use crate::unstructured::reading::reader::{Reader, Reading};
use crate::unstructured::surrogates::StandIns;

/// The text of a document and what its reader found.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Elements {
    /// The text, made when it is asked for if `read` has it as UTF-8, without surrogates.
    text: PyOnceLock<Py<PyString>>,
    /// The code points of that UTF-8.
    n_chars: usize,
    /// Where its characters stand, once that was asked for.
    chars: OnceLock<CharIndex>,
    read: Read,
    /// The numbers of the elements that say what they were made of.
    with_originals: Vec<usize>,
    /// The HTML page that was read, in which links and the HTML of tables are looked up.
    page: Option<Py<PyString>>,
    /// The HTML of tables that is known without one, by their numbers.
    htmls: HashMap<usize, Py<PyString>>,
    /// What stands for surrogates in the HTML of tables.
    stand_ins: StandIns,
}

/// The number of a turn, its speaker and its times.
type TurnRow<'a> = (usize, &'a str, Vec<(usize, f64, Option<f64>)>);

/// Rows and columns of a table, and its cells.
type TableRow = (usize, usize, Vec<SaidCellRow>);

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
        let read =
            Reader::all(items, Reading::Document, |reader, item| reader.object(item, &mut kinds))?;
        Self::of_items(items.py(), read, recover)
    }

    /// Those of dicts that have `type`, `text` and `metadata`.
    #[staticmethod]
    #[pyo3(signature = (items, recover = None))]
    fn of_dicts(items: &Bound<'_, PyAny>, recover: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let read = Reader::all(items, Reading::Document, Reader::dict)?;
        Self::of_items(items.py(), read, recover)
    }

    /// Elements that stand in a text as it is, at places that the caller knows. Those from number `n_body` on are
    /// page furniture.
    #[staticmethod]
    #[pyo3(signature = (text, items, n_body = None))]
    fn of_places(
        text: Bound<'_, PyString>,
        items: Vec<Placed>,
        n_body: Option<usize>,
    ) -> PyResult<Self> {
        places::placed(text, items, n_body)
    }

    /// Those of blocks that a reader found, whose text is written from them; those from number `n_body` on are
    /// headers and footers of pages.
    #[staticmethod]
    #[pyo3(signature = (blocks, n_body = None))]
    fn of_blocks(blocks: Vec<GivenBlock>, n_body: Option<usize>) -> PyResult<Self> {
        let checked = blocks.into_iter().enumerate().map(|(i, block)| block.checked(i));
        let mut read = read_blocks(checked.collect::<PyResult<_>>()?);
        read.n_body = n_body;
        Ok(Self::of(read))
    }

    /// Those of a text of a kind, by the reader that the core has for it.
    #[staticmethod]
    fn of_kind(kind: &str, text: Bound<'_, PyString>) -> PyResult<Self> {
        let unknown = || named("ConfigError", format!("unknown kind {kind:?}"));
        let kind = InputKind::named(kind).ok_or_else(unknown)?;
        let utf8 = Text::of(&text)?;
        let source = utf8.as_str();
        let read = detached(text.py(), |pulse| kind.read(source, pulse))?.unwrap_or_default();
        drop(utf8);
        Ok(if read.text.is_some() { Self::of(read) } else { Self::placed(text, read) })
    }

    /// The kind of texts that the document's is of, if it is its own source.
    #[getter]
    fn markup(&self) -> Option<&'static str> {
        match self.read.markup {
            Markup::Markdown => Some("markdown"),
            Markup::Rst => Some("rst"),
            Markup::Unknown | Markup::Code => None,
        }
    }

    /// Those of a `DoclingDocument` in JSON.
    #[staticmethod]
    fn of_docling(json: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let data = json.as_bytes();
        let read = || Ok(Docling::of_json(data, Form::Stored)?.elements());
        json.py().detach(read).map(Self::of).map_err(to_python)
    }

    /// The table that CSV holds.
    #[staticmethod]
    fn of_csv(
        source: &Bound<'_, PyString>,
        delimiter: Option<char>,
        has_header: bool,
        max_cell_chars: usize,
    ) -> PyResult<Self> {
        let (py, source) = (source.py(), Text::of(source)?);
        let (csv, pairs) = (source.as_str(), source.pairs());
        let options = CsvOptions { delimiter, has_header, max_cell_chars };
        detached(py, |pulse| csv::read(csv, pairs, options, pulse)).map(Self::of)
    }

    /// The headings above the elements; none above page furniture.
    fn heading_paths(&self) -> HeadingPaths {
        HeadingPaths::new(Paths::of(self.read.body_elements()))
    }

    /// Number, width, height, confidence and need of OCR of each page that was read, and whether its text was
    /// recognised, if the reader looks at pages.
    fn pages_read(&self) -> Vec<(i64, f64, f64, f64, bool, bool)> {
        let row = |page: &PageRead| {
            let PageRead { number, width, height, confidence, needs_ocr } = *page;
            let is_recognised = self.read.recognised.binary_search(&number).is_ok();
            (number, width, height, confidence, needs_ocr, is_recognised)
        };
        self.read.pages_read.iter().map(row).collect()
    }

    /// How many elements are the body: those behind them are page furniture.
    #[getter]
    fn n_body(&self) -> usize {
        self.read.body_elements().len()
    }

    /// Where the body ends in the text, in code points.
    #[getter]
    fn body_end(&self, py: Python<'_>) -> PyResult<usize> {
        let text = self.text(py)?;
        let body = self.read.body(text.document());
        Ok(body.n_chars(Span::new(0, body.text().len())))
    }

    /// Those of an HTML page, of which the parts `drop` are left out.
    #[staticmethod]
    fn of_html(source: &Bound<'_, PyString>, drop: Vec<String>) -> PyResult<Self> {
        let landmark = |name: &String| {
            Landmark::named(name)
                .ok_or_else(|| named("ConfigError", format!("drop has an unknown part {name:?}")))
        };
        let dropped = drop.iter().map(landmark).collect::<PyResult<Vec<_>>>()?;
        let (py, given, source) = (source.py(), source, Text::of(source)?);
        let (html, pairs) = (source.as_str(), source.pairs());
        let read = detached(py, |pulse| page::read(html, pairs, &dropped, pulse))?;
        Ok(Self { page: Some(given.clone().unbind()), ..Self::of(read) })
    }

    fn __len__(&self) -> usize {
        self.items().len()
    }

    /// What the source calls itself; empty if it does not say.
    #[getter]
    fn name(&self) -> &str {
        &self.read.name
    }

    /// The text of the document.
    #[getter(text)]
    fn text_of_document(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        Ok(self.get(py)?.clone_ref(py))
    }

    /// Code points of the text.
    #[getter]
    pub fn n_chars(&self, py: Python<'_>) -> PyResult<usize> {
        match self.read.text {
            Some(_) => Ok(self.n_chars),
            None => n_chars(self.get(py)?.bind(py)),
        }
    }

    /// Some elements (ascending), and the links that stand in them, apart from the document.
    #[pyo3(name = "slice")]
    fn slice_of(
        &self,
        py: Python<'_>,
        rows: Vec<KeptRow<'_>>,
        links: Vec<LinkRow>,
    ) -> PyResult<Self> {
        self.sliced(py, rows, links)
    }

    /// The numbers that the elements of a slice have in their document; none of other elements.
    pub fn numbers(&self) -> Option<Vec<usize>> {
        self.read.whole.as_ref().map(|whole| whole.numbers.clone())
    }

    /// The texts of the elements of a slice, as far as they are kept; none of other elements.
    fn kept_texts<'py>(&'py self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        if self.read.whole.is_none() {
            return Ok(None);
        }
        self.text(py)?.slices(self.items().iter().map(|element| element.span)).map(Some)
    }

    /// The lines of the document on which the elements of a slice begin and end; none of other elements.
    fn line_places(&self) -> Option<Vec<[usize; 2]>> {
        self.read.whole.as_ref().map(|whole| whole.lines.clone())
    }

    /// Where in the text each element begins, in code points.
    fn starts(&self, py: Python<'_>) -> PyResult<Column> {
        self.positions(py, 0)
    }

    /// Where in the text each element ends.
    fn ends(&self, py: Python<'_>) -> PyResult<Column> {
        self.positions(py, 1)
    }

    /// What each element is; see [`Kind::name`].
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let name = |element: &Element| PyString::intern(py, element.kind.name());
        PyList::new(py, self.items().iter().map(name))
    }

    /// What headings say without the marks that make them headings, by their numbers; those that have no such
    /// marks are left out.
    fn titles(&self, py: Python<'_>) -> PyResult<HashMap<usize, String>> {
        if self.read.titles.is_empty() {
            return Ok(HashMap::new());
        }
        let text = self.text(py)?;
        let said = |span: Span| text.as_str()[span.range()].to_owned();
        Ok(self.read.titles.iter().map(|&(i, span)| (i, said(span))).collect())
    }

    /// The languages of code by the numbers of the elements, as far as they are stated.
    fn languages(&self) -> HashMap<usize, &str> {
        self.read.languages.iter().map(|(i, language)| (*i, &**language)).collect()
    }

    /// The links, in the order of their starts: where each stands in the text, in code points, its target, and
    /// whether it is an image. They are found anew each time.
    fn links(&self, py: Python<'_>) -> PyResult<Vec<LinkRow>> {
        if let Some(whole) = &self.read.whole {
            return Ok(whole.links.clone());
        }
        let text = self.text(py)?;
        let links = self.find_links(py, text.as_str())?;
        let index = self.chars(&text);
        let char = |byte| index.byte_to_char(text.as_str(), byte);
        let row = |Link { span, target, is_image }| {
            (char(span.start), char(span.end), target.into_string(), is_image)
        };
        Ok(links.into_iter().map(row).collect())
    }

    /// Where the rows of a table begin, in code points; none if that is not known.
    fn row_starts(&self, py: Python<'_>, index: usize) -> PyResult<Option<Vec<usize>>> {
        let text = self.text(py)?;
        let (utf8, item) = (text.as_str(), self.items().get(index));
        let grid = item.and_then(|item| Some((item.grid.as_deref()?, item.span)));
        let rows = grid.and_then(|(grid, span)| row_starts(utf8, grid, span));
        let chars = self.chars(&text);
        let at = |byte| self.in_document(index, chars.byte_to_char(utf8, byte), &text);
        Ok(rows.map(|rows| rows.into_iter().map(at).collect()))
    }

    /// How deep each element is nested among those of its kind, from 1, if that is known.
    fn levels(&self) -> Vec<Option<u8>> {
        self.items().iter().map(|element| Some(element.level).filter(|&level| level > 0)).collect()
    }

    /// The number of the element that each belongs to, -1 if it does to none.
    fn parents(&self) -> Column {
        let number = |of: usize| i64::try_from(of).unwrap_or(-1);
        let parents = self.items().iter().map(|element| element.parent.get().map_or(-1, number));
        Column::of(parents.collect())
    }

    /// Where each element is in what was read: starts and ends in code points; none if that is where it is in
    /// the text.
    fn places(&self) -> Option<[Column; 2]> {
        let column = |end: usize| Column::new(self.read.places.iter().map(|place| place[end]));
        (!self.read.places.is_empty()).then(|| [column(0), column(1)])
    }

    /// The page that each element says it is on, if it is a number; of several the first.
    fn pages(&self) -> Vec<Option<i64>> {
        let page = |element: &Element| element.page.filter(|&page| is_page_number(page));
        self.items().iter().map(page).collect()
    }

    /// The pages that an element says it is on.
    fn pages_of(&self, index: usize) -> Vec<i64> {
        self.read.pages_of(index)
    }

    /// Whether the text of an element was recognised in a picture of a page.
    fn is_recognised(&self, index: usize) -> bool {
        self.read.is_recognised(index)
    }

    /// Where an element stands on its pages.
    fn boxes(&self, index: usize) -> Vec<BoxRow> {
        let row = |PageBox { page, edges, width, height }| (page, edges, width, height);
        entries(&self.read.boxes, index).iter().map(|(_, of)| row(*of)).collect()
    }

    /// Where in its text the boxes, the pages and the lines of an element begin, as far as that is known.
    fn placing(&self, py: Python<'_>, index: usize) -> PyResult<Placing> {
        let Some(element) = self.items().get(index) else { return Ok(Placing::default()) };
        Ok(placing(&self.read, index, element.span, &self.text(py)?))
    }

    /// Rows and columns of the table that an element is, and its cells; none if its cells are not known.
    fn table(&self, py: Python<'_>, index: usize) -> PyResult<Option<TableRow>> {
        let Some(element) = self.items().get(index) else { return Ok(None) };
        let is_part = self.read.whole.as_ref().is_some_and(|whole| whole.is_part(index));
        let grid = element.grid.as_deref().filter(|grid| grid.texts.is_empty() && !is_part);
        let Some(grid) = grid else { return Ok(None) };
        let [n_rows, n_columns] = grid.shape();
        let text = self.text(py)?;
        let mut cells =
            cell_rows(grid, element.span, (text.as_str(), self.chars(&text)), self.read.markup);
        for (_, _, start, end, ..) in &mut cells {
            *start = self.in_document(index, *start, &text);
            *end = self.in_document(index, *end, &text);
        }
        Ok(Some((n_rows, n_columns, cells)))
    }

    /// The numbers of captions, each with that of what it is the caption of.
    fn captions(&self) -> Vec<(usize, usize)> {
        self.read.captions.clone()
    }

    /// How sure the source is of an element, if it says so.
    fn confidence(&self, index: usize) -> Option<f64> {
        entries(&self.read.confidences, index).first().map(|(_, of)| *of)
    }

    /// The speakers of turns by the numbers of the elements, and the times of each: where in the text what is said then
    /// begins, in code points, and when that begins and ends, in seconds.
    fn turns(&self, py: Python<'_>) -> PyResult<Vec<TurnRow<'_>>> {
        if self.read.turns.is_empty() {
            return Ok(Vec::new());
        }
        let text = self.text(py)?;
        let index = self.chars(&text);
        let row = |(i, turn): &'_ (usize, Turn)| {
            let at = |cue: &Cue| index.byte_to_char(text.as_str(), cue.at);
            let cues = turn.cues.iter().map(|cue| (at(cue), cue.start, cue.end)).collect();
            (*i, cues)
        };
        let rows = self.read.turns.iter().map(row);
        Ok(rows
            .zip(&self.read.turns)
            .map(|((i, cues), (_, turn))| (i, &*turn.speaker, cues))
            .collect())
    }

    /// What the source calls the objects that the elements are made of, by the numbers of the elements.
    fn references(&self) -> HashMap<usize, &str> {
        self.read.references.iter().map(|(i, reference)| (*i, &**reference)).collect()
    }

    /// The HTML of a table as it was given, or as it stands in an HTML page.
    fn html<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Option<Bound<'py, PyString>>> {
        if let Some(html) = self.htmls.get(&index) {
            return Ok(Some(html.bind(py).clone()));
        }
        let is_table = |element: &&Element| element.kind == Kind::Table;
        let table = self.items().get(index).filter(is_table);
        let (Some(page), Some(_), Some(&[start, end])) =
            (&self.page, table, self.read.places.get(index))
        else {
            return Ok(None);
        };
        substring(page.bind(py), start, end).map(Some)
    }

    /// What [`Elements::of_state`] makes the same of, for pickles: all of it, and nothing that was read.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<State<'py>> {
        self.to_state(py)
    }

    /// What [`Elements::state`] says.
    #[staticmethod]
    fn of_state(
        stored: &Bound<'_, PyBytes>,
        text: &Bound<'_, PyString>,
        is_made: bool,
        htmls: HashMap<usize, Py<PyString>>,
        stand_ins: Vec<(u16, char)>,
    ) -> PyResult<Self> {
        Self::from_state(stored, text, is_made, htmls, stand_ins)
    }

    /// The numbers of the elements that say what they were made of.
    fn with_originals(&self) -> Vec<usize> {
        self.with_originals.clone()
    }
}
