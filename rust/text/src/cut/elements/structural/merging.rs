//! Merging of atomic blocks: which neighbours are one chunk, and why others are not.

use std::ops::Range;

use super::Structure;
use super::units::Joints;
use crate::boundaries::Verdict;
use crate::elements::Kind;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::pulse::{Beat, Pulse};
use crate::span::Span;
use crate::vectors::{TOLERANCE, Vectors};

/// So many neighbours are compared in about a millisecond.
const PERIOD: usize = 1024;

/// An atomic block, or one of the sentences of a long one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Its text.
    pub span: Span,
    /// Its blocks; of a sentence those of all sentences.
    pub blocks: Range<usize>,
    /// Whether it is not the first sentence of its block.
    pub is_rest: bool,
    /// Its table, if it is one with what leads to it and its captions.
    pub table: Option<usize>,
}

impl Atom {
    /// Those of which the spans are known: each has the blocks that begin in it. O(n).
    pub fn all(spans: &[Span], joints: &Joints<'_>) -> Vec<Self> {
        let blocks = joints.blocks();
        let (mut atoms, mut end): (Vec<Self>, _) = (Vec::with_capacity(spans.len()), 0);
        for (i, &span) in spans.iter().enumerate() {
            let start = end;
            let next = spans.get(i + 1).map_or(usize::MAX, |next| next.start);
            end += blocks[start..].iter().take_while(|block| block.span.start < next).count();
            let atom = match atoms.last() {
                Some(before) if start == end => {
                    Self { span, is_rest: true, table: None, blocks: before.blocks.clone() }
                }
                _ => {
                    let own = start..end;
                    let is_list = own.clone().any(|i| joints.is_of_list(i));
                    let table = joints.table(&own).filter(|_| !is_list || own.len() == 1);
                    Self { span, blocks: own, is_rest: false, table }
                }
            };
            atoms.push(atom);
        }
        atoms
    }
}

/// What is known of the place between two neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// Their cosine distance; NaN if nobody asked.
    pub score: f64,
    /// Whether they are one chunk, and if not, why.
    pub verdict: Verdict,
}

/// Decides about neighbouring atoms.
pub struct Merger<'a> {
    pub atoms: &'a [Atom],
    pub joints: &'a Joints<'a>,
    pub measure: &'a dyn Measure,
    pub structure: &'a Structure,
    pub isolate_tables: bool,
    /// The size over which nothing is merged.
    pub soft_max: usize,
}

impl Merger<'_> {
    /// For each atom but the last what is between it and the next one. O(n), and a cosine each.
    ///
    /// # Errors
    /// [`Error::Model`] if there is not a vector for each atom; those of the measure and the pulse.
    pub fn all(&self, vectors: Option<&mut dyn Vectors>, pulse: Pulse<'_>) -> Result<Vec<Between>> {
        let n = self.atoms.len();
        let merging = self.structure.merging.as_ref();
        let Some((merging, vectors)) = merging.zip(vectors) else { return Ok(self.alone()) };
        if vectors.len() != n {
            let message = format!("the embedder gave {} vectors for {n} texts", vectors.len());
            return Err(Error::Model(message));
        }
        let (mut all, mut band) = (Vec::with_capacity(n), Vec::new());
        let (mut first, beat) = (0, Beat::every(PERIOD, pulse));
        for i in 1..n {
            beat.after(1)?;
            vectors.band(i, i - 1, &mut band);
            let cosine = band.first().copied().unwrap_or_default();
            let verdict = if !self.may_merge(i)? {
                Verdict::Structure
            } else if cosine < merging.merge_at - TOLERANCE {
                Verdict::Score
            } else {
                self.by_size(first, i)?
            };
            if verdict != Verdict::Whole {
                first = i;
            }
            all.push(Between { score: 1.0 - cosine, verdict });
        }
        Ok(all)
    }

    /// The same where nothing is merged.
    fn alone(&self) -> Vec<Between> {
        let verdict = |i: usize| {
            let is_cut = self.atoms[i].is_rest || self.is_one_list(i);
            if is_cut { Verdict::limit(1) } else { Verdict::Structure }
        };
        let between = |i| Between { score: f64::NAN, verdict: verdict(i) };
        (1..self.atoms.len()).map(between).collect()
    }

    /// Whether the atoms from `first` up to `i` fit together.
    fn by_size(&self, first: usize, i: usize) -> Result<Verdict> {
        let both = Span::new(self.atoms[first].span.start, self.atoms[i].span.end);
        let fits = self.measure.size(both)? <= self.soft_max;
        Ok(if fits { Verdict::Whole } else { Verdict::limit(1) })
    }

    /// Whether atom `i` and the one before it have the same parent: a heading, a list, a block of sentences.
    fn may_merge(&self, i: usize) -> Result<bool> {
        let [before, own] = [i - 1, i].map(|i| &self.atoms[i]);
        if own.is_rest {
            return Ok(true);
        }
        let begins_sentences = self.atoms.get(i + 1).is_some_and(|next| next.is_rest);
        if before.is_rest || begins_sentences || self.joints.kind(own.blocks.start) == Kind::Heading
        {
            return Ok(false);
        }
        if self.stands_alone(before)? || self.stands_alone(own)? {
            return Ok(false);
        }
        Ok(self.is_one_list(i) || !self.is_part_of_list(i - 1) && !self.is_part_of_list(i))
    }

    /// Whether an atom is a table that is a chunk by itself, or several.
    fn stands_alone(&self, atom: &Atom) -> Result<bool> {
        let Some(table) = atom.table else { return Ok(false) };
        let span = self.joints.blocks()[table].span;
        Ok(self.isolate_tables || self.measure.size(span)? > self.structure.table_max)
    }

    /// Whether atom `i` and the one before it are parts of one list.
    fn is_one_list(&self, i: usize) -> bool {
        let is_new = |i: usize| self.atoms.get(i).is_some_and(|atom| !atom.is_rest);
        i > 0 && is_new(i) && self.joints.is_one_list(self.atoms[i].blocks.start)
    }

    /// Whether atom `i` is a part of a list that has others.
    fn is_part_of_list(&self, i: usize) -> bool {
        self.is_one_list(i) || self.is_one_list(i + 1)
    }
}
