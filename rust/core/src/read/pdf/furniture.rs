//! Page headers and footers: blocks at the edges of pages that are repeated, or number the pages.
//!
//! A block is one only as long as nothing but such blocks stands between it and the edge of the page, so that of
//! pages that look alike no heading and no first sentence is taken for one.

use std::collections::HashMap;

use super::layout::{PageBlock, PageLayout};
use super::page::Area;
use crate::elements::Kind;

/// Headers and footers stand no further from the edge of a page than so much of its height.
const MARGIN: f32 = 0.14;
/// What the file says to be none of its content may stand so far from it.
const ARTIFACT_MARGIN: f32 = 0.2;
/// A header has no more lines.
const MAX_LINES: usize = 3;
/// Letters larger than those of most of the text by so much are those of a heading.
const LARGE: f32 = 1.15;

/// For each block of each page its kind, if it is a header or a footer. O(blocks).
pub fn furniture(pages: &[PageLayout], body_size: f32) -> Vec<Vec<Option<Kind>>> {
    let counts = counts(pages, body_size);
    let of_page = |page: &PageLayout| {
        let mut kinds = vec![None; page.blocks.len()];
        for kind in [Kind::PageHeader, Kind::PageFooter] {
            for (n_before, i) in from_edge(page, kind).into_iter().enumerate() {
                let is_large = page.blocks[i].size > LARGE * body_size;
                // Headings of pages that look alike are repeated, too.
                let may_be = !is_large || n_before == 0 && stands_apart(page, i);
                if !may_be || !is_furniture(page, i, kind, body_size, &counts, pages.len()) {
                    break;
                }
                kinds[i] = Some(kind);
            }
        }
        for (i, block) in page.blocks.iter().enumerate() {
            if is_stamp(page, block) {
                kinds[i] = Some(Kind::PageHeader);
            }
        }
        kinds
    };
    pages.iter().map(of_page).collect()
}

/// The blocks of a page from one of its edges on.
fn from_edge(page: &PageLayout, kind: Kind) -> Vec<usize> {
    let mut blocks: Vec<usize> = (0..page.blocks.len())
        .filter(|&i| !page.blocks[i].lines.is_empty() && !page.blocks[i].is_turned)
        .collect();
    let middle = |i: usize| page.blocks[i].area.middle()[1];
    blocks.sort_by(|&a, &b| middle(a).total_cmp(&middle(b)));
    if kind == Kind::PageFooter {
        blocks.reverse();
    }
    blocks
}

/// Whether nothing stands within two lines of a block.
fn stands_apart(page: &PageLayout, i: usize) -> bool {
    let PageBlock { area, size, .. } = page.blocks[i];
    let near = area.grown(2.0 * size);
    !page.blocks.iter().enumerate().any(|(j, other)| j != i && near.shared(other.area) > 0.0)
}

/// Text of a block at an edge, as it is on other pages; which edge.
type Key = (bool, String);

/// On how many pages each text stands at an edge.
fn counts(pages: &[PageLayout], body_size: f32) -> HashMap<Key, usize> {
    let mut counts = HashMap::new();
    for page in pages {
        let mut keys: Vec<Key> = Vec::new();
        for kind in [Kind::PageHeader, Kind::PageFooter] {
            let blocks = page.blocks.iter().filter(|block| is_at_edge(page, block, kind, MARGIN));
            keys.extend(blocks.map(|block| (kind == Kind::PageHeader, key(block, body_size))));
        }
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}

/// The text of a block with its numbers made alike, unless it looks like a heading.
fn key(block: &PageBlock, body_size: f32) -> String {
    let text = block.lines.join(" ");
    if block.size > LARGE * body_size {
        return text;
    }
    let mut key = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii_digit() && key.ends_with('#') => {}
            c if c.is_ascii_digit() => key.push('#'),
            c => key.extend(c.to_lowercase()),
        }
    }
    key
}

fn is_at_edge(page: &PageLayout, block: &PageBlock, kind: Kind, margin: f32) -> bool {
    let is_short = block.lines.len() <= MAX_LINES && !block.lines.is_empty();
    is_short
        && match kind {
            Kind::PageHeader => block.area.bottom <= margin * page.height,
            _ => block.area.top >= (1.0 - margin) * page.height,
        }
}

fn is_furniture(
    page: &PageLayout,
    i: usize,
    kind: Kind,
    body_size: f32,
    counts: &HashMap<Key, usize>,
    n_pages: usize,
) -> bool {
    let block = &page.blocks[i];
    if block.is_artifact && is_at_edge(page, block, kind, ARTIFACT_MARGIN) {
        return true;
    }
    if block.kind != Kind::Paragraph || !is_at_edge(page, block, kind, MARGIN) {
        return false;
    }
    let count =
        counts.get(&(kind == Kind::PageHeader, key(block, body_size))).copied().unwrap_or(0);
    let is_repeated = count > 2 || count > 1 && count * 2 >= n_pages;
    is_repeated || is_page_number(block) || is_numbered_line(page, i, kind, body_size)
}

/// Whether a text is the number of a page: `12`, `- 12 -`, `xii`, `Page 3 of 9`, `3/9`.
fn is_page_number(block: &PageBlock) -> bool {
    let [line] = &block.lines[..] else { return false };
    // It is the marker of an item.
    if line.ends_with(['.', ')', ':']) {
        return false;
    }
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> =
        bare.split(|c: char| !c.is_alphanumeric()).filter(|of| !of.is_empty()).collect();
    let is_number = |word: &str| word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_roman =
        |word: &str| word.len() <= 6 && word.bytes().all(|byte| b"ivxlc".contains(&byte));
    match words[..] {
        [number] => is_number(number) || is_roman(number),
        [first, second] => is_number(second) && (is_number(first) || is_page(first)),
        [page, first, _, second] => is_page(page) && is_number(first) && is_number(second),
        _ => false,
    }
}

fn is_page(word: &str) -> bool {
    matches!(
        &*word.to_lowercase(),
        "page" | "seite" | "p" | "pagina" | "página" | "strana" | "side"
    )
}

/// Whether a single line at the edge of the page has a number at one end, or the number of the page beside it, and
/// stands apart from the text.
fn is_numbered_line(page: &PageLayout, i: usize, kind: Kind, body_size: f32) -> bool {
    let block = &page.blocks[i];
    let [line] = &block.lines[..] else { return false };
    let is_number = |word: Option<&str>| {
        word.is_some_and(|word| {
            !word.is_empty() && word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let is_beside = |area: Area| area.shared_height(block.area) > 0.5 * block.area.height();
    let others = page.blocks.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| other);
    let has_number = is_number(line.split(' ').next())
        || is_number(line.rsplit(' ').next())
        || others.clone().any(|other| is_beside(other.area) && is_page_number(other));
    let areas = others.map(|other| other.area).filter(|area| !is_beside(*area));
    let gap = match kind {
        Kind::PageHeader => areas.map(|area| area.top - block.area.bottom).fold(f32::MAX, f32::min),
        _ => areas.map(|area| block.area.top - area.bottom).fold(f32::MAX, f32::min),
    };
    has_number && !block.is_bold && block.size <= body_size * 1.02 && gap > 0.8 * block.size
}

/// Whether a block is a stamp along the left or right edge of the page.
fn is_stamp(page: &PageLayout, block: &PageBlock) -> bool {
    let [x, _] = block.area.middle();
    let is_aside = x < 0.08 * page.width || x > 0.92 * page.width;
    block.is_turned && block.lines.len() <= 2 && is_aside
}
