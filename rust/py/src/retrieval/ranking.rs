//! Steps of retrieval, on scores and vectors that the caller has.

use chunkwright_search::retrieve::matrix::{Matrix as CoreMatrix, Scores};
use chunkwright_search::retrieve::neighbours::Neighbours as CoreNeighbours;
use chunkwright_search::retrieve::{cosine, fuse, smooth, top};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::vectors::Dense;
use chunkwright_text::vectors::dot::Float;
use pyo3::prelude::*;

use crate::error::to_python;
use crate::gate::detached;
use crate::numbers::column::{Column, FloatColumn};
use crate::numbers::floats::{Floats, Rows};
use crate::numbers::integers;
use crate::numbers::matrix::Matrix;

/// One past the last hit of each question, numbers of chunks, scores.
type Hits = (Column, Column, FloatColumn);

/// What chunks count for those beside them.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Neighbours {
    core: CoreNeighbours,
}

impl Neighbours {
    /// The core's part.
    pub const fn core(&self) -> &CoreNeighbours {
        &self.core
    }
}

#[pymethods]
impl Neighbours {
    /// Of chunks with the numbers of their documents and their sizes.
    #[new]
    fn new(
        py: Python<'_>,
        doc_ids: &Bound<'_, PyAny>,
        n_tokens: &Bound<'_, PyAny>,
        reach: f64,
    ) -> PyResult<Self> {
        let docs = integers::of("doc_ids", doc_ids)?;
        let sizes = integers::of("n_tokens", n_tokens)?;
        let core = detached(py, |_| CoreNeighbours::new(&docs, &sizes, reach))?;
        Ok(Self { core })
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }
}

/// Groups of chunks, of each of which only the best one counts.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Groups {
    core: top::Groups,
}

#[pymethods]
impl Groups {
    /// Of the group of each chunk.
    #[new]
    fn new(py: Python<'_>, groups: &Bound<'_, PyAny>) -> PyResult<Self> {
        let groups = integers::of("groups", groups)?;
        Ok(Self { core: detached(py, |_| top::Groups::new(&groups))? })
    }
}

/// The cosine of each question with each vector, by rows of questions.
#[pyfunction]
pub fn cosines(
    py: Python<'_>,
    vectors: &Bound<'_, PyAny>,
    queries: &Bound<'_, PyAny>,
) -> PyResult<Matrix> {
    let (vectors, queries) = (rows_of(vectors)?, rows_of(queries)?);
    let [n, _] = vectors.shape();
    let cosines = detached(py, |pulse| match vectors {
        Rows::F32(vectors) => cosines_with(&vectors, queries, pulse),
        Rows::F64(vectors) => cosines_with(&vectors, queries, pulse),
    })?;
    Ok(Matrix::new(cosines, n))
}

fn cosines_with<T: Float>(
    vectors: &Floats<T>,
    queries: Rows,
    pulse: Pulse<'_>,
) -> Result<Vec<f32>> {
    let [_, n_dims] = vectors.shape();
    match queries {
        Rows::F32(queries) => cosine::cosines(vectors.as_ref(), n_dims, &dense(queries)?, pulse),
        Rows::F64(queries) => cosine::cosines(vectors.as_ref(), n_dims, &dense(queries)?, pulse),
    }
}

/// Unit vectors that lean towards those beside them in the same document.
#[pyfunction]
pub fn smooth_vectors(
    py: Python<'_>,
    vectors: &Bound<'_, PyAny>,
    neighbours: &Neighbours,
    weight: f64,
) -> PyResult<Matrix> {
    let rows = rows_of(vectors)?;
    let [_, n_dims] = rows.shape();
    let smoothed = detached(py, |pulse| match rows {
        Rows::F32(rows) => smooth::vectors(&dense(rows)?, neighbours.core(), weight, pulse),
        Rows::F64(rows) => smooth::vectors(&dense(rows)?, neighbours.core(), weight, pulse),
    })?;
    Ok(Matrix::new(smoothed, n_dims))
}

