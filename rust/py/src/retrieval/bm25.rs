//! BM25 index over texts for Python.

use std::sync::Arc;

use chunkwright_search::retrieve::bm25::{
    self, Bm25 as Index, Builder, Context, DOCUMENT, Documents, FIELDS, Fields, Saturation, Segment,
};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::terms;
use chunkwright_text::segment::terms::subwords::Subwords;
use chunkwright_text::vectors::room_for;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};

use crate::error::to_python;
use crate::gate::detached;
use crate::numbers::column::{Column, FloatColumn};
use crate::numbers::integers;
use crate::numbers::matrix::Matrix;
use crate::retrieval::ranking::Neighbours;
use crate::strings::text::Text;

/// So many texts are made UTF-8 at once, before they are indexed without the GIL.
const BATCH: usize = 4096;

/// Some texts of an index, by themselves.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Bm25Segment {
    core: Arc<Segment>,
}

#[pymethods]
impl Bm25Segment {
    /// Of what terms are: segments of another version are made anew.
    #[classattr]
    const TERMS: u32 = terms::VERSION;

    #[new]
    #[pyo3(signature = (texts, *, subwords=None))]
    fn new(
        py: Python<'_>,
        texts: Vec<Bound<'_, PyString>>,
        subwords: Option<&str>,
    ) -> PyResult<Self> {
        let subwords = subwords.map(subwords_of).transpose().map_err(to_python)?;
        let texts: Vec<Text<'_>> = texts.iter().map(Text::of).collect::<PyResult<_>>()?;
        let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
        let core = detached(py, |pulse| Segment::new(&texts, subwords, pulse))?;
        Ok(Self { core: Arc::new(core) })
    }

    /// The segment that bytes hold.
    #[staticmethod]
    fn of_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        let core = detached(py, |_| Segment::of_bytes(&data))?;
        Ok(Self { core: Arc::new(core) })
    }

    /// The segment in which the texts of another one stand where `first` to before `end` stood.
    fn spliced(&self, py: Python<'_>, first: usize, end: usize, other: &Self) -> PyResult<Self> {
        let core = detached(py, |pulse| self.core.spliced(first..end, &other.core, pulse))?;
        Ok(Self { core: Arc::new(core) })
    }

    /// The segment as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.core.to_bytes()))
    }

    /// How many texts there are.
    #[getter]
    fn n_texts(&self) -> usize {
        self.core.n_texts()
    }

    /// How many different terms they have, subwords included.
    #[getter]
    fn n_terms(&self) -> usize {
        self.core.n_terms()
    }
}

/// What neighbours add to the texts of an index.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Bm25Context {
    core: Context,
}

/// Fields of the texts of an index, with their weights.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Bm25Fields {
    core: Fields,
}

/// The fields that texts may have: the name of each, its weight by default, and what it holds.
#[pyfunction]
pub fn bm25_fields() -> Vec<(&'static str, f64, &'static str)> {
    FIELDS.iter().map(|field| (field.name, field.weight, field.help)).collect()
}

/// Refuses what is no field, or no weight of one.
#[pyfunction]
pub fn check_field_weight(name: &str, weight: f64) -> PyResult<()> {
    bm25::checked_weight(name, weight).map(|_| ()).map_err(to_python)
}

/// An index of texts by their words; any thread may ask it.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Bm25 {
    index: Index,
}

#[pymethods]
impl Bm25 {
    #[new]
    #[pyo3(signature = (texts, *, k1, b, subwords=None))]
    fn new(
        py: Python<'_>,
        texts: Vec<Bound<'_, PyString>>,
        k1: f64,
        b: f64,
        subwords: Option<&str>,
    ) -> PyResult<Self> {
        let saturation = Saturation::new(k1, b).map_err(to_python)?;
        let subwords = subwords.map(subwords_of).transpose().map_err(to_python)?;
        let mut builder = Builder::new(saturation, subwords);
        for batch in texts.chunks(BATCH) {
            let batch: Vec<Text<'_>> = batch.iter().map(Text::of).collect::<PyResult<_>>()?;
            let batch: Vec<&str> = batch.iter().map(Text::as_str).collect();
            detached(py, |pulse| {
                let beat = Beat::of_bytes(pulse);
                batch.iter().try_for_each(|text| builder.push(text, &beat))
            })?;
        }
        let index = detached(py, |pulse| builder.finish(pulse))?;
        Ok(Self { index })
    }

