//! Rules for PHP.

use chunkwright_text::syntax::code::outline::Symbol::{
    Class, Constant, Function, Import, Method, Module,
};

use super::{Found, Name, Reach, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, Within, child, unquoted};

pub const RULES: &[Rule] = &[
    judged("namespace_definition", namespace),
    named("class_declaration", Class),
    named("interface_declaration", Class),
    named("trait_declaration", Class),
    named("enum_declaration", Class),
    named("function_definition", Function),
    named("method_declaration", Method),
    row("const_declaration", Role::Define(Constant, Name::Of(constant))),
    row("property_declaration", Role::Define(Constant, Name::Of(property))),
    row("namespace_use_declaration", Role::Define(Import, Name::Of(used))),
    row("expression_statement", Role::Wrap),
    judged("assignment_expression", assignment),
    judged("function_call_expression", define),
    row("require_expression", Role::Define(Import, Name::Of(path))),
    row("require_once_expression", Role::Define(Import, Name::Of(path))),
    row("include_expression", Role::Define(Import, Name::Of(path))),
    row("include_once_expression", Role::Define(Import, Name::Of(path))),
    row("anonymous_function", Role::Closure),
    row("arrow_function", Role::Closure),
    row("for_statement", Role::Closure),
    row("foreach_statement", Role::Closure),
    row("while_statement", Role::Closure),
    row("do_statement", Role::Closure),
    row("attribute_list", Role::Attribute),
    row("string", Role::Whole),
    row("encapsed_string", Role::Whole),
    row("heredoc", Role::Whole),
    row("nowdoc", Role::Whole),
    row("text", Role::Whole),
    row("comment", Role::Whole),
];

fn dotted(name: &str) -> String {
    name.trim_matches('\\').replace('\\', ".")
}

/// A namespace: what stands in its braces, or all up to the next.
fn namespace<'t>(site: &Site<'t>) -> Verdict<'t> {
    let found = Found::new(Module, site.field_text("name").map(dotted).unwrap_or_default());
    match site.field("body") {
        Some(_) => found.into(),
        None => found.reaching(Reach::ToNext).into(),
    }
}

fn constant(site: &Site<'_>) -> Option<String> {
    let name = child(site.child(&["const_element"])?, &["name"])?;
    Some(site.of(name).to_owned())
}

fn property(site: &Site<'_>) -> Option<String> {
    let name = site.child(&["property_element"])?.child_by_field_name("name")?;
    Some(site.of(name).trim_start_matches('$').to_owned())
}

fn used(site: &Site<'_>) -> Option<String> {
    let clause = site.child(&["namespace_use_clause", "namespace_name"])?;
    let name = child(clause, &["qualified_name", "name"]).unwrap_or(clause);
    Some(dotted(site.of(name)))
}

/// A variable of the file, and functions and objects that it may be.
fn assignment<'t>(site: &Site<'t>) -> Verdict<'t> {
    match site.field("left") {
        Some(left) if left.kind() == "variable_name" && site.within == Within::File => {
            Found::new(Constant, site.of(left).trim_start_matches('$')).into()
        }
        _ => Verdict::None,
    }
}

/// A constant that `define` is called for.
fn define<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site
        .field_text("function")
        .filter(|name| *name == "define")
        .and_then(|_| site.field("arguments")?.named_child(0));
    name.map_or(Verdict::None, |name| Found::new(Constant, unquoted(site.of(name))).into())
}

fn path(site: &Site<'_>) -> Option<String> {
    site.node.named_child(0).map(|path| unquoted(site.of(path)).to_owned())
}
