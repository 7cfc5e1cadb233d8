//! Rules for Go.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import, Method};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, bare, child, children, unquoted};

pub const RULES: &[Rule] = &[
    named("function_declaration", Function),
    judged("method_declaration", method),
    row("func_literal", Role::Closure),
    row("type_declaration", Role::Wrap),
    judged("type_spec", type_spec),
    named("type_alias", Constant),
    named("method_elem", Method),
    row("const_declaration", Role::Wrap),
    row("var_declaration", Role::Wrap),
    row("var_spec_list", Role::Wrap),
    named("const_spec", Constant),
    named("var_spec", Constant),
    row("import_declaration", Role::Define(Import, Name::Of(import))),
    row("raw_string_literal", Role::Whole),
    row("comment", Role::Whole),
];

/// A method by the type of its receiver and its name.
fn method<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field_text("name").unwrap_or_default();
    let receiver = site
        .field("receiver")
        .and_then(|list| child(list, &["parameter_declaration"]))
        .and_then(|one| one.child_by_field_name("type"))
        .map(|of| bare(site.of(of).trim_matches(['*', '(', ')', ' '])));
    match receiver {
        Some(receiver) => Found::new(Method, format!("{receiver}.{name}")).into(),
        None => Found::new(Method, name).into(),
    }
}

/// A type with fields or methods is a class, another name for a type is a constant.
fn type_spec<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field_text("name").unwrap_or_default();
    let of = site.field("type").filter(|of| matches!(of.kind(), "struct_type" | "interface_type"));
    let Some(of) = of else { return Found::new(Constant, name).into() };
    let mut found = Found::new(Class, name);
    found.body = children(of)
        .find(|node| matches!(node.kind(), "field_declaration_list" | "{"))
        .map(|body| (of, body));
    found.into()
}

/// The path of a single import.
fn import(site: &Site<'_>) -> Option<String> {
    let path = site.child(&["import_spec"])?.child_by_field_name("path")?;
    Some(unquoted(site.of(path)).to_owned())
}
