//! Sections of a document: the headings of its elements, and the pages that they are on.

use std::collections::HashSet;
use std::ops::Range;

use chunkwright_core::elements::{Element, Kind, is_page_number};
use chunkwright_core::heading_paths::HeadingPaths;

/// What chunks of a document are told about its elements.
#[derive(Debug, Default)]
pub struct Sections {
    paths: HeadingPaths,
    /// What the headings say, by their numbers, ascending.
    headings: Vec<(usize, Box<str>)>,
    /// Pages, each with the number of the first element on it; none where elements are on none. An element that is
    /// on several begins with each of them.
    pages: Vec<(usize, Option<i64>)>,
}

impl Sections {
    /// Those of `elements`, which stand in `text`; of some headings, `titles` tell what they say, and
    /// `several_pages` the pages of elements that are on several. O(n).
    pub fn new(
        text: &str,
        elements: &[Element],
        titles: &[(usize, Box<str>)],
        several_pages: &[(usize, Vec<i64>)],
    ) -> Self {
        let title = |i: usize| match titles.binary_search_by_key(&i, |(i, _)| *i) {
            Ok(at) => titles[at].1.clone(),
            Err(_) => text[elements[i].span.range()].into(),
        };
        let is_heading = |&i: &usize| elements[i].kind == Kind::Heading;
        let headings = (0..elements.len()).filter(is_heading).map(|i| (i, title(i))).collect();
        let (mut pages, mut several_pages) = (Vec::new(), several_pages.iter().peekable());
        for (i, element) in elements.iter().enumerate() {
            if let Some((_, several)) = several_pages.next_if(|(of, _)| *of == i) {
                pages.extend(several.iter().map(|&page| (i, Some(page))));
                continue;
            }
            let page = element.page.filter(|&page| is_page_number(page));
            if pages.last().is_none_or(|&(_, before)| before != page) {
                pages.push((i, page));
            }
        }
        Self { paths: HeadingPaths::of(elements), headings, pages }
    }

    /// The headings of the section that a chunk of some elements is from, the outermost first.
    pub fn headings(&self, elements: Range<usize>) -> Vec<&str> {
        self.path(self.paths.section(elements))
    }

    /// The headings above an element, the outermost first.
    pub fn headings_above(&self, element: usize) -> Vec<&str> {
        self.path(self.paths.above(element))
    }

    /// What a heading and those above it say, the outermost first.
    fn path(&self, heading: Option<usize>) -> Vec<&str> {
        let said = |i: usize| {
            let at = self.headings.binary_search_by_key(&i, |(i, _)| *i).ok()?;
            Some(&*self.headings[at].1)
        };
        let mut headings: Vec<&str> = self.paths.up(heading).filter_map(said).collect();
        headings.reverse();
        headings
    }

    /// The pages that some elements are on, each once.
    pub fn pages(&self, elements: Range<usize>) -> Vec<i64> {
        let first = self.pages.partition_point(|(start, _)| *start < elements.start);
        let begins = self.pages.get(first).is_some_and(|(start, _)| *start == elements.start);
        let runs = &self.pages[if begins { first } else { first.saturating_sub(1) }..];
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
        let sections = Sections::new(text, &elements, &[(1, "A".into())], &[]);
        let above: Vec<_> = (0..5).map(|i| sections.headings_above(i)).collect();
        assert_eq!(above, [vec![], vec![], vec!["A"], vec!["A"], vec!["A", "C"]]);
        let headings = [0..1, 1..3, 2..4, 3..4, 3..5].map(|of| sections.headings(of));
        assert_eq!(headings, [vec![], vec!["A"], vec!["A"], vec!["A", "C"], vec!["A", "C"]]);
        assert_eq!(sections.pages(0..5), [2, 1]);
        assert_eq!(sections.pages(2..4), [1, 2]);
        assert_eq!(sections.pages(4..5), [0; 0]);
        assert_eq!(Sections::default().pages(0..0), [0; 0]);
    }

    #[test]
    fn an_element_may_be_on_several_pages() {
        let page = |page| Element { page: Some(page), ..Element::default() };
        let elements = [page(1), page(1), page(2), page(2), page(1)];
        let sections = Sections::new("", &elements, &[], &[(1, vec![1, 2]), (3, vec![2, 4])]);
        assert_eq!(
            [0..1, 1..2, 2..3, 3..4, 4..5].map(|of| sections.pages(of)),
            [vec![1], vec![1, 2], vec![2], vec![2, 4], vec![1]]
        );
        assert_eq!(sections.pages(0..5), [1, 2, 4]);
        assert_eq!(sections.pages(2..5), [2, 4, 1]);
    }
}
