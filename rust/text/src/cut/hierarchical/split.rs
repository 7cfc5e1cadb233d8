//! Split of a unit over the limit: between its elements, and a text at the best boundary.

use std::ops::Range;

use super::units::Unit;
use super::{Atom, AtomTable, Prefixed, SectionCutter};
use crate::cut::elements::blocks::{Block, Lead};
use crate::elements::Kind;
use crate::error::Result;
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// A text to be split, and what is already known of its parts.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    /// What it begins with and is not to be cut from it: its headings, its caption.
    pub lead: usize,
    /// Itself.
    pub span: Span,
    /// The innermost heading above it.
    pub path: Option<usize>,
    /// The heading that it begins with.
    pub opens: Option<usize>,
    /// Its elements, with those of the lead; a part has those that it meets.
    pub elements: Range<usize>,
    /// Its own element.
    pub element: usize,
}

impl SectionCutter<'_> {
    /// The units that headings may take in front of `span`: all of them if both fit, else half.
    pub(super) fn most_headings(&self, path: Option<usize>, span: Span) -> Result<Option<usize>> {
        let most = self.limits.hard_max();
        let all = self.prefix(path, span.start, most, &[])?;
        if self.fits(&all, span)? {
            return Ok(Some(most));
        }
        let half = self.prefix(path, span.start, most / 2, &[])?;
        Ok((half.size < all.size && self.fits(&half, span)?).then_some(most / 2))
    }

    /// Adds the atoms of a unit: one, if it fits.
    pub(super) fn split_unit(&mut self, unit: &Unit) -> Result<()> {
        let blocks = unit.blocks.clone();
        if let Some(most_headings) = self.most_headings(unit.path, self.span(&blocks))? {
            self.add_blocks(blocks, unit.path, most_headings);
            return Ok(());
        }
        // Blocks that fit and are not added yet.
        let (mut held, mut most_headings) = (blocks.start..blocks.start, 0);
        for i in blocks {
            if i < held.start {
                continue;
            }
            let with_held = held.start..i + 1;
            let path = self.path_of(&with_held, unit);
            if let Some(most) = self.most_headings(path, self.span(&with_held))? {
                (held.end, most_headings) =
                    (i + 1, if held.is_empty() { most } else { most_headings.min(most) });
                continue;
            }
            let path = self.path_of(&(i..i + 1), unit);
            let whole = self.most_headings(path, self.span(&(i..i + 1)))?;
            // What fits by itself is not cut for the line that leads to it.
            let is_only_in = i > held.start && self.blocks[i - 1].lead == Lead::In;
            let may_lead = self.leads(&held)? && !(is_only_in && whole.is_some());
            let alone = whole.filter(|_| held.is_empty() || !may_lead);
            if !held.is_empty() && !may_lead {
                self.add_blocks(held.clone(), self.path_of(&held, unit), most_headings);
                held = i..i;
            }
            if let Some(most) = alone {
                (held, most_headings) = (held.start..i + 1, most);
            } else {
                self.split_block(held.start, i, path)?;
                let is_captioned =
                    self.blocks[i].lead == Lead::Captioned && i + 1 < unit.blocks.end;
                let end = i + 1 + usize::from(is_captioned && self.extend_last(i + 1)?);
                held = end..end;
            }
        }
        if !held.is_empty() {
            self.add_blocks(held.clone(), self.path_of(&held, unit), most_headings);
        }
        Ok(())
    }

    /// The innermost heading of the section that `blocks` of `unit` are in: that of the unit, but for its
    /// headings alone.
    fn path_of(&self, blocks: &Range<usize>, unit: &Unit) -> Option<usize> {
        match self.blocks.get(blocks.end.wrapping_sub(1)) {
            Some(last) if self.is_heading(last.element) => Some(last.element),
            _ => unit.path,
        }
    }

    fn is_heading(&self, element: usize) -> bool {
        self.document.elements().is_some_and(|items| items[element].kind == Kind::Heading)
    }

    /// Whether `held` is what belongs to the start of the next block, headings, captions or lines that end in a
    /// colon, and leaves it
    /// half of the limit.
    fn leads(&self, held: &Range<usize>) -> Result<bool> {
        let items = self.document.elements().unwrap_or_default();
        let is_lead = |i: usize| {
            let block = &self.blocks[i];
            matches!(items[block.element].kind, Kind::Heading | Kind::Caption)
                || block.lead == Lead::In
        };
        Ok(held.clone().all(is_lead)
            && (held.is_empty()
                || self.chunker.size(self.span(held))? <= self.limits.hard_max() / 2))
    }

    /// The text of neighbouring blocks.
    fn span(&self, blocks: &Range<usize>) -> Span {
        Span::new(self.blocks[blocks.start].span.start, self.blocks[blocks.end - 1].span.end)
    }

    /// Adds blocks that fit as one atom.
    fn add_blocks(&mut self, blocks: Range<usize>, path: Option<usize>, most_headings: usize) {
        let (first, last) = (&self.blocks[blocks.start], &self.blocks[blocks.end - 1]);
        let items = self.document.elements().unwrap_or_default();
        let mut own = self.blocks[blocks.clone()].iter();
        let is_own = |block: &&Block| {
            let kind = items[block.element].kind;
            !matches!(kind, Kind::Heading | Kind::Caption) && block.lead != Lead::In
        };
        let table = match (own.by_ref().find(is_own), own.find(is_own)) {
            (Some(&Block { element, .. }), None) if items[element].kind == Kind::Table => {
                let (header, footer) = (Vec::new(), Vec::new());
                Some(AtomTable { element, part: None, header, footer })
            }
            _ => None,
        };
        self.atoms.push(Atom {
            body: self.span(&blocks),
            path,
            opens: self.is_heading(first.element).then_some(first.element),
            elements: first.elements.start..last.elements.end,
            part: 0,
            most_headings,
            table,
        });
    }

    /// Adds the parts of block `i`, the first with the blocks from `lead` on.
    fn split_block(&mut self, lead: usize, i: usize, path: Option<usize>) -> Result<()> {
        let (first, block) = (&self.blocks[lead], &self.blocks[i]);
        let whole = Whole {
            lead: first.span.start,
            span: block.span,
            path,
            opens: self.is_heading(first.element).then_some(first.element),
            elements: first.elements.start..block.elements.end,
            element: block.element,
        };
        let items = self.document.elements().unwrap_or_default();
        match items[block.element].grid.as_deref() {
            Some(grid) if self.split_rows(grid, &whole)? => Ok(()),
            _ => self.split_text(&whole),
        }
    }

    /// Adds block `i`, the caption below a table, to the last part of that if both fit; says whether it did.
    fn extend_last(&mut self, i: usize) -> Result<bool> {
        let block = &self.blocks[i];
        let Some(atom) = self.atoms.last() else { return Ok(false) };
        let Some(table) = atom.table.as_ref().filter(|table| table.footer.is_empty()) else {
            return Ok(false);
        };
        let body = Span::new(atom.body.start, block.span.end);
        let prefix = self.prefix(atom.path, body.start, atom.most_headings, &table.header)?;
        if !self.fits(&prefix, body)? {
            return Ok(false);
        }
        let end = block.elements.end;
        if let Some(atom) = self.atoms.last_mut() {
            (atom.body, atom.elements.end) = (body, end);
        }
        Ok(true)
    }

    /// Adds the parts of a text, each as long as the limit allows beside the headings above it, but for the
    /// overlap.
    fn split_text(&mut self, whole: &Whole) -> Result<()> {
        let (mut start, mut part) = (skip_space(self.text(), whole.lead), 0);
        while start < whole.span.end {
            let (end, most_headings) = self.part_end(whole, start)?;
            let is_first = part == 0;
            let body = Span::new(start, trim_end(self.text(), start, end));
            self.atoms.push(Atom {
                body,
                path: whole.path,
                opens: whole.opens.filter(|_| is_first),
                elements: self.met(whole, body),
                part,
                most_headings,
                table: None,
            });
            start = skip_space(self.text(), end);
            part += 1;
        }
        Ok(())
    }

    /// The elements that a part meets: those of the lead too, where it holds some of that. A counter that says less
    /// of more text may have the lead cut as well.
    pub(super) fn met(&self, whole: &Whole, body: Span) -> Range<usize> {
        let items = self.document.elements().unwrap_or_default();
        let (first, end) = (whole.elements.start, whole.elements.end);
        let is_behind_lead = body.start >= whole.span.start;
        let mut met = if is_behind_lead { whole.element..end } else { first..end };
        let ends_before = |span: Span| !span.is_empty() && span.end <= body.start;
        let begins_behind = |span: Span| !span.is_empty() && span.start >= body.end;
        // What stands in no element is with the one before it.
        while met.len() > 1
            && ends_before(items[met.start].span)
            && items[met.start + 1].span.start < body.end
        {
            met.start += 1;
        }
        while met.len() > 1 && begins_behind(items[met.end - 1].span) {
            met.end -= 1;
        }
        met
    }

    /// Where the part that begins at `start` ends, behind the lead and the name of a speaker if it can, and what the
    /// headings may take in front of it.
    fn part_end(&mut self, whole: &Whole, start: usize) -> Result<(usize, usize)> {
        let least = self.document.words_in(whole.span).unwrap_or(whole.span.start);
        // Where a part repeats the end of the one before, room is kept for it.
        let overlap = if start > whole.lead { self.limits.overlap() } else { 0 };
        for most_headings in [self.limits.hard_max() / 2, 0] {
            let prefix = self.prefix(whole.path, start, most_headings, &[])?;
            let Self { chunker, ruler, bare, limits, levels, .. } = self;
            let prefixed = Prefixed { chunker, ruler: *ruler, bare: *bare, limits: *limits };
            let rest = Span::new(start, whole.span.end);
            if prefixed.has_room(&prefix)
                && let Some(end) = prefixed.best_end(&prefix, levels, rest, least, overlap)?
            {
                return Ok((end, most_headings));
            }
        }
        Ok((self.chunker.indivisible(start)?.min(whole.span.end), 0))
    }
}
