//! Neighbours of chunks in their documents, and their weights by distance.
//!
//! A small chunk says less than its surroundings do about what it is on: often it does not even name it. So the
//! chunks beside it count a little, the less the farther they are away.

use std::ops::Range;

use chunkwright_text::error::{Error, Result};

/// Chunks of up to so many tokens take all that their neighbours give.
pub const FULL_TOKENS: f64 = 150.0;

/// Chunks of so many tokens and more take nothing: they say enough by themselves. It is a straight line
/// between.
pub const NONE_TOKENS: f64 = 300.0;

/// How chunks of documents, which lie behind one another, count for each other.
///
/// Chunk j counts `exp(-distance / reach)` for chunk i of the same document, the distance being the tokens
/// between their middles, and `factors[i]` is how much of that chunk i takes. As distances add up, the sum over
/// all chunks before is a running one: `sum[i] = decays[i] * (sum[i - 1] + x[i - 1])`; likewise over those
/// behind.
#[derive(Clone, Debug)]
pub struct Neighbours {
    decays: Vec<f64>,
    factors: Vec<f64>,
}

impl Neighbours {
    /// Of chunks whose documents, equal for those of one, and whose sizes in tokens are given; `reach` is the
    /// distance, in tokens, at which a chunk counts 1/e.
    ///
    /// O(n).
    ///
    /// ```
    /// use chunkwright_search::retrieve::neighbours::Neighbours;
    ///
    /// // Three chunks of ten tokens; the last one is of another document.
    /// let neighbours = Neighbours::new(&[0, 0, 1], &[10, 10, 10], 10.0)?;
    /// let e = (-1.0_f64).exp();
    /// assert_eq!(neighbours.decays()[0], 0.0);
    /// assert!((neighbours.decays()[1] - e).abs() < 1e-12);
    /// let mut given = Vec::new();
    /// neighbours.given(&[1.0, 0.0, 5.0], &mut given);
    /// assert!((given[1] - e).abs() < 1e-12); // from the first one
    /// assert_eq!(given[2], 0.0);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if there is not one of each for every chunk, a size is negative or `reach` is not
    /// positive.
    pub fn new(docs: &[i64], n_tokens: &[i64], reach: f64) -> Result<Self> {
        let (n, n_sizes) = (docs.len(), n_tokens.len());
        if n != n_sizes {
            return Err(Error::Config(format!("{n} chunks need as many n_tokens, got {n_sizes}")));
        }
        if let Some(i) = n_tokens.iter().position(|&size| size < 0) {
            let message = format!("n_tokens must be at least 0, got {} for chunk {i}", n_tokens[i]);
            return Err(Error::Config(message));
        }
        if !(f64::MIN_POSITIVE..=f64::MAX).contains(&reach) {
            let message = format!("reach must be more than 0 and finite, got {reach}");
            return Err(Error::Config(message));
        }
        #[allow(clippy::cast_precision_loss, reason = "no chunk has 2^53 tokens")]
        let sizes: Vec<f64> = n_tokens.iter().map(|&size| size as f64).collect();
        let decay = |i: usize| match i.checked_sub(1) {
            Some(before) if docs[before] == docs[i] => {
                libm::exp(-f64::midpoint(sizes[before], sizes[i]) / reach)
            }
            _ => 0.0,
        };
        let decays = (0..n).map(decay).collect();
        Ok(Self { decays, factors: sizes.iter().map(|&size| factor(size)).collect() })
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.decays.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.decays.is_empty()
    }

    /// The weight of the chunk before each, 0 to 1; 0 for the first of a document.
    pub fn decays(&self) -> &[f64] {
        &self.decays
    }

    /// How much of what its neighbours give each chunk takes, 0 to 1.
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// What all neighbours of each chunk give it of `values`, one for each chunk, in place of what `given`
    /// held.
    ///
    /// Those before are added first, from the farthest on, then those behind. O(n).
    pub fn given(&self, values: &[f64], given: &mut Vec<f64>) {
        self.given_from(0, values, given);
    }

