//! Element table of a document: the kinds, levels, places and cells of its headings, paragraphs and tables.
//!
//! An element table is flat: elements in reading order, each with its level and the number of its parent. A tree
//! would say the same, but a strategy goes over elements from left to right, and spans that ascend make every
//! range of elements one slice of the text. What few elements have, such as several pages or boxes, stands in
//! sparse columns beside it ([`Read`](crate::read::Read)); so an element has 48 bytes, and a table of a million
//! fits in 48 MB.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::grid::Grid;
use crate::span::Span;

/// Sort of an element, in one vocabulary for all readers.
///
/// ```
/// use chunkwright_text::elements::Kind;
///
/// assert_eq!(Kind::named("list item"), Some(Kind::ListItem));
/// assert_eq!(Kind::ALL.map(Kind::name)[..3], ["paragraph", "heading", "list"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    /// Any text.
    #[default]
    Paragraph,
    /// A title or heading, which begins a section.
    Heading,
    /// A group of list items.
    List,
    /// An item of a list.
    ListItem,
    /// A table, which is split by rows.
    Table,
    /// A picture or a chart; its text, if any, is what stands in it.
    Figure,
    /// What stands under or above a figure or a table.
    Caption,
    /// Code, whose whitespace is kept.
    Code,
    /// A quotation.
    Quote,
    /// A formula.
    Formula,
    /// A footnote.
    Footnote,
    /// What is repeated at the top of pages.
    PageHeader,
    /// What is repeated at the bottom of pages.
    PageFooter,
    /// What one speaker of a conversation says at a time.
    Turn,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 14] = [
        Self::Paragraph,
        Self::Heading,
        Self::List,
        Self::ListItem,
        Self::Table,
        Self::Figure,
        Self::Caption,
        Self::Code,
        Self::Quote,
        Self::Formula,
        Self::Footnote,
        Self::PageHeader,
        Self::PageFooter,
        Self::Turn,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::Heading => "heading",
            Self::List => "list",
            Self::ListItem => "list item",
            Self::Table => "table",
            Self::Figure => "figure",
            Self::Caption => "caption",
            Self::Code => "code",
            Self::Quote => "quote",
            Self::Formula => "formula",
            Self::Footnote => "footnote",
            Self::PageHeader => "page header",
            Self::PageFooter => "page footer",
            Self::Turn => "turn",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of several elements together: the one that all of them are of, but for headings and captions
    /// beside others. Several items are a list; elements of different kinds, and none, are a paragraph.
    ///
    /// # Examples
    /// ```
    /// use chunkwright_text::elements::Kind;
    ///
    /// assert_eq!(Kind::of_all([Kind::Heading, Kind::Code, Kind::Code]), Kind::Code);
    /// assert_eq!(Kind::of_all([Kind::ListItem, Kind::ListItem]), Kind::List);
    /// assert_eq!(Kind::of_all([Kind::Table, Kind::Paragraph]), Kind::Paragraph);
    /// ```
    pub fn of_all(kinds: impl IntoIterator<Item = Self>) -> Self {
        let (mut beside, mut found) = (None, None);
        for kind in kinds {
            match (kind, found) {
                (Self::Heading | Self::Caption, _) => beside = beside.or(Some(kind)),
                (kind, None) => found = Some(kind),
                (Self::List | Self::ListItem, Some(Self::List | Self::ListItem)) => {
                    found = Some(Self::List);
                }
                (kind, Some(of_others)) if kind == of_others => {}
                _ => return Self::Paragraph,
            }
        }
        found.or(beside).unwrap_or_default()
    }
}

/// One element.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Element {
    /// Its kind.
    pub kind: Kind,
    /// How deep it is nested among those of its kind, from 1; 0 if that is not known.
    pub level: u8,
    /// Whether it is the first item of a list that has no element of its own.
    pub begins_list: bool,
    /// The element before it that it belongs to.
    pub parent: Parent,
    /// Its text in the document's; empty if it has none. Spans of later elements lie behind it.
    pub span: Span,
    /// The page that it says it is on; of several the first.
    pub page: Option<i64>,
    /// The rows and cells of a table; their texts are spans of the document's text.
    pub grid: Option<Box<Grid>>,
}

/// The number of the element that one belongs to, in four bytes; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent(Option<NonZeroU32>);

impl Parent {
    /// The parent with the number `i`; none if no document has so many elements.
    pub fn of(i: usize) -> Self {
        Self(u32::try_from(i).ok().and_then(|i| i.checked_add(1)).and_then(NonZeroU32::new))
    }

    /// The number of the parent, if there is one.
    pub fn get(self) -> Option<usize> {
        self.0.and_then(|one_past| usize::try_from(one_past.get() - 1).ok())
    }
}

/// Whether `page` is a number that a page was given, not one that stands for another value: readers give equal
/// ones of those equal numbers below all that pages have.
pub const fn is_page_number(page: i64) -> bool {
    page > i64::MIN / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_elements_have_one_kind() {
        use Kind::*;
        for (kinds, kind) in [
            (&[][..], Paragraph),
            (&[Heading], Heading),
            (&[Heading, Caption], Heading),
            (&[Caption, Table], Table),
            (&[ListItem], ListItem),
            (&[List, ListItem], List),
            (&[ListItem, Paragraph], Paragraph),
            (&[Quote, Quote], Quote),
            (&[Quote, Code], Paragraph),
        ] {
            assert_eq!(Kind::of_all(kinds.iter().copied()), kind, "{kinds:?}");
        }
    }

    #[test]
    fn a_parent_is_small() {
        assert_eq!(Parent::default().get(), None);
        assert_eq!(Parent::of(7).get(), Some(7));
        assert_eq!(Parent::of(usize::MAX).get(), None);
        assert_eq!(size_of::<Element>(), 48);
    }
}
