//! Tree of a part: its elements, by what Word calls them, within bounds.

use std::borrow::Cow;

use roxmltree::{Document, ParsingOptions};

use super::tags::{Tag, prefix_of};

/// Elements are nested no deeper, so that a recursion over them ends.
const MAX_DEPTH: u16 = 256;
/// One text is no longer, in bytes.
const MAX_TEXT: usize = 10_000_000;

/// A part of a Word file as a tree.
pub struct Tree<'t> {
    document: Document<'t>,
    /// The tag of each node by its number.
    tags: Vec<Tag>,
}

impl<'t> Tree<'t> {
    /// The tree of a text; what is wrong with it if it is none. O(n).
    pub fn new(text: &'t str) -> Result<Self, String> {
        let document = Document::parse_with_options(text, ParsingOptions::default());
        let document = document.map_err(|error| match error {
            roxmltree::Error::DtdDetected => {
                "a document type, which no part of a Word file has".to_owned()
            }
            error => format!("not well-formed XML: {error}"),
        })?;
        let tags = tags_of(&document)?;
        Ok(Self { document, tags })
    }

    /// Its outermost element.
    pub fn root(&self) -> Node<'_> {
        Node { node: self.document.root_element(), tags: &self.tags }
    }
}

fn tags_of(document: &Document<'_>) -> Result<Vec<Tag>, String> {
    let mut tags = Vec::new();
    let mut depths: Vec<u16> = Vec::new();
    // Nodes of a namespace share its text.
    let mut prefixes: Vec<(*const u8, &str)> = Vec::new();
    for node in document.descendants() {
        let parent = node.parent().and_then(|parent| depths.get(parent.id().get_usize()));
        let depth = parent.map_or(0, |depth| depth + 1);
        if depth > MAX_DEPTH && node.is_element() {
            return Err(format!("not well-formed XML: nested deeper than {MAX_DEPTH} elements"));
        }
        if node.is_text() && node.text().is_some_and(|text| text.len() > MAX_TEXT) {
            return Err(format!("a text of more than {} MB", MAX_TEXT / 1_000_000));
        }
        depths.push(depth);
        let name = node.tag_name();
        let tag = name.namespace().filter(|_| node.is_element()).map(|namespace| {
            let known = prefixes.iter().find(|(at, _)| *at == namespace.as_ptr());
            let prefix = known.map_or_else(|| prefix_of(namespace), |(_, prefix)| prefix);
            if known.is_none() && prefixes.len() < usize::from(u8::MAX) {
                prefixes.push((namespace.as_ptr(), prefix));
            }
            Tag::named(prefix, name.name())
        });
        tags.push(tag.unwrap_or(Tag::Other));
    }
    Ok(tags)
}

/// An element.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    node: roxmltree::Node<'t, 't>,
    tags: &'t [Tag],
}

impl<'t> Node<'t> {
    /// What it is called.
    pub fn tag(self) -> Tag {
        self.tags.get(self.node.id().get_usize()).copied().unwrap_or(Tag::Other)
    }

    /// What it is called, without its namespace.
    pub fn local_name(self) -> &'t str {
        self.node.tag_name().name()
    }

    fn with(self, node: roxmltree::Node<'t, 't>) -> Self {
        Self { node, ..self }
    }

    /// The elements in it.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Self> {
        let elements = self.node.children().filter(roxmltree::Node::is_element);
        elements.map(move |node| self.with(node))
    }

    /// Itself and all elements below it, in order.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        let elements = self.node.descendants().filter(roxmltree::Node::is_element);
        elements.map(move |node| self.with(node))
    }

    /// Those below it, or itself, that are called so.
    pub fn all(self, tag: Tag) -> impl Iterator<Item = Self> {
        self.descendants().filter(move |node| node.tag() == tag)
    }

    /// The element that it is in.
    pub fn parent(self) -> Option<Self> {
        self.node.parent_element().map(|node| self.with(node))
    }

    /// The first element in it that is called so.
    pub fn child(self, tag: Tag) -> Option<Self> {
        self.children().find(|node| node.tag() == tag)
    }

    /// The first element below it on a path of names.
    pub fn at<const N: usize>(self, path: [Tag; N]) -> Option<Self> {
        path.into_iter().try_fold(self, Self::child)
    }

    /// The attribute `w:val` of the first element on a path of names.
    pub fn value<const N: usize>(self, path: [Tag; N]) -> Option<&'t str> {
        self.at(path)?.attribute("w:val")
    }

    /// An attribute, by its name with a prefix if it has one.
    pub fn attribute(self, name: &str) -> Option<&'t str> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let is_it = |namespace: Option<&str>| match namespace {
            None => prefix.is_empty(),
            Some(namespace) => !prefix.is_empty() && prefix_of(namespace) == prefix,
        };
        let mut attributes = self.node.attributes();
        let attribute = attributes.find(|each| each.name() == local && is_it(each.namespace()));
        attribute.map(|attribute| attribute.value())
    }

    /// Whether the switch on a path of names is there and not off.
    pub fn is_on<const N: usize>(self, path: [Tag; N]) -> bool {
        self.at(path).is_some_and(Self::is_switched_on)
    }

    /// Whether this switch is not off.
    pub fn is_switched_on(self) -> bool {
        let off = ["0", "false", "off", "none"];
        let value = self.attribute("w:val").unwrap_or_default();
        !off.iter().any(|off| value.eq_ignore_ascii_case(off))
    }

    /// The text in front of the elements in it.
    pub fn text(self) -> Cow<'t, str> {
        let nodes = self.node.children().take_while(|node| !node.is_element());
        let mut texts = nodes.filter(roxmltree::Node::is_text).filter_map(|node| node.text());
        let first = texts.next().unwrap_or_default();
        // A comment parts a text.
        texts.fold(Cow::Borrowed(first), |text, more| text + more)
    }

    /// The branch of `mc:AlternateContent` to read, which has the same content in each: the first that holds
    /// anything known, else the first.
    pub fn alternative(self) -> Option<Self> {
        let mut branches =
            self.children().filter(|node| matches!(node.tag(), Tag::Choice | Tag::Fallback));
        let first = branches.next()?;
        let mut all = std::iter::once(first).chain(branches);
        Some(
            all.find(|branch| branch.descendants().any(|node| is_content(node.tag())))
                .unwrap_or(first),
        )
    }
}

const fn is_content(tag: Tag) -> bool {
    use Tag::{Chart, DiagramIds, ImageData, MathText, Picture, T, TextBox};
    matches!(tag, T | TextBox | Picture | ImageData | Chart | DiagramIds | MathText)
}

/// The whole number that stands in an attribute; the default if there is none.
pub fn number(text: Option<&str>, default: i64) -> i64 {
    let digits = text.unwrap_or_default().trim();
    // A number of Word has 32 bits.
    let is_number = digits.len() < 10 && !digits.starts_with('+');
    digits.parse().ok().filter(|_| is_number).unwrap_or(default)
}
