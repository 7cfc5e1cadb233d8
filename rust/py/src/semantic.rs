//! Semantic strategies by the names of their options.

use std::sync::Arc;

use chunkwright_core::cut::semantic::{Mean, Scoring, Segments, Semantic, Target, Threshold};
use chunkwright_core::cut::strategy::Strategy;
use pyo3::prelude::*;

use crate::asked::Called;
use crate::embedder::Embedder;
use crate::error::{named, to_python};
use crate::sentences::known;

/// Sentences, cut where windows of them differ by more than a threshold of that name.
///
/// # Errors
/// A `ConfigError` that names an unknown language or threshold.
pub fn kamradt(
    embedder: &Embedder,
    language: &str,
    window: usize,
    (threshold, amount): (&str, f64),
    min_size: usize,
) -> PyResult<Strategy> {
    let segments = Segments::Sentences(known(language).map_err(to_python)?);
    let scoring = Scoring::Kamradt { window, threshold: of_name(threshold, amount)?, min_size };
    Ok(strategy(embedder, segments, scoring))
}

/// Small pieces, the threshold searched for chunks of a size.
///
/// # Errors
/// A `ConfigError` that names an unknown language or target.
pub fn kamradt_modified(
    embedder: &Embedder,
    language: &str,
    piece_max: usize,
    window: usize,
    (target, size): (&str, usize),
) -> PyResult<Strategy> {
    let (target, whole) = match target {
        "average" => (Target::Average(size), usize::MAX),
        "max" => (Target::Max(size), size),
        other => return Err(named("ConfigError", format!("unknown target {other:?}"))),
    };
    let scoring = Scoring::KamradtModified { window, target };
    Ok(strategy(embedder, joined(language, piece_max, whole)?, scoring))
}

/// Small pieces, in the groups that have most in common.
///
/// # Errors
/// A `ConfigError` that names an unknown language or mean.
pub fn cluster(
    embedder: &Embedder,
    language: &str,
    piece_max: usize,
    mean: &str,
    parity: Option<usize>,
) -> PyResult<Strategy> {
    let mean = match mean {
        "global" => Mean::Global,
        "local" => Mean::Local,
        other => return Err(named("ConfigError", format!("unknown mean {other:?}"))),
    };
    let scoring = Scoring::Cluster { mean, parity };
    let segments = match parity {
        Some(_) => small(language, piece_max)?,
        None => joined(language, piece_max, usize::MAX)?,
    };
    Ok(strategy(embedder, segments, scoring))
}

/// Sentences, cut where what is before differs most from what is behind.
///
/// # Errors
/// A `ConfigError` that names an unknown language.
pub fn discontinuity(embedder: &Embedder, language: &str, window: usize) -> PyResult<Strategy> {
    let segments = Segments::Sentences(known(language).map_err(to_python)?);
    Ok(strategy(embedder, segments, Scoring::Discontinuity { window }))
}

/// Small pieces, where `asked` says with which of them chunks begin.
///
/// # Errors
/// A `ConfigError` that names an unknown language.
pub fn given(
    asked: Py<PyAny>,
    language: &str,
    piece_max: usize,
    sentence_max: usize,
) -> PyResult<Strategy> {
    let segments = joined(language, piece_max, sentence_max)?;
    Ok(Strategy::Given { segments, asked: Arc::new(Called::new(asked)) })
}

fn strategy(embedder: &Embedder, segments: Segments, scoring: Scoring) -> Strategy {
    Strategy::Semantic(Semantic { segments, embedder: embedder.core().clone(), scoring })
}

fn small(language: &str, max: usize) -> PyResult<Segments> {
    Ok(Segments::Small { language: known(language).map_err(to_python)?, max })
}

fn joined(language: &str, max: usize, whole: usize) -> PyResult<Segments> {
    Ok(Segments::Joined { language: known(language).map_err(to_python)?, max, whole })
}

/// The threshold of that name.
///
/// # Errors
/// A `ConfigError` if there is none, or none with such an amount.
pub fn of_name(name: &str, amount: f64) -> PyResult<Threshold> {
    Ok(match name {
        "percentile" => Threshold::Percentile(amount),
        "standard_deviation" => Threshold::StandardDeviation(amount),
        "interquartile" => Threshold::Interquartile(amount),
        "gradient" => Threshold::Gradient(amount),
        "n_chunks" => Threshold::NumberOfChunks(count(amount)?),
        other => return Err(named("ConfigError", format!("unknown threshold {other:?}"))),
    })
}

fn count(amount: f64) -> PyResult<usize> {
    if amount < 1.0 || amount.fract() != 0.0 {
        let message = format!("n_chunks must be a whole number of 1 at least, got {amount}");
        return Err(named("ConfigError", message));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let n = amount as usize;
    Ok(n)
}
