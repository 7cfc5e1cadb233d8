//! Sections of a document: the headings of its elements, and their places on pages.

use std::collections::HashSet;
use std::ops::Range;

use crate::elements::{Kind, is_page_number};
use crate::heading_paths::HeadingPaths;
use crate::read::Read;
use crate::read::{LineBox, PageBox, Placed, Sparse, entries};
use crate::span::Span;
use crate::turns::{Turn, turn_of};
use crate::unicode::space::is_space;

/// Headings, pages and boxes of the elements of a document, for its chunks.
#[derive(Debug, Default)]
pub struct Sections {
    paths: HeadingPaths,
    /// What the headings say, by their numbers, ascending.
    headings: Vec<(usize, Box<str>)>,
    /// Pages, each with the number of the first element on it; none where elements are on none. An element that is
    /// on several begins with each of them.
    pages: Vec<(usize, Option<i64>)>,
    /// The texts of all elements, if any is on a page.
    spans: Vec<Span>,
    /// Where elements stand, as in [`Read`].
    boxes: Sparse<PageBox>,
    box_starts: Sparse<usize>,
    lines: Sparse<LineBox>,
    several_pages: Sparse<i64>,
    confidences: Sparse<f64>,
    page_starts: Sparse<usize>,
    turns: Sparse<Turn>,
    /// Of the elements of a slice: where what is kept of each stands in the document.
    kept: Vec<Span>,
}

impl Sections {
    /// Those of what was read, whose elements stand in `text`. O(n).
    pub fn new(text: &str, read: &Read) -> Self {
        let elements = read.body_elements();
        let said = |span: Span| &text[span.range()];
        let title = |i: usize| match read.titles.binary_search_by_key(&i, |(i, _)| *i) {
            Ok(at) => single_spaced(said(read.titles[at].1)),
            Err(_) => said(elements[i].span).into(),
        };
        let is_heading = |&i: &usize| elements[i].kind == Kind::Heading;
        let headings = (0..elements.len()).filter(is_heading).map(|i| (i, title(i))).collect();
        let (mut pages, mut several) = (Vec::new(), read.pages.iter().peekable());
        for (i, element) in elements.iter().enumerate() {
            let n_before = pages.len();
            while let Some((_, page)) = several.next_if(|(of, _)| *of == i) {
                pages.push((i, Some(*page)));
            }
            if pages.len() > n_before {
                continue;
            }
            let page = element.page.filter(|&page| is_page_number(page));
            if pages.last().is_none_or(|&(_, before)| before != page) {
                pages.push((i, page));
            }
        }
        let boxes = of_first(&read.boxes, elements.len());
        let is_placed = !boxes.is_empty()
            || !read.turns.is_empty()
            || pages.iter().any(|(_, page)| page.is_some());
        let placed = if is_placed { elements } else { &[] };
        Self {
            paths: HeadingPaths::of(elements),
            headings,
            pages,
            spans: placed.iter().map(|element| element.span).collect(),
            boxes,
            box_starts: of_first(&read.box_starts, elements.len()),
            lines: of_first(&read.lines, elements.len()),
            several_pages: of_first(&read.pages, elements.len()),
            confidences: of_first(&read.confidences, elements.len()),
            page_starts: of_first(&read.page_starts, elements.len()),
            turns: of_first(&read.turns, elements.len()),
            kept: read.whole.as_ref().map_or_else(Vec::new, |whole| whole.kept.clone()),
        }
    }

    /// The headings of the section that a chunk of some elements is from, the outermost first.
    pub fn headings(&self, elements: Range<usize>) -> Vec<&str> {
        self.path(self.paths.section(elements))
    }

