//! BM25 scores of texts that are not in the index, as shares of what a query can give.

use std::collections::HashMap;

use super::beside::{Beside, BesideWords};
use super::block::gain;
use super::query::Query;
use super::{Bm25, mean};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::terms::{TermKind, for_each_tagged_term};

impl Bm25 {
    /// The score of each of `texts` for `query`, divided by the query's [`bound`](Bm25::bound): 0 to 1.
    ///
    /// A text is scored as if it were in the index by itself, whose texts say how rare a term is and what the
    /// mean length is; it changes neither. O(the total length).
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Saturation};
    ///
    /// let index = Bm25::new(&["rain", "rain and sun"], Saturation::new(1.2, 0.75)?, None, no_pulse())?;
    /// let shares = index.shares("sun", &["Sun.", "The rain.", ""], no_pulse())?;
    /// assert!(shares[0] > 0.5 && shares[1..] == [0.0, 0.0]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `pulse`.
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub fn shares(&self, query: &str, texts: &[&str], pulse: Pulse<'_>) -> Result<Vec<f32>> {
        let beat = Beat::of_bytes(pulse);
        let query = Query::new(query, self, &beat)?;
        let mut places: HashMap<&str, Vec<(usize, f32)>> = HashMap::new();
        for (place, spellings) in query.spellings().enumerate() {
            for (spelling, share) in spellings {
                places.entry(spelling).or_default().push((place, *share));
            }
        }
        let (mean, bound) = (mean(self.lengths()), query.bound() as f32);
        let (mut beside, mut counts) = (BesideWords::default(), vec![0.0_f32; query.n_terms()]);
        let mut share = |text: &&str| {
            counts.fill(0.0);
            let mut length = 0.0;
            let mut count = |term: &str, is_longer: bool| {
                length += f64::from(u8::from(is_longer));
                for &(place, share) in places.get(term).into_iter().flatten() {
                    counts[place] += share;
                }
            };
            for_each_tagged_term(text, &beat, |term| {
                count(term.text, term.kind != TermKind::Character);
                beside.of(term, self.subwords, |beside| match beside {
                    Beside::Bare(bare) => count(bare, false),
                    Beside::Subword(subword) => count(subword, true),
                });
            })?;
            let norm = self.saturation.norm(length, mean);
            let gains = counts.iter().enumerate();
            let gains = gains.map(|(term, &n)| gain(query.weight(term), n, norm));
            Ok(if bound > 0.0 { gains.sum::<f32>() / bound } else { 0.0 })
        };
        texts.iter().map(&mut share).collect()
    }
}
