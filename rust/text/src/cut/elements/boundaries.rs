//! Boundary predicates of the element strategies: a title, a page, another subject.
//!
//! Each function returns a flag for each element: whether a unit begins there, whatever would still fit. They
//! know no sizes, so they can be tested and combined by themselves.
//!
//! ```
//! use chunkwright_text::cut::elements::boundaries::{by_page, by_title};
//! use chunkwright_text::elements::{Element, Kind};
//!
//! let element = |kind, page| Element { kind, page: Some(page), ..Element::default() };
//! let elements = [
//!     element(Kind::Heading, 1),
//!     element(Kind::Paragraph, 1),
//!     element(Kind::Paragraph, 2),
//!     element(Kind::Heading, 2),
//! ];
//! assert_eq!(by_title(&elements, true), [true, false, false, true]);
//! assert_eq!(by_title(&elements, false), [true, false, true, true]);
//! assert_eq!(by_page(&elements), [false, false, true, false]);
//! ```

use super::blocks::{Block, Lead, lead};
use crate::boundaries::{Boundaries, Verdict};
use crate::chunks::Chunks;
use crate::document::Document;
use crate::elements::{Element, Kind};
use crate::error::{Error, Result};
use crate::vectors::{TOLERANCE, Vectors};

/// A title begins a section; so does a page, unless a section may have several.
///
/// O(n).
pub fn by_title(elements: &[Element], multipage: bool) -> Vec<bool> {
    let titles = elements.iter().map(|element| element.kind == Kind::Heading);
    if multipage {
        return titles.collect();
    }
    titles.zip(by_page(elements)).map(|(is_title, is_page)| is_title || is_page).collect()
}

/// Another page than that before, be it a lower one, begins a unit.
///
/// What is on no page is on that of the element before it; the first one is on page 1 then. O(n).
pub fn by_page(elements: &[Element]) -> Vec<bool> {
    let first = elements.first().and_then(|element| element.page);
    new_pages(elements, first.unwrap_or(1)).collect()
}

/// Whether each element is on another page than the one before it; the first is on page `current`.
pub fn new_pages(elements: &[Element], mut current: i64) -> impl Iterator<Item = bool> {
    elements.iter().enumerate().map(move |(i, element)| {
        let before = current;
        current = element.page.filter(|_| i > 0).unwrap_or(current);
        current != before
    })
}

/// An element that is less similar than `threshold` to the last one before it begins a unit.
///
/// As [`cosines`]; what is below the threshold by no more than [`TOLERANCE`] is as similar. O(the numbers).
///
/// # Errors
/// As for [`cosines`].
pub fn by_similarity(
    elements: &[Element],
    vectors: &mut dyn Vectors,
    threshold: f64,
) -> Result<Vec<bool>> {
    Ok(less_than(&cosines(elements, vectors)?, threshold))
}

/// For each element whether its cosine is below the threshold.
pub fn less_than(cosines: &[Option<f64>], threshold: f64) -> Vec<bool> {
    let is_less =
        |cosine: &Option<f64>| cosine.is_some_and(|cosine| cosine < threshold - TOLERANCE);
    cosines.iter().map(is_less).collect()
}

/// For each element the cosine of its vector and that of the last one with text before it; none for the first one,
/// and for one without text, which goes with the element before it.
///
/// `vectors` has one for each element with text, in order. O(the numbers).
///
/// # Errors
/// [`Error::Model`] if there are not as many vectors as elements with text.
pub fn cosines(elements: &[Element], vectors: &mut dyn Vectors) -> Result<Vec<Option<f64>>> {
    let n_texts = elements.iter().filter(|element| !element.span.is_empty()).count();
    if vectors.len() != n_texts {
        let n = vectors.len();
        return Err(Error::Model(format!("the embedder gave {n} vectors for {n_texts} texts")));
    }
    let (mut n_before, mut band) = (0, Vec::new());
    let mut cosine = |has_text: bool| {
        if !has_text {
            return None;
        }
        vectors.band(n_before, n_before.saturating_sub(1), &mut band);
        n_before += 1;
        band.first().copied()
    };
    Ok(elements.iter().map(|element| cosine(!element.span.is_empty())).collect())
}

