//! Units of a document: what belongs together, with the headings right before it.

use std::ops::Range;

use super::Hierarchy;
use super::headings::{Headings, has_words_behind};
use crate::cut::elements::blocks::{Block, Lead};
use crate::cut::elements::wholes::{Wholes, parent};
use crate::document::Document;
use crate::elements::Kind;

/// Neighbouring blocks that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Their numbers; headings come first.
    pub blocks: Range<usize>,
    /// The innermost heading that they stand under, or end with.
    pub path: Option<usize>,
}

/// The units of a document, in order. O(n), but for 64 headings where they are to stand alone.
pub fn units(
    document: Document<'_>,
    blocks: &[Block],
    headings: &Headings<'_>,
    options: Hierarchy,
) -> Vec<Unit> {
    let items = document.elements().unwrap_or_default();
    let wholes = Wholes::new(items);
    let (mut units, mut first) = (Vec::new(), 0);
    for i in 0..blocks.len() {
        let element = blocks[i].element;
        let is_heading = items[element].kind == Kind::Heading;
        let path = headings.of(element);
        if options.always_emit_headings && first < i {
            let before = blocks[i - 1].element;
            let is_bare = items[before].kind == Kind::Heading && !headings.is_above(before, path);
            // Those before lead to what follows, unless none of them is above it.
            if is_bare {
                units.push(Unit { blocks: first..i, path: Some(before) });
                first = i;
            }
        }
        if is_heading && !has_words_behind(document.text(), items, &blocks[i]) {
            continue;
        }
        match units.last_mut() {
            Some(unit) if first == i && belongs(&wholes, blocks, unit, i, options) => {
                unit.blocks.end = i + 1;
            }
            _ => units.push(Unit { blocks: first..i + 1, path }),
        }
        first = i + 1;
    }
    if first < blocks.len() {
        let path = blocks.last().map(|block| block.element);
        units.push(Unit { blocks: first..blocks.len(), path });
    }
    units
}

/// Whether block `i` belongs to what `unit` holds: a list, code or table to the line that leads to it, an item to
/// those of its list, a caption to its table or a table to its caption, anything to what it says it is a part of.
fn belongs(
    wholes: &Wholes<'_>,
    blocks: &[Block],
    unit: &Unit,
    i: usize,
    options: Hierarchy,
) -> bool {
    let (own, before) = (blocks[i].element, blocks[i - 1].element);
    let items = wholes.items();
    if items[before].kind == Kind::Heading {
        return false;
    }
    if matches!(blocks[i - 1].lead, Lead::In | Lead::Captioned) {
        return true;
    }
    if items[own].kind == Kind::ListItem {
        return options.merge_list_items && wholes.is_one_list(before, own);
    }
    let first = blocks[unit.blocks.start].element;
    let is_here = |parent: usize| parent >= first && !items[parent].span.is_empty();
    parent(items, own).is_some_and(is_here)
        || wholes.are_one(before, own) && (!wholes.has_list(own) || options.merge_list_items)
}
