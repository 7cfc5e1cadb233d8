//! Groups of neighbouring blocks that make one chunk, or several where one block is too long.

use std::ops::Range;

use super::blocks::{Block, Lead};
use crate::cut::chunker::Chunker;
use crate::error::Result;
use crate::span::Span;

/// Ends that do not fit although they lie within reach are few, as sizes are nearly monotone.
const MAX_TRIES: usize = 16;
/// More headings and lines that end in a colon in a row are a list, of which any may end a chunk.
const MAX_LEADS: usize = 8;

/// Neighbouring blocks.
#[derive(Clone, Debug)]
pub struct BlockGroup {
    /// Their numbers.
    pub blocks: Range<usize>,
    /// Whether it is one block that stands alone.
    pub stands_alone: bool,
}

/// The groups of a document, one after another.
pub struct BlockGroups<'a> {
    blocks: &'a [Block],
    combine_under: usize,
    next: usize,
    held: Option<BlockGroup>,
}

impl<'a> BlockGroups<'a> {
    /// Those of `blocks`; groups smaller than `combine_under` are joined with the next one.
    pub const fn new(blocks: &'a [Block], combine_under: usize) -> Self {
        Self { blocks, combine_under, next: 0, held: None }
    }

    /// The next one, by the measure and the limits of `chunker`.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn next(&mut self, chunker: &Chunker<'_>) -> Result<Option<BlockGroup>> {
        while let Some(group) = self.gathered(chunker)? {
            let Some(held) = self.held.take() else {
                self.held = Some(group);
                continue;
            };
            if self.may_join(&held, &group, chunker)? {
                let blocks = held.blocks.start..group.blocks.end;
                self.held = Some(BlockGroup { blocks, stands_alone: false });
            } else {
                self.held = Some(group);
                return Ok(Some(held));
            }
        }
        Ok(self.held.take())
    }

    /// As many blocks as fit: one at least, and over the soft limit no more.
    ///
    /// What leads to the next block goes with it: headings whatever its size, a line that ends in a colon if
    /// both fit.
    fn gathered(&mut self, chunker: &Chunker<'_>) -> Result<Option<BlockGroup>> {
        let first = self.next;
        let Some(block) = self.blocks.get(first) else { return Ok(None) };
        let (start, stands_alone) = (block.span.start, block.stands_alone);
        let mut end = first + 1;
        if !stands_alone && self.goes_on(end) {
            let Chunker { measure, limits, .. } = chunker;
            let hard = measure.longest(start, limits.hard_max())?;
            let soft = match limits.soft_max() {
                soft if soft == limits.hard_max() => hard,
                soft => measure.longest(start, soft)?,
            };
            let is_within = |at: usize, reach: usize| self.blocks[at].span.end <= reach;
            while is_within(end - 1, soft) && self.goes_on(end) && is_within(end, hard) {
                end += 1;
            }
            end = self.last_fitting(first, end, chunker)?;
        }
        let (mut end, mut stands_alone) = (end, stands_alone);
        loop {
            let next = self.with_next(first, end, stands_alone, chunker)?;
            let goes_on = next.0 > end && self.blocks[end].lead == Lead::Captioned;
            (end, stands_alone) = next;
            if !goes_on {
                break;
            }
        }
        self.next = end;
        Ok(Some(BlockGroup { blocks: first..end, stands_alone }))
    }

    /// The end of the group `first..end` that parts nothing from what it leads to, and whether it stands alone.
    fn with_next(
        &self,
        first: usize,
        end: usize,
        stands_alone: bool,
        chunker: &Chunker<'_>,
    ) -> Result<(usize, bool)> {
        let lead = |i: usize| self.blocks[i].lead;
        if end == self.blocks.len() || lead(end - 1) == Lead::None {
            return Ok((end, stands_alone));
        }
        let lowest = end.saturating_sub(MAX_LEADS).max(first);
        let run = (lowest..end).rev().take_while(|&i| lead(i) != Lead::None).last();
        let leads = run.unwrap_or(end)..end;
        let fits = |from: usize| -> Result<bool> {
            Ok(chunker.size(self.span(&(from..end + 1)))? <= chunker.limits.hard_max())
        };
        let has_heading = leads.clone().any(|i| lead(i) == Lead::Heading);
        // What is split anyway takes what leads to it along, and so does the last part of a table the caption below.
        let (most, size) = (chunker.limits.hard_max(), |blocks| chunker.size(self.span(&blocks)));
        let is_split = match lead(end - 1) {
            Lead::In => size(end..end + 1)? > most && size(leads.clone())? <= most / 2,
            Lead::Captioned => size(leads.clone())? > most && size(end..end + 1)? <= most / 2,
            Lead::Heading | Lead::None => false,
        };
        if leads.start > first {
            let moves = has_heading || is_split || fits(leads.start)?;
            return Ok((if moves { leads.start } else { end }, stands_alone));
        }
        let takes = lead(end - 1) == Lead::Heading && leads.len() < MAX_LEADS || fits(first)?;
        let is_full = size(first..end)? > chunker.limits.soft_max();
        if !(takes && !is_full || is_split) {
            return Ok((end, stands_alone));
        }
        // A table that stands alone has its caption with it.
        let stands_alone = stands_alone && lead(end - 1) == Lead::Captioned;
        Ok((end + 1, stands_alone || self.blocks[end].stands_alone))
    }

    /// Whether block `i` may stand with the one before it.
    fn goes_on(&self, i: usize) -> bool {
        self.blocks.get(i).is_some_and(|block| !block.is_start && !block.stands_alone)
    }

    fn last_fitting(&self, first: usize, end: usize, chunker: &Chunker<'_>) -> Result<usize> {
        for (n_tries, end) in (first + 2..=end).rev().enumerate() {
            if n_tries == MAX_TRIES {
                break;
            }
            if chunker.size(self.span(&(first..end)))? <= chunker.limits.hard_max() {
                return Ok(end);
            }
        }
        Ok(first + 1)
    }

    fn may_join(
        &self,
        held: &BlockGroup,
        next: &BlockGroup,
        chunker: &Chunker<'_>,
    ) -> Result<bool> {
        if self.combine_under == 0 || held.stands_alone || next.stands_alone {
            return Ok(false);
        }
        let both = self.span(&(held.blocks.start..next.blocks.end));
        Ok(chunker.size(self.span(&held.blocks))? < self.combine_under
            && chunker.size(both)? <= chunker.limits.hard_max())
    }

    fn span(&self, blocks: &Range<usize>) -> Span {
        Span::new(self.blocks[blocks.start].span.start, self.blocks[blocks.end - 1].span.end)
    }
}
