//! Headings above the elements of a document, and the pages that they are on.

use std::collections::HashSet;
use std::ops::Range;

use chunkwright_core::elements::{Element, headings_above, is_page_number};

/// Headings above an element that are told: the innermost.
const MAX_HEADINGS: usize = 64;

/// What chunks of a document are told about its elements.
#[derive(Debug, Default)]
pub struct Sections {
    /// For each element the number of the heading right above it.
    above: Vec<Option<usize>>,
    /// What the headings say, by their numbers, ascending.
    headings: Vec<(usize, Box<str>)>,
    /// Pages, each with the number of the first element on it; none where elements are on none.
    pages: Vec<(usize, Option<i64>)>,
}

impl Sections {
    /// Those of `elements`, which stand in `text`; of some headings, `titles` tell what they say. O(n).
    pub fn new(text: &str, elements: &[Element], titles: &[(usize, Box<str>)]) -> Self {
        let above = headings_above(elements);
        let mut used: Vec<usize> = above.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let title = |i: usize| match titles.binary_search_by_key(&i, |(i, _)| *i) {
            Ok(at) => titles[at].1.clone(),
            Err(_) => text[elements[i].span.range()].into(),
        };
        let headings = used.into_iter().map(|i| (i, title(i))).collect();
        let mut pages = Vec::new();
        for (i, element) in elements.iter().enumerate() {
            let page = element.page.filter(|&page| is_page_number(page));
            if pages.last().is_none_or(|&(_, before)| before != page) {
                pages.push((i, page));
            }
        }
        Self { above, headings, pages }
    }

    /// The headings above an element, the outermost first.
    pub fn headings(&self, element: usize) -> Vec<&str> {
        let above = |i: &usize| self.above.get(*i).copied().flatten();
        let numbers = std::iter::successors(above(&element), above).take(MAX_HEADINGS);
        let said = |i: usize| {
            let at = self.headings.binary_search_by_key(&i, |(i, _)| *i).ok()?;
            Some(&*self.headings[at].1)
        };
        let mut headings: Vec<&str> = numbers.filter_map(said).collect();
        headings.reverse();
        headings
    }

    /// The pages that some elements are on, each once.
    pub fn pages(&self, elements: Range<usize>) -> Vec<i64> {
        let first = self.pages.partition_point(|(start, _)| *start <= elements.start);
        let runs = &self.pages[first.saturating_sub(1)..];
        let (mut seen, mut pages) = (HashSet::new(), Vec::new());
        let within = runs.iter().take_while(|(start, _)| *start < elements.end);
        for page in within.filter_map(|(_, page)| *page) {
            if seen.insert(page) {
                pages.push(page);
            }
        }
        pages
    }
}

#[cfg(test)]
mod tests {
    use chunkwright_core::elements::Kind;
    use chunkwright_core::span::Span;

    use super::*;

    #[test]
    fn headings_and_pages_are_found() {
        let text = "# A\n\nb\n\nC";
        let page = |page| Element { page, ..Element::default() };
        let heading = |start, end| Element {
            kind: Kind::Heading,
            span: Span::new(start, end),
            ..page(Some(2))
        };
        let elements = [
            page(None),
            heading(0, 3),
            page(Some(1)),
            Element { level: 2, ..heading(8, 9) },
            page(Some(i64::MIN)),
        ];
        let sections = Sections::new(text, &elements, &[(1, "A".into())]);
        let headings: Vec<_> = (0..5).map(|i| sections.headings(i)).collect();
        assert_eq!(headings, [vec![], vec![], vec!["A"], vec!["A"], vec!["A", "C"]]);
        assert_eq!(sections.pages(0..5), [2, 1]);
        assert_eq!(sections.pages(2..4), [1, 2]);
        assert_eq!(sections.pages(4..5), [0; 0]);
        assert_eq!(Sections::default().pages(0..0), [0; 0]);
    }
}
