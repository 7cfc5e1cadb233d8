//! Styles of a Word file: what paragraphs of a style are, by its name and by what it is based on.

use std::cell::RefCell;
use std::collections::HashMap;

use super::tags::Tag;
use super::tree::{Node, number};

/// The outline level of what is no heading; those of headings are 0 to 8.
pub const BODY_LEVEL: i64 = 9;

/// Sort of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Any.
    #[default]
    Plain,
    /// The title of the document.
    Title,
    /// A heading.
    Heading,
    /// A line of code.
    Code,
    /// A caption.
    Caption,
    /// A quotation.
    Quote,
    /// One that goes on with an item of a list.
    Continued,
}

/// What a paragraph of a style is, if it does not say so itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    /// Its sort; never a heading, which has an outline level.
    pub sort: Sort,
    /// The outline level from 0, if the style has one.
    pub outline: Option<i64>,
    /// The numbering, if it is stated.
    pub num_id: Option<&'a str>,
    /// The level in it from 0, if it is stated.
    pub list_level: Option<i64>,
    /// How deep a list of it is nested, from 0.
    pub depth: i64,
    /// Whether it is hidden text, if the style or one that it is based on says so.
    is_hidden: Option<bool>,
}

/// The styles of a document by their ids.
pub struct Styles<'a> {
    nodes: HashMap<&'a str, Node<'a>>,
    by_id: RefCell<HashMap<&'a str, Style<'a>>>,
    default: &'a str,
    is_hidden: bool,
}

impl<'a> Styles<'a> {
    /// Those of a part of styles, if there is one. O(n).
    pub fn new(root: Option<Node<'a>>) -> Self {
        let (mut nodes, mut default) = (HashMap::new(), None);
        for node in root.into_iter().flat_map(|root| root.all(Tag::Style)) {
            let id = node.attribute("w:styleId");
            nodes.insert(id.unwrap_or_default(), node);
            let is_default = matches!(node.attribute("w:default"), Some("1" | "true" | "on"));
            if is_default && node.attribute("w:type") == Some("paragraph") && default.is_none() {
                default = Some(id.unwrap_or_default());
            }
        }
        let hidden = [Tag::Defaults, Tag::DefaultRun, Tag::RunProperties, Tag::Vanish];
        Self {
            nodes,
            by_id: RefCell::default(),
            default: default.unwrap_or_default(),
            is_hidden: root.is_some_and(|root| root.is_on(hidden)),
        }
    }

    /// The style of an id, or that of paragraphs that name none. O(1) but for the first time.
    pub fn named(&self, id: Option<&'a str>) -> Style<'a> {
        let mut styles = self.by_id.borrow_mut();
        let (mut chain, mut above) = (Vec::new(), Some(id.unwrap_or(self.default)));
        while let Some(id) = above.filter(|id| !styles.contains_key(id)) {
            // A style that is based on itself, however far around, ends there.
            styles.insert(id, Style::default());
            let node = self.nodes.get(id).copied();
            chain.push((id, node));
            above = node.and_then(|node| node.value([Tag::BasedOn]));
        }
        let mut style = above.and_then(|id| styles.get(id).copied()).unwrap_or_default();
        for (id, node) in chain.into_iter().rev() {
            style = derived(node, id, style);
            styles.insert(id, style);
        }
        style
    }

    /// Whether the text of a run, or the mark of a paragraph, is hidden, by its `w:rPr` and the style of the
    /// paragraph.
    ///
    /// What the run says itself counts. Else it is hidden if the defaults of the document say so, or if one of the
    /// styles of the paragraph and of the run does, but not both: a style toggles.
    pub fn hides(&self, properties: Option<Node<'a>>, style: Option<&'a str>) -> bool {
        if let Some(own) = properties.and_then(|properties| properties.child(Tag::Vanish)) {
            return own.is_switched_on();
        }
        let is_hidden = |style| self.named(style).is_hidden == Some(true);
        let of_run = properties.and_then(|properties| properties.value([Tag::RunStyle]));
        let by_run = of_run.is_some() && is_hidden(of_run);
        self.is_hidden || by_run != is_hidden(style)
    }
}

fn derived<'a>(node: Option<Node<'a>>, id: &str, base: Style<'a>) -> Style<'a> {
    // Some programs name a style that they do not write.
    let Some(node) = node else { return named(&id.to_lowercase(), Style::default()) };
    let name = node.value([Tag::Name]).filter(|name| !name.is_empty()).unwrap_or(id);
    let name = name.split(',').next().unwrap_or_default().trim().to_lowercase();
    let mut style = named(&name, base);
    let outline = node.value([Tag::ParagraphProperties, Tag::OutlineLevel]);
    if outline.is_some() && name != "toc heading" {
        style.outline = Some(number(outline, BODY_LEVEL));
    }
    if let Some(numbers) = node.at([Tag::ParagraphProperties, Tag::NumProperties]) {
        style.num_id = numbers.value([Tag::NumId]).filter(|id| !id.is_empty()).or(style.num_id);
        let level = numbers.value([Tag::LevelOf]);
        style.list_level = level.map(|_| number(level, 0)).or(style.list_level);
    }
    let hidden = node.at([Tag::RunProperties, Tag::Vanish]);
    style.is_hidden = hidden.map(Node::is_switched_on).or(style.is_hidden);
    style
}

/// What the name of a style says, over what it is based on. Word writes the names of its own styles in English,
/// whatever language it speaks.
fn named<'a>(name: &str, base: Style<'a>) -> Style<'a> {
    let plain = Style { sort: Sort::Plain, ..base };
    let style = |sort| Style { sort, ..base };
    if let Some(level) = heading(name) {
        return Style { outline: Some(level), ..plain };
    }
    if let Some((sort, depth)) = leveled(name) {
        return Style { depth, ..style(sort) };
    }
    match name {
        "toc heading" => Style { outline: Some(0), ..plain },
        "title" => style(Sort::Title),
        "subtitle" => Style { outline: None, ..plain },
        "caption" => style(Sort::Caption),
        "quote" | "intense quote" | "block text" => style(Sort::Quote),
        "list paragraph" => style(Sort::Continued),
        name if is_code(name) => style(Sort::Code),
        _ => base,
    }
}

