//! Pages of a Word file: where Word broke them when it last showed the document.

use std::cell::Cell;

use super::parts::tags::Tag;
use super::parts::tree::Node;

/// The page that the reader is on, if the file says where pages end.
///
/// A break that the author set is written again as a rendered one, behind it.
pub struct Pages {
    /// Whether the file says where pages end.
    pub are_known: bool,
    is_set: Cell<bool>,
    number: Cell<i64>,
}

impl Pages {
    /// Those of a document, on the first of which the reader is. O(n).
    pub fn new(root: Node<'_>) -> Self {
        let are_known = root.all(Tag::RenderedPageBreak).next().is_some();
        Self { are_known, is_set: Cell::new(false), number: Cell::new(1) }
    }

    /// The number of the page.
    pub fn number(&self) -> i64 {
        self.number.get()
    }

    /// Goes to a page.
    pub fn go_to(&self, number: i64) {
        self.number.set(number);
    }

    /// Begins a page where Word did, unless it is the one that the author began just now.
    pub fn rendered(&self) {
        if !self.is_set.replace(false) {
            self.number.set(self.number.get() + 1);
        }
    }

    /// Begins a page where the author does.
    pub fn set(&self) {
        self.number.set(self.number.get() + 1);
        self.is_set.set(true);
    }

    /// The page of a text that stands here.
    pub fn of_text(&self) -> i64 {
        self.is_set.set(false);
        self.number.get()
    }

    /// The page; none if the file does not say where they end.
    pub fn here(&self) -> Vec<i64> {
        self.are_known.then(|| self.number.get()).into_iter().collect()
    }
}
