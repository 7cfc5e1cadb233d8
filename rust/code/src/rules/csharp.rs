//! Rules for C#.

use chunkwright_text::syntax::code::outline::Symbol::{
    Class, Constant, Function, Import, Method, Module,
};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, Within, child};

pub const RULES: &[Rule] = &[
    named("namespace_declaration", Module),
    named("class_declaration", Class),
    named("struct_declaration", Class),
    named("record_declaration", Class),
    named("interface_declaration", Class),
    named("enum_declaration", Class),
    named("method_declaration", Method),
    named("constructor_declaration", Method),
    row("destructor_declaration", Role::Define(Method, Name::Of(destructor))),
    row("operator_declaration", Role::Define(Method, Name::Of(operator))),
    row("conversion_operator_declaration", Role::Define(Method, Name::Of(conversion))),
    row("indexer_declaration", Role::Define(Method, Name::Of(|_| Some("this".into())))),
    judged("property_declaration", property),
    named("event_declaration", Constant),
    row("event_field_declaration", Role::Define(Constant, Name::Of(variable))),
    row("field_declaration", Role::Define(Constant, Name::Of(variable))),
    named("delegate_declaration", Constant),
    named("local_function_statement", Function),
    judged("using_directive", using),
    row("lambda_expression", Role::Closure),
    row("anonymous_method_expression", Role::Closure),
    row("attribute_list", Role::Attribute),
    row("accessor_list", Role::Body),
    row("arrow_expression_clause", Role::Body),
    row("string_literal", Role::Whole),
    row("verbatim_string_literal", Role::Whole),
    row("raw_string_literal", Role::Whole),
    row("interpolated_string_expression", Role::Whole),
    row("comment", Role::Whole),
];

/// The name of the first variable that is declared.
fn variable(site: &Site<'_>) -> Option<String> {
    let variables = site.child(&["variable_declaration"])?;
    let name = child(variables, &["variable_declarator"])?.child_by_field_name("name")?;
    Some(site.of(name).to_owned())
}

fn destructor(site: &Site<'_>) -> Option<String> {
    site.field_text("name").map(|name| format!("~{name}"))
}

fn operator(site: &Site<'_>) -> Option<String> {
    site.field_text("operator").map(|sign| format!("operator {sign}"))
}

fn conversion(site: &Site<'_>) -> Option<String> {
    site.field_text("type").map(|of| format!("operator {of}"))
}

/// A property: a value with a name, whatever its accessors do.
fn property<'t>(site: &Site<'t>) -> Verdict<'t> {
    Found::new(Constant, site.field_text("name").unwrap_or_default()).into()
}

/// `using` at the top of a file or namespace.
fn using<'t>(site: &Site<'t>) -> Verdict<'t> {
    let names = ["qualified_name", "alias_qualified_name", "generic_name", "identifier"];
    let name = site.field("name").or_else(|| site.child(&names));
    if site.within == Within::Function {
        return Verdict::None;
    }
    Found::new(Import, name.map(|name| site.of(name)).unwrap_or_default()).into()
}
