//! Result of a reader: a text, its elements, and what else is known of them.
//!
//! What only few elements or formats know (several pages, boxes, captions, confidence) would cost every element
//! of every document if it were a field. In a sparse column it costs 16 bytes and more where it is known and
//! nothing elsewhere, and is found by bisection.
//!
//! ```
//! use chunkwright_text::elements::Element;
//! use chunkwright_text::read::{Read, entries};
//!
//! let elements = vec![Element { page: Some(1), ..Element::default() }, Element::default()];
//! let read = Read { elements, pages: vec![(1, 2), (1, 3)], ..Read::default() };
//! assert_eq!((read.pages_of(0), read.pages_of(1)), (vec![1], vec![2, 3]));
//! assert_eq!(entries(&read.pages, 1).len(), 2);
//! ```

pub mod link;
pub mod slice;
mod stored;

use std::collections::HashSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use self::link::Link;
use self::slice::Whole;
use crate::document::Document;
use crate::elements::{Element, is_page_number};
use crate::markup::Markup;
use crate::source_map::SourceMap;
use crate::span::Span;
use crate::syntax::html::landmark::Landmark;
use crate::turns::Turn;

/// A column that few elements have a value in: their numbers, ascending, each with its value. One that has
/// several values is there several times.
pub type Sparse<T> = Vec<(usize, T)>;

/// Result of every reader, whatever it reads.
///
/// The columns beside the elements are empty where a format does not know them, and cost nothing then.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Read {
    /// The text that the reader made; none if the text is what was read.
    #[serde(skip)]
    pub text: Option<String>,
    /// The elements in reading order, those of the body first.
    pub elements: Vec<Element>,
    /// How many elements are the body, if not all are. Those behind them are page furniture, such as headers and
    /// footers: they stand in the document behind its body, and are never cut.
    pub n_body: Option<usize>,
    /// The name that the source gives itself; empty if it does not say.
    pub name: Box<str>,
    /// The markup of the text, if that is known.
    pub markup: Markup,
    /// Where the text stands in what was read.
    pub source: SourceMap,
    /// Where each element starts and ends in what was read, in code points; empty where that is as in the text,
    /// or not known.
    pub places: Vec<[usize; 2]>,
    /// The words of headings, without the marks that make them headings.
    pub titles: Sparse<Span>,
    /// The languages of code, as far as they are stated.
    pub languages: Sparse<Box<str>>,
    /// The pages of elements that are on several; [`Element::page`] is the first of them.
    pub pages: Sparse<i64>,
    /// Where elements stand on their pages.
    pub boxes: Sparse<PageBox>,
    /// Where in the text each box of an element begins, if it has several and that is known: one for each.
    pub box_starts: Sparse<usize>,
    /// The lines of elements, or the rows of tables, where they stand on their pages, as far as that is known.
    #[serde(skip)]
    pub lines: Sparse<LineBox>,
    /// Where in the text each page of an element begins, if it is on several and that is known: one for each.
    #[serde(skip)]
    pub page_starts: Sparse<usize>,
    /// The tables and figures that captions belong to, by their numbers.
    pub captions: Sparse<usize>,
    /// How sure the source is of what it found, from 0 to 1.
    pub confidences: Sparse<f64>,
    /// The pages whose text was recognised in a picture, ascending.
    #[serde(skip)]
    pub recognised: Vec<i64>,
    /// Speakers and times of turns, by the numbers of their elements.
    #[serde(skip)]
    pub turns: Sparse<Turn>,
    /// The references by which the source names the objects that the elements are made of.
    pub references: Sparse<Box<str>>,
    /// The links, or what they are found in.
    pub links: Links,
    /// The pages that were read, if their reader looks at pages.
    pub pages_read: Vec<PageRead>,
    /// Where the elements stand in the document that they are a slice of, if they are one.
    #[serde(skip)]
    pub whole: Option<Box<Whole>>,
}

