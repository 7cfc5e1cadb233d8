//! Fusion of two tables of scores.

use super::matrix::{Scores, kept, number, room_for};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};

/// Scores of so many chunks stay in the processor's cache.
const PART: usize = 1024;

/// `a + weight * b / scale`, a scale being given for each question: what the scores of `b` could be at most, say.
///
/// Without `scales` it is the question's maximum of `b`. By a scale that is not positive nothing is divided.
/// O(the scores).
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::retrieve::fuse::scores;
/// use chunkwright_search::retrieve::matrix::Matrix;
///
/// let cosines = Matrix::new(vec![0.5_f32, 0.25], 2)?;
/// let words = Matrix::new(vec![2.0_f32, 4.0], 2)?;
/// // The words of each question are divided by the best score there could be, 8.
/// assert_eq!(scores(&cosines, &words, 2.0, Some(&[8.0]), no_pulse())?, [1.0, 1.25]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if the shapes differ, or the weight or a scale is not finite; those of scores; what
/// `pulse` says.
pub fn scores(
    a: &dyn Scores,
    b: &dyn Scores,
    weight: f64,
    scales: Option<&[f64]>,
    pulse: Pulse<'_>,
) -> Result<Vec<f32>> {
    let [n_questions, n] = same_shape(&[a, b])?;
    check_numbers(weight, scales, n_questions)?;
    let mut fused = room_for(n_questions, n)?;
    let (beat, mut left, mut right) = (Beat::of_numbers(pulse), Vec::new(), Vec::new());
    for question in 0..n_questions {
        beat.after(2 * n)?;
        let scale = if let Some(scales) = scales {
            scales[question]
        } else {
            b.read(question, &mut right)?;
            right.iter().copied().fold(0.0, f64::max)
        };
        let by = if scale > 0.0 { scale } else { 1.0 };
        // By next to nothing, b becomes infinite; times a weight of 0 that were no number.
        let divided = |b: f64| (b / by).clamp(f64::MIN, f64::MAX);
        for start in (0..n).step_by(PART) {
            let columns = start..n.min(start + PART);
            a.read_part(question, columns.clone(), &mut left)?;
            b.read_part(question, columns, &mut right)?;
            fused.extend(left.iter().zip(&right).map(|(a, &b)| kept(a + weight * divided(b))));
        }
    }
    Ok(fused)
}

/// What one deviation above the mean gives.
pub const STEP: f64 = 0.15;

/// So many cosines of their own have the mean 0 and the deviation [`STEP`]: with few others, cosines stay nearly as
/// they are.
const PRIOR: f64 = 2.0;

/// Cosines as what they say beside those of a model's other vectors: `x / sqrt(1 + x²)`, where `x` is [`STEP`] times
/// the number of standard deviations above the mean.
///
/// Cosines of unrelated texts are about 0.1 with one model and 0.8 with another, where 0.85 is as much as 0.3 there:
/// as they are, they cannot be added to scores of another kind. Mean and deviation are those of `background`, which
/// has a row for each question: its cosines with chunks of all kinds. The result is between -1 and 1 and keeps the
/// order of cosines, but for rounding. O(the scores).
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::retrieve::fuse::standardised;
/// use chunkwright_search::retrieve::matrix::Matrix;
///
/// let n = 1000_u16;
/// let narrow: Vec<f32> = (0..n).map(|i| 0.8 + 0.1 * f32::from(i) / f32::from(n)).collect();
/// let background = Matrix::new(narrow, n.into())?;
/// let best = Matrix::new(vec![0.95_f32], 1)?;
/// assert!(standardised(&best, &background, no_pulse())?[0] > 0.4);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if there are not as many rows of both; those of scores; what `pulse` says.
pub fn standardised(
    cosines: &dyn Scores,
    background: &dyn Scores,
    pulse: Pulse<'_>,
) -> Result<Vec<f32>> {
    let ([n_questions, n], [n_rows, n_others]) = (cosines.shape(), background.shape());
    if n_questions != n_rows {
        let message =
            format!("{n_questions} questions need as many rows of background scores, got {n_rows}");
        return Err(Error::Config(message));
    }
    let mut found = room_for(n_questions, n)?;
    let (beat, mut row) = (Beat::of_numbers(pulse), Vec::new());
    for question in 0..n_questions {
        beat.after(n + 2 * n_others)?;
        background.read(question, &mut row)?;
        let (mean, deviation) = spread(&row);
        cosines.read(question, &mut row)?;
        found.extend(row.iter().map(|cosine| {
            let x = STEP * (cosine - mean) / deviation;
            // What is so large that its square is not finite is one.
            kept(if x.abs() < 1e150 { x / (1.0 + x * x).sqrt() } else { x.signum() })
        }));
    }
    Ok(found)
}

