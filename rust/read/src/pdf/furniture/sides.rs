//! Sides of pages: what stands in a side margin of several pages, such as the name of a journal that runs up.

use std::collections::{HashMap, HashSet};

use super::page_numbers::folded;
use crate::pdf::layout::{PageBlock, PageLayout};
use crate::pdf::page::Area;

/// A side margin is no wider than so much of the page.
const MARGIN: f32 = 0.14;
/// Titles in a margin have no more lines.
const MAX_LINES: usize = 3;
/// Places differ by no more from page to page, as a share of the page's height.
const SAME_HEIGHT: f32 = 0.02;
/// Titles are repeated within so many pages: left and right ones alternate.
const REACH: usize = 2;

/// For each block of each page whether it stands in a side margin, beside all that does not, and says what another page
/// near by says at the same height of a side. O(blocks) for each page, but for those in margins.
pub fn sides(pages: &[PageLayout]) -> Vec<Vec<bool>> {
    let mut places: HashMap<String, HashSet<(usize, i32)>> = HashMap::new();
    let mut found: Vec<Vec<Option<(String, i32)>>> = Vec::with_capacity(pages.len());
    for (at, page) in pages.iter().enumerate() {
        let others = page.blocks.iter().filter(|block| !is_in_margin(page, block));
        let text = others.map(|block| block.area).reduce(Area::around);
        let aside = |block: &PageBlock| {
            let said = is_aside(page, block, text).then(|| said(block));
            Some((said.filter(|said| !said.is_empty())?, height(page, block)))
        };
        let of_page: Vec<_> = page.blocks.iter().map(aside).collect();
        for (text, height) in of_page.iter().flatten() {
            places.entry(text.clone()).or_default().insert((at, *height));
        }
        found.push(of_page);
    }
    let is_proven = |at: usize, text: &str, height: i32| {
        let others = (at.saturating_sub(REACH)..=at.saturating_add(REACH)).filter(|of| *of != at);
        let is_there = |of: usize| {
            (height.saturating_sub(1)..=height.saturating_add(1))
                .any(|near| places.get(text).is_some_and(|at| at.contains(&(of, near))))
        };
        others.into_iter().any(is_there)
    };
    let of_page = |(at, blocks): (usize, Vec<Option<(String, i32)>>)| {
        let is_one = |of: Option<(String, i32)>| {
            of.is_some_and(|(text, height)| is_proven(at, &text, height))
        };
        blocks.into_iter().map(is_one).collect()
    };
    found.into_iter().enumerate().map(of_page).collect()
}

/// What a block says but for numbers, which differ from page to page; empty if it has no letters.
fn said(block: &PageBlock) -> String {
    let text = folded(&block.lines.join("\n"));
    let text: String = text.chars().filter(|c| !c.is_numeric()).collect();
    if text.chars().any(char::is_alphabetic) { text } else { String::new() }
}

/// Whether a block of few lines stands in a side margin: nothing else reaches from the text into its width.
fn is_aside(page: &PageLayout, block: &PageBlock, text: Option<Area>) -> bool {
    (1..=MAX_LINES).contains(&block.lines.len())
        && is_in_margin(page, block)
        && text.is_none_or(|text| block.area.shared_width(text) <= 0.0)
}

fn is_in_margin(page: &PageLayout, block: &PageBlock) -> bool {
    block.area.right <= MARGIN * page.width || block.area.left >= (1.0 - MARGIN) * page.width
}

#[allow(clippy::cast_possible_truncation, reason = "it saturates")]
fn height(page: &PageLayout, block: &PageBlock) -> i32 {
    let [_, middle] = block.area.middle();
    (middle / (SAME_HEIGHT * page.height.max(1.0))).round() as i32
}
