//! Builder of the index: texts are gathered until they make a block, whose postings are then put in order.

use super::block::{Block, MAX_TEXTS, Slot};
use super::numbering::{MAX_TERMS, Numbering};
use super::{Bm25, Saturation};
use crate::error::{Error, Result};
use crate::pulse::{Beat, Pulse};
use crate::segment::terms::for_each_tagged_term;
use crate::segment::terms::subwords::Subwords;

/// A block is full with so many postings, too: then 8 bytes for each of them were needed to gather it.
const MAX_POSTINGS: usize = 1 << 24;

/// Takes one text after another.
#[derive(Debug)]
pub struct Builder {
    saturation: Saturation,
    subwords: Option<Subwords>,
    numbering: Numbering,
    lengths: Vec<u32>,
    n_texts_with: Vec<u32>,
    blocks: Vec<Block>,
    gathered: Gathered,
}

impl Builder {
    /// A builder of an index without texts, whose words count with `subwords` if there are any.
    pub fn new(saturation: Saturation, subwords: Option<Subwords>) -> Self {
        Self {
            saturation,
            subwords,
            numbering: Numbering::new(subwords),
            lengths: Vec::new(),
            n_texts_with: Vec::new(),
            blocks: Vec::new(),
            gathered: Gathered::default(),
        }
    }

    /// Adds a text; the beat counts its bytes. O(its length).
    ///
    /// ```
    /// use chunkwright_core::pulse::{Beat, no_pulse};
    /// use chunkwright_core::retrieve::bm25::{Builder, Saturation};
    ///
    /// let mut builder = Builder::new(Saturation::new(1.2, 0.75)?, None);
    /// let beat = Beat::of_bytes(no_pulse());
    /// for text in ["rain in spain", "sun in spain"] {
    ///     builder.push(text, &beat)?; // from a stream of texts that are not kept
    /// }
    /// let index = builder.finish(no_pulse())?;
    /// assert_eq!((index.n_texts(), index.n_terms()), (2, 4));
    /// # Ok::<(), chunkwright_core::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if there are too many texts or terms; those of the pulse. The builder is of no use then.
    pub fn push(&mut self, text: &str, beat: &Beat<'_>) -> Result<()> {
        if self.lengths.len() >= u32::MAX as usize {
            return Err(Error::Config(format!("an index holds at most {} texts", u32::MAX)));
        }
        let Self { numbering, gathered, .. } = self;
        let mut length = 0_u32;
        for_each_tagged_term(text, beat, |term| {
            numbering.for_each_number(term, |number| {
                length = length.saturating_add(1);
                if length <= MAX_TERMS {
                    gathered.add(number);
                }
            });
        })?;
        if length > MAX_TERMS || self.numbering.is_full() {
            let message =
                format!("an index holds fewer than {MAX_TERMS} terms, and a text no more");
            return Err(Error::Config(message));
        }
        self.n_texts_with.resize(self.numbering.n_terms(), 0);
        self.lengths.push(length);
        self.gathered.end_text();
        if self.gathered.is_full() { self.end_block(beat.pulse()) } else { Ok(()) }
    }

    fn end_block(&mut self, pulse: Pulse<'_>) -> Result<()> {
        let first = self.lengths.len() - self.gathered.ends.len();
        let block = self.gathered.take(first, &mut self.n_texts_with, pulse)?;
        self.blocks.push(block);
        Ok(())
    }

    /// The index.
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn finish(mut self, pulse: Pulse<'_>) -> Result<Bm25> {
        if !self.gathered.ends.is_empty() {
            self.end_block(pulse)?;
        }
        Ok(Bm25 {
            saturation: self.saturation,
            subwords: self.subwords,
            norms: self.saturation.norms(self.lengths.iter().map(|&n| f64::from(n))),
            lengths: self.lengths,
            dictionary: self.numbering.into_dictionary(),
            n_texts_with: self.n_texts_with,
            blocks: self.blocks,
        })
    }
}

