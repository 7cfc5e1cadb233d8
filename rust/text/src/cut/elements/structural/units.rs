//! Units of the structural strategy: neighbouring blocks that belong together, headings in front.
//!
//! A unit is what an author would not part: headings and the block behind them, a line that ends in a colon and
//! its list, the items of one list, a caption and its table or figure. It knows no sizes.

use std::ops::Range;

use crate::cut::elements::blocks::{Block, Lead};
use crate::cut::elements::wholes::Wholes;
use crate::document::Document;
use crate::elements::{Element, Kind};
use crate::read::entries;

/// Neighbouring blocks that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Their numbers.
    pub blocks: Range<usize>,
    /// The first that is no heading; one past the last if all are.
    pub body: usize,
}

/// The blocks of a document with what is known of their elements.
pub struct Joints<'a> {
    document: Document<'a>,
    items: &'a [Element],
    blocks: &'a [Block],
    wholes: Wholes<'a>,
}

/// Where a caption belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
    /// To what has no text, and goes with it; or to nothing.
    Own,
}

impl<'a> Joints<'a> {
    /// Those of `blocks`, which are of `document`. O(n).
    pub fn new(document: Document<'a>, blocks: &'a [Block]) -> Self {
        let items = document.elements().unwrap_or_default();
        Self { document, items, blocks, wholes: Wholes::new(items) }
    }

