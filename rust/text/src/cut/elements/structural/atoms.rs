//! Atomic blocks: the least that is a chunk by itself, as the author of a document has it.

use std::ops::Range;

use super::Structure;
use super::units::{Joints, Unit};
use crate::cut::elements::blocks::Lead;
use crate::elements::Kind;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::Limits;
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::segment::sentence::{Language, Sentences};
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// Finds the atomic blocks of a document.
pub struct Atomizer<'a> {
    pub text: &'a str,
    pub joints: &'a Joints<'a>,
    pub measure: &'a dyn Measure,
    pub limits: Limits,
    pub structure: &'a Structure,
    pub language: Language,
    pub pulse: Pulse<'a>,
}

/// Blocks that are being gathered.
struct Gathered {
    blocks: Range<usize>,
    /// Whether all of them lead to the next block, so that nothing is to part them from it.
    leads: bool,
    reach: usize,
}

impl Atomizer<'_> {
    /// The spans of the atomic blocks, in order: of a block over [`split_above`](super::Merging::split_above) those
    /// of its sentences. O(n); the measure is asked for a few spans a block.
    ///
    /// # Errors
    /// Those of the measure and of the pulse.
    pub fn spans(&self) -> Result<Vec<Span>> {
        let (mut spans, beat) =
            (Vec::with_capacity(self.joints.blocks().len()), Beat::of_bytes(self.pulse));
        for unit in self.joints.units() {
            let unit = self.without_headings_too_many(unit, &mut spans)?;
            for atom in self.atoms(&unit)? {
                let span = self.span(&atom);
                beat.after(span.len() + CHUNK_BYTES)?;
                if self.is_split(&unit, &atom, span)? {
                    self.push_sentences(&unit, span, &mut spans)?;
                } else {
                    spans.push(span);
                }
            }
        }
        Ok(spans)
    }

    fn span(&self, blocks: &Range<usize>) -> Span {
        Span::new(
            self.joints.blocks()[blocks.start].span.start,
            self.joints.blocks()[blocks.end - 1].span.end,
        )
    }

    fn reach(&self, block: usize, max: usize) -> Result<usize> {
        self.measure.longest(self.joints.blocks()[block].span.start, max)
    }

    fn fits(&self, blocks: Range<usize>, reach: usize, max: usize) -> Result<bool> {
        let span = self.span(&blocks);
        Ok(span.end <= reach && self.measure.size(span)? <= max)
    }

    /// Makes atoms of the first headings of a unit that has more of them than half of a chunk.
    fn without_headings_too_many(&self, unit: Unit, spans: &mut Vec<Span>) -> Result<Unit> {
        let mut start = unit.blocks.start;
        if unit.body < start + 2 {
            return Ok(unit);
        }
        let most = match self.limits.hard_max() {
            max if unit.body < unit.blocks.end => max / 2,
            max => max,
        };
        if self.measure.size(self.span(&(start..unit.body)))? <= most {
            return Ok(unit);
        }
        let mut reach = self.reach(start, most)?;
        for i in start + 1..unit.body {
            if !self.fits(start..i + 1, reach, most)? {
                spans.push(self.span(&(start..i)));
                (start, reach) = (i, self.reach(i, most)?);
            }
        }
        Ok(Unit { blocks: start..unit.blocks.end, ..unit })
    }

    /// The atoms of a unit: all of it, unless it is a list over its own limit or else over that of chunks.
    fn atoms(&self, unit: &Unit) -> Result<Vec<Range<usize>>> {
        let body = unit.body..unit.blocks.end;
        let is_list = body.clone().any(|i| self.joints.is_of_list(i));
        if body.len() < 2 || !is_list && self.joints.table(&unit.blocks).is_some() {
            return Ok(vec![unit.blocks.clone()]);
        }
        let hard_max = self.limits.hard_max();
        let max = if is_list { self.structure.list_max.min(hard_max) } else { hard_max };
        if self.measure.size(self.span(&unit.blocks))? <= max {
            return Ok(vec![unit.blocks.clone()]);
        }
        self.groups(unit, max)
    }

    /// Groups of the blocks of a unit that have at most `max` units each: items with all that is nested in them,
    /// as many as fit; an item that does not fit with that is followed by what is nested, taken in the same way.
    fn groups(&self, unit: &Unit, max: usize) -> Result<Vec<Range<usize>>> {
        let (mut atoms, ends) = (Vec::new(), self.joints.ends(unit));
        let reach = self.reach(unit.blocks.start, max)?;
        let mut own = Gathered { blocks: unit.blocks.start..unit.body, leads: true, reach };
        let mut i = unit.body;
        while i < unit.blocks.end {
            let nested = ends[i - unit.body];
            let reach = self.reach(i, max)?;
            let mut taken = None;
            for end in [nested, i + 1] {
                if self.fits(own.blocks.start..end, own.reach, max)? {
                    taken = Some((own.blocks.start, end));
                } else if !(own.leads || own.blocks.is_empty()) && self.fits(i..end, reach, max)? {
                    taken = Some((i, end));
                }
                if taken.is_some() {
                    break;
                }
            }
            let (start, end) = match taken {
                Some(taken) => taken,
                None if own.leads && self.may_lead(unit, &own, i)? => (own.blocks.start, i + 1),
                None => (i, i + 1),
            };
            if start == i && !own.blocks.is_empty() {
                atoms.push(own.blocks.clone());
                own = Gathered { blocks: i..i, leads: true, reach };
            }
            own.leads &= end == i + 1 && self.joints.blocks()[i].lead != Lead::None;
            own.blocks.end = end;
            i = end;
        }
        atoms.push(own.blocks);
        Ok(atoms)
    }

    /// Whether `own`, which leads to block `i`, stands with it although both are over the size that is wanted:
    /// headings do in any case, lines that end in a colon if both fit into a chunk.
    fn may_lead(&self, unit: &Unit, own: &Gathered, i: usize) -> Result<bool> {
        if own.blocks.is_empty() || own.blocks.end == unit.body {
            return Ok(true);
        }
        let max = self.limits.hard_max();
        self.fits(own.blocks.start..i + 1, self.reach(own.blocks.start, max)?, max)
    }

    /// Whether an atom is split between its sentences: one text that is too long to have one subject.
    fn is_split(&self, unit: &Unit, atom: &Range<usize>, span: Span) -> Result<bool> {
        let Some(merging) = &self.structure.merging else { return Ok(false) };
        let last = atom.end - 1;
        let is_one = last == atom.start.max(unit.body);
        let is_text = !matches!(self.joints.kind(last), Kind::Code | Kind::Table | Kind::Formula);
        Ok(is_one && is_text && self.measure.size(span)? > merging.split_above)
    }

    /// Adds the sentences of the text `span`, which begins with its headings; these stay with the first one.
    fn push_sentences(&self, unit: &Unit, span: Span, spans: &mut Vec<Span>) -> Result<()> {
        let body =
            self.joints.blocks()[unit.body.min(unit.blocks.end - 1)].span.start.max(span.start);
        let (text, beat) = (&self.text[body..span.end], Beat::of_bytes(self.pulse));
        let mut sentences = Sentences::in_language(text, self.language);
        let mut start = span.start;
        while let Some(sentence) = sentences.try_next(&beat)? {
            let end = trim_end(self.text, start, body + sentence.end);
            if end > start {
                spans.push(Span::new(start, end));
                start = skip_space(self.text, end).min(span.end);
            }
        }
        Ok(())
    }
}
