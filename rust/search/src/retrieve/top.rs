//! Top-k selection of scores.
//!
//! A heap of the k best so far; a score is compared with the least of them, which most are below, so the usual
//! cost is one comparison a chunk.

use std::cmp::Ordering;

use super::matrix::Scores;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};

/// The best chunks of each question, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    /// Those of question `q` are `offsets[q]..offsets[q + 1]`.
    pub offsets: Vec<usize>,
    /// Numbers of chunks.
    pub indices: Vec<usize>,
    /// Their scores.
    pub scores: Vec<f64>,
}

/// Groups of chunks, of each of which only the best one counts.
#[derive(Clone, Debug)]
pub struct Groups {
    numbers: Vec<usize>,
}

impl Groups {
    /// The group of each of n chunks, a number below n. O(n).
    ///
    /// # Errors
    /// [`Error::Config`] if one is no such number.
    pub fn new(groups: &[i64]) -> Result<Self> {
        let n = groups.len();
        let number = |&group: &i64| {
            let small = usize::try_from(group).ok().filter(|&group| group < n);
            small.ok_or_else(|| {
                Error::Config(format!("groups must be from 0 to {}, got {group}", n - 1))
            })
        };
        Ok(Self { numbers: groups.iter().map(number).collect::<Result<_>>()? })
    }
}

/// The `k` best scores of each question; of equal ones that of the lower number.
///
/// With `groups`, only the best chunk of each group counts.
/// O(n log k) for each question at worst, O(n) as a rule; memory O(k).
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_search::retrieve::matrix::Matrix;
/// use chunkwright_search::retrieve::top::{Groups, top};
///
/// let scores = Matrix::new(vec![0.1_f32, 0.9, 0.9, 0.5], 4)?;
/// assert_eq!(top(&scores, 2, None, no_pulse())?.indices, [1, 2]);
/// // Chunks 1 and 2 have the same text: it counts once.
/// let groups = Groups::new(&[0, 1, 1, 2])?;
/// assert_eq!(top(&scores, 2, Some(&groups), no_pulse())?.indices, [1, 3]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if `k` is 0, or `groups` are not those of as many chunks; those of scores; those of `pulse`.
pub fn top(
    scores: &dyn Scores,
    k: usize,
    groups: Option<&Groups>,
    pulse: Pulse<'_>,
) -> Result<Hits> {
    let [n_questions, n] = scores.shape();
    if k == 0 {
        return Err(Error::Config("k must be at least 1, got 0".into()));
    }
    let groups = groups.map(|groups| &groups.numbers[..]);
    if let Some(given) = groups.map(<[usize]>::len).filter(|&given| given != n) {
        return Err(Error::Config(format!("{n} chunks need as many groups, got {given}")));
    }
    let mut leaders = Best { k, groups, kept: Vec::new(), least: f64::NEG_INFINITY };
    let mut hits = Hits { offsets: vec![0], ..Hits::default() };
    let (beat, mut row) = (Beat::of_numbers(pulse), Vec::new());
    for question in 0..n_questions {
        beat.after(n)?;
        scores.read(question, &mut row)?;
        for (i, &score) in row.iter().enumerate() {
            leaders.look_at(score, i);
        }
        leaders.drain_into(&mut hits);
    }
    Ok(hits)
}

/// The best of the scores that were looked at.
struct Best<'a> {
    k: usize,
    groups: Option<&'a [usize]>,
    /// All that may be among them; twice as many as are wanted at most.
    kept: Vec<Hit>,
    /// What is no better is not among them: so many as are wanted are as good, and came before.
    least: f64,
}

#[derive(Clone, Copy)]
struct Hit {
    score: f64,
    index: usize,
}

impl Hit {
    /// Best first, then by number.
    fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.index.cmp(&other.index))
    }
}

impl Best<'_> {
    fn look_at(&mut self, score: f64, index: usize) {
        if score > self.least {
            // Negative zero is the same as zero, but not in the total order.
            self.kept.push(Hit { score: score + 0.0, index });
            if self.kept.len() >= self.k.saturating_mul(2) {
                self.tidy();
            }
        }
    }

    /// Leaves the best only, in their order.
    fn tidy(&mut self) {
        if let Some(groups) = self.groups {
            self.kept.sort_unstable_by(|a, b| {
                groups[a.index].cmp(&groups[b.index]).then_with(|| a.order(b))
            });
            self.kept.dedup_by_key(|hit| groups[hit.index]);
        }
        if self.kept.len() > self.k {
            self.kept.select_nth_unstable_by(self.k, Hit::order);
            self.kept.truncate(self.k);
        }
        self.kept.sort_unstable_by(Hit::order);
        if let Some(last) = self.kept.get(self.k - 1) {
            self.least = last.score;
        }
    }

    /// Adds the best to `hits` and starts anew.
    fn drain_into(&mut self, hits: &mut Hits) {
        self.tidy();
        hits.indices.extend(self.kept.iter().map(|hit| hit.index));
        hits.scores.extend(self.kept.iter().map(|hit| hit.score));
        hits.offsets.push(hits.indices.len());
        self.kept.clear();
        self.least = f64::NEG_INFINITY;
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "they are the same numbers")]
mod tests {
    use proptest::prelude::*;

