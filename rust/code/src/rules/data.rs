//! Rules for YAML, TOML, HCL and Dockerfiles.

use chunkwright_text::syntax::code::outline::Symbol::{Block, Constant};

use super::{Found, Reach, Role, Rule, Verdict, judged, row};
use crate::site::{Site, Within, children, unquoted};

pub const YAML: &[Rule] = &[
    judged("block_mapping_pair", entry),
    // Entries of items of a list are no names of the file.
    row("block_sequence", Role::Closure),
    row("block_scalar", Role::Whole),
    row("double_quote_scalar", Role::Whole),
    row("single_quote_scalar", Role::Whole),
];

pub const TOML: &[Rule] = &[
    judged("table", table),
    judged("table_array_element", table),
    row("pair", Role::Body),
    row("string", Role::Whole),
];

pub const HCL: &[Rule] = &[
    judged("block", block),
    judged("attribute", argument),
    row("body", Role::Body),
    row("heredoc_template", Role::Whole),
    row("comment", Role::Whole),
];

pub const DOCKERFILE: &[Rule] =
    &[judged("from_instruction", stage), row("heredoc_block", Role::Whole)];

/// An entry of the file, or of a mapping in one.
fn entry<'t>(site: &Site<'t>) -> Verdict<'t> {
    if site.n_around > 1 || site.within == Within::Function {
        return Verdict::None;
    }
    let mut found = Found::new(Block, unquoted(site.field_text("key").unwrap_or_default()));
    found.body = site
        .field("value")
        .filter(|value| value.kind() == "block_node")
        .map(|value| (site.node, value));
    found.into()
}

/// A table with its entries.
fn table<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.child(&["dotted_key", "bare_key", "quoted_key"]);
    Found::new(Block, name.map(|name| site.of(name)).unwrap_or_default()).into()
}

/// A block under its kind and labels: `resource.aws_instance.web`. Those deep in others are none.
fn block<'t>(site: &Site<'t>) -> Verdict<'t> {
    if site.n_around > 1 {
        return Verdict::None;
    }
    let labels: Vec<&str> = children(site.node)
        .take_while(|node| node.kind() != "block_start")
        .map(|node| unquoted(site.of(node)))
        .collect();
    Found::new(Block, labels.join(".")).into()
}

/// A value of the file.
fn argument<'t>(site: &Site<'t>) -> Verdict<'t> {
    match site.child(&["identifier"]) {
        Some(name) if site.n_around == 0 => Found::new(Constant, site.of(name)).into(),
        _ => Verdict::None,
    }
}

/// A stage: from its first line to the next.
fn stage<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field("as").or_else(|| site.child(&["image_spec"]));
    let name = name.map(|name| site.of(name)).unwrap_or_default();
    Found::new(Block, name).reaching(Reach::ToNext).into()
}