    /// The blocks.
    pub const fn blocks(&self) -> &'a [Block] {
        self.blocks
    }

    /// The kind of a block.
    pub fn kind(&self, block: usize) -> Kind {
        self.element(block).map_or(Kind::Paragraph, |item| item.kind)
    }

    /// The element of a block.
    pub fn element(&self, block: usize) -> Option<&'a Element> {
        self.items.get(self.blocks.get(block)?.element)
    }

    /// Whether block `i` is of the same list as the one before it.
    pub fn is_one_list(&self, i: usize) -> bool {
        let before = i.checked_sub(1).and_then(|before| self.blocks.get(before));
        let both = before.zip(self.blocks.get(i)).filter(|_| self.element(i).is_some());
        both.is_some_and(|(before, own)| self.wholes.is_one_list(before.element, own.element))
    }

    /// Whether a block is of a list.
    pub fn is_of_list(&self, i: usize) -> bool {
        self.element(i).is_some() && self.wholes.is_of_list(self.blocks[i].element)
    }

    /// The units, in order. O(n).
    pub fn units(&self) -> Vec<Unit> {
        let joins = self.joins();
        let (mut units, mut start) = (Vec::new(), 0);
        for end in 1..=self.blocks.len() {
            if joins.get(end).is_some_and(|&joins| joins) {
                continue;
            }
            let heading = |&i: &usize| self.kind(i) == Kind::Heading;
            let body = (start..end).find(|i| !heading(i)).unwrap_or(end);
            units.push(Unit { blocks: start..end, body });
            start = end;
        }
        units
    }

    /// The only table among some blocks.
    pub fn table(&self, blocks: &Range<usize>) -> Option<usize> {
        let mut tables = blocks.clone().filter(|&i| self.kind(i) == Kind::Table);
        tables.next().filter(|_| tables.next().is_none())
    }

    /// For each block of a unit's body one past the last that is nested in it. O(blocks and their elements).
    pub fn ends(&self, unit: &Unit) -> Vec<usize> {
        let body = unit.body..unit.blocks.end;
        let depths = self.depths(&body);
        let mut ends = vec![body.end; body.len()];
        // Blocks that what follows may be nested in, each deeper than the one before.
        let mut open: Vec<usize> = Vec::new();
        for i in 0..body.len() {
            while let Some(above) = open.pop_if(|above| depths[*above] >= depths[i]) {
                ends[above] = body.start + i;
            }
            open.push(i);
        }
        ends
    }

    /// How deep some blocks are nested: items as their list, what else is in them one deeper.
    fn depths(&self, blocks: &Range<usize>) -> Vec<usize> {
        let first = self.blocks[blocks.start].elements.start;
        let mut known: Vec<usize> = Vec::new();
        let mut depths = Vec::with_capacity(blocks.len());
        for block in &self.blocks[blocks.clone()] {
            let elements = block.elements.start.max(first + known.len())..block.elements.end;
            for item in &self.items[elements] {
                let parent = item.parent.get().and_then(|parent| parent.checked_sub(first));
                let above = parent.and_then(|parent| known.get(parent).copied());
                known.push(match item.kind {
                    Kind::ListItem | Kind::List if item.level > 0 => usize::from(item.level),
                    _ => above.map_or(1, |above| above + 1),
                });
            }
            depths.push(known.get(block.element.wrapping_sub(first)).copied().unwrap_or(1));
        }
        depths
    }

    /// For each block whether it belongs to the one before it.
    fn joins(&self) -> Vec<bool> {
        let joins = (0..self.blocks.len()).map(|i| i > 0 && self.is_joined(i));
        let mut joins: Vec<bool> = joins.collect();
        let mut start = 0;
        while start < self.blocks.len() {
            let run = self.captions(start);
            if !run.is_empty() {
                self.join_captions(&run, &mut joins);
            }
            start = run.end.max(start + 1);
        }
        joins
    }

    /// Whether block `i`, which is not the first, belongs to the one before it, captions not looked at.
    fn is_joined(&self, i: usize) -> bool {
        let [before, own] = [i - 1, i].map(|i| self.blocks[i].element);
        match (self.kind(i - 1), self.kind(i)) {
            (Kind::Heading, _) => true,
            (_, Kind::Heading) => false,
            _ => {
                let is_led = self.blocks[i - 1].lead == Lead::In;
                is_led || self.wholes.are_one(before, own) || self.is_one_list(i)
            }
        }
    }

    /// The captions in a row from block `start` on.
    fn captions(&self, start: usize) -> Range<usize> {
        let n = (start..self.blocks.len()).take_while(|&i| self.kind(i) == Kind::Caption).count();
        start..start + n
    }

    /// Joins the captions `run` with the table or figure before or behind them: each with the one that it says it
    /// belongs to, else with the nearest.
    fn join_captions(&self, run: &Range<usize>, joins: &mut [bool]) {
        let by_place = self.side_by_place(run, joins);
        let sides: Vec<Side> =
            run.clone().map(|i| self.said_side(i, run).unwrap_or(by_place)).collect();
        // Captions of what follows follow those of what was before.
        let behind = run.start + sides.iter().take_while(|&&side| side == Side::Before).count();
        for i in run.start..run.end {
            let side = sides[i - run.start];
            if i < behind {
                joins[i] = true;
            } else if side == Side::Behind && i + 1 < joins.len() {
                joins[i + 1] |= self.kind(i + 1) != Kind::Heading;
            }
        }
    }

    /// Where the captions `run` belong if they do not say it.
    fn side_by_place(&self, run: &Range<usize>, joins: &[bool]) -> Side {
        let float = |i: Option<usize>| {
            let i = i.filter(|&i| i < self.blocks.len())?;
            let kind = self.kind(i);
            matches!(kind, Kind::Table | Kind::Figure).then_some(kind)
        };
        let before = run.start.checked_sub(1);
        let has_own = |i: usize| i > 0 && joins[i] && self.kind(i - 1) == Kind::Caption;
        match (float(before), float(Some(run.end))) {
            (None, None) => Side::Own,
            (Some(_), None) => Side::Before,
            // Captions stand above tables and below figures, if nothing tells otherwise.
            (None, Some(_)) | (Some(Kind::Table), Some(Kind::Table)) => Side::Behind,
            _ if before.is_some_and(has_own) => Side::Behind,
            _ => Side::Before,
        }
    }

    /// Where the caption `i` of `run` says it belongs.
    fn said_side(&self, i: usize, run: &Range<usize>) -> Option<Side> {
        let block = &self.blocks[i];
        if self.items[block.elements.clone()].iter().any(|item| item.kind == Kind::Figure) {
            return Some(Side::Own);
        }
        let said = entries(self.document.captions(), block.element).first().map(|(_, of)| *of);
        let parent = self.items[block.element].parent.get();
        let is_float = |&of: &usize| {
            matches!(self.items.get(of).map(|item| item.kind), Some(Kind::Table | Kind::Figure))
        };
        let of = said.or_else(|| parent.filter(is_float));
        let next = self.blocks.get(run.end).map(|block| block.elements.clone());
        let before = run.start.checked_sub(1).map(|i| self.blocks[i].elements.clone());
        let holds = |elements: Option<&Range<usize>>| {
            elements.zip(of).is_some_and(|(elements, of)| elements.contains(&of))
        };
        let is_parent = next.as_ref().is_some_and(|next| {
            let parent = self.items[next.end - 1].parent.get();
            parent.is_some_and(|parent| block.elements.contains(&parent))
        });
        if holds(before.as_ref()) {
            Some(Side::Before)
        } else if holds(next.as_ref()) || is_parent {
            Some(Side::Behind)
        } else {
            None
        }
    }
}
