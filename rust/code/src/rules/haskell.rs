//! Rules for Haskell, where a signature and the equations of its name are one definition.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import};

use super::{Found, Name, Reach, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, child};

pub const RULES: &[Rule] = &[
    named("data_type", Class),
    named("newtype", Class),
    named("class", Class),
    row("instance", Role::Define(Class, Name::Of(instance))),
    judged("signature", signature),
    judged("function", function),
    judged("bind", bind),
    named("type_synonym", Constant),
    named("type_family", Constant),
    row("import", Role::Define(Import, Name::Field("module"))),
    row("class_declarations", Role::Body),
    row("instance_declarations", Role::Body),
    row("lambda", Role::Closure),
    row("string", Role::Whole),
    row("comment", Role::Whole),
    row("haddock", Role::Whole),
];

/// The class and the type that it is for.
fn instance(site: &Site<'_>) -> Option<String> {
    let types = site.field_text("patterns").unwrap_or_default();
    site.field_text("name").map(|name| format!("{name} {types}"))
}

/// The type of a name: that of a function or action, or of a value.
fn signature<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field_text("name").or_else(|| site.field_text("names"));
    let of = site.field_text("type").unwrap_or_default();
    let acts = of.contains("->") || of.split_whitespace().next() == Some("IO");
    let symbol = if acts { Function } else { Constant };
    Found::new(symbol, name.unwrap_or_default()).reaching(Reach::Joins).into()
}

/// An equation of a function. Types that are functions have the same kind of node, and no name.
fn function<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name =
        site.field("name").or_else(|| child(site.child(&["infix"])?, &["operator", "infix_id"]));
    let Some(name) = name else { return Verdict::None };
    let mut found = Found::new(Function, site.of(name).trim_matches('`'));
    found.body = site.field("match").map(|body| (site.node, body));
    found.reaching(Reach::Joins).into()
}

fn bind<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(name) = site.field_text("name") else { return Verdict::None };
    let mut found = Found::new(Constant, name);
    found.body = site.field("match").map(|body| (site.node, body));
    found.reaching(Reach::Joins).into()
}