    /// The same of the chunks from `first` on, as if there were no others.
    pub fn given_from(&self, first: usize, values: &[f64], given: &mut Vec<f64>) {
        given.clear();
        let decays = &self.decays[first..];
        let before = decays.iter().zip(values).scan(0.0, |sum, (decay, value)| {
            let before = kept(decay * *sum);
            *sum = before + value;
            Some(before)
        });
        given.extend(before);
        let mut behind = 0.0;
        for i in (1..given.len()).rev() {
            behind = kept(decays[i] * (behind + values[i]));
            given[i - 1] += behind;
        }
    }

    /// The chunks of the document, or what of it is connected, that chunk `i` is one of. O(their number).
    pub fn document(&self, i: usize) -> Range<usize> {
        let start = self.decays[..=i].iter().rposition(|&decay| decay == 0.0).unwrap_or(0);
        start..self.end_of_document(i)
    }

    /// Where the same ends.
    pub fn end_of_document(&self, i: usize) -> usize {
        let behind = self.decays[i + 1..].iter().position(|&decay| decay == 0.0);
        behind.map_or(self.len(), |n| i + 1 + n)
    }
}

/// What is left of a value; nothing where it would become a subnormal number, with which processors are slow.
fn kept(given: f64) -> f64 {
    if given.abs() < f64::MIN_POSITIVE { 0.0 } else { given }
}

/// How much of what its neighbours give a chunk of this size takes.
fn factor(n_tokens: f64) -> f64 {
    ((NONE_TOKENS - n_tokens) / (NONE_TOKENS - FULL_TOKENS)).clamp(0.0, 1.0)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "these are exact")]
mod tests {
    use super::*;

    #[test]
    fn neighbours_count_by_the_tokens_between_their_middles() {
        let around =
            Neighbours::new(&[0, 0, 0, 1, 1, 0], &[100, 300, 0, 50, 150, 225], 200.0).unwrap();
        let expected = [0.0, (-1.0_f64).exp(), (-0.75_f64).exp(), 0.0, (-0.5_f64).exp(), 0.0];
        for (decay, expected) in around.decays().iter().zip(expected) {
            assert!((decay - expected).abs() < 1e-14, "{decay} {expected}");
        }
        assert_eq!(around.factors(), [1.0, 0.0, 1.0, 1.0, 1.0, 0.5]);
        assert_eq!((around.len(), around.is_empty()), (6, false));
        let documents: Vec<_> = (0..6).map(|i| around.document(i)).collect();
        assert_eq!(documents, [0..3, 0..3, 0..3, 3..5, 3..5, 5..6]);
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let (mut all, mut some) = (Vec::new(), Vec::new());
        around.given(&values, &mut all);
        around.given_from(3, &values[3..5], &mut some);
        assert_eq!(all[3..5], some);
    }

    #[test]
    fn every_machine_has_these_bits() {
        let bits = [0.1, 1.0, 12.5].map(|x: f64| libm::exp(-x).to_bits());
        assert_eq!(
            bits,
            [4_606_325_270_462_671_674, 4_600_298_746_774_613_816, 4_525_909_737_269_159_568]
        );
    }

    #[test]
    fn extreme_sizes_and_reaches_count_nothing_or_all() {
        let decays = |sizes: &[i64], reach| {
            Neighbours::new(&[7, 7], sizes, reach).unwrap().decays().to_vec()
        };
        assert_eq!(decays(&[i64::MAX, i64::MAX], 1.0), [0.0, 0.0]);
        assert_eq!(decays(&[1, 1], f64::MIN_POSITIVE), [0.0, 0.0]);
        assert_eq!(decays(&[1, 1], f64::MAX), [0.0, 1.0]);
        assert_eq!(decays(&[0, 0], 200.0), [0.0, 1.0]);
        assert!(Neighbours::new(&[], &[], 1.0).unwrap().is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let error = |docs: &[i64], sizes: &[i64], reach| {
            Neighbours::new(docs, sizes, reach).unwrap_err().to_string()
        };
        assert_eq!(error(&[1, 2], &[3], 1.0), "2 chunks need as many n_tokens, got 1");
        assert_eq!(
            error(&[1, 2], &[3, -4], 1.0),
            "n_tokens must be at least 0, got -4 for chunk 1"
        );
        for reach in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let message = format!("reach must be more than 0 and finite, got {reach}");
            assert_eq!(error(&[1], &[1], reach), message);
        }
    }
}