    /// The number of the heading right above an element.
    pub fn heading_above(&self, element: usize) -> Option<usize> {
        self.paths.above(element)
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

    /// The least confidence of some elements that the source states; none if it states none.
    pub fn confidence(&self, elements: Range<usize>) -> Option<f64> {
        let first = self.confidences.partition_point(|(i, _)| *i < elements.start);
        let within = self.confidences[first..].iter().take_while(|(i, _)| *i < elements.end);
        within.map(|(_, confidence)| *confidence).min_by(f64::total_cmp)
    }

    /// The speakers of some elements, each once, in the order in which they speak first.
    pub fn speakers(&self, elements: Range<usize>) -> Vec<&str> {
        let (mut seen, own) = (HashSet::new(), within(&self.turns, &elements));
        let named = own.iter().map(|(_, turn)| &*turn.speaker).filter(|name| !name.is_empty());
        named.filter(|name| seen.insert(*name)).collect()
    }

    /// When a part of the text is said, by those of these elements that it meets: its begin and its end in seconds.
    pub fn times_in(&self, elements: Range<usize>, part: Span) -> [Option<f64>; 2] {
        if self.turns.is_empty() {
            return [None, None];
        }
        let (mut start, mut end): (Option<f64>, Option<f64>) = (None, None);
        for element in self.met(elements, part) {
            let Some(turn) = turn_of(&self.turns, element) else { continue };
            let [begins, ends] = turn.times(self.within(element, part));
            start = start.into_iter().chain(begins).reduce(f64::min);
            end = end.into_iter().chain(ends).reduce(f64::max);
        }
        [start, end]
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

    /// The pages that a part of the text is on, by those of these elements that it meets, each once.
    pub fn pages_in(&self, elements: Range<usize>, part: Span) -> Vec<i64> {
        let (mut seen, mut pages) = (HashSet::new(), Vec::new());
        for element in self.met(elements, part) {
            let placed = self.placed(element);
            let own = placed
                .pages_in(self.within(element, part))
                .unwrap_or_else(|| self.pages(element..element + 1));
            pages.extend(own.into_iter().filter(|page| seen.insert(*page)));
        }
        pages
    }

    /// Where a part of the text stands on its pages, by those of these elements that it meets, in reading order.
    pub fn boxes_in(&self, elements: Range<usize>, part: Span) -> Vec<PageBox> {
        let met = self.met(elements, part);
        met.flat_map(|element| self.placed(element).boxes_in(self.within(element, part))).collect()
    }

    /// Whether a part of the text meets the first and the last of some elements that have text.
    pub fn are_met(&self, elements: Range<usize>, part: Span) -> bool {
        let has_text = |i: &usize| self.spans.get(*i).is_some_and(|own| !own.is_empty());
        let meets = |at: Option<usize>| at.is_none_or(|i| self.met(i..i + 1, part).count() > 0);
        meets(elements.clone().find(has_text)) && meets(elements.rev().find(has_text))
    }

    /// Those of some elements that a part of the text meets.
    fn met(&self, elements: Range<usize>, part: Span) -> impl Iterator<Item = usize> {
        let meets = move |&i: &usize| {
            let (own, part) = (self.spans.get(i), self.within(i, part));
            own.is_some_and(|own| own.start < part.end && own.end > part.start && !own.is_empty())
        };
        elements.filter(meets)
    }

    /// Where a part of the document stands in the text of an element, which in a slice is another one.
    fn within(&self, element: usize, part: Span) -> Span {
        let (Some(kept), Some(own)) = (self.kept.get(element), self.spans.get(element)) else {
            return part;
        };
        let at = |byte: usize| own.start + byte.saturating_sub(kept.start);
        Span::new(at(part.start), at(part.end))
    }

    fn placed(&self, element: usize) -> Placed<'_> {
        Placed {
            boxes: entries(&self.boxes, element),
            starts: entries(&self.box_starts, element),
            lines: entries(&self.lines, element),
            pages: entries(&self.several_pages, element),
            page_starts: entries(&self.page_starts, element),
        }
    }

    /// Where some elements stand on their pages, in reading order, as far as that is known.
    pub fn boxes(&self, elements: Range<usize>) -> impl Iterator<Item = PageBox> {
        within(&self.boxes, &elements).iter().map(|(_, place)| *place)
    }
}

/// The entries of the first `n` elements in a sparse column.
fn of_first<T: Clone>(column: &[(usize, T)], n: usize) -> Sparse<T> {
    column[..column.partition_point(|(of, _)| *of < n)].to_vec()
}

/// The entries of some elements in a sparse column. O(log n).
fn within<'c, T>(column: &'c [(usize, T)], elements: &Range<usize>) -> &'c [(usize, T)] {
    let first = column.partition_point(|(of, _)| *of < elements.start);
    let behind = &column[first..];
    &behind[..behind.partition_point(|(of, _)| *of < elements.end)]
}

/// The words of a title, on one line.
fn single_spaced(title: &str) -> Box<str> {
    let words: Vec<&str> = title.split(is_space).filter(|word| !word.is_empty()).collect();
    words.join(" ").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Element;

    #[test]
    fn headings_and_pages_are_found() {
        let text = "# A\n\nb\n\nC";
        let page = |page| Element { page, ..Element::default() };
        let heading = |start, end| Element {
            kind: Kind::Heading,
            span: Span::new(start, end),
            ..page(Some(2))
        };
        let elements = vec![
            page(None),
            heading(0, 3),
            page(Some(1)),
            Element { level: 2, ..heading(8, 9) },
            page(Some(i64::MIN)),
        ];
        let titles = vec![(1, Span::new(2, 3))];
        let sections = Sections::new(text, &Read { elements, titles, ..Read::default() });
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
        let elements = vec![page(1), page(1), page(2), page(2), page(1)];
        let pages = vec![(1, 1), (1, 2), (3, 2), (3, 4)];
        let sections = Sections::new("", &Read { elements, pages, ..Read::default() });
        assert_eq!(
            [0..1, 1..2, 2..3, 3..4, 4..5].map(|of| sections.pages(of)),
            [vec![1], vec![1, 2], vec![2], vec![2, 4], vec![1]]
        );
        assert_eq!(sections.pages(0..5), [1, 2, 4]);
        assert_eq!(sections.pages(2..5), [2, 4, 1]);
    }

    #[test]
    fn boxes_are_those_of_the_elements() {
        let on = |page| PageBox { page: Some(page), ..PageBox::default() };
        let boxes = vec![(1, on(1)), (1, on(2)), (3, on(2)), (4, on(9))];
        let elements = vec![Element::default(); 4];
        let sections = Sections::new("", &Read { elements, boxes, ..Read::default() });
        let pages =
            |elements| sections.boxes(elements).filter_map(|of| of.page).collect::<Vec<_>>();
        assert_eq!(pages(0..5), [1, 2, 2]);
        assert_eq!(pages(1..2), [1, 2]);
        assert_eq!(pages(2..4), [2]);
        assert_eq!([pages(0..1), pages(2..3), pages(4..9)], [[0; 0]; 3]);
    }
}
