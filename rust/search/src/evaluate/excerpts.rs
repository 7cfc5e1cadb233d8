//! Excerpts of a corpus that answer its questions.
//!
//! A text may stand in a corpus several times; a reader does not mind where he finds it, and neither does a score
//! if [`Excerpts::with_occurrences`] is used. Excerpts are kept in flat columns with the questions as groups of
//! them: 16 bytes an excerpt, and 8 an occurrence.

use super::groups::Groups;
use super::places::same_lengths;
use super::ranges::{CharRange, Union};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

/// So many parts of excerpts are joined before there are more: occurrences that overlap one another have
/// more parts than an excerpt has characters.
const MANY_PARTS: usize = 1 << 12;

/// The excerpts of all questions.
#[derive(Clone, Debug)]
pub struct Excerpts {
    /// The corpus of each question.
    corpora: Vec<usize>,
    of_question: Groups,
    ranges: Vec<CharRange>,
    /// Where the text of each excerpt stands in its corpus, if that matters.
    occurrences: Option<Occurrences>,
}

/// Starts of each excerpt's text in its corpus, ascending.
#[derive(Clone, Debug)]
struct Occurrences {
    of_excerpt: Groups,
    starts: Vec<usize>,
}

impl Excerpts {
    /// Question q is about corpus `corpora[q]`; its excerpts are at code points `starts[e]..ends[e]`, for e
    /// in group q.
    ///
    /// # Errors
    /// [`Error::Config`] if an excerpt is empty or no range, or a corpus negative, naming it; if the
    /// lengths do not agree.
    pub fn new(corpora: &[i64], of_question: Groups, starts: &[i64], ends: &[i64]) -> Result<Self> {
        let n_excerpts = of_question.n_items();
        same_lengths("excerpts", n_excerpts, [starts.len(), ends.len()])?;
        if corpora.len() != of_question.len() {
            let (n, given) = (of_question.len(), corpora.len());
            return Err(Error::Config(format!("{n} questions must have {n} corpora, got {given}")));
        }
        let mut ranges = Vec::with_capacity(n_excerpts);
        for q in 0..of_question.len() {
            let what = format!("question {q}: excerpt");
            for e in of_question.of(q) {
                ranges.push(not_empty(&what, e, starts[e], ends[e])?);
            }
        }
        let corpora: Result<_> = corpora.iter().enumerate().map(corpus).collect();
        Ok(Self { corpora: corpora?, of_question, ranges, occurrences: None })
    }

    /// The same, where an excerpt is covered wherever its text stands: `starts` are the code points at
    /// which the text of excerpt e begins, for those in group e, in any order. Its own place is added if it
    /// is missing.
    ///
    /// ```
    /// use chunkwright_search::evaluate::{Excerpts, Groups, Places, score};
    /// use chunkwright_text::pulse::no_pulse;
    ///
    /// // The answer stands at 10 to 20, and once more at 50.
    /// let excerpts = Excerpts::new(&[0], Groups::of_sizes([1]), &[10], &[20])?;
    /// let excerpts = excerpts.with_occurrences(&Groups::of_sizes([2]), &[10, 50])?;
    /// let places = Places::new(&[0], &[45], &[65])?;
    /// let hits = Groups::of_sizes([1]);
    /// assert_eq!(score(&excerpts, &places, &hits, &[0], no_pulse())?.recall, [1.0]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if there is not one group for each excerpt, or a start is none.
    pub fn with_occurrences(self, of_excerpt: &Groups, starts: &[i64]) -> Result<Self> {
        if of_excerpt.len() != self.ranges.len() || of_excerpt.n_items() != starts.len() {
            let (n, given) = (self.ranges.len(), of_excerpt.len());
            let message = format!("{n} excerpts must have {n} groups of occurrences, got {given}");
            return Err(Error::Config(message));
        }
        let (mut sizes, mut all) = (Vec::with_capacity(self.ranges.len()), Vec::new());
        for (e, &own) in self.ranges.iter().enumerate() {
            let mut of_this = vec![own.start];
            for &start in &starts[of_excerpt.of(e)] {
                let end = start.saturating_add_unsigned(own.n_chars() as u64);
                of_this.push(CharRange::checked("an occurrence of excerpt", e, start, end)?.start);
            }
            of_this.sort_unstable();
            of_this.dedup();
            sizes.push(of_this.len());
            all.extend(of_this);
        }
        let occurrences = Occurrences { of_excerpt: Groups::of_sizes(sizes), starts: all };
        Ok(Self { occurrences: Some(occurrences), ..self })
    }

