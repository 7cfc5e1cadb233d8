//! Stored vectors for Python: blocks of half floats, and cosines of rows by their slots.

use std::sync::Arc;

use chunkwright_search::retrieve::slots::Slots as CoreSlots;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::vectors::Dense;
use chunkwright_text::vectors::half::{HalfBlock as CoreBlock, to_halves as core_to_halves};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::error::to_python;
use crate::gate::detached;
use crate::numbers::floats::Rows;
use crate::numbers::integers;
use crate::numbers::matrix::Matrix;
use crate::retrieval::ranking::Neighbours;

/// Rows of half floats in `bytes`, which are read where they are.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct HalfBlock {
    core: Arc<CoreBlock<PyBackedBytes>>,
}

#[pymethods]
impl HalfBlock {
    #[new]
    fn new(py: Python<'_>, data: PyBackedBytes, n_dims: usize) -> PyResult<Self> {
        let core = detached(py, |_| CoreBlock::new(data, n_dims))?;
        Ok(Self { core: Arc::new(core) })
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }
}

/// Vectors of rows by their slots in blocks.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Slots {
    core: CoreSlots<PyBackedBytes>,
}

#[pymethods]
impl Slots {
    #[new]
    #[pyo3(signature = (blocks, n_dims, row_slots, neighbours=None, weight=0.0))]
    fn new(
        py: Python<'_>,
        blocks: Vec<PyRef<'_, HalfBlock>>,
        n_dims: usize,
        row_slots: &Bound<'_, PyAny>,
        neighbours: Option<&Neighbours>,
        weight: f64,
    ) -> PyResult<Self> {
        let row_slots = integers::of("row_slots", row_slots)?;
        let blocks = blocks.iter().map(|block| Arc::clone(&block.core)).collect();
        let neighbours = neighbours.map(|neighbours| (neighbours.core().clone(), weight));
        let core =
            detached(py, |pulse| CoreSlots::new(blocks, n_dims, &row_slots, neighbours, pulse))?;
        Ok(Self { core })
    }

    /// The same as of new, with the numbers that each row has here, or -1 for those of documents that changed.
    #[pyo3(signature = (blocks, row_slots, rows_before, neighbours=None, weight=0.0))]
    fn renewed(
        &self,
        py: Python<'_>,
        blocks: Vec<PyRef<'_, HalfBlock>>,
        row_slots: &Bound<'_, PyAny>,
        rows_before: &Bound<'_, PyAny>,
        neighbours: Option<&Neighbours>,
        weight: f64,
    ) -> PyResult<Self> {
        let row_slots = integers::of("row_slots", row_slots)?;
        let before = integers::of("rows_before", rows_before)?;
        let blocks = blocks.iter().map(|block| Arc::clone(&block.core)).collect();
        let neighbours = neighbours.map(|neighbours| (neighbours.core().clone(), weight));
        let core = detached(py, |pulse| {
            self.core.renewed(blocks, &row_slots, neighbours, &before, pulse)
        })?;
        Ok(Self { core })
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    /// The cosine of each question with each row, or each of `rows`, by lines of questions.
    #[pyo3(signature = (queries, rows=None))]
    fn cosines(
        &self,
        py: Python<'_>,
        queries: &Bound<'_, PyAny>,
        rows: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Matrix> {
        let queries = Rows::of(queries).map_err(to_python)?;
        let rows = rows.map(|rows| integers::of("rows", rows)).transpose()?;
        let n_columns = rows.as_ref().map_or(self.core.len(), Vec::len);
        let cosines = detached(py, |pulse| self.cosines_with(queries, rows.as_deref(), pulse))?;
        Ok(Matrix::new(cosines, n_columns))
    }
}

impl Slots {
    fn cosines_with(
        &self,
        queries: Rows,
        rows: Option<&[i64]>,
        pulse: Pulse<'_>,
    ) -> Result<Vec<f32>> {
        let [_, n_dims] = queries.shape();
        match queries {
            Rows::F32(queries) => self.core.cosines(&Dense::new(queries, n_dims)?, rows, pulse),
            Rows::F64(queries) => self.core.cosines(&Dense::new(queries, n_dims)?, rows, pulse),
        }
    }
}

/// Vectors at unit length as half floats, which [`HalfBlock`] reads.
#[pyfunction]
pub fn to_halves<'py>(
    py: Python<'py>,
    vectors: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let vectors = Rows::of(vectors).map_err(to_python)?;
    let [_, n_dims] = vectors.shape();
    let halves = detached(py, |pulse| match vectors {
        Rows::F32(rows) => core_to_halves(&Dense::new(rows, n_dims)?, pulse),
        Rows::F64(rows) => core_to_halves(&Dense::new(rows, n_dims)?, pulse),
    })?;
    Ok(PyBytes::new(py, &halves))
}