/// A page that was read, and how well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageRead {
    /// Its number, from 1.
    pub number: i64,
    /// Its width, in the units of its boxes.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// How sure it is that the text is what a reader sees, from 0 to 1.
    pub confidence: f64,
    /// Whether its text has to be recognised in a picture of it.
    pub needs_ocr: bool,
}

/// A rectangle on a page, in the units of its source, measured from the top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageBox {
    /// The page, if it is known.
    pub page: Option<i64>,
    /// Left, top, right and bottom edge.
    pub edges: [f64; 4],
    /// The width of the page, if it is known.
    pub width: Option<f64>,
    /// The height of the page, if it is known.
    pub height: Option<f64>,
}

/// Where a line of an element, or a row of a table, stands in the box of its element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LineBox {
    /// Where in the text of the document it begins.
    pub start: u32,
    /// Left, top, right and bottom edge.
    pub edges: [f32; 4],
}

/// Links of a document, found when they are asked for: most documents are never asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Links {
    /// There are none.
    #[default]
    None,
    /// They are found in the text, which is Markdown.
    Text,
    /// They are found in the HTML page that was read, without these parts of it.
    Page(Vec<Landmark>),
    /// They are these.
    Found(Vec<Link>),
    /// They are found in the text, which is reStructuredText.
    Rst,
}

impl Read {
    /// A text that a reader made, which stands nowhere, and its elements.
    pub fn made(text: String, elements: Vec<Element>) -> Self {
        Self { text: Some(text), elements, source: SourceMap::Nowhere, ..Self::default() }
    }

    /// The elements of the body: all but page furniture.
    pub fn body_elements(&self) -> &[Element] {
        let n_body = self.n_body.unwrap_or(usize::MAX).min(self.elements.len());
        &self.elements[..n_body]
    }

    /// The body of `document`, a plain one of the text that the elements stand in: what strategies see of what
    /// was read. It ends where its last element ends, or with the document, if that has no page furniture.
    ///
    /// ```
    /// use chunkwright_text::document::Document;
    /// use chunkwright_text::elements::Element;
    /// use chunkwright_text::read::Read;
    /// use chunkwright_text::span::Span;
    ///
    /// let at = |start, end| Element { span: Span::new(start, end), ..Element::default() };
    /// let read = Read { elements: vec![at(0, 4), at(6, 7)], n_body: Some(1), ..Read::default() };
    /// let body = read.body(Document::new("Rain\n\n1"));
    /// assert_eq!((body.text(), body.elements().map(<[_]>::len)), ("Rain", Some(1)));
    /// ```
    pub fn body<'t>(&'t self, document: Document<'t>) -> Document<'t> {
        let elements = self.body_elements();
        let has_furniture = elements.len() < self.elements.len();
        let end = elements.last().map_or(0, |element| element.span.end);
        let body = if has_furniture { document.up_to(end) } else { document };
        let body = body.written_in(self.markup).with_elements(elements);
        body.with_captions(&self.captions).with_turns(&self.turns)
    }

    /// The pages that an element is on, in the order of its source.
    pub fn pages_of(&self, element: usize) -> Vec<i64> {
        let several = entries(&self.pages, element);
        if !several.is_empty() {
            return several.iter().map(|(_, page)| *page).collect();
        }
        let page = self.elements.get(element).and_then(|element| element.page);
        page.filter(|&page| is_page_number(page)).into_iter().collect()
    }

    /// Whether the text of an element was recognised in a picture of a page, or a part of it was.
    pub fn is_recognised(&self, element: usize) -> bool {
        !self.recognised.is_empty()
            && self.pages_of(element).iter().any(|page| self.recognised.binary_search(page).is_ok())
    }

    /// The pages of some elements, ascending, whose text was recognised in a picture.
    fn recognised_of(&self, elements: &[usize]) -> Vec<i64> {
        if self.recognised.is_empty() {
            return Vec::new();
        }
        let pages: HashSet<i64> = elements.iter().flat_map(|&i| self.pages_of(i)).collect();
        self.recognised.iter().filter(|page| pages.contains(page)).copied().collect()
    }

