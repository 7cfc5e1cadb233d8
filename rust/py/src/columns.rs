//! The chunks of one text as Python sees them: columns, and slices of the original `str`.

use chunkwright_core::chunks::Chunks;
use chunkwright_core::identity::Identities;
use chunkwright_core::offsets::LineSweep;
use chunkwright_core::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::column::Column;
use crate::error::named;
use crate::substring::substring;
use crate::text::Text;

/// Chunks of one text. Rows are numbered from 0 and given as `start, stop, step` of a `range`.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Columns {
    source: Py<PyString>,
    chunks: Chunks,
    starts: Py<Column>,
    ends: Py<Column>,
}

impl Columns {
    /// Adds the offsets in code points.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(
        py: Python<'_>,
        source: &Bound<'_, PyString>,
        text: &Text<'_>,
        chunks: Chunks,
    ) -> PyResult<Self> {
        let mut sweep = text.document().char_sweep();
        let (starts, ends): (Vec<_>, Vec<_>) = py.detach(|| {
            chunks.spans().map(|span| (sweep.at(span.start), sweep.at(span.end))).unzip()
        });
        let (starts, ends) = (Py::new(py, Column::new(starts))?, Py::new(py, Column::new(ends))?);
        Ok(Self { source: source.clone().unbind(), chunks, starts, ends })
    }

    /// UTF-8 bytes of all texts together.
    pub fn n_bytes(&self) -> usize {
        self.chunks.spans().map(Span::len).sum()
    }

    /// The texts of `rows`, lone surrogates replaced.
    ///
    /// # Errors
    /// If a row does not exist.
    pub fn utf8(&self, py: Python<'_>, rows: &[usize]) -> PyResult<Vec<String>> {
        let text = Text::of(self.source.bind(py))?;
        let slice = |&row: &usize| {
            self.check(row)?;
            Ok(text.as_str()[self.chunks.span(row).range()].to_owned())
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

    fn slice<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyString>> {
        let (starts, ends) = (self.starts.get().values(), self.ends.get().values());
        let (start, end) = (starts[row].cast_unsigned(), ends[row].cast_unsigned());
        substring(self.source.bind(py), usize::try_from(start)?, usize::try_from(end)?)
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
    /// Rebuilds the columns of `source` from what `rows` gave.
    #[staticmethod]
    fn restore(
        py: Python<'_>,
        source: Bound<'_, PyString>,
        rows: Vec<[usize; 5]>,
        oversize: Vec<usize>,
    ) -> PyResult<Self> {
        let text = Text::of(&source)?;
        let mut chunks = Chunks::default();
        for (row, &[start, body, body_end, end, size]) in rows.iter().enumerate() {
            let at = [start, body, body_end, end];
            if !at.is_sorted() || !at.iter().all(|&at| text.as_str().is_char_boundary(at)) {
                let message =
                    format!("chunk {start}..({body}..{body_end})..{end} does not lie in the text");
                return Err(named("ConfigError", message));
            }
            chunks.push_within(Span::new(start, end), Span::new(body, body_end), size);
            if oversize.binary_search(&row).is_ok() {
                chunks.mark_oversize();
            }
        }
        Self::new(py, &source, &text, chunks)
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

    /// The text that was cut.
    #[getter]
    fn source(&self, py: Python<'_>) -> Py<PyString> {
        self.source.clone_ref(py)
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
        let text = Text::of(self.source.bind(py))?;
        let (mut starts, mut ends) = (LineSweep::new(text.as_str()), LineSweep::new(text.as_str()));
        let last = |end: usize| end.saturating_sub(1);
        Ok((
            Column::new(self.chunks.spans().map(|span| starts.at(span.start))),
            Column::new(self.chunks.spans().map(|span| ends.at(last(span.end)))),
        ))
    }

    /// The text of one chunk.
    fn text<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyString>> {
        self.check(row)?;
        self.slice(py, row)
    }

    /// The texts of all chunks.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let texts: PyResult<Vec<_>> =
            (0..self.chunks.len()).map(|row| self.slice(py, row)).collect();
        PyList::new(py, texts?)
    }

    /// The pieces of one chunk: role, start and end in code points.
    fn pieces(&self, py: Python<'_>, row: usize) -> PyResult<Vec<(u8, usize, usize)>> {
        self.check(row)?;
        let text = Text::of(self.source.bind(py))?;
        let mut at = usize::try_from(self.starts.get().values()[row])?;
        let pieces = self.chunks.pieces(row).iter().map(|piece| {
            let start = at;
            at += text.document().n_chars(piece.span);
            (piece.role as u8, start, at)
        });
        Ok(pieces.collect())
    }

    /// The ids of all chunks of the document called `name`.
    fn ids(&self, py: Python<'_>, name: Bound<'_, PyString>) -> PyResult<Vec<String>> {
        let name = Text::of(&name)?;
        let text = Text::of(self.source.bind(py))?;
        let mut identities = Identities::new(name.as_str());
        let ids = self.chunks.spans().map(|span| identities.next(&text.as_str()[span.range()]));
        Ok(ids.collect())
    }
}