    /// The index of segments, one behind the other.
    #[staticmethod]
    #[pyo3(signature = (segments, *, k1, b, subwords=None))]
    fn of_segments(
        py: Python<'_>,
        segments: Vec<PyRef<'_, Bm25Segment>>,
        k1: f64,
        b: f64,
        subwords: Option<&str>,
    ) -> PyResult<Self> {
        let saturation = Saturation::new(k1, b).map_err(to_python)?;
        let subwords = subwords.map(subwords_of).transpose().map_err(to_python)?;
        let segments = segments.iter().map(|segment| Arc::clone(&segment.core)).collect();
        let index = detached(py, |_| Index::of_segments(segments, saturation, subwords))?;
        Ok(Self { index })
    }

    /// How many texts there are.
    #[getter]
    fn n_texts(&self) -> usize {
        self.index.n_texts()
    }

    /// How many different terms they have, subwords included.
    #[getter]
    fn n_terms(&self) -> usize {
        self.index.n_terms()
    }

    /// What no score of each query exceeds.
    #[pyo3(signature = (queries, fields=None))]
    fn bounds(
        &self,
        py: Python<'_>,
        queries: Vec<Bound<'_, PyString>>,
        fields: Option<&Bm25Fields>,
    ) -> PyResult<FloatColumn> {
        let bounds = each(py, &queries, |query, pulse| {
            let own = self.index.bound(query, pulse)?;
            let added = fields.map(|fields| fields.core.bound(&self.index, query, pulse));
            Ok(own + added.transpose()?.unwrap_or(0.0))
        });
        Ok(FloatColumn::of(bounds?))
    }