/// The mean and the standard deviation of cosines, and of the [`PRIOR`] with them.
fn spread(cosines: &[f64]) -> (f64, f64) {
    let n = number(cosines.len());
    let sum: f64 = cosines.iter().sum();
    let own = sum / n.max(1.0);
    let squares: f64 = cosines.iter().map(|cosine| (cosine - own) * (cosine - own)).sum();
    (sum / (n + PRIOR), ((squares + PRIOR * STEP * STEP) / (n + PRIOR)).sqrt())
}

fn check_numbers(weight: f64, scales: Option<&[f64]>, n_questions: usize) -> Result<()> {
    if !weight.is_finite() {
        return Err(Error::Config(format!("weight must be finite, got {weight}")));
    }
    let Some(scales) = scales else { return Ok(()) };
    if scales.len() != n_questions {
        let n = scales.len();
        return Err(Error::Config(format!("{n_questions} questions need as many scales, got {n}")));
    }
    match scales.iter().position(|scale| !scale.is_finite()) {
        None => Ok(()),
        Some(i) => {
            let message = format!("scales must be finite, got {} for question {i}", scales[i]);
            Err(Error::Config(message))
        }
    }
}

/// Reciprocal rank fusion: the sum over all tables of `1 / (k + rank)`.
///
/// A rank is one more than the number of chunks with a better score: equal scores have equal ranks, so that
/// chunks that nothing speaks for do not differ by where they stand. O(n log n) for each question and table.
///
/// It needs no scale, which scores of different kinds do not have in common (Cormack, Clarke and Büttcher,
/// *Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank Learning Methods*, 2009); what a score says
/// beyond its rank is lost.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::retrieve::fuse::ranks;
/// use chunkwright_search::retrieve::matrix::Matrix;
///
/// let cosines = Matrix::new(vec![0.9_f32, 0.8, 0.1], 3)?;
/// let words = Matrix::new(vec![1.0_f32, 7.0, 0.0], 3)?;
/// let fused = ranks(&[&cosines, &words], 60.0, no_pulse())?;
/// assert_eq!(fused[0], fused[1]); // first and second, second and first
/// assert!(fused[1] > fused[2]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if the shapes differ or `k` is negative or no number; those of scores; those of `pulse`.
pub fn ranks(tables: &[&dyn Scores], k: f64, pulse: Pulse<'_>) -> Result<Vec<f32>> {
    let [n_questions, n] = same_shape(tables)?;
    if !(0.0..=f64::MAX).contains(&k) {
        return Err(Error::Config(format!("k must be at least 0 and finite, got {k}")));
    }
    let mut fused = room_for(n_questions, n)?;
    let (beat, mut row, mut order) = (Beat::of_numbers(pulse), Vec::new(), Vec::new());
    let mut sums = vec![0.0; n];
    for question in 0..n_questions {
        sums.fill(0.0);
        for table in tables {
            beat.after(16 * n)?;
            table.read(question, &mut row)?;
            add_reciprocals(&row, k, &mut order, &mut sums);
        }
        fused.extend(sums.iter().map(|&sum| kept(sum)));
    }
    Ok(fused)
}

