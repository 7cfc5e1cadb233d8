//! Edges of pages: which blocks stand there, and how.

use crate::pdf::layout::{PageBlock, PageLayout};
use chunkwright_text::elements::Kind;

/// A header has no more lines.
const MAX_LINES: usize = 3;
/// Heights of headers differ by no more from page to page, as a share of the page's height.
const SAME_HEIGHT: f32 = 0.02;

/// The blocks of a page from one of its edges on, those beside each other together.
pub fn rows(page: &PageLayout, kind: Kind) -> Vec<Vec<usize>> {
    let is_text = |block: &PageBlock| !block.lines.is_empty() || block.table.is_some();
    let mut blocks: Vec<usize> = (0..page.blocks.len())
        .filter(|&i| is_text(&page.blocks[i]) && !page.blocks[i].is_turned)
        .collect();
    let middle = |i: usize| page.blocks[i].area.middle()[1];
    blocks.sort_by(|&a, &b| middle(a).total_cmp(&middle(b)));
    if kind == Kind::PageFooter {
        blocks.reverse();
    }
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for i in blocks {
        let area = page.blocks[i].area;
        let is_beside = |row: &Vec<usize>| {
            let first = page.blocks[row[0]].area;
            area.shared_height(first) > 0.5 * area.height().min(first.height())
        };
        match rows.last_mut().filter(|row| is_beside(row)) {
            Some(row) => row.push(i),
            None => rows.push(vec![i]),
        }
    }
    rows
}

/// How far a block is from its edge, in steps.
#[allow(clippy::cast_possible_truncation, reason = "it saturates")]
pub fn height(page: &PageLayout, block: &PageBlock, kind: Kind) -> i32 {
    let [_, middle] = block.area.middle();
    let from_edge = if kind == Kind::PageHeader { middle } else { page.height - middle };
    (from_edge / (SAME_HEIGHT * page.height.max(1.0))).round() as i32
}

/// Whether a block of few lines stands no further from an edge than a share of the height.
pub fn is_at_edge(page: &PageLayout, block: &PageBlock, kind: Kind, margin: f32) -> bool {
    let is_short = block.lines.len() <= MAX_LINES && !block.lines.is_empty();
    is_short
        && !block.is_turned
        && match kind {
            Kind::PageHeader => block.area.bottom <= margin * page.height,
            _ => block.area.top >= (1.0 - margin) * page.height,
        }
}

/// Whether nothing stands within two lines of a block, but what is in its row.
pub fn stands_apart(page: &PageLayout, i: usize, row: &[usize]) -> bool {
    let PageBlock { area, size, .. } = page.blocks[i];
    let near = area.grown(2.0 * size);
    !page
        .blocks
        .iter()
        .enumerate()
        .any(|(j, other)| !row.contains(&j) && near.shared(other.area) > 0.0)
}

/// Whether a block is a stamp along the left or right edge of the page, beside all else.
pub fn is_stamp(page: &PageLayout, i: usize, block: &PageBlock) -> bool {
    let [x, _] = block.area.middle();
    let is_aside = x < 0.08 * page.width || x > 0.92 * page.width;
    let is_free = |(j, other): (usize, &PageBlock)| {
        i == j || other.is_turned || block.area.shared_width(other.area) < 0.0
    };
    block.is_turned
        && block.lines.len() <= 2
        && is_aside
        && page.blocks.iter().enumerate().all(is_free)
}
