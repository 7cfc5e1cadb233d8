//! Texts of versions, with their elements, and parts of them.

use chunkwright_text::document::Document;
use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::{skip_space, trim_end};

/// A version of a text.
#[derive(Clone, Copy, Debug)]
pub struct Version<'t> {
    text: &'t str,
    elements: Option<&'t [Element]>,
}

impl<'t> Version<'t> {
    /// The version that `document` is.
    pub const fn new(document: Document<'t>) -> Self {
        Self { text: document.text(), elements: document.elements() }
    }

    /// The text.
    pub const fn text(self) -> &'t str {
        self.text
    }

    /// What stands at `span`; nothing where that is no part of the text.
    pub fn part(self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Whether `part` stands at `at`.
    pub(super) fn has(self, part: &str, at: usize) -> bool {
        self.text.get(at..).is_some_and(|text| text.starts_with(part))
    }

    /// A part of the text without the whitespace at its ends.
    pub(super) fn trimmed(self, span: Span) -> Span {
        let start = skip_space(&self.text[..span.end], span.start);
        Span::new(start, trim_end(self.text, start, span.end))
    }

    /// Whether `other` has the same kinds and levels of elements at `there` as this at `here`, cut or not alike.
    pub(super) fn is_shaped_as(self, here: Span, other: Self, there: Span) -> bool {
        let ((own, own_cuts), (others, others_cuts)) = (self.shape(here), other.shape(there));
        let kinds = |of: &'t [Element]| of.iter().map(|element| (element.kind, element.level));
        own_cuts == others_cuts && kinds(own).eq(kinds(others))
    }

    /// Whether a heading begins at a place, or around it.
    pub(super) fn is_heading(self, start: usize) -> bool {
        let first = self.within(Span::new(start, start + 1)).first();
        first.is_some_and(|element| element.kind == Kind::Heading)
    }

    /// The elements of a part, and whether its start and end cut them.
    fn shape(self, Span { start, end }: Span) -> (&'t [Element], [bool; 2]) {
        let own = self.within(Span::new(start, end));
        let starts_before = own.first().is_some_and(|element| element.span.start < start);
        let ends_behind = own.last().is_some_and(|element| element.span.end > end);
        (own, [starts_before, ends_behind])
    }

    /// The elements that a part holds or cuts.
    fn within(self, Span { start, end }: Span) -> &'t [Element] {
        let elements = self.elements.unwrap_or_default();
        let first = elements.partition_point(|element| element.span.end <= start);
        let behind = elements.partition_point(|element| element.span.start < end);
        &elements[first..behind.max(first)]
    }
}

/// A part of the new text that is to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where it stands.
    pub span: Span,
    /// How many old chunks it replaces.
    pub n_old: usize,
}