/// The boundaries between `blocks`, of whose elements the cosines are known, in the text of `chunks`. O(n).
///
/// A block that begins a unit is less similar than the threshold; all else is cut because a table stands alone, or
/// for the limit.
pub fn between(
    blocks: &[Block],
    cosines: &[Option<f64>],
    chunks: &Chunks,
    threshold: f64,
) -> Boundaries {
    let mut boundaries = Boundaries::default();
    let mut ends = chunks.spans().map(|span| span.end).peekable();
    for pair in blocks.windows(2) {
        let (at, next) = (pair[0].span.end, &pair[1]);
        while ends.next_if(|&end| end < at).is_some() {}
        let verdict = match ends.peek() {
            Some(&end) if end != at => Verdict::Whole,
            _ if next.is_start => Verdict::Score,
            _ if pair[0].stands_alone || next.stands_alone => Verdict::Structure,
            _ => Verdict::limit(1),
        };
        let cosine = cosines.get(next.element).copied().flatten();
        boundaries.push(at, cosine.map_or(f64::NAN, |cosine| 1.0 - cosine), verdict);
    }
    boundaries.end_text(1.0 - threshold);
    boundaries
}

/// Takes the starts back of elements to which the last one before them with text leads: what stands below a
/// heading, what a line that ends in a colon leads to, and what a caption is of. O(n).
pub fn keep_leads(document: Document<'_>, starts: &mut [bool]) {
    let elements = document.elements().unwrap_or_default();
    let mut before: Option<usize> = None;
    for (i, is_start) in starts.iter_mut().enumerate().take(elements.len()) {
        if elements[i].span.is_empty() {
            continue;
        }
        if before.is_some_and(|before| lead(document, document.text(), before, i) != Lead::None) {
            *is_start = false;
        }
        before = Some(i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::elements::testing::Joined;
    use crate::vectors::Dense;

    fn elements(items: &[(Kind, &str, Option<i64>)]) -> Vec<Element> {
        let mut joined = Joined::default();
        for &(kind, text, page) in items {
            joined.push(kind, text, page);
        }
        joined.elements
    }

    fn on_pages(pages: &[Option<i64>]) -> Vec<Element> {
        let items: Vec<_> = pages.iter().map(|&page| (Kind::Paragraph, "a", page)).collect();
        elements(&items)
    }

    #[test]
    fn a_page_begins_where_another_number_stands() {
        let pages = on_pages(&[None, Some(1), Some(2), None, Some(1), Some(1)]);
        assert_eq!(by_page(&pages), [false, false, true, false, true, false]);
        assert_eq!(by_page(&on_pages(&[Some(3), None, Some(1)])), [false, false, true]);
        assert_eq!(by_page(&on_pages(&[Some(0), Some(0), Some(1)])), [false, false, true]);
        assert!(by_page(&on_pages(&[])).is_empty());
    }

    #[test]
    fn titles_begin_sections_and_pages_if_asked() {
        let items = [
            (Kind::Heading, "A", Some(1)),
            (Kind::Paragraph, "b", Some(2)),
            (Kind::Heading, "C", Some(2)),
        ];
        assert_eq!(by_title(&elements(&items), true), [true, false, true]);
        assert_eq!(by_title(&elements(&items), false), [true, true, true]);
        let pages = on_pages(&[Some(0), Some(0), Some(1)]);
        assert_eq!(by_title(&pages, false), [false, false, true]);
    }

    #[test]
    fn another_subject_is_another_direction() {
        let items = [
            (Kind::Paragraph, "a", None),
            (Kind::Paragraph, "", None),
            (Kind::Paragraph, "b", None),
            (Kind::Paragraph, "c", None),
        ];
        let elements = elements(&items);
        let begins = |rows: &[f32], threshold| {
            let mut vectors = Dense::new(rows, 2).unwrap();
            by_similarity(&elements, &mut vectors, threshold).unwrap()
        };
        assert_eq!(begins(&[1.0, 0.0, 2.0, 0.1, 0.0, 3.0], 0.5), [false, false, false, true]);
        assert_eq!(begins(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], 0.5), [false, false, true, true]);
        // A similarity of exactly the threshold is enough, however it was rounded.
        assert_eq!(begins(&[1.0; 6], 1.0), [false; 4]);
        assert_eq!(begins(&[1.0, 0.0, 3.0, 4.0, 3.0, -4.0], 0.6), [false, false, false, true]);
        assert_eq!(begins(&[1.0, 0.0, 3.0, 4.0, 3.0, 4.0], 0.600_01), [false, false, true, false]);
    }

    #[test]
    fn each_element_with_text_needs_a_vector() {
        let elements = elements(&[(Kind::Paragraph, "a", None), (Kind::Paragraph, "b", None)]);
        let mut one = Dense::new([1.0_f32], 1).unwrap();
        let error = by_similarity(&elements, &mut one, 0.5).unwrap_err();
        assert_eq!(error.to_string(), "the embedder gave 1 vectors for 2 texts");
        let mut none = Dense::new([0.0_f32; 0], 0).unwrap();
        assert!(by_similarity(&elements, &mut none, 0.5).is_err());
        assert!(by_similarity(&[], &mut none, 0.5).unwrap().is_empty());
    }
}