    /// The pages that a part of the text is on, which meets the element, in the order of its source.
    pub fn pages_in(&self, element: usize, part: Span) -> Vec<i64> {
        let placed = self.placed(element);
        placed.pages_in(part).unwrap_or_else(|| self.pages_of(element))
    }

    /// What an element says of where it stands.
    pub fn placed(&self, element: usize) -> Placed<'_> {
        Placed {
            boxes: entries(&self.boxes, element),
            starts: entries(&self.box_starts, element),
            lines: entries(&self.lines, element),
            pages: entries(&self.pages, element),
            page_starts: entries(&self.page_starts, element),
        }
    }

    /// The number of the element that one is the caption of.
    pub fn caption_of(&self, element: usize) -> Option<usize> {
        entries(&self.captions, element).first().map(|(_, of)| *of)
    }

    /// Tells that an element is on these pages, of which it has several.
    pub fn push_pages(&mut self, element: usize, pages: &[i64]) {
        if pages.len() > 1 {
            self.pages.extend(pages.iter().map(|&page| (element, page)));
        }
    }
}

/// What one element says of where it stands: its boxes and pages, and where in the text these and its lines begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Placed<'a> {
    /// Its boxes.
    pub boxes: &'a [(usize, PageBox)],
    /// Where each of them begins; none if that is not known of each.
    pub starts: &'a [(usize, usize)],
    /// Its lines, or rows.
    pub lines: &'a [(usize, LineBox)],
    /// Its pages, if it is on several.
    pub pages: &'a [(usize, i64)],
    /// Where each of them begins; none if that is not known of each.
    pub page_starts: &'a [(usize, usize)],
}

impl<'a> Placed<'a> {
    /// Where a part of the text stands that meets the element: those of its boxes that the part is in, as far up and
    /// down as the lines reach that it meets. O(boxes and lines).
    ///
    /// ```
    /// use chunkwright_text::read::{LineBox, PageBox, Placed};
    /// use chunkwright_text::span::Span;
    ///
    /// let on = |page| PageBox { page: Some(page), edges: [0.0, 0.0, 9.0, 20.0], ..PageBox::default() };
    /// let line = |start, top| (0, LineBox { start, edges: [1.0, top, 9.0, top + 8.0] });
    /// let (boxes, starts) = ([(0, on(1)), (0, on(2))], [(0, 0), (0, 12)]);
    /// let lines = [line(0, 0.0), line(5, 12.0)];
    /// let of = Placed { boxes: &boxes, starts: &starts, lines: &lines, ..Placed::default() };
    /// let pages = |part| of.boxes_in(part).filter_map(|of| of.page).collect::<Vec<_>>();
    /// assert_eq!(pages(Span::new(0, 12)), [1]);
    /// assert_eq!(pages(Span::new(4, 15)), [1, 2]);
    /// assert_eq!(pages(Span::new(12, 20)), [2]);
    /// let heights = |part| of.boxes_in(part).map(|of| [of.edges[1], of.edges[3]]).collect::<Vec<_>>();
    /// assert_eq!(heights(Span::new(2, 8)), [[0.0, 20.0]]);
    /// assert_eq!(heights(Span::new(5, 8)), [[12.0, 20.0]]);
    /// ```
    pub fn boxes_in(self, part: Span) -> impl Iterator<Item = PageBox> + 'a {
        let Self { boxes, starts, lines, .. } = self;
        // Of several boxes the lines are told apart by where the boxes begin.
        let is_known = starts.len() == boxes.len() || boxes.len() == 1;
        let lines = if is_known { lines } else { &[] };
        met(boxes, starts, part).map(move |((_, place), range)| {
            let at = |byte| lines.partition_point(|(_, line)| (line.start as usize) < byte);
            let own = &lines[at(range.start)..at(range.end)];
            PageBox { edges: edges_in(own, part).unwrap_or(place.edges), ..*place }
        })
    }

    /// The pages that a part of the text is on that meets the element; none if the element does not tell them apart.
    pub fn pages_in(self, part: Span) -> Option<Vec<i64>> {
        if !self.page_starts.is_empty() {
            return Some(
                met(self.pages, self.page_starts, part).map(|((_, page), _)| *page).collect(),
            );
        }
        let is_known = !self.starts.is_empty();
        is_known.then(|| self.boxes_in(part).filter_map(|place| place.page).collect())
    }
}

