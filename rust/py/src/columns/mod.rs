//! Columns of the chunks of one text or of many, and slices of the original `str`s.

mod boundaries;
mod expansion;
pub mod rows;
mod slice;
pub mod stored;

use std::ops::Range;

use chunkwright_engine::cut::Cut;
use chunkwright_text::boundaries::Ending;
use chunkwright_text::chunks::{Chunks, Origin};
use chunkwright_text::cut::expand::Scope;
use chunkwright_text::source_map::SourcePlace;
use chunkwright_text::span::{Piece, Span};
use chunkwright_text::subject::Symbol;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

pub use self::boundaries::Boundaries;
use self::expansion::Shadows;
use self::rows::{Facts, More, NamedDocuments};
use self::slice::Slice;
use self::stored::BlockRow;
use crate::arrow::batch::ArrowBatch;
use crate::elements::Elements;
use crate::error::named;
use crate::measure::unit::Unit;
use crate::numbers::column::{Column, FloatColumn};
use crate::strings::sources::Source;
use crate::strings::substring::substring;
use crate::strings::text::Text;

/// Chunks of one text after another; offsets are those in a chunk's own text.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Columns {
    sources: Vec<Source>,
    /// For each text: one past its last row.
    row_ends: Vec<usize>,
    chunks: Chunks,
    starts: Py<Column>,
    ends: Py<Column>,
    /// The boundaries of the chunks in code points.
    boundaries: Vec<i64>,
    /// Where the pieces of chunks are that are not one slice; see [`Cut::apart`].
    apart: Vec<(usize, Vec<[i64; 2]>)>,
    /// For each text: what rows tell of its chunks, once it was asked for.
    facts: Vec<Facts>,
    /// What takes the place of the text, if the chunks are a slice.
    slice: Option<Slice>,
}

impl Columns {
    /// The chunks of one text, which may have elements.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(py: Python<'_>, source: Source, cut: Cut) -> PyResult<Self> {
        let row_ends = vec![cut.chunks.len()];
        Self::of(py, vec![source], row_ends, cut)
    }

    /// The chunks of many texts, of which `cuts` has one each.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of_many(
        py: Python<'_>,
        sources: Vec<Source>,
        cuts: impl Iterator<Item = Cut>,
    ) -> PyResult<Self> {
        let mut row_ends = Vec::with_capacity(sources.len());
        let mut all = Cut::default();
        for cut in cuts {
            all.append(&cut);
            row_ends.push(all.chunks.len());
        }
        Self::of(py, sources, row_ends, all)
    }

    fn of(py: Python<'_>, sources: Vec<Source>, row_ends: Vec<usize>, cut: Cut) -> PyResult<Self> {
        let Cut { chunks, starts, ends, boundaries, apart } = cut;
        let (starts, ends) = (Py::new(py, Column::of(starts))?, Py::new(py, Column::of(ends))?);
        let facts = row_ends.iter().map(|_| Facts::new()).collect();
        Ok(Self { sources, row_ends, chunks, starts, ends, boundaries, apart, facts, slice: None })
    }

    /// The chunks of all texts.
    pub const fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    /// Where the boundaries between pieces are, in code points.
    pub fn boundary_positions(&self) -> &[i64] {
        &self.boundaries
    }

    /// How the chunks end; none if no semantic strategy cut the texts.
    pub fn all_endings(&self) -> Option<Vec<Ending>> {
        let of_texts = || (0..self.sources.len()).flat_map(|doc| self.endings_of(doc));
        (!self.chunks.boundaries().text_ends().is_empty()).then(|| of_texts().copied().collect())
    }

    /// The number of the text that `row` is from.
    fn doc(&self, row: usize) -> usize {
        self.row_ends.partition_point(|&end| end <= row)
    }

    /// The rows of each text.
    fn rows_by_doc(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [0].into_iter().chain(self.row_ends.iter().copied());
        starts.zip(&self.row_ends).map(|(start, &end)| start..end)
    }

    /// The rows of text `doc`.
    ///
    /// # Errors
    /// If there is no such text.
    pub fn rows_of(&self, doc: usize) -> PyResult<Range<usize>> {
        let end = self.row_ends.get(doc).copied();
        let end = end.ok_or_else(|| PyIndexError::new_err(format!("no document {doc}")))?;
        Ok(doc.checked_sub(1).map_or(0, |before| self.row_ends[before])..end)
    }

    /// The elements of text `doc`; none of a plain text.
    pub fn elements(&self, doc: usize) -> Option<&Elements> {
        self.sources.get(doc)?.elements()
    }

    fn text_of<'a>(&'a self, py: Python<'a>, doc: usize) -> PyResult<Text<'a>> {
        self.sources[doc].text(py)
    }

    fn slice<'py>(
        &self,
        py: Python<'py>,
        doc: usize,
        row: usize,
    ) -> PyResult<Bound<'py, PyString>> {
        if let Some(slice) = &self.slice {
            return Ok(slice.texts[row].bind(py).clone());
        }
        if let Some(pieces) = self.apart(row) {
            let source = self.sources[doc].str(py)?.bind(py);
            let texts = pieces.iter().map(|&[start, end]| {
                let at = |place: i64| usize::try_from(place.cast_unsigned());
                substring(source, at(start)?, at(end)?)
            });
            let texts = PyList::new(py, texts.collect::<PyResult<Vec<_>>>()?)?;
            let joined = PyString::intern(py, "").call_method1("join", (texts,))?;
            return Ok(joined.cast_into()?);
        }
        let (starts, ends) = (self.starts.get().values(), self.ends.get().values());
        let (start, end) = (starts[row].cast_unsigned(), ends[row].cast_unsigned());
        substring(
            self.sources[doc].str(py)?.bind(py),
            usize::try_from(start)?,
            usize::try_from(end)?,
        )
    }

    /// Where the pieces of a chunk that is not one slice are, in code points.
    fn apart(&self, row: usize) -> Option<&[[i64; 2]]> {
        let at = self.apart.binary_search_by_key(&row, |(of, _)| *of).ok()?;
        Some(&self.apart[at].1)
    }

    /// A column of what is known about the chunks' elements.
    fn of_origins(&self, value: impl Fn(&Origin) -> usize) -> Column {
        Column::new(self.chunks.origins().iter().map(value))
    }

    fn check(&self, row: usize) -> PyResult<()> {
        if row < self.chunks.len() {
            return Ok(());
        }
        let message = format!("chunk {row} of {}", self.chunks.len());
        Err(pyo3::exceptions::PyIndexError::new_err(message))
    }
}

