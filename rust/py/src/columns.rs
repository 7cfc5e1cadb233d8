//! The chunks of one text or of many as Python sees them: columns, and slices of the original `str`s.

use std::ops::Range;

use chunkwright_core::boundaries::Ending;
use chunkwright_core::chunks::Chunks;
use chunkwright_core::identity::Identities;
use chunkwright_core::offsets::LineSweep;
use chunkwright_core::span::Span;
use chunkwright_engine::cut::Cut;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::boundaries::{Boundaries, Parts};
use crate::column::{Column, FloatColumn};
use crate::error::named;
use crate::substring::substring;
use crate::text::Text;

/// Chunks of one text after another; offsets are those in a chunk's own text.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Columns {
    sources: Vec<Py<PyString>>,
    /// For each text: one past its last row.
    row_ends: Vec<usize>,
    chunks: Chunks,
    starts: Py<Column>,
    ends: Py<Column>,
    /// The boundaries of the chunks in code points.
    boundaries: Vec<i64>,
}

impl Columns {
    /// The chunks of one text.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(source: &Bound<'_, PyString>, cut: Cut) -> PyResult<Self> {
        let row_ends = vec![cut.chunks.len()];
        Self::of(source.py(), vec![source.clone().unbind()], row_ends, cut)
    }

    /// The chunks of many texts, of which `cuts` has one each.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of_many(
        py: Python<'_>,
        sources: Vec<Py<PyString>>,
        cuts: impl Iterator<Item = Cut>,
    ) -> PyResult<Self> {
        let (mut row_ends, mut all) = (Vec::with_capacity(sources.len()), Cut::default());
        for cut in cuts {
            all.append(&cut);
            row_ends.push(all.chunks.len());
        }
        Self::of(py, sources, row_ends, all)
    }

    fn of(
        py: Python<'_>,
        sources: Vec<Py<PyString>>,
        row_ends: Vec<usize>,
        cut: Cut,
    ) -> PyResult<Self> {
        let Cut { chunks, starts, ends, boundaries } = cut;
        let (starts, ends) = (Py::new(py, Column::of(starts))?, Py::new(py, Column::of(ends))?);
        Ok(Self { sources, row_ends, chunks, starts, ends, boundaries })
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
        let boundaries = self.chunks.boundaries();
        let of_text = |(text, rows): (usize, Range<usize>)| {
            boundaries.endings(text, rows.map(|row| self.chunks.span(row).end))
        };
        (!boundaries.text_ends().is_empty())
            .then(|| self.rows_by_doc().enumerate().flat_map(of_text).collect())
    }

    /// UTF-8 bytes of all chunks together.
    pub fn n_bytes(&self) -> usize {
        self.chunks.spans().map(Span::len).sum()
    }

    /// The texts of `rows`, lone surrogates replaced.
    ///
    /// # Errors
    /// If a row does not exist.
    pub fn utf8(&self, py: Python<'_>, rows: &[usize]) -> PyResult<Vec<String>> {
        let mut last: Option<(usize, Text<'_>)> = None;
        let slice = |&row: &usize| {
            self.check(row)?;
            let doc = self.doc(row);
            // A text with surrogates is copied: once for all of its rows.
            let text = match last.take() {
                Some((of, text)) if of == doc => text,
                _ => self.text_of(py, doc)?,
            };
            let slice = text.as_str()[self.chunks.span(row).range()].to_owned();
            last = Some((doc, text));
            Ok(slice)
        };
        rows.iter().map(slice).collect()
    }

    /// Starts and ends of existing `rows`, in code points, then in bytes.
    pub fn offsets(&self, rows: &[usize]) -> [Vec<i64>; 4] {
        let chars = |column: &Column| rows.iter().map(|&row| column.values()[row]).collect();
        let bytes = |end: fn(Span) -> usize| {
            let at = rows.iter().map(|&row| end(self.chunks.span(row)));
            Column::new(at).values().to_vec()
        };
        let (starts, ends) = (self.starts.get(), self.ends.get());
        [chars(starts), chars(ends), bytes(|span| span.start), bytes(|span| span.end)]
    }

    /// The numbers of the texts that existing `rows` are from.
    pub fn docs(&self, rows: &[usize]) -> Vec<i64> {
        Column::new(rows.iter().map(|&row| self.doc(row))).values().to_vec()
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

    fn text_of<'a>(&'a self, py: Python<'a>, doc: usize) -> PyResult<Text<'a>> {
        Text::of(self.sources[doc].bind(py))
    }

    fn slice<'py>(
        &self,
        py: Python<'py>,
        doc: usize,
        row: usize,
    ) -> PyResult<Bound<'py, PyString>> {
        let (starts, ends) = (self.starts.get().values(), self.ends.get().values());
        let (start, end) = (starts[row].cast_unsigned(), ends[row].cast_unsigned());
        substring(self.sources[doc].bind(py), usize::try_from(start)?, usize::try_from(end)?)
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
    /// Rebuilds the columns of `sources` from what `row_ends`, `rows`, `oversize` and the boundaries'
    /// `parts` gave.
    #[staticmethod]
    #[pyo3(signature = (sources, row_ends, rows, oversize, boundaries=None))]
    fn restore(
        py: Python<'_>,
        sources: Vec<Bound<'_, PyString>>,
        row_ends: Vec<usize>,
        rows: Vec<[usize; 5]>,
        oversize: Vec<usize>,
        boundaries: Option<Parts>,
    ) -> PyResult<Self> {
        let wrong = |message: String| Err(named("ConfigError", message));
        if row_ends.len() != sources.len() || row_ends.last().copied().unwrap_or(0) != rows.len() {
            let (n_rows, n_texts) = (rows.len(), sources.len());
            return wrong(format!(
                "{row_ends:?} do not share {n_rows} chunks among {n_texts} texts"
            ));
        }
        let boundaries = boundaries.unwrap_or_default();
        let boundaries = boundaries.by_text(sources.len())?;
        let mut all = Cut::default();
        for ((source, &row_end), boundaries) in sources.iter().zip(&row_ends).zip(boundaries) {
            let first = all.chunks.len();
            let Some(rows) = rows.get(first..row_end) else {
                return wrong(format!("the chunks of a text end at {row_end} before {first}"));
            };
            let oversize = &oversize[oversize.partition_point(|&row| row < first)..];
            let text = Text::of(source)?;
            let chunks = restored(&text, rows, first, oversize)?;
            let chunks = chunks.with_boundaries(boundaries.within(&text)?);
            all.append(&Cut::new(text.document(), chunks));
        }
        Self::of(py, sources.into_iter().map(Bound::unbind).collect(), row_ends, all)
    }

    /// For each chunk: start, start and end of its own text, end (all in bytes), size.
    fn rows(&self) -> Vec<[usize; 5]> {
        let row = |i| {
            let (span, body) = (self.chunks.span(i), self.chunks.body(i));
            [span.start, body.start, body.end, span.end, self.chunks.sizes()[i]]
        };
        (0..self.chunks.len()).map(row).collect()
    }

    /// The chunks over the limit, ascending.
    fn oversize(&self) -> Vec<usize> {
        (0..self.chunks.len()).filter(|&i| self.chunks.is_oversize(i)).collect()
    }

    fn __len__(&self) -> usize {
        self.chunks.len()
    }

    /// The texts that were cut.
    fn sources(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        self.sources.iter().map(|source| source.clone_ref(py)).collect()
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
    fn lines(&self, py: Python<'_>) -> PyResult<(Column, Column)> {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for (doc, rows) in self.rows_by_doc().enumerate() {
            let text = self.text_of(py, doc)?;
            let mut starts = LineSweep::new(text.as_str());
            let mut ends = LineSweep::new(text.as_str());
            for span in rows.map(|row| self.chunks.span(row)) {
                first.push(starts.at(span.start));
                last.push(ends.at(span.end.saturating_sub(1)));
            }
        }
        Ok((Column::new(first), Column::new(last)))
    }

    /// The text of one chunk.
    fn text<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyString>> {
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
        let text = self.text_of(py, self.doc(row))?;
        let mut at = usize::try_from(self.starts.get().values()[row])?;
        let pieces = self.chunks.pieces(row).iter().map(|piece| {
            let start = at;
            at += text.document().n_chars(piece.span);
            (piece.role as u8, start, at)
        });
        Ok(pieces.collect())
    }

    /// The ids of all chunks; each text has a name, which may be empty.
    fn ids(&self, py: Python<'_>, names: Vec<Bound<'_, PyString>>) -> PyResult<Vec<String>> {
        let mut ids = Vec::with_capacity(self.chunks.len());
        for ((doc, rows), name) in self.rows_by_doc().enumerate().zip(&names) {
            py.check_signals()?;
            let (name, text) = (Text::of(name)?, self.text_of(py, doc)?);
            let mut identities = Identities::new(name.as_str());
            let spans = rows.map(|row| self.chunks.span(row));
            ids.extend(spans.map(|span| identities.next(&text.as_str()[span.range()])));
        }
        Ok(ids)
    }
}

/// The chunks of one text from its `rows`, of which those whose numbers, counted from `first`, are in
/// `oversize` are over the limit.
fn restored(
    text: &Text<'_>,
    rows: &[[usize; 5]],
    first: usize,
    oversize: &[usize],
) -> PyResult<Chunks> {
    let mut chunks = Chunks::default();
    for (i, &[start, body, body_end, end, size]) in rows.iter().enumerate() {
        let at = [start, body, body_end, end];
        if !at.is_sorted() || !at.iter().all(|&at| text.as_str().is_char_boundary(at)) {
            let message =
                format!("chunk {start}..({body}..{body_end})..{end} does not lie in the text");
            return Err(named("ConfigError", message));
        }
        chunks.push_within(Span::new(start, end), Span::new(body, body_end), size);
        if oversize.binary_search(&(first + i)).is_ok() {
            chunks.mark_oversize();
        }
    }
    Ok(chunks)
}
