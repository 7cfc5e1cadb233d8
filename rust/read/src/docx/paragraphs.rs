//! Properties of a paragraph: what it is, by its own properties and by its style.

use super::parts::numbering::Numbering;
use super::parts::styles::{BODY_LEVEL, Sort, Style, Styles};
use super::parts::tags::Tag;
use super::parts::tree::{Node, number};

/// So says a paragraph that takes back the numbering of its style.
const NO_LIST: &str = "0";

/// What a paragraph is.
#[allow(clippy::struct_excessive_bools, reason = "Word states each by itself")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Properties<'a> {
    /// As of a style, or a heading if it has an outline level.
    pub sort: Sort,
    /// The level of a heading from 1.
    pub level: i64,
    /// Its numbering, if it has one.
    pub num_id: Option<&'a str>,
    /// The level in it from 0.
    pub list_level: i64,
    /// How deep its list is nested, from 0.
    pub depth: i64,
    /// Whether it begins a page.
    pub begins_page: bool,
    /// Whether the next paragraph goes on in its line: its end is deleted, or it is an initial.
    pub runs_on: bool,
    /// Whether its end is hidden, so that it takes no place if all of its text is hidden, too.
    pub is_hidden: bool,
    /// Whether a section ends with it.
    pub ends_section: bool,
}

impl<'a> Properties<'a> {
    /// Those of a paragraph. O(n) in its own properties.
    pub fn new(paragraph: Node<'a>, styles: &Styles<'a>, numbering: &Numbering<'a>) -> Self {
        let properties = paragraph.child(Tag::ParagraphProperties);
        let own: Vec<_> = properties.into_iter().flat_map(Node::children).collect();
        // Of two that are called so, the last counts.
        let own = |tag| own.iter().rev().copied().find(|node| node.tag() == tag);
        let value = |tag| own(tag).and_then(|node| node.attribute("w:val"));
        let style_id = value(Tag::ParagraphStyle);
        let style = styles.named(style_id);
        let stated = value(Tag::OutlineLevel);
        let outline = stated.map_or(style.outline, |_| Some(number(stated, BODY_LEVEL)));
        let outline =
            outline.filter(|at| (0..BODY_LEVEL).contains(at) && style.sort != Sort::Title);
        let (num_id, list_level) =
            list_of(own(Tag::NumProperties), &style, style_id, styles, numbering);
        let mark = own(Tag::RunProperties);
        let is_deleted = mark.is_some_and(|mark| mark.child(Tag::Deleted).is_some());
        let initial = own(Tag::Frame).and_then(|frame| frame.attribute("w:dropCap"));
        Self {
            sort: if outline.is_some() { Sort::Heading } else { style.sort },
            level: outline.map_or(0, |at| at + 1),
            num_id,
            list_level,
            depth: list_level.max(style.depth),
            begins_page: own(Tag::BeginsPage).is_some_and(Node::is_switched_on),
            runs_on: is_deleted || matches!(initial, Some("drop" | "margin")),
            is_hidden: styles.hides(mark, style_id),
            ends_section: own(Tag::Section).is_some(),
        }
    }

    /// The label of the paragraph, which is counted if it has one and is not all hidden.
    pub fn label(
        &self,
        has_text: bool,
        styles: &Styles<'a>,
        numbering: &Numbering<'a>,
    ) -> Option<String> {
        let is_gone = self.is_hidden && !has_text;
        numbering.label(self.num_id.filter(|_| !is_gone)?, self.list_level, styles)
    }
}

/// The numbering of a paragraph, and its level in it.
fn list_of<'a>(
    numbers: Option<Node<'a>>,
    style: &Style<'a>,
    style_id: Option<&'a str>,
    styles: &Styles<'a>,
    numbering: &Numbering<'a>,
) -> (Option<&'a str>, i64) {
    let stated = numbers.and_then(|numbers| numbers.value([Tag::NumId]));
    let num_id = stated.filter(|id| !id.is_empty()).or(style.num_id);
    let Some(num_id) = num_id.filter(|&id| id != NO_LIST) else { return (None, 0) };
    let level = numbers.and_then(|numbers| numbers.value([Tag::LevelOf]));
    let of_style = || numbering.level_of(num_id, style_id, styles).or(style.list_level);
    let level = level.map_or_else(|| of_style().unwrap_or(0), |_| number(level, 0));
    (Some(num_id), level)
}
