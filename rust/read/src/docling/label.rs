//! Labels of a `DoclingDocument`: what each of its nodes is.

/// Label of a node: that of an item, or the sort of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Label {
    /// A group that only holds others: a section, a slide, the body itself.
    Group,
    /// A list, which holds its items.
    List,
    /// A run of inline pieces, which make one line.
    Inline,
    /// Text under or above a table, a picture or code.
    Caption,
    /// A picture that shows a chart; deprecated.
    Chart,
    /// A footnote.
    Footnote,
    /// A formula.
    Formula,
    /// An item of a list.
    ListItem,
    /// What is repeated at the bottom of pages.
    PageFooter,
    /// What is repeated at the top of pages.
    PageHeader,
    /// A picture.
    Picture,
    /// A heading.
    SectionHeader,
    /// A table.
    Table,
    /// Text.
    Text,
    /// The title of the document.
    Title,
    /// A table of contents.
    DocumentIndex,
    /// Code.
    Code,
    /// A checked box with its text.
    CheckboxSelected,
    /// An empty box with its text.
    CheckboxUnselected,
    /// A form.
    Form,
    /// A region of keys and values.
    KeyValueRegion,
    /// A scale in a questionnaire.
    GradingScale,
    /// Text written by hand.
    HandwrittenText,
    /// A field without a value.
    EmptyValue,
    /// A paragraph.
    Paragraph,
    /// A reference.
    Reference,
    /// A region of a form.
    FieldRegion,
    /// A heading in a form.
    FieldHeading,
    /// A field of a form.
    FieldItem,
    /// The key of a field.
    FieldKey,
    /// The value of a field.
    FieldValue,
    /// A hint beside a field.
    FieldHint,
    /// A mark beside a field.
    Marker,
}

impl Label {
    /// The labels that items have, by name.
    const ITEMS: [(&'static str, Self); 30] = [
        ("caption", Self::Caption),
        ("chart", Self::Chart),
        ("footnote", Self::Footnote),
        ("formula", Self::Formula),
        ("list_item", Self::ListItem),
        ("page_footer", Self::PageFooter),
        ("page_header", Self::PageHeader),
        ("picture", Self::Picture),
        ("section_header", Self::SectionHeader),
        ("table", Self::Table),
        ("text", Self::Text),
        ("title", Self::Title),
        ("document_index", Self::DocumentIndex),
        ("code", Self::Code),
        ("checkbox_selected", Self::CheckboxSelected),
        ("checkbox_unselected", Self::CheckboxUnselected),
        ("form", Self::Form),
        ("key_value_region", Self::KeyValueRegion),
        ("grading_scale", Self::GradingScale),
        ("handwritten_text", Self::HandwrittenText),
        ("empty_value", Self::EmptyValue),
        ("paragraph", Self::Paragraph),
        ("reference", Self::Reference),
        ("field_region", Self::FieldRegion),
        ("field_heading", Self::FieldHeading),
        ("field_item", Self::FieldItem),
        ("field_key", Self::FieldKey),
        ("field_value", Self::FieldValue),
        ("field_hint", Self::FieldHint),
        ("marker", Self::Marker),
    ];

    /// The label of an item with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ITEMS.iter().find(|(known, _)| *known == name).map(|(_, label)| *label)
    }

    /// Its name; that of a group is its sort.
    pub fn name(self) -> &'static str {
        let known = Self::ITEMS.iter().find(|(_, label)| *label == self);
        known.map_or(
            match self {
                Self::List => "list",
                Self::Inline => "inline",
                _ => "group",
            },
            |(name, _)| name,
        )
    }

    /// Whether it is a group, which has no text of its own.
    pub const fn is_group(self) -> bool {
        matches!(self, Self::Group | Self::List | Self::Inline)
    }

    /// Whether it is a picture.
    pub const fn is_picture(self) -> bool {
        matches!(self, Self::Picture | Self::Chart)
    }

    /// Whether it is a table.
    pub const fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::DocumentIndex)
    }

    /// Whether it is a title or a heading, under which others stand.
    pub const fn is_heading(self) -> bool {
        matches!(self, Self::Title | Self::SectionHeader)
    }

    /// Whether it is an item that has a text.
    pub const fn is_text(self) -> bool {
        let other =
            matches!(self, Self::Form | Self::KeyValueRegion | Self::FieldRegion | Self::FieldItem);
        !(self.is_group() || self.is_picture() || self.is_table() || other)
    }
}

/// Which layer of the page a node is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Layer {
    /// The main content.
    #[default]
    Body,
    /// Headers and footers of pages.
    Furniture,
    /// Watermarks.
    Background,
    /// Hidden text.
    Invisible,
    /// Notes of the author or speaker.
    Notes,
}
