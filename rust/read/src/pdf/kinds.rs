//! Kinds of text blocks by how they begin and where they stand: items of lists, captions, footnotes.

use super::layout::{PageBlock, PageLayout};
use super::markers::{is_bullet, is_initial};
use chunkwright_text::elements::Kind;
use chunkwright_text::syntax::labels;

/// Letters of a footnote are smaller than those of most of the text by this factor.
const SMALL: f32 = 0.93;
/// Footnotes stand below so much of the height of a page.
const LOW: f32 = 0.5;

/// Blocks that are so near to an item in the order of their page tell whether it is one.
const NEAR: usize = 8;
/// Items whose edges differ by no more belong to one list, in points.
const SAME_EDGE: f32 = 3.0;

/// Whether block `number` of a page begins with the marker of an item, or is tagged as one. A capital with a stop is
/// the initial of a name, unless an item with the letter before or behind it stands near.
pub fn is_list_item(page: &PageLayout, number: usize) -> bool {
    let block = &page.blocks[number];
    if block.tag.is_some_and(|tag| tag.kind == Kind::ListItem) {
        return true;
    }
    let Some(letter) = initial(block) else { return block.is_item };
    let near = page.blocks[number.saturating_sub(NEAR)..].iter().take(2 * NEAR + 1);
    let is_beside = |other: &PageBlock| {
        let is_at_edge = (other.area.left - block.area.left).abs() <= SAME_EDGE;
        is_at_edge && initial(other).is_some_and(|other| other.abs_diff(letter) == 1)
    };
    block.is_item && near.into_iter().any(is_beside)
}

/// The letter of the initial that a block begins with.
fn initial(block: &PageBlock) -> Option<u8> {
    let word = block.lines.first()?.split(' ').next().filter(|word| is_initial(word))?;
    word.bytes().next()
}

/// Whether a block is the caption of a figure or a table: `Figure 3: ...`, `Table 2. ...`.
pub fn is_caption(block: &PageBlock) -> bool {
    if block.tag.is_some_and(|tag| tag.kind == Kind::Caption) {
        return true;
    }
    block.lines.first().is_some_and(|line| labels::is_caption(line))
}

/// Whether a block is a note at the foot of a page: small, low, and begun by a number or a sign.
pub fn is_footnote(page: &PageLayout, block: &PageBlock, body_size: f32) -> bool {
    let Some(first) = block.lines.first().and_then(|line| line.chars().next()) else {
        return false;
    };
    let is_marked = first.is_numeric()
        || matches!(first, '*' | '\u{2020}' | '\u{2021}' | '\u{a7}' | '\u{b6}')
        || matches!(first, '\u{b9}' | '\u{b2}' | '\u{b3}' | '\u{2070}'..='\u{2079}');
    is_marked
        && !is_bullet(first)
        && block.size < SMALL * body_size
        && block.area.top > LOW * page.height
}
