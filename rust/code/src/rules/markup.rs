//! Rules for HTML, Svelte and CSS.

use chunkwright_text::syntax::code::outline::Symbol::{Block, Import};

use super::{Found, Name, Role, Rule, Verdict, judged, row};
use crate::site::{Site, child, children, unquoted};

pub const HTML: &[Rule] = &[
    judged("element", element),
    judged("script_element", element),
    judged("style_element", element),
    row("text", Role::Whole),
    row("comment", Role::Whole),
];

pub const SVELTE: &[Rule] = &[
    judged("if_statement", logic),
    judged("each_statement", logic),
    judged("await_statement", logic),
    judged("key_statement", logic),
    judged("snippet_statement", logic),
];

pub const CSS: &[Rule] = &[
    row("rule_set", Role::Define(Block, Name::Child(&["selectors"]))),
    row("media_statement", Role::Define(Block, Name::Of(at_rule))),
    row("supports_statement", Role::Define(Block, Name::Of(at_rule))),
    row("keyframes_statement", Role::Define(Block, Name::Of(at_rule))),
    row("at_rule", Role::Define(Block, Name::Of(at_rule))),
    judged("import_statement", import),
    row("block", Role::Body),
    row("keyframe_block_list", Role::Body),
    row("comment", Role::Whole),
];

/// An element of the page: what a document, or its body, holds. Those in it are none.
fn element<'t>(site: &Site<'t>) -> Verdict<'t> {
    let tags = ["start_tag", "self_closing_tag"];
    let Some(tag) = site.child(&tags).filter(|_| site.n_around == 0) else { return Verdict::None };
    let name = child(tag, &["tag_name"]).map(|name| site.of(name)).unwrap_or_default();
    if name.eq_ignore_ascii_case("html") || name.eq_ignore_ascii_case("body") {
        return Verdict::None;
    }
    let name = match attribute(site, tag, "id") {
        Some(id) => format!("{name}#{id}"),
        None => name.to_owned(),
    };
    Found::new(Block, name).with_body_behind(site.node, &tags).into()
}

/// The value of an attribute.
fn attribute<'t>(site: &Site<'t>, tag: tree_sitter::Node<'t>, name: &str) -> Option<&'t str> {
    children(tag).find_map(|node| {
        let own = child(node, &["attribute_name"]).filter(|own| site.of(*own) == name);
        own.and(child(node, &["quoted_attribute_value"])).map(|value| unquoted(site.of(value)))
    })
}

/// A part of a page that is shown under a condition, or again and again.
fn logic<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(start) = site.node.named_child(0).filter(|_| site.n_around == 0) else {
        return Verdict::None;
    };
    let name = site.of(start).trim_matches(['{', '}', '#', ' ']);
    Found::new(Block, name).into()
}

/// What a rule says before its block.
fn at_rule(site: &Site<'_>) -> Option<String> {
    let said = site.of(site.node).split(['{', ';']).next()?;
    Some(said.to_owned())
}

fn import<'t>(site: &Site<'t>) -> Verdict<'t> {
    let said = site.of(site.node).trim_start_matches("@import").trim_end_matches(';');
    Found::new(Import, unquoted(said.trim())).into()
}
