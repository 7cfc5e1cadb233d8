//! Splice of a segment: texts of another one in the place of some of its own.
//!
//! No text is read again: postings are taken over, those of terms that no text has any more are left out.

use std::cmp::Ordering;
use std::ops::Range;

use super::block::{Block, MAX_TEXTS, Postings};
use super::segment::{MAX_POSTINGS, Segment};
use super::term_table::TermTable;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};

/// A term of either segment, with its number in each.
type Joint<'s> = (&'s [u8], [Option<u32>; 2]);

impl Segment {
    /// The segment in which the texts of `with` stand where those of `gone` stood; it scores as one that was made of
    /// these texts, to the last bit. O(the postings of both).
    ///
    /// ```
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::bm25::Segment;
    ///
    /// let segment = |texts: &[&str]| Segment::new(texts, None, no_pulse());
    /// let old = segment(&["rain", "snow and hail", "sun"])?;
    /// let new = old.spliced(1..2, &segment(&["wind", "fog"])?, no_pulse())?;
    /// assert_eq!((new.n_texts(), new.n_terms()), (4, 4));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if it has no such texts, the other one has other subwords, or both together are too many;
    /// those of `pulse`.
    pub fn spliced(&self, gone: Range<usize>, with: &Self, pulse: Pulse<'_>) -> Result<Self> {
        self.check_splice(&gone, with)?;
        let (own, beat) = (Part { segment: self, gone: &gone }, Beat::of_numbers(pulse));
        let mut terms = joint(&self.terms, &with.terms);
        let mut n_with = Vec::with_capacity(terms.len());
        terms.retain(|(_, [mine, others])| {
            let others = others.map_or(0, |number| with.block.n_with(number));
            let n = others + mine.map_or(0, |number| own.n_left(number));
            n_with.extend((n > 0).then_some(n));
            n > 0
        });
        let mut lengths = self.lengths[..gone.start].to_vec();
        lengths.extend_from_slice(&with.lengths);
        lengths.extend_from_slice(&self.lengths[gone.end..]);
        let (mut block, mut slots) = Block::new(lengths.len(), n_with.into_iter());
        let behind = gone.start + with.n_texts();
        for ((_, [mine, others]), slot) in terms.iter().zip(&mut slots) {
            let mut n_put = 0;
            let mut put = |text: usize, count: u32| {
                n_put += 1;
                // There are no more texts than fit.
                block.put(slot, u16::try_from(text).unwrap_or(u16::MAX), count);
            };
            let mine = mine.map(|number| self.block.postings(number));
            own.before(mine, &mut put);
            if let Some(number) = others {
                let postings = with.block.postings(*number);
                postings.for_each_count(|text, count| put(gone.start + text, count));
            }
            own.behind(mine, |text, count| put(behind + text, count));
            beat.after(n_put)?;
        }
        block.complete();
        let numbered = terms.iter().zip(0..).map(|((term, _), number)| (*term, number));
        Ok(Self { subwords: self.subwords, lengths, terms: TermTable::of(numbered)?, block })
    }

    fn check_splice(&self, gone: &Range<usize>, with: &Self) -> Result<()> {
        let n = self.n_texts();
        let message = if gone.start > gone.end || gone.end > n {
            format!("the texts {} to {} are none of a segment of {n}", gone.start, gone.end)
        } else if self.subwords != with.subwords {
            "a segment takes texts of one with the same subwords".to_owned()
        } else if n - gone.len() + with.n_texts() > MAX_TEXTS
            || self.block.n_postings() + with.block.n_postings() > MAX_POSTINGS
        {
            format!("a segment holds at most {MAX_TEXTS} texts and {MAX_POSTINGS} postings")
        } else {
            return Ok(());
        };
        Err(Error::Config(message))
    }
}

/// What is left of a segment.
struct Part<'s> {
    segment: &'s Segment,
    gone: &'s Range<usize>,
}

impl<'s> Part<'s> {
    /// In how many texts a term still is.
    fn n_left(&self, number: u32) -> u32 {
        let (block, mut n_gone) = (&self.segment.block, 0);
        if !self.gone.is_empty() {
            block.postings(number).for_each_in(self.gone.clone(), |_, count| {
                n_gone += u32::from(count > 0.0);
            });
        }
        block.n_with(number) - n_gone
    }

    /// The postings of the texts before those that are gone.
    fn before(&self, postings: Option<Postings<'s>>, put: &mut impl FnMut(usize, u32)) {
        if let Some(postings) = postings {
            postings.for_each_count(|text, count| {
                if text < self.gone.start {
                    put(text, count);
                }
            });
        }
    }

    /// Those of the texts behind them, which are numbered anew from 0.
    fn behind(&self, postings: Option<Postings<'s>>, mut put: impl FnMut(usize, u32)) {
        if let Some(postings) = postings {
            postings.for_each_count(|text, count| {
                if text >= self.gone.end {
                    put(text - self.gone.end, count);
                }
            });
        }
    }
}

/// The terms of both tables in their order.
fn joint<'s>(own: &'s TermTable, other: &'s TermTable) -> Vec<Joint<'s>> {
    let mut terms = Vec::with_capacity(own.len() + other.len());
    let numbered = |table: &'s TermTable| table.iter().zip(table.numbers.iter().copied());
    let (mut own, mut other) = (numbered(own).peekable(), numbered(other).peekable());
    loop {
        let order = match (own.peek(), other.peek()) {
            (Some((one, _)), Some((two, _))) => one.cmp(two),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return terms,
        };
        let mine = if order.is_le() { own.next() } else { None };
        let others = if order.is_ge() { other.next() } else { None };
        if let Some((term, _)) = mine.or(others) {
            terms.push((term, [mine.map(|(_, number)| number), others.map(|(_, number)| number)]));
        }
    }
}
