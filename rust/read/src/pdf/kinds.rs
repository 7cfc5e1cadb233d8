//! Kinds of text blocks by how they begin and where they stand: items of lists, captions, footnotes.

use super::layout::{PageBlock, PageLayout};
use super::lines::is_bullet;
use chunkwright_text::elements::Kind;
use chunkwright_text::syntax::labels;

/// Letters of a footnote are smaller than those of most of the text by this factor.
const SMALL: f32 = 0.93;
/// Footnotes stand below so much of the height of a page.
const LOW: f32 = 0.5;

/// Whether a block begins with the marker of an item, or is tagged as one.
pub fn is_list_item(block: &PageBlock) -> bool {
    block.is_item || block.tag.is_some_and(|tag| tag.kind == Kind::ListItem)
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
