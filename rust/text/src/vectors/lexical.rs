//! Hashed TF-IDF: vectors of texts by their words, fitted on the texts themselves.
//!
//! Each term (see [`terms`](crate::segment::terms)) is counted in one of `dimensions` places, the hash of
//! its bytes says which and whether it counts up or down, so that terms which share a place cancel out on
//! average. A count weighs the more the fewer of the texts have it: times `1 + ln((1 + n) / (1 + m))`,
//! where `m` of `n` texts have a count there. Nothing is random and nothing is learnt elsewhere; every
//! operation is one of IEEE 754, so vectors are the same on every machine.
//!
//! The hashing trick (Weinberger et al., *Feature Hashing for Large Scale Multitask Learning*, 2009) needs no
//! dictionary, so one pass is enough and memory does not grow with the vocabulary. Vectors of neighbouring
//! sentences that share rare words are near each other; synonyms are not, which is what a model is for.
//!
//! ```
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::vectors::{Lexical, Vectors};
//!
//! let texts = ["The river floods.", "Floods of the river", "A cat sleeps"];
//! let mut vectors = Lexical::new(4096)?.fit(&texts, no_pulse())?;
//! assert!(vectors.cosine(0..1, 1..2) > 0.7);
//! assert_eq!(vectors.cosine(0..1, 2..3), 0.0); // no word in common
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use super::sparse::{Entry, Sparse};
use super::{Embedded, Embedder};
use crate::error::{Error, Result};
use crate::measure::bpe::hash::{HASH_MULTIPLIER, hash_bytes};
use crate::pulse::{Beat, Pulse};
use crate::segment::terms::for_each_term;

/// The number of dimensions if none is asked for.
pub const DEFAULT_DIMENSIONS: usize = 4096;

/// The greatest number of dimensions.
pub const MAX_DIMENSIONS: usize = 1 << 20;

/// Gives texts vectors by their words.
#[derive(Clone, Copy, Debug)]
pub struct Lexical {
    dimensions: u32,
}

impl Lexical {
    /// An embedder with so many dimensions.
    ///
    /// # Errors
    /// [`Error::Config`] unless `1 <= dimensions <= MAX_DIMENSIONS`.
    pub fn new(dimensions: usize) -> Result<Self> {
        match u32::try_from(dimensions) {
            Ok(n) if (1..=MAX_DIMENSIONS).contains(&dimensions) => Ok(Self { dimensions: n }),
            _ => Err(Error::Config(format!(
                "dimensions must be between 1 and {MAX_DIMENSIONS}, got {dimensions}"
            ))),
        }
    }

    /// How many dimensions its vectors have.
    pub const fn dimensions(self) -> usize {
        self.dimensions as usize
    }

    /// A vector for each of `texts`. One pass, O(total length).
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn fit(self, texts: &[&str], pulse: Pulse<'_>) -> Result<Sparse> {
        let counts = self.counts(texts, pulse)?;
        let weights = counts.weights();
        counts.weighed(&weights, pulse)
    }

    /// What a count weighs at each place among `texts`. One pass, O(total length).
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn weights(self, texts: &[&str], pulse: Pulse<'_>) -> Result<Vec<f32>> {
        Ok(self.counts(texts, pulse)?.weights())
    }

    /// The same vectors with weights of other texts, so that a text's vector does not depend on those beside it.
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_text::vectors::{Embedder, Lexical, Vectors};
    ///
    /// let lexical = Lexical::new(4096)?;
    /// let weights = lexical.weights(&["The river floods.", "The river", "A cat sleeps"], no_pulse())?;
    /// let fitted = lexical.fitted(weights)?;
    /// let [alone, beside] = [&["cat"][..], &["cat", "cats", "a cat"]].map(|texts| {
    ///     let vectors = fitted.embed(texts, no_pulse())?;
    ///     let mut row = Vec::new();
    ///     vectors.push_row(0, &mut row);
    ///     Ok::<_, chunkwright_text::error::Error>(row)
    /// });
    /// assert_eq!(alone?, beside?);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] unless there is a finite weight for each dimension.
    pub fn fitted(self, weights: Vec<f32>) -> Result<Fitted> {
        if weights.len() == self.dimensions() && weights.iter().all(|weight| weight.is_finite()) {
            return Ok(Fitted { lexical: self, weights });
        }
        Err(Error::Config(format!(
            "weights must be {} finite numbers, got {}",
            self.dimensions,
            weights.len()
        )))
    }

