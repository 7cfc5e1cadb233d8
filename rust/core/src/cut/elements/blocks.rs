//! Blocks: the elements with text, and where each stands with what follows it up to the next.

use std::ops::Range;

use crate::elements::{Element, Kind};
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// An element with text.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its number.
    pub element: usize,
    /// Its number and those of the elements without text that go with it.
    pub elements: Range<usize>,
    /// Its text, and what stands between it and the next block, without whitespace at the end.
    pub span: Span,
    /// Whether it begins a new unit.
    pub is_start: bool,
    /// Whether it is a chunk by itself.
    pub stands_alone: bool,
}

/// The blocks of `items`, of which those for which `starts` says so begin a new unit. O(n).
///
/// An element without text goes with the block before it, unless it begins a unit: then with the next.
pub fn blocks(text: &str, items: &[Element], starts: &[bool], isolates_tables: bool) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // Elements without text that begin a unit, up to the one with text.
    let mut waiting: Option<usize> = None;
    for (i, item) in items.iter().enumerate() {
        let is_start = starts.get(i).copied().unwrap_or(false);
        if text[item.span.range()].trim_end_matches(crate::unicode::space::is_space).is_empty() {
            match blocks.last_mut() {
                Some(before) if waiting.is_none() && !is_start => before.elements.end = i + 1,
                _ => waiting = waiting.or(Some(i)),
            }
            continue;
        }
        let start = if blocks.is_empty() { skip_space(text, 0) } else { item.span.start };
        let begins = is_start || waiting.is_some_and(|from| starts[from..i].contains(&true));
        blocks.push(Block {
            element: i,
            elements: waiting.take().unwrap_or(i)..i + 1,
            span: Span::new(start.min(item.span.start), item.span.end),
            is_start: begins,
            stands_alone: isolates_tables && item.kind == Kind::Table,
        });
    }
    if let (Some(_), Some(last)) = (waiting, blocks.last_mut()) {
        last.elements.end = items.len();
    }
    let ends: Vec<usize> =
        blocks.iter().skip(1).map(|block| block.span.start).chain([text.len()]).collect();
    for (block, next) in blocks.iter_mut().zip(ends) {
        block.span.end = trim_end(text, block.span.start, next);
    }
    blocks
}
