//! Blocks: the elements with text, and where each stands with what follows it up to the next.

use std::ops::Range;

use crate::document::Document;
use crate::elements::{Element, Kind};
use crate::read::entries;
use crate::segment::lead_in::ends_in_colon;
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
    /// What it is to the next block.
    pub lead: Lead,
}

/// How an element leads to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// It does not.
    None,
    /// It is a paragraph or an item that ends in a colon, above a list, code, a table or a formula; or the caption of the
    /// table or figure below it.
    In,
    /// It is a table or a figure above its caption.
    Captioned,
    /// It is a heading.
    Heading,
}

/// The blocks of the elements of a document, whose text is `text` in one form or another, of which those for which `starts` says so begin a new unit. O(n).
///
/// An element without text goes with the block before it, unless it begins a unit: then with the next of
/// that unit, if there is any. If none has text, but something stands between them, all are one block.
pub fn blocks(
    document: Document<'_>,
    text: &str,
    starts: &[bool],
    isolates_tables: bool,
) -> Vec<Block> {
    let items = document.elements().unwrap_or_default();
    let mut blocks: Vec<Block> = Vec::new();
    // Elements without text that begin a unit, up to the one with text.
    let mut waiting: Option<usize> = None;
    for (i, item) in items.iter().enumerate() {
        let is_start = starts.get(i).copied().unwrap_or(false);
        if trim_end(text, item.span.start, item.span.end) == item.span.start {
            match blocks.last_mut() {
                Some(before) if waiting.is_none() && !is_start => before.elements.end = i + 1,
                _ => waiting = waiting.or(Some(i)),
            }
            continue;
        }
        let start = if blocks.is_empty() { skip_space(text, 0) } else { item.span.start };
        if let Some(before) = blocks.last_mut() {
            before.span.end = trim_end(text, before.span.start, start);
        }
        let from = waiting.take().unwrap_or(i);
        let unit = (from..=i).rev().find(|&at| starts.get(at).is_some_and(|&is_start| is_start));
        blocks.push(Block {
            element: i,
            elements: unit.unwrap_or(from)..i + 1,
            span: Span::new(start.min(item.span.start), item.span.end),
            is_start: unit.is_some(),
            stands_alone: isolates_tables && item.kind == Kind::Table,
            lead: Lead::None,
        });
    }
    let start = skip_space(text, 0);
    if blocks.is_empty() && start < text.len() {
        blocks.push(Block::of_all(items.len(), Span::new(start, text.len())));
    }
    if let Some(last) = blocks.last_mut() {
        last.span.end = trim_end(text, last.span.start, text.len());
    }
    find_leads(document, text, &mut blocks);
    blocks
}

impl Block {
    /// All `n_items` elements, none of which has text, and what stands between them.
    const fn of_all(n_items: usize, span: Span) -> Self {
        let (is_start, stands_alone, lead) = (false, false, Lead::None);
        Self { element: 0, elements: 0..n_items, span, is_start, stands_alone, lead }
    }
}

/// Says of each block what it is to the next one.
fn find_leads(document: Document<'_>, text: &str, blocks: &mut [Block]) {
    for i in 1..blocks.len() {
        let [own, next] = [i - 1, i].map(|i| &blocks[i]);
        // What begins a unit, nothing leads to.
        if !next.is_start && document.elements().is_some_and(|items| !items.is_empty()) {
            blocks[i - 1].lead = lead(document, text, own.element, next.element);
        }
    }
}

/// How the element `own` leads to the element `next`.
pub fn lead(document: Document<'_>, text: &str, own: usize, next: usize) -> Lead {
    let items = document.elements().unwrap_or_default();
    let is_caption = |caption, of| entries(document.captions(), caption).contains(&(caption, of));
    match (items[own].kind, items[next].kind) {
        (Kind::Heading, _) => Lead::Heading,
        (Kind::Caption, Kind::Table | Kind::Figure) if is_caption(own, next) => Lead::In,
        (Kind::Table | Kind::Figure, Kind::Caption) if is_caption(next, own) => Lead::Captioned,
        (
            Kind::Paragraph | Kind::ListItem | Kind::Quote | Kind::Caption,
            Kind::List | Kind::ListItem | Kind::Code | Kind::Table | Kind::Formula,
        ) if ends_as_lead(text, &items[own]) => Lead::In,
        _ => Lead::None,
    }
}

/// Whether the text of an element ends in a colon.
pub fn ends_as_lead(text: &str, own: &Element) -> bool {
    ends_in_colon(&text[own.span.start..trim_end(text, own.span.start, own.span.end)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, spans: &[(usize, usize)], starts: &[bool]) -> Vec<(Range<usize>, bool)> {
        let item = |&(start, end)| Element { span: Span::new(start, end), ..Element::default() };
        let items: Vec<Element> = spans.iter().map(item).collect();
        let blocks = blocks(Document::new(text).with_elements(&items), text, starts, true);
        blocks.into_iter().map(|block| (block.elements, block.is_start)).collect()
    }

    #[test]
    fn an_element_without_text_stays_in_its_unit() {
        let spans = [(0, 0), (0, 1), (1, 1), (1, 1), (1, 2), (2, 2)];
        assert_eq!(found("ab", &spans, &[]), [(0..4, false), (4..6, false)]);
        let starts = [false, true, false, true, false, true];
        assert_eq!(found("ab", &spans, &starts), [(1..3, true), (3..5, true)]);
        let starts = [true, false, true, true, true, false];
        assert_eq!(found("ab", &spans, &starts), [(0..2, true), (4..6, true)]);
    }

    #[test]
    fn a_text_whose_elements_have_none_is_one_block() {
        assert_eq!(found(" ab ", &[(1, 1), (3, 4)], &[true, true]), [(0..2, false)]);
        assert_eq!(found(" ab ", &[], &[]), [(0..0, false)]);
        assert_eq!(found(" ", &[(0, 1)], &[]), []);
    }
}
