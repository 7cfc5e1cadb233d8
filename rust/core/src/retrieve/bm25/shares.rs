//! BM25 scores of texts that are not in the index, as shares of what a query can give.

use std::collections::HashMap;

use super::block::{gain, real};
use super::query::Query;
use super::{Bm25, mean};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::segment::terms::for_each_tagged_term;

impl Bm25 {
    /// The score of each of `texts` for `query`, divided by the query's [`bound`](Bm25::bound): 0 to 1.
    ///
    /// A text is scored as if it were in the index by itself, whose texts say how rare a term is and what the
    /// mean length is; it changes neither. O(the total length).
    ///
    /// ```
    /// use chunkwright_core::pulse::no_pulse;
    /// use chunkwright_core::retrieve::bm25::{Bm25, Saturation};
    ///
    /// let index = Bm25::new(&["rain", "rain and sun"], Saturation::new(1.2, 0.75)?, None, no_pulse())?;
    /// let shares = index.shares("sun", &["Sun.", "The rain.", ""], no_pulse())?;
    /// assert!(shares[0] > 0.5 && shares[1..] == [0.0, 0.0]);
    /// # Ok::<(), chunkwright_core::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `pulse`.
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub fn shares(&self, query: &str, texts: &[&str], pulse: Pulse<'_>) -> Result<Vec<f32>> {
        let beat = Beat::of_bytes(pulse);
        let query = Query::new(query, self, &beat)?;
        let places: HashMap<&str, usize> = query.texts().zip(0..).collect();
        let (mean, bound) = (mean(self.lengths()), query.bound() as f32);
        let (mut marked, mut counts) = (String::new(), vec![0_u32; query.n_terms()]);
        let mut share = |text: &&str| {
            counts.fill(0);
            let mut length = 0.0;
            let mut count = |term: &str| {
                length += 1.0;
                if let Some(&place) = places.get(term) {
                    counts[place] = counts[place].saturating_add(1);
                }
            };
            for_each_tagged_term(text, &beat, |term| {
                count(term.text);
                if let Some(subwords) = self.subwords {
                    subwords.of(term, &mut marked, &mut count);
                }
            })?;
            let norm = self.saturation.norm(length, mean);
            let gains = counts.iter().enumerate();
            let gains = gains.map(|(term, &n)| gain(query.weight(term), real(n), norm));
            Ok(if bound > 0.0 { gains.sum::<f32>() / bound } else { 0.0 })
        };
        texts.iter().map(&mut share).collect()
    }
}