    /// Fields of its texts: segments of each with its weight, and the numbers of the texts' documents with theirs.
    #[pyo3(signature = (segments, documents=None))]
    fn fields(
        &self,
        py: Python<'_>,
        segments: Vec<(String, Vec<PyRef<'_, Bm25Segment>>, f64)>,
        documents: Option<(Bound<'_, PyAny>, f64)>,
    ) -> PyResult<Bm25Fields> {
        let mut core = Fields::new(&self.index);
        for (name, segments, weight) in segments {
            let segments = segments.iter().map(|segment| Arc::clone(&segment.core)).collect();
            core.push(&name, segments, weight).map_err(to_python)?;
        }
        if let Some((numbers, weight)) = documents {
            let numbers = integers::of(DOCUMENT, &numbers)?;
            let documents = detached(py, |_| Documents::new(&self.index, &numbers))?;
            core.set_documents(documents, weight).map_err(to_python)?;
        }
        Ok(Bm25Fields { core })
    }

    /// What neighbours add to texts: what they have counts `weight` times what it counts in the text itself,
    /// and less with the distance.
    fn context(
        &self,
        py: Python<'_>,
        neighbours: &Neighbours,
        weight: f64,
    ) -> PyResult<Bm25Context> {
        let core = detached(py, |_| Context::new(&self.index, neighbours.core(), weight))?;
        Ok(Bm25Context { core })
    }

    /// The scores of all texts, a row for each query, and what no score of it exceeds; no rows where there are
    /// no texts.
    #[pyo3(signature = (queries, context=None, fields=None))]
    fn scores(
        &self,
        py: Python<'_>,
        queries: Vec<Bound<'_, PyString>>,
        context: Option<&Bm25Context>,
        fields: Option<&Bm25Fields>,
    ) -> PyResult<(Matrix, FloatColumn)> {
        let n_texts = self.index.n_texts();
        let mut scores = room_for(queries.len(), n_texts).map_err(to_python)?;
        let add_fields = |query: &str, own: &mut [f32], pulse: Pulse<'_>| match fields {
            None => Ok(0.0),
            Some(fields) => fields.core.add_scores(&self.index, query, own, pulse),
        };
        let mut texts = match context {
            None => None,
            Some(context) => Some(self.index.in_context(&context.core).map_err(to_python)?),
        };
        let bounds = each(py, &queries, |query, pulse| {
            let start = scores.len();
            let own = match &mut texts {
                None => self.index.push_scores(query, &mut scores, pulse),
                Some(texts) => texts.push_scores(query, &mut scores, pulse),
            }?;
            Ok(own + add_fields(query, &mut scores[start..], pulse)?)
        })?;
        Ok((Matrix::new(scores, n_texts), FloatColumn::of(bounds)))
    }

    /// The scores of the texts of segments `begin` to before `end`, what no score of the query exceeds, and what
    /// it would be with the terms that no text has.
    fn scores_in(
        &self,
        py: Python<'_>,
        query: &Bound<'_, PyString>,
        begin: usize,
        end: usize,
    ) -> PyResult<(Matrix, f64, f64)> {
        let (query, mut scores) = (Text::of(query)?, Vec::new());
        let query = query.as_str();
        let bounds =
            detached(py, |pulse| self.index.push_scores_in(begin..end, query, &mut scores, pulse))?;
        let n = scores.len();
        Ok((Matrix::new(scores, n), bounds.known, bounds.whole))
    }

    /// The scores of texts that are not in the index, as shares of the query's bound.
    fn shares(
        &self,
        py: Python<'_>,
        query: &Bound<'_, PyString>,
        texts: Vec<Bound<'_, PyString>>,
    ) -> PyResult<FloatColumn> {
        let (query, texts) = (Text::of(query)?, texts.iter().map(Text::of));
        let texts: Vec<Text<'_>> = texts.collect::<PyResult<_>>()?;
        let (query, texts) = (query.as_str(), texts.iter().map(Text::as_str).collect::<Vec<_>>());
        let shares = detached(py, |pulse| self.index.shares(query, &texts, pulse))?;
        Ok(FloatColumn::of(shares.into_iter().map(f64::from).collect()))
    }

    /// The `k` best texts of each query: where those of each query begin and end, their numbers, their scores.
    fn top(
        &self,
        py: Python<'_>,
        queries: Vec<Bound<'_, PyString>>,
        k: usize,
    ) -> PyResult<(Column, Column, FloatColumn)> {
        let mut ends = vec![0];
        let (mut texts, mut scores) = (Vec::new(), Vec::new());
        each(py, &queries, |query, pulse| {
            let hits = self.index.top(query, k, pulse)?;
            texts.extend(hits.iter().map(|hit| hit.text));
            scores.extend(hits.iter().map(|hit| f64::from(hit.score)));
            ends.push(texts.len());
            Ok(())
        })?;
        Ok((Column::new(ends), Column::new(texts), FloatColumn::of(scores)))
    }
}

/// The subwords of this name.
fn subwords_of(name: &str) -> Result<Subwords> {
    match name {
        "prefix" => Ok(Subwords::Prefix),
        "4-grams" => Ok(Subwords::FourGrams),
        _ => Err(Error::Config(format!(
            "unknown subwords {name:?}; known are \"prefix\" and \"4-grams\""
        ))),
    }
}

/// What `answer` gives for each query, without the GIL.
fn each<T: Send>(
    py: Python<'_>,
    queries: &[Bound<'_, PyString>],
    mut answer: impl Send + FnMut(&str, Pulse<'_>) -> Result<T>,
) -> PyResult<Vec<T>> {
    let queries: Vec<Text<'_>> = queries.iter().map(Text::of).collect::<PyResult<_>>()?;
    let queries: Vec<&str> = queries.iter().map(Text::as_str).collect();
    detached(py, |pulse| queries.into_iter().map(|query| answer(query, pulse)).collect())
}