    fn counts(self, texts: &[&str], pulse: Pulse<'_>) -> Result<Counts> {
        let mut counts = Counts::new(self.dimensions());
        let beat = Beat::of_bytes(pulse);
        for text in texts {
            for_each_term(text, &beat, |term| {
                let (feature, sign) = self.place(term);
                counts.add(feature, sign);
            })?;
            counts.end_row();
        }
        Ok(counts)
    }

    /// Where `term` counts, and how much: 1 or -1.
    #[inline]
    fn place(self, term: &str) -> (u32, f32) {
        let hash = hash_bytes(term.as_bytes());
        // The hash of a table that looks at its high bits; the other ones are mixed once more.
        let hash = (hash ^ (hash >> 29)).wrapping_mul(HASH_MULTIPLIER);
        let (place, sign) = (hash >> 32, hash & (1 << 31));
        let feature = (place * u64::from(self.dimensions)) >> 32;
        #[allow(clippy::cast_possible_truncation, reason = "less than `dimensions`")]
        (feature as u32, if sign == 0 { 1.0 } else { -1.0 })
    }
}

impl Embedder for Lexical {
    fn embed<'t>(&self, texts: &[&'t str], pulse: Pulse<'_>) -> Result<Embedded<'t>> {
        Ok(Box::new(self.fit(texts, pulse)?))
    }

    fn adds_up(&self) -> bool {
        true
    }
}

/// Gives texts vectors by their words, weighed by those of other texts.
#[derive(Clone, Debug)]
pub struct Fitted {
    lexical: Lexical,
    weights: Vec<f32>,
}

impl Embedder for Fitted {
    fn embed<'t>(&self, texts: &[&'t str], pulse: Pulse<'_>) -> Result<Embedded<'t>> {
        let counts = self.lexical.counts(texts, pulse)?;
        Ok(Box::new(counts.weighed(&self.weights, pulse)?))
    }

    fn adds_up(&self) -> bool {
        true
    }
}

/// Rows of counts, which become weights in the end.
struct Counts {
    entries: Vec<Entry>,
    ends: Vec<usize>,
    /// The row that is being counted, in full, and where it may not be zero.
    row: Vec<f32>,
    touched: Vec<u32>,
    /// How many rows are not zero at each feature.
    n_rows: Vec<u32>,
}

impl Counts {
    fn new(n_dims: usize) -> Self {
        Self {
            entries: Vec::new(),
            ends: Vec::new(),
            row: vec![0.0; n_dims],
            touched: Vec::new(),
            n_rows: vec![0; n_dims],
        }
    }

    #[inline]
    fn add(&mut self, feature: u32, sign: f32) {
        let count = &mut self.row[feature as usize];
        if *count == 0.0 {
            self.touched.push(feature);
        }
        *count += sign;
    }

    fn end_row(&mut self) {
        for feature in self.touched.drain(..) {
            // One that was zero in between is here twice, and zero the second time.
            let weight = std::mem::take(&mut self.row[feature as usize]);
            if weight != 0.0 {
                self.n_rows[feature as usize] += 1;
                self.entries.push(Entry { feature, weight });
            }
        }
        self.ends.push(self.entries.len());
    }

    /// What a count weighs at each place.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "rounding is meant"
    )]
    fn weights(&self) -> Vec<f32> {
        let n = self.ends.len() as f64;
        let most = self.n_rows.iter().copied().max().unwrap_or(0);
        let weight = |m: u32| (1.0 + ln((1.0 + n) / (1.0 + f64::from(m)))) as f32;
        let weights: Vec<f32> = (0..=most).map(weight).collect();
        self.n_rows.iter().map(|&m| weights[m as usize]).collect()
    }

    /// The rows, their counts weighed.
    fn weighed(mut self, weights: &[f32], pulse: Pulse<'_>) -> Result<Sparse> {
        let (mut start, beat) = (0, Beat::of_numbers(pulse));
        for &end in &self.ends {
            beat.after(end - start)?;
            for entry in &mut self.entries[start..end] {
                entry.weight *= weights[entry.feature as usize];
            }
            start = end;
        }
        Ok(Sparse::new(weights.len(), self.entries, self.ends))
    }
}