/// The texts of a block that is not full yet.
#[derive(Debug, Default)]
struct Gathered {
    /// What each text has, in the order of its terms' first occurrences.
    counts: Vec<Count>,
    /// Where the counts of each text end.
    ends: Vec<usize>,
    /// The block's terms, in the order of their first occurrences.
    terms: Vec<Gathering>,
    /// Where a term stands in `terms`, if it stands there: by its number, from an earlier block otherwise.
    places: Vec<u32>,
}

/// How often the text has the term at `place` in [`Gathered::terms`].
#[derive(Clone, Copy, Debug)]
struct Count {
    place: u32,
    n: u32,
}

/// A term of the block.
#[derive(Clone, Copy, Debug)]
struct Gathering {
    number: u32,
    /// In how many texts it is.
    n_texts: u32,
    /// Where it is counted in the last of them.
    last: usize,
}

impl Gathered {
    /// Counts an occurrence of the term with this number.
    #[inline]
    fn add(&mut self, number: u32) {
        let place = self.place(number);
        let term = &mut self.terms[place as usize];
        let text_starts = self.ends.last().copied().unwrap_or(0);
        if term.n_texts > 0 && term.last >= text_starts {
            self.counts[term.last].n += 1;
        } else {
            term.last = self.counts.len();
            term.n_texts += 1;
            self.counts.push(Count { place, n: 1 });
        }
    }

    /// Where the term with this number stands in `terms`.
    #[inline]
    fn place(&mut self, number: u32) -> u32 {
        if number as usize >= self.places.len() {
            self.places.resize(number as usize + 1, 0);
        }
        let place = &mut self.places[number as usize];
        if self.terms.get(*place as usize).is_none_or(|term| term.number != number) {
            // No more than `MAX_TERMS`.
            *place = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
            self.terms.push(Gathering { number, n_texts: 0, last: 0 });
        }
        *place
    }

    fn end_text(&mut self) {
        self.ends.push(self.counts.len());
    }

    const fn is_full(&self) -> bool {
        self.ends.len() == MAX_TEXTS || self.counts.len() >= MAX_POSTINGS
    }

    /// A block of what was gathered, whose first text has the number `first`. `n_texts_with` says in how many
    /// texts each term is, and takes these in. O(the postings, and the terms sorted).
    fn take(&mut self, first: usize, n_texts_with: &mut [u32], pulse: Pulse<'_>) -> Result<Block> {
        let mut order: Vec<u32> = (0..MAX_TERMS).take(self.terms.len()).collect();
        order.sort_unstable_by_key(|&place| self.terms[place as usize].number);
        let terms = order.iter().map(|&place| self.terms[place as usize]);
        for term in terms.clone() {
            n_texts_with[term.number as usize] += term.n_texts;
        }
        let terms = terms.map(|term| (term.number, term.n_texts as usize));
        let (mut block, slots) = Block::new(first, self.ends.len(), terms);
        self.put(&mut block, &mut by_place(&order, &slots), pulse)?;
        block.complete();
        self.counts.clear();
        self.ends.clear();
        self.terms.clear();
        Ok(block)
    }

    /// Puts all postings where they belong, by `slots` in the order of the gathered terms.
    fn put(&self, block: &mut Block, slots: &mut [Slot], pulse: Pulse<'_>) -> Result<()> {
        let (beat, mut start) = (Beat::of_numbers(pulse), 0);
        for (text, &end) in (0..=u16::MAX).zip(&self.ends) {
            beat.after(end - start)?;
            for count in &self.counts[start..end] {
                block.put(&mut slots[count.place as usize], text, count.n);
            }
            start = end;
        }
        Ok(())
    }
}

/// The slots of terms in another order: the one for `order[i]` is `slots[i]`.
fn by_place(order: &[u32], slots: &[Slot]) -> Vec<Slot> {
    let mut placed = slots.to_vec();
    for (&place, slot) in order.iter().zip(slots) {
        placed[place as usize] = *slot;
    }
    placed
}