    /// Number of questions.
    pub const fn len(&self) -> usize {
        self.corpora.len()
    }

    /// Whether there is no question.
    pub const fn is_empty(&self) -> bool {
        self.corpora.is_empty()
    }

    /// Number of excerpts of all questions.
    pub const fn n_excerpts(&self) -> usize {
        self.ranges.len()
    }

    /// The corpus that question `q` is about.
    pub fn corpus(&self, q: usize) -> usize {
        self.corpora[q]
    }

    /// Where the excerpts of question `q` stand.
    pub fn of(&self, q: usize) -> &[CharRange] {
        &self.ranges[self.of_question.of(q)]
    }

    /// The characters of the excerpts of question `q` that `hits` cover, as parts of the excerpts.
    ///
    /// O(e log (e h)) for e excerpts and h ranges of hits, and what is found, which is no more than e + h
    /// parts; with occurrences, O(log h) for each of them, and what is found there, until the excerpt is seen
    /// to be covered whole.
    ///
    /// ```
    /// use chunkwright_search::evaluate::{CharRange, Excerpts, Groups, Union};
    /// use chunkwright_text::pulse::no_pulse;
    ///
    /// // Two excerpts that answer one question, and one hit that has half of the first.
    /// let excerpts = Excerpts::new(&[0], Groups::of_sizes([2]), &[0, 50], &[20, 60])?;
    /// let hits = Union::of(vec![CharRange { start: 10, end: 40 }]);
    /// let covered = excerpts.covered(0, &hits, no_pulse())?;
    /// assert_eq!(covered.ranges(), [CharRange { start: 10, end: 20 }]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn covered(&self, q: usize, hits: &Union, pulse: Pulse<'_>) -> Result<Union> {
        let Some(occurrences) = &self.occurrences else {
            // Excerpts that overlap are joined first: each of them may meet all of the hits.
            let excerpts = Union::of(self.of(q).to_vec());
            return Ok(Union::of(excerpts.ranges().iter().flat_map(|&e| hits.within(e)).collect()));
        };
        let mut parts = Vec::new();
        for e in self.of_question.of(q) {
            occurrences.cover(e, self.ranges[e], hits, &mut parts, pulse)?;
        }
        Ok(Union::of(parts))
    }
}

impl Occurrences {
    /// Adds the parts of excerpt `e`, whose place is `own`, that `hits` cover wherever it stands.
    fn cover(
        &self,
        e: usize,
        own: CharRange,
        hits: &Union,
        parts: &mut Vec<CharRange>,
        pulse: Pulse<'_>,
    ) -> Result<()> {
        let mut many = MANY_PARTS;
        for &start in &self.starts[self.of_excerpt.of(e)] {
            for part in hits.within(CharRange { start, end: start + own.n_chars() }) {
                let there = |at: usize| at - start + own.start;
                parts.push(CharRange { start: there(part.start), end: there(part.end) });
                if part.n_chars() == own.n_chars() {
                    return Ok(());
                }
            }
            if parts.len() > many {
                pulse()?;
                let joined = Union::of(std::mem::take(parts));
                let is_whole = joined.n_chars_of(own) == own.n_chars();
                *parts = joined.into_ranges();
                if is_whole {
                    return Ok(());
                }
                many = MANY_PARTS.max(2 * parts.len());
            }
        }
        Ok(())
    }
}

fn corpus((q, &corpus): (usize, &i64)) -> Result<usize> {
    usize::try_from(corpus).map_err(|_| {
        Error::Config(format!("question {q}: a corpus must be a number from 0, got {corpus}"))
    })
}

fn not_empty(what: &str, e: usize, start: i64, end: i64) -> Result<CharRange> {
    if start == end {
        return Err(Error::Config(format!("{what} {e} is empty: {start} to {end}")));
    }
    CharRange::checked(what, e, start, end)
}
