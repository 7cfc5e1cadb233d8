//! Rules for SQL.

use chunkwright_text::syntax::code::outline::Symbol::{Block, Function};

use super::{Found, Role, Rule, Verdict, judged, row};
use crate::site::{Site, child};

pub const RULES: &[Rule] = &[
    judged("statement", statement),
    row("marginalia", Role::Whole),
    row("comment", Role::Whole),
    row("literal", Role::Whole),
];

/// A statement under the name of what it creates or changes.
fn statement<'t>(site: &Site<'t>) -> Verdict<'t> {
    if site.n_around > 0 {
        return Verdict::None;
    }
    let Some(what) = site.node.named_child(0) else { return Verdict::None };
    let symbol = match what.kind() {
        "create_function" | "create_procedure" => Function,
        _ => Block,
    };
    let name = match what.kind() {
        "select" | "keyword_with" => None,
        "create_index" => child(what, &["identifier"]),
        "delete" => child(site.child(&["from"]).unwrap_or(what), &["object_reference"]),
        _ => child(what, &["object_reference"])
            .or_else(|| child(child(what, &["relation"])?, &["object_reference"]))
            .or_else(|| child(what, &["identifier"])),
    };
    let mut found = Found::new(symbol, name.map(|name| site.of(name)).unwrap_or_default());
    found.body = child(what, &["function_body"]).map(|body| (what, body));
    found.into()
}
