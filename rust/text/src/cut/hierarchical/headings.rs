//! Headings above the elements of a document, as pieces to be repeated.

use crate::cut::elements::blocks::Block;
use crate::elements::{Element, Kind};
use crate::error::Result;
use crate::heading_paths::HeadingPaths;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::is_space;

/// So much of what stands behind a heading is repeated with it, in bytes: line breaks, an underline.
const MAX_GAP_BYTES: usize = 64;

/// The headings of a document.
pub struct Headings<'a> {
    items: &'a [Element],
    paths: HeadingPaths,
    /// For each element: what is repeated of it if it is a heading; else it is empty.
    pieces: Vec<Span>,
}

impl<'a> Headings<'a> {
    /// Those of `items`, which stand in `blocks` of `text`. O(n).
    pub fn new(text: &'a str, items: &'a [Element], blocks: &[Block]) -> Self {
        let mut pieces = vec![Span::default(); items.len()];
        for (i, block) in blocks.iter().enumerate() {
            let own = items[block.element].span;
            if items[block.element].kind == Kind::Heading && !own.is_empty() {
                let next = blocks.get(i + 1).map_or(text.len(), |next| next.span.start);
                pieces[block.element] = Span::new(own.start, end_of_gap(text, own.end, next));
            }
        }
        Self { items, paths: HeadingPaths::of(items), pieces }
    }

    /// The heading right above an element, or that element if it is one.
    pub fn of(&self, element: usize) -> Option<usize> {
        match self.items[element].kind {
            Kind::Heading => Some(element),
            _ => self.paths.above(element),
        }
    }

    /// The heading right above a heading, if there is one.
    pub fn parent(&self, heading: usize) -> Option<usize> {
        self.paths.above(heading)
    }

    /// Whether a heading is `path`, or above it.
    pub fn is_above(&self, heading: usize, path: Option<usize>) -> bool {
        self.paths.up(path).any(|above| above == heading)
    }

    /// The headings of `path` that end up to `at`, outermost first; as many of the innermost as take at
    /// most `most` units.
    ///
    /// # Errors
    /// Those of `size`.
    pub fn above(
        &self,
        path: Option<usize>,
        at: usize,
        most: usize,
        size: impl Fn(Span) -> Result<usize>,
    ) -> Result<Vec<Piece>> {
        let (mut pieces, mut taken) = (Vec::new(), 0_usize);
        for heading in self.paths.up(path) {
            let span = self.pieces[heading];
            if span.is_empty() || span.end > at {
                continue;
            }
            taken = taken.saturating_add(size(span)?);
            if taken > most {
                break;
            }
            pieces.push(Piece { span, role: Role::Heading });
        }
        pieces.reverse();
        Ok(pieces)
    }
}

/// Where what is repeated with a heading that ends at `end` does, before `next`: behind the blanks, and behind
/// marks such as an underline if no letter stands between.
fn end_of_gap(text: &str, end: usize, next: usize) -> usize {
    let gap = &text[end..next];
    if gap.len() <= MAX_GAP_BYTES && !gap.contains(char::is_alphanumeric) {
        return next;
    }
    let most = &gap[..gap.floor_char_boundary(MAX_GAP_BYTES)];
    end + most.find(|c: char| !is_space(c)).unwrap_or(most.len())
}

/// Whether a word stands in a block behind its element.
pub fn has_words_behind(text: &str, items: &[Element], block: &Block) -> bool {
    text[items[block.element].span.end.min(block.span.end)..block.span.end]
        .contains(char::is_alphanumeric)
}
