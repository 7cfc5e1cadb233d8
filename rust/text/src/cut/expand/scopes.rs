//! Scopes of an expansion: for each block, or chunk, those that belong to the same section, page or element.

use std::ops::Range;

use super::Scope;
use crate::chunks::Chunks;
use crate::cut::elements::blocks::{Block, Lead};
use crate::cut::hierarchical::Hierarchy;
use crate::cut::hierarchical::headings::Headings;
use crate::cut::hierarchical::units::units;
use crate::document::Document;
use crate::elements::{Element, Kind};

/// A chunk as a block: its own text and its elements.
pub(super) fn block_of(chunks: &Chunks, row: usize) -> Block {
    let origin = chunks.origins().get(row).copied().unwrap_or_default();
    Block {
        element: origin.first,
        elements: origin.first..origin.end,
        span: chunks.body(row),
        is_start: false,
        stands_alone: false,
        lead: Lead::None,
    }
}

/// For each of `n` chunks those beside it: one on each side, or all if a limit says how many.
pub(super) fn neighbours(n: usize, is_limited: bool) -> Vec<Range<usize>> {
    let beside = |i: usize| if is_limited { 0..n } else { i.saturating_sub(1)..(i + 2).min(n) };
    (0..n).map(beside).collect()
}

/// For each block the blocks that a chunk of it is expanded to. O(n).
pub(super) fn scopes(
    document: Document<'_>,
    blocks: &[Block],
    scope: Scope,
    has_limit: bool,
) -> Vec<Range<usize>> {
    let items = document.elements().unwrap_or_default();
    let headings = Headings::new(document.text(), items, blocks);
    match scope {
        Scope::Page => {
            let mut starts = vec![0];
            starts.extend((1..blocks.len()).filter(|&i| blocks[i].is_start));
            let ends = starts[1..].iter().copied().chain([blocks.len()]);
            let pages = starts.iter().zip(ends).map(|(&start, end)| start..end);
            pages.flat_map(|page| page.clone().map(move |_| page.clone())).collect()
        }
        Scope::Element => {
            let together = Hierarchy { merge_list_items: true, ..Hierarchy::default() };
            let units = units(document, blocks, &headings, together);
            let ranges = units.into_iter().map(|unit| unit.blocks);
            ranges.flat_map(|unit| unit.clone().map(move |_| unit.clone())).collect()
        }
        Scope::Section => sections(items, blocks, &headings),
        Scope::Turns => turns(items, blocks, has_limit),
        Scope::Neighbours => neighbours(blocks.len(), false),
    }
}

/// For each block the turns around it, up to what is none: one on each side, or all if a limit says how many. O(n).
fn turns(items: &[Element], blocks: &[Block], is_limited: bool) -> Vec<Range<usize>> {
    let is_turn = |block: &Block| items[block.element].kind == Kind::Turn;
    let mut scopes = Vec::with_capacity(blocks.len());
    for run in blocks.chunk_by(|before, next| is_turn(before) && is_turn(next)) {
        let start = scopes.len();
        let of_run = neighbours(run.len(), is_limited).into_iter();
        scopes.extend(of_run.map(|of| start + of.start..start + of.end));
    }
    scopes
}

/// For each block its section: from the innermost heading above it to the next one that is not below that.
///
/// What stands under no heading is a section, too. A block that says it is under a heading whose section has
/// ended is of the section that it stands in.
fn sections(items: &[Element], blocks: &[Block], headings: &Headings<'_>) -> Vec<Range<usize>> {
    let (mut sections, mut of): (Vec<Range<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
    // Sections that have not ended, each below the one before, and their headings.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let mut is_open = vec![false; items.len()];
    for (i, block) in blocks.iter().enumerate() {
        let element = block.element;
        let begins = items[element].kind == Kind::Heading;
        let above = if begins { headings.parent(element) } else { headings.of(element) };
        let stays = above.is_some_and(|above| !is_open[above]) && !begins && !open.is_empty();
        // A heading with none above it ends what stands under none, too.
        let ends = |of: Option<usize>| of != above || begins && above.is_none();
        while !stays && let Some((section, heading)) = open.pop_if(|(_, of)| ends(*of)) {
            sections[section].end = i;
            if let Some(heading) = heading {
                is_open[heading] = false;
            }
        }
        if begins || open.is_empty() {
            open.push((sections.len(), begins.then_some(element)));
            is_open[element] = begins;
            sections.push(i..blocks.len());
        }
        of.extend(open.last().map(|(section, _)| *section));
    }
    of.into_iter().map(|section| sections[section].clone()).collect()
}
