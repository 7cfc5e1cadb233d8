//! Slice of columns: chunks of one document with their texts, and what all of the document says of them.

use std::ops::Range;

use chunkwright_engine::cut::Cut;
use chunkwright_engine::rows::facts::Places;
use chunkwright_engine::rows::whole::Whole;
use chunkwright_text::chunks::Chunks;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Columns;
use crate::elements::Elements;
use crate::error::to_python;
use crate::strings::sources::Source;
use crate::strings::text::Text;

/// A slice of the chunks of a document.
pub(super) struct Slice {
    /// The texts of the chunks.
    pub(super) texts: Vec<Py<PyString>>,
    pub(super) whole: Whole,
}

impl Slice {
    /// The texts as UTF-8.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn utf8(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.texts.iter().map(|text| Ok(Text::of(text.bind(py))?.as_str().to_owned())).collect()
    }

    /// The slice as bytes: all but the texts.
    pub(super) fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        columns: &Columns,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.whole.to_bytes(&columns.chunks).map_err(to_python)?))
    }
}

impl Columns {
    /// See the method `slice`.
    pub(super) fn sliced(
        &self,
        py: Python<'_>,
        rows: Range<usize>,
        name: &str,
        sizes: &[usize],
        elements: Option<Py<Elements>>,
    ) -> PyResult<Self> {
        self.check(rows.start)?;
        let doc = self.doc(rows.start);
        let all = self.rows_of(doc)?;
        if self.slice.is_some() || rows.end > all.end || rows.len() != sizes.len() {
            let message = format!("chunks {rows:?} are not among the chunks {all:?} of a document");
            return Err(PyIndexError::new_err(message));
        }
        let (text, of) = (self.text_of(py, doc)?, self.of_document(doc));
        let own = rows.start - all.start..rows.end - all.start;
        let (ids, places) = (self.ids_of(doc, name, &text), self.places_of(doc, &text));
        let facts = self.elements_of(doc, &text);
        let mut chunks = self.chunks.slice(doc, rows.start, sizes);
        let first = chunks.origins().iter().map(|of| of.first).min().unwrap_or(0);
        let numbers = elements.as_ref().and_then(|elements| elements.get().numbers());
        let n_before = numbers.map_or(0, |of| of.partition_point(|&number| number < first));
        chunks.renumber_elements(first - n_before);
        let places_of = |row| -> PyResult<Vec<[i64; 2]>> {
            let pieces = self.pieces(py, row)?.into_iter();
            pieces.map(|(_, start, end)| Ok([i64::try_from(start)?, i64::try_from(end)?])).collect()
        };
        let whole = Whole {
            row: rows.start,
            doc,
            chunk: own.start,
            element: first - n_before,
            document_id: self.document_id_of(doc, &text).to_owned(),
            ids: ids[own.clone()].to_vec(),
            chars: [of.starts, of.ends].map(|chars| chars[rows.clone()].to_vec()),
            pieces: rows.clone().map(places_of).collect::<PyResult<_>>()?,
            places: Places {
                lines: places.lines[own.clone()].to_vec(),
                sources: places.sources[own.clone()].to_vec(),
            },
            endings: self.endings_of(doc).get(own.clone()).unwrap_or_default().to_vec(),
            parents: own.map(|chunk| facts.parent(&of, chunk)).collect(),
        };
        let texts = rows.map(|row| Ok(self.slice(py, doc, row)?.unbind()));
        Self::of_slice(py, texts.collect::<PyResult<_>>()?, elements, whole, chunks)
    }

    /// The slice that `stored` holds, of these texts and elements.
    pub(super) fn of_stored_slice(
        py: Python<'_>,
        stored: &[u8],
        texts: Vec<Py<PyString>>,
        elements: Option<Py<Elements>>,
    ) -> PyResult<Self> {
        let n_elements = elements.as_ref().map(|elements| elements.get().items().len());
        let (whole, chunks) =
            Whole::of_bytes(stored, texts.len(), n_elements).map_err(to_python)?;
        Self::of_slice(py, texts, elements, whole, chunks)
    }

    fn of_slice(
        py: Python<'_>,
        texts: Vec<Py<PyString>>,
        elements: Option<Py<Elements>>,
        whole: Whole,
        chunks: Chunks,
    ) -> PyResult<Self> {
        let no_text = || Source::Plain(PyString::intern(py, "").unbind());
        let source = elements.map_or_else(no_text, Source::Elements);
        let [starts, ends] = whole.chars.clone();
        let apart = whole.pieces.iter().cloned().enumerate().collect();
        let cut = Cut { chunks, starts, ends, boundaries: Vec::new(), apart };
        Ok(Self { slice: Some(Slice { texts, whole }), ..Self::new(py, source, cut)? })
    }
}
