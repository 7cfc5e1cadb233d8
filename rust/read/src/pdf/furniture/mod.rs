//! Page headers and footers: blocks at the edges of pages that other pages prove to be such.
//!
//! A block is one if the same text stands at the same edge of other pages, or if its number is the page's own: it rises
//! with the pages, or is the label that the file gives to the page. A text that says something else on each page stays
//! in the body, whatever it looks like, for what is furniture is in no chunk. Nothing but furniture stands between a
//! block of it and the edge of the page. What other pages repeat in a side margin is one, too.

mod edges;
mod page_numbers;
mod proofs;
mod sides;

use self::edges::{is_stamp, rows};
use self::proofs::Proofs;
use self::sides::sides;
use super::layout::PageLayout;
use chunkwright_text::elements::Kind;

/// For each block of each page its kind, if it is a header or a footer. O(n) in the text at the edges, but for sorting.
pub fn furniture(pages: &[PageLayout], body_size: f32) -> Vec<Vec<Option<Kind>>> {
    let proofs = Proofs::of(pages, body_size);
    let sides = sides(pages);
    let of_page = |(number, page): (usize, &PageLayout)| {
        let mut kinds = vec![None; page.blocks.len()];
        for kind in [Kind::PageHeader, Kind::PageFooter] {
            for (n_before, row) in rows(page, kind).into_iter().enumerate() {
                let found = proofs.of_row(number, page, kind, &row, n_before == 0);
                let is_whole = found.len() == row.len();
                for i in found {
                    kinds[i] = Some(kind);
                }
                if !is_whole {
                    break;
                }
            }
        }
        for (i, block) in page.blocks.iter().enumerate() {
            if sides[number][i] || pages.len() > 1 && is_stamp(page, i, block) {
                kinds[i] = Some(Kind::PageHeader);
            }
        }
        kinds
    };
    pages.iter().enumerate().map(of_page).collect()
}
