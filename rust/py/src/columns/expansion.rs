//! Expansion of chunks to what surrounds them, and shadows of it beside them.

use std::ops::Range;

use chunkwright_engine::cut::Cut;
use chunkwright_text::chunks::Chunks;
use chunkwright_text::cut::expand::shadows::shadows;
use chunkwright_text::cut::expand::{Scope, expand};
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::Columns;
use crate::measure::unit::Unit;
use crate::strings::text::Text;

/// The shadows of a chunk, before and behind it.
pub type Shadows = (Option<Py<PyString>>, Option<Py<PyString>>);

impl Columns {
    /// The same chunks, of which `rows` (ascending) are expanded; see [`expand`].
    ///
    /// # Errors
    /// Those of the measure, and of signals.
    pub(super) fn expanded_to(
        &self,
        py: Python<'_>,
        rows: &[usize],
        unit: &Unit,
        scope: Scope,
        most: Option<usize>,
    ) -> PyResult<Self> {
        let cuts = self.wanted(rows).map(|(doc, all, wanted)| {
            let text = self.text_of(py, doc)?;
            let document = self.sources[doc].complete(text.document());
            if wanted.is_empty() {
                let mut chunks = Chunks::default();
                all.for_each(|row| chunks.push_row(&self.chunks, row));
                return Ok(Cut::new(document, chunks));
            }
            unit.with_measure(py, &text, document, |measure, pulse| {
                let chunks = &self.chunks;
                expand(document, measure, chunks, all, wanted, scope, most, pulse)
                    .map(|expanded| Cut::of_overlapping(document, expanded))
            })
        });
        let cuts = cuts.collect::<PyResult<Vec<_>>>()?;
        let sources = self.sources.iter().map(|source| source.clone_ref(py)).collect();
        Self::of_many(py, sources, cuts.into_iter())
    }

    /// The shadows of all chunks; see [`shadows`]. Those of a document without any of `rows` (ascending) are left
    /// out.
    ///
    /// # Errors
    /// Those of the measure, and of signals.
    pub(super) fn shadows_of(
        &self,
        py: Python<'_>,
        rows: &[usize],
        unit: &Unit,
        most: usize,
    ) -> PyResult<Vec<Shadows>> {
        let mut found = Vec::with_capacity(self.chunks.len());
        for (doc, all, wanted) in self.wanted(rows) {
            if wanted.is_empty() {
                found.extend(all.map(|_| (None, None)));
                continue;
            }
            let text = self.text_of(py, doc)?;
            let document = self.sources[doc].complete(text.document());
            let spans = unit.with_measure(py, &text, document, |measure, pulse| {
                shadows(document, measure, &self.chunks, all, most, pulse)
            })?;
            let [before, behind] =
                [0, 1].map(|side| slices(&text, spans.iter().map(|both| both[side])));
            found.extend(before?.into_iter().zip(behind?));
        }
        Ok(found)
    }

    /// The number of each document, its rows, and those of `rows` (ascending) that are among them.
    fn wanted<'a>(
        &'a self,
        rows: &'a [usize],
    ) -> impl Iterator<Item = (usize, Range<usize>, &'a [usize])> {
        self.rows_by_doc().enumerate().map(|(doc, all)| {
            let bounds = [all.start, all.end].map(|end| rows.partition_point(|&row| row < end));
            (doc, all, &rows[bounds[0]..bounds[1]])
        })
    }
}

/// The texts of spans that ascend, none of those that are empty.
fn slices(
    text: &Text<'_>,
    spans: impl Iterator<Item = Span>,
) -> PyResult<Vec<Option<Py<PyString>>>> {
    let [mut starts, mut ends] = [(); 2].map(|()| text.document().char_sweep());
    let mut slice = |span: Span| text.slice(starts.at(span.start), ends.at(span.end));
    let shadow = |span: Span| (!span.is_empty()).then(|| slice(span).map(Bound::unbind));
    spans.map(shadow).map(Option::transpose).collect()
}
