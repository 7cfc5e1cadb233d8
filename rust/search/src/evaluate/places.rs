//! Places of chunks in the texts of a corpus.
//!
//! Chunks of any program can be evaluated, also of those that keep no offsets: their places are then searched for
//! ([`next_occurrences`](super::next_occurrences)), and one that stands nowhere counts as retrieved text that
//! answers nothing.

use super::ranges::CharRange;
use chunkwright_text::error::{Error, Result};

/// The place of each chunk: its corpus and its range in that.
#[derive(Clone, Debug)]
pub struct Places {
    /// None for a chunk that stands nowhere: its range tells its length and covers nothing.
    corpora: Vec<Option<usize>>,
    ranges: Vec<CharRange>,
}

impl Places {
    /// Chunk i is at code points `starts[i]..ends[i]` of corpus `corpora[i]`, or, if that is -1, nowhere.
    ///
    /// ```
    /// use chunkwright_search::evaluate::Places;
    ///
    /// let places = Places::new(&[0, -1], &[10, 0], &[25, 0])?;
    /// assert_eq!((places.corpus(0), places.range(0).n_chars()), (Some(0), 15));
    /// assert_eq!(places.corpus(1), None); // it stands nowhere
    /// assert!(Places::new(&[0], &[9], &[3]).unwrap_err().to_string().contains('9'));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if the lengths differ, a range is none or a corpus less than -1, naming it.
    pub fn new(corpora: &[i64], starts: &[i64], ends: &[i64]) -> Result<Self> {
        same_lengths("places", corpora.len(), [starts.len(), ends.len()])?;
        let rows = starts.iter().zip(ends).enumerate();
        let ranges: Result<_> =
            rows.map(|(i, (&start, &end))| CharRange::checked("chunk", i, start, end)).collect();
        let corpora: Result<_> = corpora.iter().enumerate().map(corpus_or_none).collect();
        Ok(Self { corpora: corpora?, ranges: ranges? })
    }

    /// Number of chunks.
    pub const fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether there is no chunk.
    pub const fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The corpus that chunk `i` stands in, if any.
    pub fn corpus(&self, i: usize) -> Option<usize> {
        self.corpora[i]
    }

    /// Where it stands in its corpus.
    pub fn range(&self, i: usize) -> CharRange {
        self.ranges[i]
    }
}

fn corpus_or_none((i, &corpus): (usize, &i64)) -> Result<Option<usize>> {
    match corpus {
        -1 => Ok(None),
        _ => usize::try_from(corpus).map(Some).map_err(|_| {
            Error::Config(format!(
                "chunk {i}: a corpus must be a number from 0 or -1, got {corpus}"
            ))
        }),
    }
}

/// Checks that columns are `n` long.
///
/// # Errors
/// [`Error::Config`] with all lengths.
pub fn same_lengths(what: &str, n: usize, others: [usize; 2]) -> Result<()> {
    let [a, b] = others;
    if a == n && b == n {
        return Ok(());
    }
    Err(Error::Config(format!("columns of {what} must be of one length, got {n}, {a} and {b}")))
}