/// The level from 0 of headings of such a style.
fn heading(name: &str) -> Option<i64> {
    let level = name.strip_prefix("heading")?;
    match level.strip_prefix(' ').unwrap_or(level).as_bytes() {
        [digit @ b'1'..=b'9'] => Some(i64::from(digit - b'1')),
        _ => None,
    }
}

/// What paragraphs of a style of lists are, and how deep they are nested.
fn leveled(name: &str) -> Option<(Sort, i64)> {
    let of_list = name.strip_prefix("list ")?;
    let (level, sort) =
        [("bullet", Sort::Plain), ("number", Sort::Plain), ("continue", Sort::Continued)]
            .into_iter()
            .find_map(|(word, sort)| Some((of_list.strip_prefix(word)?, sort)))?;
    match level.as_bytes() {
        [] => Some((sort, 0)),
        [b' ', digit @ b'2'..=b'5'] => Some((sort, i64::from(digit - b'1'))),
        _ => None,
    }
}

fn is_code(name: &str) -> bool {
    let without = |name: &'_ str, front: &str| {
        let rest = name.strip_prefix(front).unwrap_or(name);
        rest.strip_prefix(' ').filter(|_| rest.len() < name.len()).unwrap_or(rest).to_owned()
    };
    if let Some(rest) = without(name, "source").strip_prefix("code") {
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        return matches!(rest, "" | "block" | "listing" | "sample" | "text");
    }
    let html = name.strip_prefix("html ").unwrap_or(name);
    matches!(html, "preformatted" | "preformatted text")
        || matches!(name, "macro" | "macro text" | "verbatim")
        || without(name, "program") == "listing"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_styles_say_what_their_paragraphs_are() {
        for name in
            ["code", "source code", "sourcecode", "codeblock", "code text", "html preformatted"]
        {
            assert!(is_code(name), "{name}");
        }
        for name in ["preformatted text", "macro text", "listing", "program listing", "verbatim"] {
            assert!(is_code(name), "{name}");
        }
        for name in ["codes", "source", "html code", "coded text", "barcode"] {
            assert!(!is_code(name), "{name}");
        }
        assert_eq!([heading("heading 3"), heading("heading1")], [Some(2), Some(0)]);
        assert_eq!([heading("heading 10"), heading("heading")], [None, None]);
        assert_eq!(leveled("list continue 3"), Some((Sort::Continued, 2)));
        assert_eq!(
            [leveled("list bullet"), leveled("list bullet 6")],
            [Some((Sort::Plain, 0)), None]
        );
    }
}
