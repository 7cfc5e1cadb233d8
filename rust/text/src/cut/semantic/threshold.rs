//! Thresholds of distances, to the last bit as NumPy has them.
//!
//! Percentiles are interpolated between the two nearest distances, as `numpy.percentile` does, the standard
//! deviation is that of the population, and a gradient is that of `numpy.gradient`. Sums are pairwise, as NumPy's
//! are: a threshold that differs in its last bit would make another chunk where a distance is equal to it.
//!
//! ```
//! use chunkwright_text::cut::semantic::Threshold;
//! use chunkwright_text::cut::semantic::threshold::threshold;
//!
//! let distances = [0.1, 0.2, 0.9, 0.1];
//! let (median, compared) = threshold(&distances, Threshold::Percentile(50.0));
//! assert!((median - 0.15).abs() < 1e-12);
//! assert_eq!(compared, distances);
//! ```

use super::Threshold;

/// The threshold, and what is compared with it: the distances, or their gradient.
///
/// NaN if there are too few distances for one: none, or fewer than two for a gradient. O(n).
pub fn threshold(distances: &[f64], kind: Threshold) -> (f64, Vec<f64>) {
    let of = |threshold| (threshold, distances.to_vec());
    match kind {
        Threshold::Percentile(q) => of(percentile(distances, q)),
        Threshold::StandardDeviation(n) => of(mean(distances) + n * standard_deviation(distances)),
        Threshold::Interquartile(n) => {
            let range = percentile(distances, 75.0) - percentile(distances, 25.0);
            of(mean(distances) + n * range)
        }
        Threshold::Gradient(_) if distances.len() < 2 => of(f64::NAN),
        Threshold::Gradient(q) => {
            let gradient = gradient(distances);
            (percentile(&gradient, q), gradient)
        }
        Threshold::NumberOfChunks(n) => of(percentile(distances, percent(distances.len(), n))),
    }
}

/// The percentile over which `n_chunks - 1` of `n` distances lie, or nearly.
#[allow(clippy::cast_precision_loss, reason = "there are not 2^53 chunks")]
fn percent(n: usize, n_chunks: usize) -> f64 {
    let (n, n_chunks) = (n as f64, n_chunks as f64);
    if n <= 1.0 {
        return 100.0;
    }
    let at = n_chunks.min(n).max(1.0);
    (100.0 / (1.0 - n) * (at - n)).clamp(0.0, 100.0)
}

/// `np.percentile(values, q)`, interpolated; NaN if there is none. O(n).
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an index is not negative and below 2^53"
)]
fn percentile(values: &[f64], q: f64) -> f64 {
    let Some(last) = values.len().checked_sub(1) else { return f64::NAN };
    let at = (last as f64 * (q / 100.0)).clamp(0.0, last as f64);
    let (below, rest) = (at.floor() as usize, at - at.floor());
    let mut values = values.to_vec();
    let (_, &mut low, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    interpolated(low, high, rest)
}

/// From the nearer end, as NumPy does it.
fn interpolated(low: f64, high: f64, t: f64) -> f64 {
    let difference = high - low;
    if t >= 0.5 { high - difference * (1.0 - t) } else { low + difference * t }
}

/// `np.mean`; NaN if there is no value.
#[allow(clippy::cast_precision_loss, reason = "there are not 2^53 values")]
fn mean(values: &[f64]) -> f64 {
    sum(values) / values.len() as f64
}

/// `np.std`.
fn standard_deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: Vec<f64> = values.iter().map(|value| (value - mean) * (value - mean)).collect();
    self::mean(&squares).sqrt()
}

/// `np.gradient` of values at unit steps; none of fewer than two.
fn gradient(values: &[f64]) -> Vec<f64> {
    let [first, second, ..] = *values else { return Vec::new() };
    let [.., before, last] = *values else { return Vec::new() };
    let inner = values.windows(3).map(|three| (three[2] - three[0]) / 2.0);
    [second - first].into_iter().chain(inner).chain([last - before]).collect()
}

/// NumPy sums up to so many values in one loop, and halves longer runs.
const BLOCK: usize = 128;
/// So many sums run beside each other.
const LANES: usize = 8;

/// `np.sum`: pairwise, in NumPy's order.
fn sum(values: &[f64]) -> f64 {
    if values.len() > BLOCK {
        let half = values.len() / 2;
        let (left, right) = values.split_at(half - half % LANES);
        return sum(left) + sum(right);
    }
    let (blocks, rest) = values.as_chunks::<LANES>();
    let Some((first, blocks)) = blocks.split_first() else {
        return rest.iter().sum();
    };
    let mut lanes = *first;
    for block in blocks {
        for (lane, value) in lanes.iter_mut().zip(block) {
            *lane += value;
        }
    }
    let four: [f64; 4] = std::array::from_fn(|i| lanes[2 * i] + lanes[2 * i + 1]);
    let lanes = (four[0] + four[1]) + (four[2] + four[3]);
    rest.iter().fold(lanes, |sum, value| sum + value)
}
