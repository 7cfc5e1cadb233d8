//! Candidates for headings: short texts that stand alone, and are no entries of a table of contents.

use super::outline::MAX_LINES;
use crate::pdf::kinds::is_caption;
use crate::pdf::layout::{PageBlock, PageLayout};
use crate::pdf::page::Area;
use chunkwright_text::elements::Kind;

/// A heading has no more bytes.
const MAX_BYTES: usize = 240;
/// On a page of more blocks nothing is looked for beside each.
const MAX_BLOCKS: usize = 2000;
/// Letters of bold titles with numbers are no smaller than those of most of the text by this factor.
pub const SURE: f32 = 0.8;
/// So many lines with numbers beside them are a table of contents.
const MIN_ENTRIES: usize = 3;

/// Whether a block is a short text with letters, and no caption.
pub fn may_be(block: &PageBlock) -> bool {
    block.kind == Kind::Paragraph
        && !block.is_aside
        && !is_caption(block)
        && block.lines.len() <= MAX_LINES
        && block.n_bytes() <= MAX_BYTES
        && block.lines.iter().any(|line| line.chars().any(char::is_alphabetic))
}

/// The blocks of a table of contents: lines with numbers of pages beside them; none if there are few.
pub fn entries(page: &PageLayout) -> Vec<usize> {
    if page.blocks.len() > MAX_BLOCKS {
        return Vec::new();
    }
    let is_page = |block: &PageBlock| matches!(&block.lines[..], [line] if line.len() <= 4 && line.bytes().all(|of| of.is_ascii_digit()));
    let numbers: Vec<Area> =
        page.blocks.iter().filter(|block| is_page(block)).map(|block| block.area).collect();
    let has_number = |block: &PageBlock| {
        block.lines.len() == 1
            && numbers.iter().any(|of| {
                of.left > block.area.right && of.shared_height(block.area) > 0.5 * of.height()
            })
    };
    let of_page = (0..page.blocks.len()).filter(|&b| has_number(&page.blocks[b]));
    let entries: Vec<usize> = of_page.collect();
    if entries.len() >= MIN_ENTRIES { entries } else { Vec::new() }
}

/// Whether a block has its lines for itself: nothing stands beside it.
pub fn is_alone(page: &PageLayout, b: usize) -> bool {
    let area = page.blocks[b].area;
    let column = page.blocks[b].column;
    let is_crowded = page.blocks.len() > MAX_BLOCKS;
    !is_crowded
        && !page.blocks.iter().enumerate().any(|(i, other)| {
            i != b
                && other.kind == Kind::Paragraph
                && other.area.shared_height(area) > 0.5 * area.height()
                && other.area.shared_width(column) > 0.0
                // A column of text goes on beside it; a text that begins beside it belongs to it.
                && (other.lines.len() < 3 || (other.area.top - area.top).abs() < area.height())
        })
}
