//! Sections of a Word file: the headers and footers of each, and whether it begins a page.

use super::tags::Tag;
use super::tree::Node;
use chunkwright_text::elements::Kind;

/// A section, by its properties.
#[derive(Clone, Copy)]
pub struct Section<'a>(Node<'a>);

impl<'a> Section<'a> {
    /// The sections of a document, but for what they were before a tracked change.
    pub fn all(root: Node<'a>) -> Vec<Self> {
        let is_now =
            |node: &Node<'a>| node.parent().is_none_or(|parent| parent.tag() != Tag::SectionBefore);
        root.all(Tag::Section).filter(is_now).map(Self).collect()
    }

    /// Whether it begins a page.
    pub fn begins_page(self) -> bool {
        !matches!(self.0.value([Tag::Type]), Some("continuous" | "nextColumn"))
    }

    /// The kinds and relations of its headers and footers that are shown.
    pub fn references(self, has_even: bool) -> impl Iterator<Item = (Kind, &'a str)> {
        let has_first = self.0.is_on([Tag::TitlePage]);
        self.0.children().filter_map(move |node| {
            let kind = match node.tag() {
                Tag::HeaderReference => Kind::PageHeader,
                Tag::FooterReference => Kind::PageFooter,
                _ => return None,
            };
            let is_shown = match node.attribute("w:type").filter(|of| !of.is_empty()) {
                None | Some("default") => true,
                Some("first") => has_first,
                Some("even") => has_even,
                Some(_) => false,
            };
            is_shown.then(|| (kind, node.attribute("r:id").unwrap_or_default()))
        })
    }
}