#[pymethods]
impl Columns {
    /// All but the texts as bytes; without `elements` nothing of what chunks know of these.
    #[pyo3(signature = (*, elements=true))]
    fn to_bytes<'py>(&self, py: Python<'py>, elements: bool) -> PyResult<Bound<'py, PyBytes>> {
        match &self.slice {
            Some(slice) => slice.to_bytes(py, self),
            None => self.stored(py, elements),
        }
    }

    /// What a chunk of source code is about: the names of the definitions that it is in, that of the one it is of,
    /// what that is, and the language; None each where there is nothing.
    fn subject(&self, row: usize) -> PyResult<[Option<&str>; 4]> {
        self.check(row)?;
        let Some(subject) = self.chunks.subject(row) else { return Ok([None; 4]) };
        let symbol = subject.symbol.map_or("", Symbol::name);
        let texts = [&*subject.scope, &*subject.name, symbol, &*subject.language];
        Ok(texts.map(|text| (!text.is_empty()).then_some(text)))
    }

    /// Chunks from `begin` up to `end`, which are of one document of that name and of these sizes, and the elements
    /// that they need, apart from the document.
    #[pyo3(name = "slice")]
    fn slice_of(
        &self,
        py: Python<'_>,
        begin: usize,
        end: usize,
        name: &Bound<'_, PyString>,
        sizes: Vec<usize>,
        elements: Option<Py<Elements>>,
    ) -> PyResult<Self> {
        self.sliced(py, begin..end, Text::of(name)?.as_str(), &sizes, elements)
    }

    /// The slice of chunks of these texts and elements that `to_bytes` wrote down.
    #[staticmethod]
    fn slice_from_bytes(
        py: Python<'_>,
        stored: &[u8],
        texts: Vec<Py<PyString>>,
        elements: Option<Py<Elements>>,
    ) -> PyResult<Self> {
        Self::of_stored_slice(py, stored, texts, elements)
    }

    /// The numbers of the first chunk and of the document of a slice among all that were cut together, and that of the
    /// chunk in its document; nothing of other chunks.
    fn whole(&self) -> Option<[usize; 3]> {
        self.slice.as_ref().map(|Slice { whole, .. }| [whole.row, whole.doc, whole.chunk])
    }

    /// The columns of `sources` that `to_bytes` wrote down.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, stored: &[u8], sources: Vec<Source>) -> PyResult<Self> {
        Self::of_stored(py, stored, sources)
    }

    /// What restores each of some chunks in the text of its document; see `of_blocks`.
    fn block_rows<'py>(&self, py: Python<'py>, rows: Vec<usize>) -> PyResult<Vec<BlockRow<'py>>> {
        self.rows_of_blocks(py, &rows)
    }

    /// The chunks of one text that `rows`, as `block_rows` gives them, place in it.
    #[staticmethod]
    fn of_blocks(py: Python<'_>, source: Source, rows: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        Self::of_block_rows(py, source, &rows)
    }

    /// The same chunks, of which `rows` (ascending) are expanded to `scope`, or to what of it fits into `most`
    /// units.
    fn expanded(
        &self,
        py: Python<'_>,
        rows: Vec<usize>,
        unit: &Unit,
        scope: &str,
        most: Option<usize>,
    ) -> PyResult<Self> {
        let scope = Scope::named(scope)
            .ok_or_else(|| named("ConfigError", format!("unknown scope {scope:?}")))?;
        self.expanded_to(py, &rows, unit, scope, most)
    }

    /// For each chunk the last `most` units of the sibling before it, and the first ones of that behind; none of the
    /// chunks of documents of which none is among `rows` (ascending).
    fn shadows(
        &self,
        py: Python<'_>,
        rows: Vec<usize>,
        unit: &Unit,
        most: usize,
    ) -> PyResult<Vec<Shadows>> {
        self.shadows_of(py, &rows, unit, most)
    }

    /// The HTML of one chunk, if it is a table or a part of one that has any.
    fn html<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<Bound<'py, PyString>>> {
        self.check(row)?;
        let Some(html) = self.chunks.html(row) else { return Ok(None) };
        let html = match self.sources[self.doc(row)].elements() {
            Some(elements) => elements.take(py, html)?,
            None => PyString::new(py, html),
        };
        Ok(Some(html))
    }

    /// For each chunk: 0 for text, 1 for a table, 2 for a part of one; nothing if no text has elements.
    fn contents(&self) -> Column {
        self.of_origins(|origin| origin.content as usize)
    }

    /// For each chunk: its kind.
    fn kinds(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        let mut kinds = Vec::with_capacity(self.chunks.len());
        for (doc, rows) in self.rows_by_doc().enumerate() {
            let elements = self.elements_of(doc, &self.text_of(py, doc)?);
            kinds.extend(rows.enumerate().map(|(i, _)| elements.kind(i)));
        }
        Ok(kinds)
    }

    /// For each chunk: its first element.
    fn first_elements(&self) -> Column {
        let n_before = self.slice.as_ref().map_or(0, |slice| slice.whole.element);
        self.of_origins(|origin| n_before + origin.first)
    }

    /// For each chunk: one past its last element.
    fn end_elements(&self) -> Column {
        let n_before = self.slice.as_ref().map_or(0, |slice| slice.whole.element);
        self.of_origins(|origin| n_before + origin.end)
    }

    /// For each chunk: its number among those that its elements were split into.
    fn parts(&self) -> Column {
        self.of_origins(|origin| origin.part)
    }

    /// For each chunk: rows of a header that are repeated in front of it.
    fn n_header_rows(&self) -> Column {
        self.of_origins(|origin| origin.n_header_rows)
    }

    /// The chunks over the limit, ascending.
    fn oversize(&self) -> Vec<usize> {
        (0..self.chunks.len()).filter(|&i| self.chunks.is_oversize(i)).collect()
    }

    fn __len__(&self) -> usize {
        self.chunks.len()
    }

    /// The texts that were cut.
    fn sources(&self, py: Python<'_>) -> PyResult<Vec<Py<PyString>>> {
        self.sources.iter().map(|source| Ok(source.str(py)?.clone_ref(py))).collect()
    }

    /// For each text: one past the last chunk of it.
    fn row_ends(&self) -> Vec<usize> {
        self.row_ends.clone()
    }

    /// What was found between the pieces of the texts; nothing, unless a semantic strategy cut them.
    const fn boundaries(slf: Py<Self>) -> Boundaries {
        Boundaries::new(slf)
    }

    /// For each chunk of a semantic strategy: the score of the boundary where it ends, NaN if none is
    /// there, why it ends there, and among how many boundaries the limit had that one chosen. Nothing for
    /// chunks of other strategies.
    fn endings(&self) -> (FloatColumn, Vec<&'static str>, Column) {
        let endings = self.all_endings().unwrap_or_default();
        let scores = endings.iter().map(|ending| ending.score.unwrap_or(f64::NAN)).collect();
        let reasons = endings.iter().map(|ending| ending.reason.name()).collect();
        let n_places = endings.iter().map(|ending| ending.n_places.into()).collect();
        (FloatColumn::of(scores), reasons, Column::of(n_places))
    }

    /// For each chunk: the number of the text that it is from.
    fn doc_index(&self) -> Column {
        let docs = self.rows_by_doc().enumerate();
        Column::new(docs.flat_map(|(doc, rows)| rows.map(move |_| doc)))
    }

    /// Starts in code points.
    #[getter]
    fn starts(&self, py: Python<'_>) -> Py<Column> {
        self.starts.clone_ref(py)
    }

    /// Ends in code points.
    #[getter]
    fn ends(&self, py: Python<'_>) -> Py<Column> {
        self.ends.clone_ref(py)
    }

    /// Starts in UTF-8 bytes.
    fn byte_starts(&self) -> Column {
        Column::new(self.chunks.spans().map(|span| span.start))
    }

    /// Ends in UTF-8 bytes.
    fn byte_ends(&self) -> Column {
        Column::new(self.chunks.spans().map(|span| span.end))
    }

    /// Sizes in the unit that the chunks were cut by.
    fn sizes(&self) -> Column {
        Column::new(self.chunks.sizes().iter().copied())
    }

    /// Lines, from 1, on which the chunks begin and end.
    fn lines(&self, py: Python<'_>) -> PyResult<[Column; 2]> {
        let mut columns = [const { Vec::new() }; 2];
        for doc in 0..self.sources.len() {
            for lines in &self.places_of(doc, &self.text_of(py, doc)?).lines {
                (columns.iter_mut().zip(lines)).for_each(|(column, &line)| column.push(line));
            }
        }
        Ok(columns.map(Column::new))
    }

    /// Where the chunks stand in what was read: starts and ends in code points, and the lines, from 1, on which
    /// they begin and end; -1 where that is not known.
    fn source_places(&self, py: Python<'_>) -> PyResult<[Column; 4]> {
        let mut columns = [const { Vec::new() }; 4];
        for doc in 0..self.sources.len() {
            for place in &self.places_of(doc, &self.text_of(py, doc)?).sources {
                let known =
                    place.map(|SourcePlace { chars: [start, end], lines: [first, last] }| {
                        [start, end, first, last].map(|at| i64::try_from(at).unwrap_or(i64::MAX))
                    });
                let place = known.unwrap_or([-1; 4]);
                (columns.iter_mut().zip(place)).for_each(|(column, at)| column.push(at));
            }
        }
        Ok(columns.map(Column::of))
    }

    /// `rows` as a record batch: the columns of the row schema, and those of the caller's.
    fn batch(
        &self,
        py: Python<'_>,
        rows: Vec<usize>,
        labels: NamedDocuments<'_>,
        n_tokens: &Bound<'_, PyAny>,
        more: More,
    ) -> PyResult<ArrowBatch> {
        self.batch_of(py, &rows, &labels, n_tokens, more)
    }

    /// The ids that texts have where their caller gave none.
    fn document_ids(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let id = |doc| Ok(self.document_id_of(doc, &self.text_of(py, doc)?).to_owned());
        (0..self.sources.len()).map(id).collect()
    }

    /// The text of one chunk.
    pub fn text<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyString>> {
        self.check(row)?;
        self.slice(py, self.doc(row), row)
    }

    /// The texts of all chunks.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let docs = self.rows_by_doc().enumerate();
        let rows = docs.flat_map(|(doc, rows)| rows.map(move |row| (doc, row)));
        let texts: PyResult<Vec<_>> = rows.map(|(doc, row)| self.slice(py, doc, row)).collect();
        PyList::new(py, texts?)
    }

    /// The pieces of one chunk: role, start and end in code points.
    fn pieces(&self, py: Python<'_>, row: usize) -> PyResult<Vec<(u8, usize, usize)>> {
        self.check(row)?;
        if let Some(places) = self.apart(row) {
            let place = |(piece, at): (&Piece, &[i64; 2])| {
                Ok((piece.role as u8, usize::try_from(at[0])?, usize::try_from(at[1])?))
            };
            return self.chunks.pieces(row).iter().zip(places).map(place).collect();
        }
        // Not in the whole text, which is copied where it has surrogates.
        let slice = self.slice(py, self.doc(row), row)?;
        let (text, first) = (Text::of(&slice)?, self.chunks.span(row).start);
        let mut at = usize::try_from(self.starts.get().values()[row])?;
        let pieces = self.chunks.pieces(row).iter().map(|piece| {
            let start = at;
            let within = Span::new(piece.span.start - first, piece.span.end - first);
            at += text.document().n_chars(within);
            (piece.role as u8, start, at)
        });
        Ok(pieces.collect())
    }

    /// The ids of all chunks; each text has a name, which may be empty.
    fn ids(&self, py: Python<'_>, names: Vec<Bound<'_, PyString>>) -> PyResult<Vec<String>> {
        let mut ids = Vec::with_capacity(self.chunks.len());
        for (doc, name) in names.iter().enumerate().take(self.sources.len()) {
            py.check_signals()?;
            let (name, text) = (Text::of(name)?, self.text_of(py, doc)?);
            ids.extend_from_slice(self.ids_of(doc, name.as_str(), &text));
        }
        Ok(ids)
    }
}
