//! Segment of an index: some texts indexed by themselves, with their terms as strings.
//!
//! An index is a list of segments. A segment knows nothing of the others, so it is stored, replaced and left out
//! by itself; what depends on all of them, the rarity of a term and the mean length, is summed up when they are
//! asked.

use super::block::{Block, MAX_TEXTS, Slot};
use super::numbering::{MAX_TERMS, Numbering};
use super::term_table::TermTable;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::terms::for_each_tagged_term;
use chunkwright_text::segment::terms::subwords::Subwords;

/// A segment is full with so many postings, too: then 8 bytes for each of them were needed to gather it.
pub(super) const MAX_POSTINGS: usize = 1 << 24;

/// Texts with their terms and postings.
#[derive(Debug)]
pub struct Segment {
    pub(super) subwords: Option<Subwords>,
    /// How many terms each text has, but for those that only help to find others.
    pub(super) lengths: Vec<u32>,
    pub(super) terms: TermTable,
    pub(super) block: Block,
}

impl Segment {
    /// The segment of `texts`, whose words count with `subwords` if there are any. One pass, O(total length).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::{Bm25, Saturation, Segment};
    ///
    /// let segment = |texts: &[&str]| Segment::new(texts, None, no_pulse()).map(Arc::new);
    /// let parts = vec![segment(&["rain in spain"])?, segment(&["sun in spain", "snow"])?];
    /// let index = Bm25::of_segments(parts, Saturation::new(1.2, 0.75)?, None)?;
    /// assert_eq!(index.top("sun", 1, no_pulse())?[0].text, 1);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if there are more than 65,536 texts, or they have too many terms; those of `pulse`.
    pub fn new(texts: &[&str], subwords: Option<Subwords>, pulse: Pulse<'_>) -> Result<Self> {
        let (mut gathered, beat) = (Gathered::new(subwords), Beat::of_bytes(pulse));
        for (i, text) in texts.iter().enumerate() {
            if gathered.is_full() {
                return Err(Error::Config(format!(
                    "a segment holds at most {MAX_TEXTS} texts and {MAX_POSTINGS} postings: \
                     {i} of {} texts fit",
                    texts.len()
                )));
            }
            gathered.push(text, &beat)?;
        }
        gathered.into_segment(pulse)
    }

    /// How many texts there are.
    pub const fn n_texts(&self) -> usize {
        self.lengths.len()
    }

    /// How many different terms they have, subwords included.
    pub const fn n_terms(&self) -> usize {
        self.terms.len()
    }

    /// What counts beside its words.
    pub const fn subwords(&self) -> Option<Subwords> {
        self.subwords
    }
}

/// The texts of a segment that is not full yet.
#[derive(Debug)]
pub(super) struct Gathered {
    numbering: Numbering,
    lengths: Vec<u32>,
    /// What each text has, in the order of its terms' first occurrences.
    counts: Vec<Count>,
    /// Where the counts of each text end.
    ends: Vec<usize>,
    /// The terms by their numbers, which are those of their first occurrences.
    terms: Vec<Gathering>,
}

/// How often the text has the term with this number.
#[derive(Clone, Copy, Debug)]
struct Count {
    number: u32,
    n: u32,
}

/// A term of the segment.
#[derive(Clone, Copy, Debug, Default)]
struct Gathering {
    /// In how many texts it is.
    n_texts: u32,
    /// Where it is counted in the last of them.
    last: usize,
}

impl Gathered {
    pub fn new(subwords: Option<Subwords>) -> Self {
        Self {
            numbering: Numbering::new(subwords),
            lengths: Vec::new(),
            counts: Vec::new(),
            ends: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// How many texts there are.
    pub const fn n_texts(&self) -> usize {
        self.lengths.len()
    }

    /// Whether it takes no more texts.
    pub const fn is_full(&self) -> bool {
        self.lengths.len() == MAX_TEXTS || self.counts.len() >= MAX_POSTINGS
    }

    /// Adds a text; the beat counts its bytes. O(its length).
    ///
    /// # Errors
    /// [`Error::Config`] if there are too many terms; those of the pulse. It is of no use then.
    pub fn push(&mut self, text: &str, beat: &Beat<'_>) -> Result<()> {
        let Self { numbering, counts, ends, terms, .. } = self;
        let (mut length, text_starts) = (0_u32, ends.last().copied().unwrap_or(0));
        for_each_tagged_term(text, beat, |term| {
            numbering.for_each_number(term, |number, is_longer| {
                length = length.saturating_add(u32::from(is_longer));
                if length <= MAX_TERMS {
                    count(number, text_starts, counts, terms);
                }
            });
        })?;
        if self.numbering.is_full() || length > MAX_TERMS {
            let message =
                format!("an index holds fewer than {MAX_TERMS} terms, and a text no more");
            return Err(Error::Config(message));
        }
        self.lengths.push(length);
        self.ends.push(self.counts.len());
        Ok(())
    }

    /// The segment. O(the postings, and the terms sorted).
    ///
    /// # Errors
    /// [`Error::Config`] if its terms are too long together; those of `pulse`.
    pub fn into_segment(self, pulse: Pulse<'_>) -> Result<Segment> {
        let Self { numbering, lengths, counts, ends, terms } = self;
        let subwords = numbering.subwords();
        let with = terms.iter().map(|term| term.n_texts);
        let (mut block, mut slots) = Block::new(lengths.len(), with);
        put(&counts, &ends, &mut block, &mut slots, pulse)?;
        block.complete();
        Ok(Segment { subwords, lengths, terms: numbering.into_table()?, block })
    }
}

/// Counts an occurrence of the term with this number in the text whose counts begin at `text_starts`.
#[inline]
fn count(number: u32, text_starts: usize, counts: &mut Vec<Count>, terms: &mut Vec<Gathering>) {
    // Numbers are given as terms come, so this is the next one or an earlier one.
    if number as usize >= terms.len() {
        terms.resize(number as usize + 1, Gathering::default());
    }
    let term = &mut terms[number as usize];
    if term.n_texts > 0 && term.last >= text_starts {
        counts[term.last].n += 1;
    } else {
        term.last = counts.len();
        term.n_texts += 1;
        counts.push(Count { number, n: 1 });
    }
}

/// Puts all postings where they belong, by `slots` in the order of numbers.
fn put(
    counts: &[Count],
    ends: &[usize],
    block: &mut Block,
    slots: &mut [Slot],
    pulse: Pulse<'_>,
) -> Result<()> {
    let (beat, mut start) = (Beat::of_numbers(pulse), 0);
    for (text, &end) in (0..=u16::MAX).zip(ends) {
        beat.after(end - start)?;
        for count in &counts[start..end] {
            block.put(&mut slots[count.number as usize], text, count.n);
        }
        start = end;
    }
    Ok(())
}
