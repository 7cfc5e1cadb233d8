//! Rules for Ruby.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import, Module};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, unquoted};

pub const RULES: &[Rule] = &[
    row("module", Role::Define(Module, Name::Of(dotted))),
    row("class", Role::Define(Class, Name::Of(dotted))),
    named("method", Function),
    named("singleton_method", Function),
    judged("assignment", assignment),
    judged("call", call),
    row("argument_list", Role::Wrap),
    row("string", Role::Whole),
    row("heredoc_body", Role::Whole),
    row("comment", Role::Whole),
];

/// Words before a method that say who may call it.
const VISIBILITIES: &[&str] =
    &["module_function", "private", "private_class_method", "protected", "public"];

/// `A.B` of `A::B`.
fn dotted(site: &Site<'_>) -> Option<String> {
    site.field_text("name").map(|name| name.replace("::", "."))
}

/// A constant; other variables are none of the file.
fn assignment<'t>(site: &Site<'t>) -> Verdict<'t> {
    match site.field("left") {
        Some(left) if matches!(left.kind(), "constant" | "scope_resolution") => {
            Found::new(Constant, site.of(left).replace("::", ".")).into()
        }
        _ => Verdict::None,
    }
}

/// What a file requires, and `private` before a method.
fn call<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field_text("method").unwrap_or_default();
    let Some(arguments) = site.field("arguments").filter(|_| site.field("receiver").is_none())
    else {
        return Verdict::None;
    };
    match arguments.named_child(0) {
        Some(path) if matches!(name, "require" | "require_relative") => {
            Found::new(Import, unquoted(site.of(path))).into()
        }
        Some(_) if VISIBILITIES.contains(&name) => Verdict::Wrap,
        _ => Verdict::None,
    }
}
