//! Rules for Kotlin and Scala.

use chunkwright_text::syntax::code::outline::Symbol::{
    Class, Constant, Function, Import, Method, Module,
};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, child};

pub const KOTLIN: &[Rule] = &[
    named("class_declaration", Class),
    named("object_declaration", Class),
    judged("companion_object", companion),
    named("function_declaration", Function),
    row("secondary_constructor", Role::Define(Method, Name::Of(|_| Some("constructor".into())))),
    row("property_declaration", Role::Define(Constant, Name::Of(property))),
    row("type_alias", Role::Define(Constant, Name::Child(&["identifier"]))),
    row("import", Role::Define(Import, Name::Child(&["qualified_identifier"]))),
    row("lambda_literal", Role::Closure),
    row("anonymous_function", Role::Closure),
    row("class_body", Role::Body),
    row("enum_class_body", Role::Body),
    row("function_body", Role::Body),
    row("modifiers", Role::Modifiers),
    row("annotation", Role::Attribute),
    row("multiline_string_literal", Role::Whole),
    row("block_comment", Role::Whole),
];

pub const SCALA: &[Rule] = &[
    judged("package_clause", package),
    named("package_object", Class),
    named("class_definition", Class),
    named("object_definition", Class),
    named("trait_definition", Class),
    named("enum_definition", Class),
    judged("given_definition", given),
    named("function_definition", Function),
    named("function_declaration", Function),
    row("val_definition", Role::Define(Constant, Name::Field("pattern"))),
    row("var_definition", Role::Define(Constant, Name::Field("pattern"))),
    named("val_declaration", Constant),
    named("var_declaration", Constant),
    named("type_definition", Constant),
    judged("import_declaration", import),
    row("lambda_expression", Role::Closure),
    row("modifiers", Role::Modifiers),
    row("annotation", Role::Attribute),
    row("string", Role::Whole),
    row("interpolated_string_expression", Role::Whole),
    row("block_comment", Role::Whole),
];

fn companion<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.child(&["identifier"]).map(|name| site.of(name));
    Found::new(Class, name.unwrap_or("Companion")).into()
}

fn property(site: &Site<'_>) -> Option<String> {
    let name = child(site.child(&["variable_declaration"])?, &["identifier"])?;
    Some(site.of(name).to_owned())
}

/// A package in braces; one that is only named is that of the whole file.
fn package<'t>(site: &Site<'t>) -> Verdict<'t> {
    match (site.field("body"), site.field_text("name")) {
        (Some(_), Some(name)) => Found::new(Module, name).into(),
        _ => Verdict::None,
    }
}

/// A given value, which may have members.
fn given<'t>(site: &Site<'t>) -> Verdict<'t> {
    let symbol = if site.field("body").is_some() { Class } else { Constant };
    Found::new(symbol, site.field_text("name").unwrap_or_default()).into()
}

fn import<'t>(site: &Site<'t>) -> Verdict<'t> {
    Found::new(Import, site.of(site.node).trim_start_matches("import")).into()
}