/// Adds `1 / (k + rank)` to the sum of each chunk; `order` is overwritten.
fn add_reciprocals(scores: &[f64], k: f64, order: &mut Vec<(f64, usize)>, sums: &mut [f64]) {
    order.clear();
    // Negative zero is the same as zero, but not in the total order.
    order.extend(scores.iter().enumerate().map(|(i, &score)| (score + 0.0, i)));
    order.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let mut n_better = 0;
    for equal in order.chunk_by(|left, right| left.0.total_cmp(&right.0).is_eq()) {
        let reciprocal = 1.0 / (k + number(1 + n_better));
        for &(_, i) in equal {
            sums[i] += reciprocal;
        }
        n_better += equal.len();
    }
}

/// The shape that all tables have.
fn same_shape(tables: &[&dyn Scores]) -> Result<[usize; 2]> {
    let Some(first) = tables.first() else {
        return Err(Error::Config("there are no scores to fuse".into()));
    };
    let shape = first.shape();
    match tables.iter().map(|table| table.shape()).find(|other| *other != shape) {
        None => Ok(shape),
        Some(other) => Err(Error::Config(format!(
            "scores must be of one shape, got ({}, {}) and ({}, {})",
            shape[0], shape[1], other[0], other[1]
        ))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::matrix::Matrix;
    use super::super::oracle;
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    type Rows = Matrix<Vec<f32>, f32>;

    fn table(scores: &[f32], n: usize) -> Rows {
        Matrix::new(scores.to_vec(), n).unwrap()
    }

    fn two() -> impl Strategy<Value = (usize, Vec<f32>, Vec<f32>)> {
        (1_usize..9).prop_flat_map(|n| (Just(n), oracle::scores(2, n), oracle::scores(2, n)))
    }

    proptest! {
        #[test]
        fn sums_are_divided_by_the_question_s_maximum((n, a, b) in two(), weight in 0.0..2.0) {
            let found = scores(&table(&a, n), &table(&b, n), weight, None, no_pulse()).unwrap();
            for question in 0..2 {
                let row = question * n..(question + 1) * n;
                let max = b[row.clone()].iter().fold(0.0_f64, |max, &x| max.max(x.into()));
                for i in row {
                    let part = f64::from(b[i]) / if max > 0.0 { max } else { 1.0 };
                    let expected = f64::from(a[i]) + weight * part;
                    // A maximum near 0 makes the quotient, and so its rounding, large.
                    let error = (f64::from(found[i]) - expected).abs();
                    prop_assert!(error < 1e-5 * expected.abs().max(1.0));
                }
            }
        }

        #[test]
        fn ranks_are_those_of_the_oracle((n, a, b) in two(), k in 0.0..99.0) {
            let found = ranks(&[&table(&a, n), &table(&b, n)], k, no_pulse()).unwrap();
            let part = |scores: &[f32], i: usize| {
                let better = scores.iter().filter(|&&score| score > scores[i]).count();
                1.0 / (k + 1.0 + f64::from(u32::try_from(better).unwrap()))
            };
            for (i, found) in found.into_iter().enumerate() {
                let row = i / n * n..(i / n + 1) * n;
                let expected = part(&a[row.clone()], i % n) + part(&b[row], i % n);
                prop_assert!((f64::from(found) - expected).abs() < 1e-6);
            }
        }
    }

    proptest! {
        #[test]
        fn a_model_s_own_scale_does_not_count(
            cosines in proptest::collection::vec(-1.0_f32..1.0, 200..400),
            constant in 0.0_f32..20.0,
        ) {
            // A number that all vectors have in common moves and squeezes all cosines alike.
            let n = cosines.len();
            let squeezed: Vec<f32> = cosines.iter().map(|x| (x + constant) / (1.0 + constant)).collect();
            let of = |row: &[f32]| {
                let table = table(row, n);
                standardised(&table, &table, no_pulse()).unwrap()
            };
            // The prior is not moved: it counts 2 in 200.
            for (one, other) in of(&cosines).iter().zip(of(&squeezed)) {
                prop_assert!((one - other).abs() < 0.15, "{} {}", one, other);
            }
        }

        #[test]
        fn standardised_cosines_are_bounded_and_keep_their_order(
            cosines in proptest::collection::vec(-1.0_f32..=1.0, 0..30),
            others in proptest::collection::vec(prop_oneof![-1.0_f32..=1.0, Just(0.5)], 0..30),
        ) {
            let (n, n_others) = (cosines.len(), others.len());
            if n == 0 || n_others == 0 {
                return Ok(());
            }
            let found = standardised(&table(&cosines, n), &table(&others, n_others), no_pulse()).unwrap();
            for (i, one) in found.iter().enumerate() {
                prop_assert!(one.abs() <= 1.0);
                for (j, other) in found.iter().enumerate() {
                    prop_assert!(cosines[i] <= cosines[j] || one >= other);
                }
            }
        }
    }

    #[test]
    fn equal_and_few_cosines_are_no_trouble() {
        for (n, cosine) in [(1, 0.7), (2, 0.0), (500, 0.9), (3, -1.0)] {
            let table = table(&vec![cosine; n], n);
            let found = standardised(&table, &table, no_pulse()).unwrap();
            assert!(found.iter().all(|x| x.is_finite() && x.abs() < 0.8), "{n} {found:?}");
        }
        let (two, none) = (table(&[0.5, 0.25], 1), table(&[0.5], 1));
        let error = standardised(&two, &none, no_pulse()).unwrap_err().to_string();
        assert_eq!(error, "2 questions need as many rows of background scores, got 1");
    }

    #[test]
    fn scales_may_be_given() {
        let (a, b) = (table(&[1.0, 2.0, 3.0, 4.0], 2), table(&[8.0, 4.0, 1.0, 0.0], 2));
        let fused = scores(&a, &b, 0.5, Some(&[16.0, 0.0]), no_pulse()).unwrap();
        assert_eq!(fused, [1.25, 2.125, 3.5, 4.0]);
    }

    #[test]
    fn what_is_too_large_is_the_largest() {
        let (a, b) = (table(&[f32::MAX, f32::MIN], 2), table(&[1.0, -1.0], 2));
        let fused = scores(&a, &b, f64::MAX, None, no_pulse()).unwrap();
        assert_eq!(fused, [f32::MAX, f32::MIN]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let (a, b) = (table(&[1.0, 2.0], 2), table(&[1.0, 2.0, 3.0], 3));
        let error = |b: &Rows, weight, scales: Option<&[f64]>| {
            scores(&a, b, weight, scales, no_pulse()).unwrap_err().to_string()
        };
        assert_eq!(error(&b, 1.0, None), "scores must be of one shape, got (1, 2) and (1, 3)");
        assert_eq!(error(&a, f64::INFINITY, None), "weight must be finite, got inf");
        assert_eq!(error(&a, 1.0, Some(&[])), "1 questions need as many scales, got 0");
        let infinite = "scales must be finite, got NaN for question 0";
        assert_eq!(error(&a, 1.0, Some(&[f64::NAN])), infinite);
        let refused =
            |tables: &[&dyn Scores], k| ranks(tables, k, no_pulse()).unwrap_err().to_string();
        assert_eq!(refused(&[], 1.0), "there are no scores to fuse");
        assert_eq!(refused(&[&a], -1.0), "k must be at least 0 and finite, got -1");
        let stop = || Err(Error::Interrupted);
        assert!(matches!(ranks(&[&a], 1.0, &stop), Err(Error::Interrupted)));
        assert!(matches!(scores(&a, &a, 1.0, None, &stop), Err(Error::Interrupted)));
    }
}
