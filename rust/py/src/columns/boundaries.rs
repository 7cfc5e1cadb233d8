//! Boundaries of semantic strategies as columns.

use chunkwright_text::boundaries::{Boundaries as CoreBoundaries, Verdict};
use pyo3::prelude::*;

use super::Columns;
use crate::error::named;
use crate::numbers::column::{Column, FloatColumn};
use crate::strings::text::Text;

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

    /// What `Columns.restore` makes them of: positions in bytes, scores, verdicts, numbers of places, ends
    /// and thresholds of the texts.
    fn parts(&self) -> Parts {
        let core = self.core();
        let verdicts = core.verdicts().iter().map(|verdict| verdict.code()).collect();
        let n_places = core.verdicts().iter().map(|verdict| verdict.n_places()).collect();
        let (ats, scores) = (core.ats().to_vec(), core.scores().to_vec());
        Parts(ats, scores, verdicts, n_places, self.text_ends(), self.thresholds())
    }
}

/// What [`Boundaries`] are made of, unchecked.
#[derive(Default, FromPyObject, IntoPyObject)]
pub struct Parts(Vec<usize>, Vec<f64>, Vec<u8>, Vec<u32>, Vec<usize>, Vec<f64>);

/// The parts of the boundaries of one text.
#[derive(Clone, Copy, Default)]
pub struct OfText<'p> {
    ats: &'p [usize],
    scores: &'p [f64],
    verdicts: &'p [u8],
    n_places: &'p [u32],
    /// None if no semantic strategy cut the text.
    threshold: Option<f64>,
}

impl Parts {
    /// What belongs to each of `n_texts`.
    ///
    /// # Errors
    /// If they do not share the boundaries.
    pub fn by_text(&self, n_texts: usize) -> PyResult<Vec<OfText<'_>>> {
        let Self(ats, scores, verdicts, n_places, ends, thresholds) = self;
        if ends.is_empty() && ats.is_empty() {
            return Ok(vec![OfText::default(); n_texts]);
        }
        let n = ats.len();
        let are_columns = [scores.len(), verdicts.len(), n_places.len()] == [n; 3];
        let share = thresholds.len() == n_texts
            && ends.len() == n_texts
            && ends.is_sorted()
            && ends.last() == Some(&n);
        if !are_columns || !share {
            let message = format!("{ends:?} do not share {n} boundaries among {n_texts} texts");
            return Err(named("ConfigError", message));
        }
        let starts = [0].into_iter().chain(ends.iter().copied());
        let of_text = |((start, &end), &threshold)| {
            let (ats, scores) = (&ats[start..end], &scores[start..end]);
            let (verdicts, n_places) = (&verdicts[start..end], &n_places[start..end]);
            OfText { ats, scores, verdicts, n_places, threshold: Some(threshold) }
        };
        Ok(starts.zip(ends).zip(thresholds).map(of_text).collect())
    }
}

impl OfText<'_> {
    /// The boundaries, which lie in `text`.
    ///
    /// # Errors
    /// If they do not, or a verdict is none.
    pub fn within(&self, text: &Text<'_>) -> PyResult<CoreBoundaries> {
        let mut boundaries = CoreBoundaries::default();
        let Self { ats, scores, verdicts, n_places, .. } = self;
        if !ats.is_sorted() {
            return Err(named("ConfigError", format!("boundaries {ats:?} do not ascend")));
        }
        let verdicts = verdicts.iter().zip(*n_places);
        for ((&at, &score), (&verdict, &n_places)) in ats.iter().zip(*scores).zip(verdicts) {
            if !text.as_str().is_char_boundary(at) {
                return Err(named("ConfigError", format!("boundary {at} is not in the text")));
            }
            let known = Verdict::of_code(verdict, n_places);
            let unknown = || named("ConfigError", format!("unknown verdict {verdict}"));
            boundaries.push(at, score, known.ok_or_else(unknown)?);
        }
        if let Some(threshold) = self.threshold {
            boundaries.end_text(threshold);
        }
        Ok(boundaries)
    }
}