/// Those of the entries of one element that a part of the text is in, by where each begins, and how far each
/// reaches; all of them, unless that is known of each.
fn met<'a, T>(
    entries: &'a [(usize, T)],
    starts: &'a [(usize, usize)],
    part: Span,
) -> impl Iterator<Item = (&'a (usize, T), Range<usize>)> {
    let is_known = starts.len() == entries.len();
    let range = move |i: usize| match starts.get(i).filter(|_| is_known) {
        Some((_, start)) => *start..starts.get(i + 1).map_or(usize::MAX, |(_, end)| *end),
        None => 0..usize::MAX,
    };
    let all = entries.iter().enumerate().map(move |(i, entry)| (entry, range(i)));
    all.filter(move |(_, range)| range.start < part.end.min(range.end) && range.end > part.start)
}

/// The edges around those of some lines that a part of the text meets; none if it meets all, or none of them.
fn edges_in(lines: &[(usize, LineBox)], part: Span) -> Option<[f64; 4]> {
    let n_before = |end: usize| lines.partition_point(|(_, line)| (line.start as usize) < end);
    let start = lines.first()?.1.start as usize;
    // The line that the part begins in has begun before it. A row without text begins where the next one does.
    let first = n_before(part.start.max(start) + 1) - 1;
    let is_all = lines[first].1.start as usize == start && n_before(part.end) == lines.len();
    let met = lines.get(first..n_before(part.end)).filter(|_| !is_all)?;
    let around =
        |a: [f32; 4], b: [f32; 4]| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
    Some(met.iter().map(|(_, line)| line.edges).reduce(around)?.map(f64::from))
}

/// The entries of one element in a sparse column. O(log n).
pub fn entries<T>(column: &[(usize, T)], element: usize) -> &[(usize, T)] {
    let start = column.partition_point(|(of, _)| *of < element);
    let behind = &column[start..];
    &behind[..behind.partition_point(|(of, _)| *of == element)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparse_column_has_any_number_of_values() {
        let column = [(1, 'a'), (4, 'b'), (4, 'c')];
        let of = |i| entries(&column, i).iter().map(|(_, c)| *c).collect::<String>();
        assert_eq!([0, 1, 2, 4, 5].map(of), ["", "a", "", "bc", ""]);
    }

    #[test]
    fn a_part_has_the_same_lines_wherever_in_front_of_them_it_begins() {
        // The first row and the third have no text, so they begin where the next one does.
        let lines = [4, 4, 9, 9, 12]
            .iter()
            .zip(0_u8..)
            .map(|(&start, i)| {
                (0, LineBox { start, edges: [0.0, i.into(), 1.0, f32::from(i) + 1.0] })
            })
            .collect::<Vec<_>>();
        let heights = |start, end| {
            edges_in(&lines, Span::new(start, end)).map(|[_, top, _, bottom]| [top, bottom])
        };
        for start in 0..9 {
            assert_eq!(heights(start, 9), Some([1.0, 2.0]), "{start}");
            assert_eq!(heights(start, 20), None, "all of it, from {start}");
        }
        assert_eq!(heights(9, 12), Some([3.0, 4.0]));
        assert_eq!(heights(9, 20), Some([3.0, 5.0]));
        assert_eq!(heights(0, 4), None);
    }

    #[test]
    fn pages_are_one_or_several() {
        let page = |page| Element { page, ..Element::default() };
        let elements = vec![page(None), page(Some(2)), page(Some(3)), page(Some(i64::MIN))];
        let mut read = Read { elements, ..Read::default() };
        read.push_pages(1, &[2]);
        read.push_pages(2, &[3, 1]);
        let pages = [0, 1, 2, 3, 9].map(|i| read.pages_of(i));
        assert_eq!(pages, [vec![], vec![2], vec![3, 1], vec![], vec![]]);
    }
}