/// The natural logarithm of `x >= 1`, to 1e-15; that of the standard library differs between machines.
pub fn ln(x: f64) -> f64 {
    let (mut x, mut doublings) = (x, 0.0);
    while x > std::f64::consts::SQRT_2 {
        x *= 0.5;
        doublings += 1.0;
    }
    // ln(x) = 2 artanh(s), |s| <= 0.172: the series, from its small end.
    let s = (x - 1.0) / (x + 1.0);
    let series = (0..11).rev().fold(0.0, |sum, k| sum * s * s + 1.0 / f64::from(2 * k + 1));
    doublings * std::f64::consts::LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::super::Vectors;
    use super::*;
    use crate::pulse::{Beat, no_pulse};
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn lexical(dimensions: usize) -> Lexical {
        Lexical::new(dimensions).unwrap()
    }

    #[test]
    fn what_has_the_same_words_is_close() {
        let texts =
            ["The cat sat on the mat.", "A cat, on a mat!", "Stock prices fell again", "", "…"];
        let mut vectors = lexical(4096).fit(&texts, no_pulse()).unwrap();
        let mut band = Vec::new();
        vectors.band(2, 0, &mut band);
        assert!(band.iter().all(|cosine| cosine.abs() < 1e-9), "{band:?}");
        assert!(vectors.cosine(0..1, 1..2) > 0.3);
        vectors.band(4, 0, &mut band);
        assert_eq!(band, [0.0; 4]);
        assert_eq!((vectors.len(), vectors.row(3).len()), (5, 0));
    }

    #[test]
    fn dimensions_are_checked() {
        for dimensions in [0, MAX_DIMENSIONS + 1, usize::MAX] {
            let message = Lexical::new(dimensions).unwrap_err().to_string();
            assert!(message.contains(&dimensions.to_string()), "{message}");
        }
        let vectors = lexical(1).fit(&["one two three", "four"], no_pulse()).unwrap();
        assert!(vectors.row(0).iter().all(|entry| entry.feature == 0));
    }

    #[test]
    fn places_are_spread_and_signs_balanced() {
        let n_dims = 64;
        let (mut counts, mut sum) = (vec![0; n_dims], 0.0);
        for i in 0..6400 {
            let (feature, sign) = lexical(n_dims).place(&format!("w{i}"));
            counts[feature as usize] += 1;
            sum += sign;
        }
        assert!(counts.iter().all(|count| (50..150).contains(count)), "{counts:?}");
        assert!(sum.abs() < 400.0, "{sum}");
    }

    #[test]
    fn the_pulse_stops_it() {
        let stop = || Err(Error::Model("stop".into()));
        for text in ["", "word"] {
            assert!(lexical(8).fit(&vec![text; 10_000], &stop).is_err());
        }
    }

    proptest! {
        #[test]
        fn logarithms_are_right(x in 1.0..1e9) {
            prop_assert!((ln(x) - f64::ln(x)).abs() <= 1e-14 * f64::ln(x).max(1.0));
        }

        #[test]
        fn weights_are_those_of_the_definition(texts in prop::collection::vec("[abAB_ é漢]{0,12}", 0..8)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let n_dims = 1 << 10;
            let rows = lexical(n_dims).fit(&texts, no_pulse()).unwrap();
            let expected = naive(&texts, lexical(n_dims));
            for (i, expected) in expected.iter().enumerate() {
                let row: HashMap<u32, f64> =
                    rows.row(i).iter().map(|entry| (entry.feature, f64::from(entry.weight))).collect();
                prop_assert_eq!(row.len(), rows.row(i).len());
                prop_assert_eq!(row.len(), expected.len());
                for (feature, weight) in expected {
                    prop_assert!((row[feature] - weight).abs() < 1e-5 * weight.abs());
                }
            }
        }
    }

    /// The oracle: counts in a map, weights by the formula.
    fn naive(texts: &[&str], lexical: Lexical) -> Vec<HashMap<u32, f64>> {
        let mut rows = Vec::new();
        for text in texts {
            let mut row: HashMap<u32, f64> = HashMap::new();
            let count = |term: &str| {
                let (feature, sign) = lexical.place(term);
                *row.entry(feature).or_default() += f64::from(sign);
            };
            for_each_term(text, &Beat::of_bytes(no_pulse()), count).unwrap();
            row.retain(|_, count| *count != 0.0);
            rows.push(row);
        }
        let real = |n: usize| f64::from(u32::try_from(n).unwrap());
        let n = real(texts.len());
        let with =
            |feature: u32| real(rows.iter().filter(|row| row.contains_key(&feature)).count());
        let weight = |f: u32| 1.0 + ((1.0 + n) / (1.0 + with(f))).ln();
        let weigh =
            |row: &HashMap<u32, f64>| row.iter().map(|(&f, &x)| (f, x * weight(f))).collect();
        rows.iter().map(weigh).collect()
    }
}
