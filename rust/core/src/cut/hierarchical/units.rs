//! Units of a document: what belongs together, with the headings right before it.

use std::ops::Range;

use super::Hierarchy;
use super::headings::{Headings, has_words_behind};
use crate::cut::elements::blocks::{Block, Lead};
use crate::document::Document;
use crate::elements::{Element, Kind};

/// What is nested deeper is taken for a part of what is so far above it.
const MAX_LEVELS: usize = 64;

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
            Some(unit) if first == i && belongs(items, blocks, unit, i, options) => {
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

/// Whether block `i` belongs to what `unit` holds: a list, code or table to the line that leads to it, an item to those of its list, a caption to its table or
/// a table to its caption, anything to what it says it is a part of.
fn belongs(items: &[Element], blocks: &[Block], unit: &Unit, i: usize, options: Hierarchy) -> bool {
    let (own, before) = (blocks[i].element, blocks[i - 1].element);
    if items[before].kind == Kind::Heading {
        return false;
    }
    if blocks[i - 1].lead == Lead::In {
        return true;
    }
    let (whole, whole_before) = (whole(items, own), whole(items, before));
    let is_part = whole == whole_before && whole != own;
    if items[own].kind == Kind::ListItem {
        let goes_on = items[whole_before].kind == Kind::ListItem && !items[whole].begins_list;
        let is_of_list = is_part || goes_on;
        return options.merge_list_items
            && is_of_list
            && list(items, own, whole) == list(items, before, whole_before);
    }
    let first = blocks[unit.blocks.start].element;
    let is_here = |parent: usize| parent >= first && !items[parent].span.is_empty();
    parent(items, own).is_some_and(is_here)
        || is_part && (items[whole].kind != Kind::List || options.merge_list_items)
}

/// The element that `i` says it is a part of, unless that is a heading.
fn parent(items: &[Element], i: usize) -> Option<usize> {
    let parent = items[i].parent.get().filter(|&parent| parent < i)?;
    (items[parent].kind != Kind::Heading).then_some(parent)
}

/// The outermost element that `i` is a part of, say a list; itself if it is a part of none.
fn whole(items: &[Element], i: usize) -> usize {
    let up = std::iter::successors(Some(i), |&i| parent(items, i));
    up.take(MAX_LEVELS).last().unwrap_or(i)
}

/// The list that an element of which `whole` is the outermost says it is in; none if only its place tells.
fn list(items: &[Element], i: usize, whole: usize) -> Option<usize> {
    (whole != i && items[whole].kind != Kind::ListItem).then_some(whole)
}
