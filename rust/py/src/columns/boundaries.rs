//! Boundaries of semantic strategies as columns.

use chunkwright_text::boundaries::Boundaries as CoreBoundaries;
use pyo3::prelude::*;

use super::Columns;
use crate::numbers::column::{Column, FloatColumn};

/// The boundaries of all texts of a `Columns`, one after another.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Boundaries {
    columns: Py<Columns>,
}

impl Boundaries {
    /// The boundaries in `columns`.
    pub const fn new(columns: Py<Columns>) -> Self {
        Self { columns }
    }

    fn core(&self) -> &CoreBoundaries {
        self.columns.get().chunks().boundaries()
    }

    fn verdict_numbers(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.core().verdicts().iter().map(|verdict| usize::from(verdict.code()))
    }
}

#[pymethods]
impl Boundaries {
    fn __len__(&self) -> usize {
        self.core().len()
    }

    /// Where the texts before the boundaries end, in code points.
    fn positions(&self) -> Column {
        Column::of(self.columns.get().boundary_positions().to_vec())
    }

    /// The same in UTF-8 bytes.
    fn byte_positions(&self) -> Column {
        Column::new(self.core().ats().iter().copied())
    }

    /// Cosine distances of what meets at the boundaries.
    fn scores(&self) -> FloatColumn {
        FloatColumn::of(self.core().scores().to_vec())
    }

    /// Whether the text was cut at the boundaries: 0 not, 1 for the score, 2 for the limit.
    fn verdicts(&self) -> Column {
        Column::new(self.verdict_numbers())
    }

    /// Among how many boundaries the limit had each one chosen; 0 where it did not cut.
    fn n_places(&self) -> Column {
        Column::of(self.core().verdicts().iter().map(|verdict| verdict.n_places().into()).collect())
    }

    /// For each text: one past its last boundary.
    fn text_ends(&self) -> Vec<usize> {
        self.core().text_ends().to_vec()
    }

    /// For each text: what a score had to exceed; NaN if there was no such number.
    fn thresholds(&self) -> Vec<f64> {
        self.core().thresholds().to_vec()
    }
}