/// Scores with a part of those beside them in the same document.
#[pyfunction]
pub fn smooth_scores(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    neighbours: &Neighbours,
    weight: f64,
) -> PyResult<Matrix> {
    let table = table_of(scores)?;
    made(py, table.shape(), |pulse| smooth::scores(&*table, neighbours.core(), weight, pulse))
}

/// `a` plus `weight` times `b` divided by the scale of each question, or by its maximum.
#[pyfunction]
#[pyo3(signature = (a, b, weight, scales=None))]
pub fn fuse_scores(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    weight: f64,
    scales: Option<&Bound<'_, PyAny>>,
) -> PyResult<Matrix> {
    let (a, b) = (table_of(a)?, table_of(b)?);
    let scales = scales.map(|scales| integers::column("scales", "float64", scales)).transpose()?;
    made(py, a.shape(), |pulse| fuse::scores(&*a, &*b, weight, scales.as_deref(), pulse))
}

/// Cosines beside those of a background, which has a row for each question.
#[pyfunction]
pub fn standardised(
    py: Python<'_>,
    cosines: &Bound<'_, PyAny>,
    background: &Bound<'_, PyAny>,
) -> PyResult<Matrix> {
    let (cosines, background) = (table_of(cosines)?, table_of(background)?);
    made(py, cosines.shape(), |pulse| fuse::standardised(&*cosines, &*background, pulse))
}

/// The sum of `1 / (k + rank)` over all matrices; equal scores have equal ranks, from 1.
#[pyfunction]
pub fn fuse_ranks(py: Python<'_>, matrices: Vec<Bound<'_, PyAny>>, k: f64) -> PyResult<Matrix> {
    let tables: Vec<_> = matrices.iter().map(table_of).collect::<PyResult<_>>()?;
    let tables: Vec<&dyn Scores> = tables.iter().map(|table| &**table).collect();
    let shape = tables.first().map_or([0, 0], |table| table.shape());
    made(py, shape, |pulse| fuse::ranks(&tables, k, pulse))
}

/// The best chunks of each question, of each group only the best one.
#[pyfunction]
#[pyo3(signature = (scores, k, groups=None))]
pub fn top_k(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    k: usize,
    groups: Option<&Groups>,
) -> PyResult<Hits> {
    let table = table_of(scores)?;
    let groups = groups.map(|groups| &groups.core);
    let hits = detached(py, |pulse| top::top(&*table, k, groups, pulse))?;
    Ok((Column::new(hits.offsets), Column::new(hits.indices), FloatColumn::of(hits.scores)))
}

fn made(
    py: Python<'_>,
    [_, n_columns]: [usize; 2],
    scores: impl Send + FnOnce(Pulse<'_>) -> Result<Vec<f32>>,
) -> PyResult<Matrix> {
    Ok(Matrix::new(detached(py, scores)?, n_columns))
}

fn rows_of(vectors: &Bound<'_, PyAny>) -> PyResult<Rows> {
    Rows::of(vectors).map_err(to_python)
}

fn dense<T: Float>(rows: Floats<T>) -> Result<Dense<Floats<T>, T>> {
    let [_, n_dims] = rows.shape();
    Dense::new(rows, n_dims)
}

fn table_of(scores: &Bound<'_, PyAny>) -> PyResult<Box<dyn Scores>> {
    let rows = rows_of(scores)?;
    let [_, n_columns] = rows.shape();
    let table = match rows {
        Rows::F32(rows) => {
            CoreMatrix::new(rows, n_columns).map(|table| Box::new(table) as Box<dyn Scores>)
        }
        Rows::F64(rows) => {
            CoreMatrix::new(rows, n_columns).map(|table| Box::new(table) as Box<dyn Scores>)
        }
    };
    table.map_err(to_python)
}
