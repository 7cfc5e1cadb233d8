//! Candidate boundaries inside a sentence that no chunk can hold.
//!
//! They are those between its lines; inside a line that no chunk can hold either, those between clauses and words, some
//! eight to a target, and those between graphemes where there are none.

use super::boundary::Finder;
use super::objective::Strength;
use crate::cut::chunker::{Chunker, Ends};
use crate::cut::levels::{Level, Natural, first_word};
use crate::error::Result;
use crate::segment::grapheme;
use crate::unicode::space::{skip_space, trim_end};

/// A sentence over the limit is offered in parts of this fraction of the target, or up to twice that.
const PARTS: usize = 12;
/// A word that is longer than so many parts is cut.
const LONG_WORD: usize = 8;

/// What lies between two boundaries inside a sentence, whose end is looked for.
#[derive(Clone, Copy)]
struct Interior {
    /// Where it begins.
    start: usize,
    /// It ends behind here: behind the headings with which it begins.
    behind: usize,
    /// About how many bytes it has behind them.
    step: usize,
    /// Where the sentence ends.
    end: usize,
}

impl Finder<'_> {
    /// Adds boundaries inside `start..end`, whose `size` no chunk can hold: between its lines, and inside those
    /// that no chunk can hold either.
    ///
    /// A line is what the author ended; the lines of a log or a poem are one sentence, since no stop ends them.
    pub(super) fn parts(&mut self, start: usize, end: usize, size: usize) -> Result<()> {
        let text = self.chunker.text;
        let first = self.lead(start, end)?;
        let feeds = memchr::memchr_iter(b'\n', &text.as_bytes()[first..end]);
        for feed in feeds {
            self.line(first + feed, Strength::Break)?;
        }
        let (line, size) = match self.last().start {
            line if line > start => (line, self.size(line, end)?),
            _ => (start, size),
        };
        if size > self.room.hard { self.inside(line, end, size) } else { Ok(()) }
    }

    /// Adds the boundary at the end of a line, `feed`, and those inside if no chunk can hold it.
    pub(super) fn line(&mut self, feed: usize, strength: Strength) -> Result<()> {
        let start = self.last().start;
        let end = trim_end(self.chunker.text, start.min(feed), feed);
        if end <= start {
            return Ok(());
        }
        let size = self.size(start, end)?;
        if size > self.room.hard {
            self.inside(start, end, size)?;
        }
        self.add(end, strength)
    }

    /// Adds boundaries inside a line, `start..end`, whose `size` no chunk can hold.
    ///
    /// Parts have about equally many bytes, a power of two: so an edit inside changes few of them.
    fn inside(&mut self, start: usize, end: usize, size: usize) -> Result<()> {
        let text = self.chunker.text;
        let most = (self.room.target / PARTS).max(1);
        let step = ((end - start).saturating_mul(most) / size).next_power_of_two();
        let mut levels = [
            (Natural::Lines(text), Strength::Break),
            (Natural::Clauses(text), Strength::Clause),
            (Natural::Words(text), Strength::Word),
        ];
        let lead = self.lead(start, end)?;
        let mut part = Interior { start, behind: lead, step, end };
        loop {
            let (cut, strength) = self.part(&mut levels, part)?;
            let at = skip_space(text, cut);
            part = Interior { start: at, behind: at.max(lead), ..part };
            if at >= end {
                return Ok(());
            }
            self.add(trim_end(text, self.last().start, cut), strength)?;
        }
    }

    /// Where what follows the headings at `start` begins, as many of them as a chunk holds.
    fn lead(&self, start: usize, end: usize) -> Result<usize> {
        let headings = self.structure.headings();
        let (text, mut lead) = (self.chunker.text, start);
        while lead < end {
            let own_end = headings.own_end(lead);
            if own_end == lead || !self.fits(start, own_end)? {
                break;
            }
            lead = skip_space(text, own_end);
        }
        Ok(lead.min(end))
    }

    /// The end of a part: the strongest boundary within a step, else the next word.
    fn part(
        &self,
        levels: &mut [(Natural<'_>, Strength)],
        part: Interior,
    ) -> Result<(usize, Strength)> {
        let Chunker { text, measure, .. } = self.chunker;
        let Interior { start, behind, step, end } = part;
        let near = skip_space(text, text.ceil_char_boundary(behind + step)).min(end);
        if let Some(found) = self.strongest(levels, part, near)? {
            return Ok(found);
        }
        let far = text.ceil_char_boundary(behind + LONG_WORD * step).min(end);
        if let Some(word) = first_word(text, near, far)
            && self.fits(start, word)?
        {
            return Ok((word, Strength::Word));
        }
        let cut = grapheme::floor(text, behind, near);
        if cut > behind && self.fits(start, cut)? {
            return Ok((cut, Strength::Grapheme));
        }
        if behind > start && self.fits(start, behind)? {
            // Headings that have no room beside anything of what follows.
            return Ok((behind, Strength::Break));
        }
        // Denser than the sentence as a whole.
        let reach = skip_space(text, measure.longest(start, self.room.hard)?).min(end);
        if let Some(found) = self.strongest(levels, part, reach)? {
            return Ok(found);
        }
        match self.chunker.graphemes(start, start, reach, Ends::Trimmed)? {
            Some(cut) if cut > behind || behind == start => Ok((cut, Strength::Grapheme)),
            None if behind == start => Ok((self.chunker.indivisible(start)?, Strength::Grapheme)),
            // Nothing of what follows the headings fits beside them.
            _ => self.part(levels, Interior { behind: start, ..part }),
        }
    }

    /// The last boundary of the strongest level that has one up to `reach`; the end, if that is there.
    fn strongest(
        &self,
        levels: &mut [(Natural<'_>, Strength)],
        Interior { start, behind, end, .. }: Interior,
        reach: usize,
    ) -> Result<Option<(usize, Strength)>> {
        if reach == end && self.fits(start, end)? {
            return Ok(Some((end, Strength::Sentence)));
        }
        for (level, strength) in levels {
            if let Some(boundary) = level.last(behind, reach)?
                && self.fits(start, boundary.cut)?
            {
                return Ok(Some((boundary.cut, *strength)));
            }
        }
        Ok(None)
    }
}