    use super::super::matrix::Matrix;
    use super::super::oracle::{self, ranked};
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    fn table(scores: &[f32], n: usize) -> Matrix<Vec<f32>, f32> {
        Matrix::new(scores.to_vec(), n).unwrap()
    }

    /// The best ones, by ranking all.
    fn slow(scores: &[f32], k: usize, groups: Option<&[i64]>) -> Vec<usize> {
        let wide: Vec<f64> = scores.iter().map(|&score| score.into()).collect();
        let mut seen = Vec::new();
        let is_first = |&i: &usize| {
            let group = groups.map_or(i64::try_from(i).unwrap(), |groups| groups[i]);
            let is_new = !seen.contains(&group);
            seen.push(group);
            is_new
        };
        ranked(&wide).into_iter().filter(is_first).take(k).collect()
    }

    proptest! {
        #[test]
        fn they_are_the_first_of_all_in_order(
            (n, scores, groups) in (1_usize..60).prop_flat_map(|n| {
                let group = 0..i64::try_from(n).unwrap();
                (Just(n), oracle::scores(3, n), proptest::collection::vec(group, n))
            }),
            k in prop_oneof![1_usize..9, Just(1000), Just(usize::MAX)],
            is_grouped: bool,
        ) {
            let groups = is_grouped.then_some(&groups[..]);
            let numbers = groups.map(|groups| Groups::new(groups).unwrap());
            let hits = top(&table(&scores, n), k, numbers.as_ref(), no_pulse()).unwrap();
            prop_assert_eq!(hits.offsets.len(), 4);
            for question in 0..3 {
                let scores = &scores[question * n..(question + 1) * n];
                let rows = hits.offsets[question]..hits.offsets[question + 1];
                let expected = slow(scores, k, groups);
                prop_assert_eq!(&hits.indices[rows.clone()], &expected[..]);
                for (i, score) in expected.iter().zip(&hits.scores[rows]) {
                    prop_assert_eq!(f64::from(scores[*i]), *score);
                }
            }
        }
    }

    #[test]
    fn scores_that_only_rise_are_no_trap() {
        let scores: Vec<f32> = (0_u16..5000).map(f32::from).collect();
        let hits = top(&table(&scores, 5000), 3, None, no_pulse()).unwrap();
        assert_eq!(hits.indices, [4999, 4998, 4997]);
        let one_group = Groups::new(&vec![7; 5000]).unwrap();
        let hits = top(&table(&scores, 5000), 3, Some(&one_group), no_pulse()).unwrap();
        assert_eq!((hits.indices, hits.scores), (vec![4999], vec![4999.0]));
    }

    #[test]
    fn doubles_are_not_rounded() {
        let scores = Matrix::new(vec![1.0_f64, 1.0 + f64::EPSILON], 2).unwrap();
        let hits = top(&scores, 1, None, no_pulse()).unwrap();
        assert_eq!((hits.indices, hits.scores), (vec![1], vec![1.0 + f64::EPSILON]));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let three = table(&[1.0, 2.0, 3.0], 3);
        let error = |scores: &dyn Scores, k, groups: Option<&[i64]>| {
            let groups = groups.map(Groups::new).transpose();
            groups
                .and_then(|groups| top(scores, k, groups.as_ref(), no_pulse()))
                .unwrap_err()
                .to_string()
        };
        assert_eq!(error(&three, 0, None), "k must be at least 1, got 0");
        assert_eq!(error(&three, 1, Some(&[0])), "3 chunks need as many groups, got 1");
        assert_eq!(error(&three, 1, Some(&[0, 3, 1])), "groups must be from 0 to 2, got 3");
        assert_eq!(error(&three, 1, Some(&[0, -1, 1])), "groups must be from 0 to 2, got -1");
        let nan = table(&[1.0, 2.0, 3.0, f32::NAN], 2);
        let message = "scores must be finite in float32, got nan as value 1 of row 1";
        assert_eq!(error(&nan, 1, None), message);
        let large = Matrix::new(vec![1e300, 0.0], 2).unwrap();
        let message = "scores must be finite in float32, got 1e300 as value 0 of row 0";
        assert_eq!(error(&large, 1, None), message);
        assert_eq!(
            Matrix::new(vec![1.0_f32; 5], 2).unwrap_err().to_string(),
            "5 scores do not make rows of 2"
        );
        let stop = || Err(Error::Interrupted);
        assert!(matches!(top(&three, 1, None, &stop), Err(Error::Interrupted)));
    }
}
