//! Vectors that the caller has, as the peers' own steps take them.

use chunkwright_parity::chroma;
use chunkwright_text::cut::semantic::Threshold;
use chunkwright_text::cut::semantic::threshold::threshold;
use chunkwright_text::vectors::{Dense, neighbours};
use pyo3::prelude::*;

use crate::error::{named, to_python};
use crate::gate::detached;
use crate::numbers::floats::Rows;

/// The cosine distances of neighbouring rows, each in the precision of the rows.
#[pyfunction]
pub fn neighbour_distances(py: Python<'_>, vectors: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let rows = Rows::of(vectors).map_err(to_python)?;
    let [_, n_dims] = rows.shape();
    detached(py, |pulse| match rows {
        Rows::F32(floats) => neighbours::distances(&Dense::new(floats, n_dims)?, pulse),
        Rows::F64(floats) => neighbours::distances(&Dense::new(floats, n_dims)?, pulse),
    })
}

/// The threshold of that kind, and what is compared with it.
#[pyfunction]
pub fn breakpoint_threshold(
    distances: Vec<f64>,
    kind: &str,
    amount: f64,
) -> PyResult<(f64, Vec<f64>)> {
    Ok(threshold(&distances, of_kind(kind, amount)?))
}

fn of_kind(kind: &str, amount: f64) -> PyResult<Threshold> {
    if let Some((_, (make, ..))) = Threshold::KINDS.iter().find(|(name, _)| *name == kind) {
        return Ok(make(amount));
    }
    if kind != "n_chunks" {
        return Err(named("ConfigError", format!("unknown threshold {kind:?}")));
    }
    if amount < 1.0 || amount.fract() != 0.0 {
        let message = format!("n_chunks must be a whole number of 1 at least, got {amount}");
        return Err(named("ConfigError", message));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    Ok(Threshold::NumberOfChunks(amount as usize))
}

/// One past the last row of each group that Chroma's programme makes of rows and their dot products.
#[pyfunction]
pub fn cluster_ends(
    py: Python<'_>,
    vectors: &Bound<'_, PyAny>,
    max_pieces: usize,
) -> PyResult<Vec<usize>> {
    let rows = Rows::of(vectors).map_err(to_python)?;
    let [_, n_dims] = rows.shape();
    detached(py, |pulse| match rows {
        Rows::F32(floats) => chroma::ends(&mut Dense::raw(floats, n_dims)?, max_pieces, pulse),
        Rows::F64(floats) => chroma::ends(&mut Dense::raw(floats, n_dims)?, max_pieces, pulse),
    })
}
