//! Tags of HTML by what they mean to the reader of pages.
//!
//! | HTML | element |
//! |---|---|
//! | `h1` to `h6` | heading of that level |
//! | `p`, and text in any other block | paragraph |
//! | `li`, `dt`, `dd` | list item |
//! | `pre`, `listing` | code, whose whitespace stays |
//! | `blockquote` | quote |
//! | `table` | table, with its cells; rows and cells outside of one are blocks |
//! | `caption`, `figcaption` | caption of the table or figure |
//! | `img` | figure, if it has an alternative text |
//! | `math` | formula |
//! | `br` | a line end |
//! | `hr`, `option`, `legend` and the like | they part the text before from that behind |
//! | `script`, `style`, `template`, `noscript`, media | nothing: they are not shown |
//! | all else | no more than what is in it |

/// Kind of an element, by what the reader does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// `div` and the like, which may stand in headings.
    Div,
    Center,
    Address,
    Article,
    Aside,
    Details,
    Dialog,
    Fieldset,
    Figure,
    Footer,
    Form,
    Header,
    HeadingGroup,
    Main,
    Nav,
    Search,
    Section,
    Summary,
    Paragraph,
    /// `h1` to `h6`.
    Heading,
    /// Code, whose whitespace is kept.
    Pre,
    Quote,
    /// `ul`, `ol`, `dl` and the like.
    List,
    /// `li`.
    Item,
    /// `dt` and `dd`.
    Term,
    /// `figcaption`.
    Caption,
    Table,
    /// A table that lays out the page, and is none.
    Layout,
    TableCaption,
    /// `thead`, `tbody` and `tfoot`.
    Rows,
    Row,
    /// `td` and `th`.
    Cell,
    Svg,
    Math,
    /// An element within a line that is hidden; what is shown is not kept.
    Inline,
    /// `hr` and the like: text before and behind it are apart.
    Break,
    /// `br`.
    LineBreak,
    /// `img`.
    Image,
    /// What has no content.
    Void,
    /// What has no tags in it, and is not shown.
    Raw,
    Title,
    /// `textarea`.
    TextArea,
    /// What is not shown, whatever is in it.
    Unseen,
}

/// How many kinds of tags there are.
pub const N_TAGS: usize = Tag::Unseen as usize + 1;

/// Elements that an item left open around them is not closed over.
const KEEPERS: [Tag; 22] = [
    Tag::Article,
    Tag::Aside,
    Tag::Caption,
    Tag::Center,
    Tag::Details,
    Tag::Fieldset,
    Tag::Figure,
    Tag::Footer,
    Tag::Form,
    Tag::Header,
    Tag::Heading,
    Tag::HeadingGroup,
    Tag::Item,
    Tag::List,
    Tag::Main,
    Tag::Nav,
    Tag::Pre,
    Tag::Quote,
    Tag::Search,
    Tag::Section,
    Tag::Summary,
    Tag::Term,
];

impl Tag {
    /// That of an element with this name, in lower case.
    pub fn named(name: &str) -> Self {
        match name {
            "p" => Self::Paragraph,
            "li" => Self::Item,
            "td" | "th" => Self::Cell,
            "tr" => Self::Row,
            "div" => Self::Div,
            "br" => Self::LineBreak,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Self::Heading,
            "img" => Self::Image,
            "ul" | "ol" | "dl" | "menu" | "dir" => Self::List,
            "section" => Self::Section,
            "article" => Self::Article,
            "pre" | "listing" => Self::Pre,
            "script" | "style" | "iframe" | "noembed" | "noframes" => Self::Raw,
            "dt" | "dd" => Self::Term,
            "blockquote" => Self::Quote,
            "table" => Self::Table,
            "thead" | "tbody" | "tfoot" => Self::Rows,
            "caption" => Self::TableCaption,
            "figure" => Self::Figure,
            "figcaption" => Self::Caption,
            "svg" => Self::Svg,
            "math" => Self::Math,
            "title" => Self::Title,
            "textarea" => Self::TextArea,
            name => Self::seldom(name),
        }
    }

    fn seldom(name: &str) -> Self {
        match name {
            "center" => Self::Center,
            "address" => Self::Address,
            "aside" => Self::Aside,
            "details" => Self::Details,
            "dialog" => Self::Dialog,
            "fieldset" => Self::Fieldset,
            "footer" => Self::Footer,
            "form" => Self::Form,
            "header" => Self::Header,
            "hgroup" => Self::HeadingGroup,
            "main" => Self::Main,
            "nav" => Self::Nav,
            "search" => Self::Search,
            "summary" => Self::Summary,
            "hr" | "html" | "head" | "body" | "frameset" | "legend" | "option" | "optgroup"
            | "plaintext" | "xmp" => Self::Break,
            "template" | "noscript" | "audio" | "video" | "canvas" | "annotation"
            | "annotation-xml" | "desc" | "metadata" => Self::Unseen,
            "area" | "base" | "basefont" | "bgsound" | "col" | "colgroup" | "embed" | "frame"
            | "input" | "keygen" | "link" | "meta" | "param" | "source" | "track" | "wbr" => {
                Self::Void
            }
            _ => Self::Inline,
        }
    }

    /// Whether it may stand in a heading or in code, and is no more than whitespace there.
    pub const fn is_soft(self) -> bool {
        matches!(self, Self::Div | Self::Center | Self::Address)
    }

    /// Whether code ends where it begins, closed or not.
    pub const fn ends_code(self) -> bool {
        matches!(
            self,
            Self::Heading
                | Self::List
                | Self::Item
                | Self::Term
                | Self::Table
                | Self::Quote
                | Self::Pre
        )
    }

    /// Elements that an open item is kept for when another one begins in them.
    pub fn keepers(self) -> impl Iterator<Item = Self> {
        KEEPERS.into_iter().filter(move |tag| *tag != self)
    }

    /// Whether it is a part of a table.
    pub const fn is_of_table(self) -> bool {
        matches!(self, Self::TableCaption | Self::Rows | Self::Row | Self::Cell)
    }

    /// Whether it stands within lines, and parts no text.
    pub const fn is_flow(self) -> bool {
        matches!(self, Self::Svg | Self::Math | Self::Inline)
    }
}
