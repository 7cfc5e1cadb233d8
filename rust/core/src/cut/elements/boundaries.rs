//! Where a strategy begins a new unit, whatever would still fit: a title, a page, another subject.

use crate::elements::{Elements, Kind};
use crate::error::{Error, Result};

/// A title begins a section; so does a page, unless a section may have several.
///
/// The first element is on page 1 if it does not say otherwise. O(n).
pub fn by_title(elements: &Elements, multipage: bool) -> Vec<bool> {
    let titles = elements.items().iter().map(|element| element.kind == Kind::Title);
    if multipage {
        return titles.collect();
    }
    // As the peer has it, page 0 is none for the first element.
    let first = elements.items().first().and_then(|element| element.page);
    let is_new = new_pages(elements, first.filter(|&page| page != 0).unwrap_or(1));
    titles.zip(is_new).map(|(is_title, is_page)| is_title || is_page).collect()
}

/// Another page than that before, be it a lower one, begins a unit.
///
/// What is on no page is on that of the element before it; the first one is on page 1 then. O(n).
pub fn by_page(elements: &Elements) -> Vec<bool> {
    let first = elements.items().first().and_then(|element| element.page);
    new_pages(elements, first.unwrap_or(1)).collect()
}

/// Whether each element is on another page than the one before it; the first is on page `current`.
fn new_pages(elements: &Elements, mut current: i64) -> impl Iterator<Item = bool> {
    elements.items().iter().enumerate().map(move |(i, element)| {
        let before = current;
        current = element.page.filter(|_| i > 0).unwrap_or(current);
        current != before
    })
}

/// An element that is less similar than `threshold` to the last one before it begins a unit.
///
/// `vectors` holds `n_dims` numbers for each element with text, in order; one without text goes with the
/// element before it. Similarity is the cosine of the angle between two vectors; that to a vector of
/// length 0 is 0. O(the numbers), always in the same order.
///
/// # Errors
/// [`Error::Config`] if there are not as many vectors as elements with text, or a number is not finite.
pub fn by_similarity(
    elements: &Elements,
    vectors: &[f32],
    n_dims: usize,
    threshold: f64,
) -> Result<Vec<bool>> {
    let with_text = elements.items().iter().filter(|element| !element.span.is_empty()).count();
    if n_dims.checked_mul(with_text) != Some(vectors.len()) || (n_dims == 0 && with_text > 0) {
        let n = vectors.len();
        let message =
            format!("{with_text} vectors of {n_dims} numbers are needed, got {n} numbers");
        return Err(Error::Config(message));
    }
    if let Some(at) = vectors.iter().position(|number| !number.is_finite()) {
        let (row, number) = (at / n_dims, vectors[at]);
        return Err(Error::Config(format!("vector {row} holds {number}, which is not finite")));
    }
    let mut rows = vectors.chunks_exact(n_dims.max(1));
    let mut before: Option<&[f32]> = None;
    let mut is_new = |has_text: bool| {
        let Some(row) = has_text.then(|| rows.next()).flatten() else { return false };
        before.replace(row).is_some_and(|before| cosine(before, row) < threshold)
    };
    Ok(elements.items().iter().map(|element| is_new(!element.span.is_empty())).collect())
}

/// The cosine of the angle between two vectors; 0 where one has no direction.
fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
    };
    let norms = dot(a, a).sqrt() * dot(b, b).sqrt();
    if norms == 0.0 { 0.0 } else { dot(a, b) / norms }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(items: &[(Kind, &str, Option<i64>)]) -> Elements {
        let mut elements = Elements::default();
        for &(kind, text, page) in items {
            elements.push(kind, text, page, None);
        }
        elements
    }

    fn on_pages(pages: &[Option<i64>]) -> Elements {
        let items: Vec<_> = pages.iter().map(|&page| (Kind::Text, "a", page)).collect();
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
        let items =
            [(Kind::Title, "A", Some(1)), (Kind::Text, "b", Some(2)), (Kind::Title, "C", Some(2))];
        assert_eq!(by_title(&elements(&items), true), [true, false, true]);
        assert_eq!(by_title(&elements(&items), false), [true, true, true]);
        // The peer takes page 0 of the first element for none.
        assert_eq!(by_title(&on_pages(&[Some(0), Some(0), Some(1)]), false), [false, true, true]);
    }

    #[test]
    fn another_subject_is_another_direction() {
        let items = [
            (Kind::Text, "a", None),
            (Kind::Text, "", None),
            (Kind::Text, "b", None),
            (Kind::Text, "c", None),
        ];
        let elements = elements(&items);
        let begins = |vectors: &[f32]| by_similarity(&elements, vectors, 2, 0.5).unwrap();
        assert_eq!(begins(&[1.0, 0.0, 2.0, 0.1, 0.0, 3.0]), [false, false, false, true]);
        assert_eq!(begins(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]), [false, false, true, true]);
        // A similarity of exactly the threshold is enough.
        assert_eq!(by_similarity(&elements, &[1.0; 6], 2, 1.0 - 1e-12).unwrap(), [false; 4]);
    }

    #[test]
    fn vectors_are_checked() {
        let elements = elements(&[(Kind::Text, "a", None), (Kind::Text, "b", None)]);
        let error =
            |vectors: &[f32], n_dims| by_similarity(&elements, vectors, n_dims, 0.5).unwrap_err();
        let message = error(&[1.0, f32::NAN], 1).to_string();
        assert_eq!(message, "vector 1 holds NaN, which is not finite");
        assert_eq!(
            error(&[1.0], 1).to_string(),
            "2 vectors of 1 numbers are needed, got 1 numbers"
        );
        assert!(by_similarity(&Elements::default(), &[], 0, 0.5).unwrap().is_empty());
        assert!(by_similarity(&elements, &[], 0, 0.5).is_err());
    }
}
