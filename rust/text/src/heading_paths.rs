//! Heading paths: the headings above the elements of a document, and the section of a chunk.
//!
//! A heading is above all elements behind it up to the next one of its level or of one above. The innermost
//! heading of each element and the parent of each heading are two columns, found in one pass with a stack: O(n).
//! The path of an element is then a walk of as many steps as it is long.

use std::ops::Range;

use crate::elements::{Element, Kind};

/// Headings of a path that are told, the innermost: no document has deeper ones, and all paths of an endless one
/// would take quadratic space.
const MAX_HEADINGS: usize = 64;

/// Kind, level and parent of an element, from which its place among headings follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Whether it is a heading.
    pub is_heading: bool,
    /// The level of a heading, from 1; 0 if it is not known, which is the first.
    pub level: u8,
    /// The element before it that it belongs to.
    pub parent: Option<usize>,
}

impl From<&Element> for Node {
    fn from(element: &Element) -> Self {
        let is_heading = element.kind == Kind::Heading;
        Self { is_heading, level: element.level, parent: element.parent.get() }
    }
}

/// The heading right above each element of a document.
#[derive(Clone, Debug, Default)]
pub struct HeadingPaths {
    above: Vec<Option<usize>>,
    is_heading: Vec<bool>,
}

impl HeadingPaths {
    /// Those of elements in reading order. O(n).
    ///
    /// The heading above an element is that of its parent, where it has one; else the last heading that is less
    /// deep.
    pub fn new(nodes: impl IntoIterator<Item = Node>) -> Self {
        let nodes = nodes.into_iter();
        let (n, _) = nodes.size_hint();
        let (mut above, mut is_heading) = (Vec::with_capacity(n), Vec::with_capacity(n));
        // Headings that what follows may stand under, each deeper than the one before.
        let mut open: Vec<(u8, usize)> = Vec::new();
        for (i, node) in nodes.enumerate() {
            let level = node.level.max(1);
            while node.is_heading && open.pop_if(|(of, _)| *of >= level).is_some() {}
            above.push(match node.parent.filter(|&parent| parent < i) {
                Some(parent) if is_heading[parent] => Some(parent),
                Some(parent) => above[parent],
                None => open.last().map(|(_, heading)| *heading),
            });
            is_heading.push(node.is_heading);
            if node.is_heading {
                open.push((level, i));
            }
        }
        Self { above, is_heading }
    }

    /// Those of `elements`.
    pub fn of(elements: &[Element]) -> Self {
        Self::new(elements.iter().map(Node::from))
    }

    /// Whether an element is a heading.
    pub fn is_heading(&self, element: usize) -> bool {
        self.is_heading.get(element).copied().unwrap_or_default()
    }

    /// The heading right above an element, if there is one.
    pub fn above(&self, element: usize) -> Option<usize> {
        self.above.get(element).copied().flatten()
    }

    /// `heading` and those above it, the innermost first: at most 64.
    pub fn up(&self, heading: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(heading, |&heading| self.above(heading)).take(MAX_HEADINGS)
    }

    /// The heading of the section that a chunk of `elements` is from: the one above the first that is no heading;
    /// if all are headings, the last of them. O(elements).
    ///
    /// ```
    /// use chunkwright_text::elements::{Element, Kind};
    /// use chunkwright_text::heading_paths::HeadingPaths;
    ///
    /// let heading = |level| Element { kind: Kind::Heading, level, ..Element::default() };
    /// let elements = [heading(1), heading(2), Element::default(), heading(1), Element::default()];
    /// let paths = HeadingPaths::of(&elements);
    /// assert_eq!(paths.up(paths.above(2)).collect::<Vec<_>>(), [1, 0]); // the innermost first
    /// assert_eq!(paths.above(4), Some(3));
    /// assert_eq!(paths.section(1..3), Some(1)); // of a chunk that begins with its heading
    /// ```
    pub fn section(&self, elements: Range<usize>) -> Option<usize> {
        let last = elements.end.checked_sub(1);
        match elements.clone().find(|&i| !self.is_heading(i)) {
            Some(first) => self.above(first),
            None => last.filter(|_| !elements.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8) -> Node {
        Node { is_heading: true, level, parent: None }
    }

    fn of(parent: usize) -> Node {
        Node { parent: Some(parent), ..Node::default() }
    }

    #[test]
    fn headings_stand_above_what_is_deeper_or_theirs() {
        let text = Node::default();
        let nodes = [
            text,
            heading(1),
            heading(3),
            text,
            heading(2),
            text,
            of(1),
            of(6),
            heading(0),
            of(99),
        ];
        let paths = HeadingPaths::new(nodes);
        let above = (0..nodes.len()).map(|i| paths.above(i)).collect::<Vec<_>>();
        let expected =
            [None, None, Some(1), Some(2), Some(1), Some(4), Some(1), Some(1), None, Some(8)];
        assert_eq!(above, expected);
        assert_eq!(paths.above(nodes.len()), None);
        assert_eq!(paths.up(Some(2)).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn a_chunk_is_of_the_section_of_its_first_text() {
        let text = Node::default();
        // a, # B, ## C, d, ## E
        let paths = HeadingPaths::new([text, heading(1), heading(2), text, heading(2)]);
        let sections = [0..1, 0..4, 1..4, 2..4, 3..5, 1..3, 4..5].map(|of| paths.section(of));
        assert_eq!(sections, [None, None, Some(2), Some(2), Some(2), Some(2), Some(4)]);
        assert_eq!([0..0, 3..3, 9..9].map(|of| paths.section(of)), [None; 3]);
    }

    #[test]
    fn endless_paths_are_cut_off() {
        let chain = (0..100).map(|i: usize| Node { parent: i.checked_sub(1), ..heading(1) });
        let paths = HeadingPaths::new(chain);
        assert_eq!(paths.up(paths.above(99)).count(), MAX_HEADINGS);
        assert_eq!(paths.up(paths.above(99)).next(), Some(98));
    }
}
