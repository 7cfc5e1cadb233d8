//! Rules for Zig.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, child, children, unquoted};

pub const RULES: &[Rule] = &[
    named("function_declaration", Function),
    judged("variable_declaration", variable),
    row("test_declaration", Role::Define(Function, Name::Of(test))),
    row("block", Role::Body),
    row("multiline_string", Role::Whole),
];

const TYPES: &[&str] = &[
    "struct_declaration",
    "enum_declaration",
    "union_declaration",
    "opaque_declaration",
    "error_set_declaration",
];

/// A type, a module or a value under a name.
fn variable<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(name) = site.child(&["identifier"]).map(|name| site.of(name)) else {
        return Verdict::None;
    };
    if let Some(of) = site.child(TYPES) {
        let mut found = Found::new(Class, name);
        found.body = children(of).find(|node| node.kind() == "{").map(|brace| (of, brace));
        return found.into();
    }
    let call = site.child(&["builtin_function"]);
    let call = call.or_else(|| child(site.child(&["field_expression"])?, &["builtin_function"]));
    let path = call.and_then(|call| {
        child(call, &["builtin_identifier"]).filter(|name| site.of(*name) == "@import")?;
        child(call, &["arguments"])?.named_child(0)
    });
    match path {
        Some(path) => Found::new(Import, unquoted(site.of(path))).into(),
        None => Found::new(Constant, name).into(),
    }
}

fn test(site: &Site<'_>) -> Option<String> {
    site.child(&["string", "identifier"]).map(|name| unquoted(site.of(name)).to_owned())
}
