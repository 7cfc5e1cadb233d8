//! Element table of a document: the kinds, levels, places and cells of its headings, paragraphs and tables.

use crate::grid::Grid;
use crate::span::Span;

/// Sort of an element, in one vocabulary for all readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 13] = [
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
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One element.
#[derive(Clone, Debug, Default)]
pub struct Element {
    /// What it is.
    pub kind: Kind,
    /// Its text in the document's; empty if it has none. Spans of later elements lie behind it.
    pub span: Span,
    /// The page that it says it is on.
    pub page: Option<i64>,
    /// The rows and cells of a table; their texts are spans of the document's text.
    pub grid: Option<Box<Grid>>,
}
