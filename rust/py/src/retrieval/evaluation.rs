//! Scores of an evaluation, and where texts stand in others.

use chunkwright_search::evaluate as core;
use chunkwright_search::evaluate::next_occurrences as next;
use chunkwright_search::evaluate::{Groups, all_occurrences as all, first_occurrences as first};
use chunkwright_text::error::Error;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::Pulse;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::to_python;
use crate::gate::detached;
use crate::numbers::column::{Column, FloatColumn};
use crate::numbers::integers;
use crate::strings::text::Utf8;

/// Where chunks stand.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Places {
    core: core::Places,
}

#[pymethods]
impl Places {
    #[new]
    fn new(
        corpora: &Bound<'_, PyAny>,
        starts: &Bound<'_, PyAny>,
        ends: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let corpora = integers::of("corpora", corpora)?;
        let (starts, ends) = (integers::of("starts", starts)?, integers::of("ends", ends)?);
        let core = core::Places::new(&corpora, &starts, &ends).map_err(to_python)?;
        Ok(Self { core })
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }
}

/// Which passages answer the questions.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Excerpts {
    core: core::Excerpts,
}

#[pymethods]
impl Excerpts {
    #[new]
    #[pyo3(signature = (
        corpora, offsets, starts, ends, occurrence_offsets=None, occurrence_starts=None
    ))]
    fn new(
        corpora: &Bound<'_, PyAny>,
        offsets: &Bound<'_, PyAny>,
        starts: &Bound<'_, PyAny>,
        ends: &Bound<'_, PyAny>,
        occurrence_offsets: Option<&Bound<'_, PyAny>>,
        occurrence_starts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (corpora, offsets) =
            (integers::of("corpora", corpora)?, integers::of("offsets", offsets)?);
        let (starts, ends) = (integers::of("starts", starts)?, integers::of("ends", ends)?);
        let groups = Groups::new("excerpts", &offsets, corpora.len(), starts.len());
        let core = groups.and_then(|groups| core::Excerpts::new(&corpora, groups, &starts, &ends));
        let core = core.map_err(to_python)?;
        let (offsets, starts) = match (occurrence_offsets, occurrence_starts) {
            (Some(offsets), Some(starts)) => (offsets, starts),
            (None, None) => return Ok(Self { core }),
            _ => {
                let message = "occurrence_offsets and occurrence_starts must be given together";
                return Err(to_python(Error::Config(message.into())));
            }
        };
        let offsets = integers::of("occurrence_offsets", offsets)?;
        let starts = integers::of("occurrence_starts", starts)?;
        let groups = Groups::new("occurrences", &offsets, core.n_excerpts(), starts.len());
        let core = groups.and_then(|groups| core.with_occurrences(&groups, &starts));
        Ok(Self { core: core.map_err(to_python)? })
    }

    /// Number of questions.
    fn __len__(&self) -> usize {
        self.core.len()
    }

    /// Recall, precision and intersection over union of each question's hits.
    fn score(
        &self,
        py: Python<'_>,
        places: &Places,
        hit_offsets: &Bound<'_, PyAny>,
        hits: &Bound<'_, PyAny>,
    ) -> PyResult<(FloatColumn, FloatColumn, FloatColumn)> {
        let offsets = integers::of("hit_offsets", hit_offsets)?;
        let hits = integers::of("hits", hits)?;
        let scores = detached(py, |pulse| {
            let groups = Groups::new("hits", &offsets, self.core.len(), hits.len())?;
            core::score(&self.core, &places.core, &groups, &hits, pulse)
        })?;
        let [recall, precision, iou] =
            [scores.recall, scores.precision, scores.iou].map(FloatColumn::of);
        Ok((recall, precision, iou))
    }

    /// Precision omega of each question, and how many chunks hold an excerpt of it.
    fn omega(&self, py: Python<'_>, places: &Places) -> PyResult<(FloatColumn, Column)> {
        let (omegas, holding) = detached(py, |pulse| core::omega(&self.core, &places.core, pulse))?;
        Ok((FloatColumn::of(omegas), Column::new(holding)))
    }
}

/// Where each needle stands first, in code points; -1 if nowhere.
#[pyfunction]
pub fn first_occurrences(
    py: Python<'_>,
    text: Py<PyString>,
    needles: Vec<Py<PyString>>,
) -> PyResult<Column> {
    places_of(py, &text, &needles, first)
}

/// Where each needle stands if they are chunks in reading order, in code points; -1 if nowhere.
#[pyfunction]
pub fn next_occurrences(
    py: Python<'_>,
    text: Py<PyString>,
    needles: Vec<Py<PyString>>,
) -> PyResult<Column> {
    places_of(py, &text, &needles, next)
}

/// Where `needle` stands, overlapping occurrences too, in code points.
#[pyfunction]
pub fn all_occurrences(
    py: Python<'_>,
    text: Py<PyString>,
    needle: Py<PyString>,
) -> PyResult<Column> {
    let (text, needle) = (Utf8::of_code_points(py, &text)?, Utf8::of_code_points(py, &needle)?);
    let (text, needle) = (text.document().text(), needle.document().text());
    let found = detached(py, |pulse| {
        let chars = CharIndex::new(text, &[]);
        let bytes = all(text, needle, pulse)?;
        Ok(bytes.into_iter().map(|at| chars.byte_to_char(text, at)).collect::<Vec<_>>())
    })?;
    Ok(Column::new(found))
}

type Found = chunkwright_text::error::Result<Vec<Option<usize>>>;

fn places_of(
    py: Python<'_>,
    text: &Py<PyString>,
    needles: &[Py<PyString>],
    find: impl Send + FnOnce(&str, &[&str], Pulse<'_>) -> Found,
) -> PyResult<Column> {
    let text = Utf8::of_code_points(py, text)?;
    let needles: PyResult<Vec<_>> =
        needles.iter().map(|needle| Utf8::of_code_points(py, needle)).collect();
    let needles = needles?;
    let (text, needles): (_, Vec<_>) =
        (text.document().text(), needles.iter().map(|needle| needle.document().text()).collect());
    let found = detached(py, |pulse| {
        let chars = CharIndex::new(text, &[]);
        let position = |at: usize| i64::try_from(chars.byte_to_char(text, at)).unwrap_or(i64::MAX);
        let found = find(text, &needles, pulse)?;
        Ok(found.into_iter().map(|at| at.map_or(-1, position)).collect())
    })?;
    Ok(Column::of(found))
}
