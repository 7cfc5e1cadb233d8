//! Rules for Lua and Bash.

use chunkwright_text::syntax::code::outline::Symbol::{Constant, Function, Import, Method};
use tree_sitter::Node;

use super::{Found, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, Within, child, unquoted};

pub const LUA: &[Rule] = &[
    judged("function_declaration", function),
    row("variable_declaration", Role::Wrap),
    judged("assignment_statement", assignment),
    judged("field", field),
    row("function_definition", Role::Closure),
    row("string", Role::Whole),
    row("comment", Role::Whole),
];

pub const BASH: &[Rule] = &[
    named("function_definition", Function),
    row("declaration_command", Role::Wrap),
    judged("variable_assignment", variable),
    judged("command", source),
    row("string", Role::Whole),
    row("raw_string", Role::Whole),
    row("heredoc_body", Role::Whole),
];

/// A function under its path: `M.f` of `M.f` and of `M:f`, which is a method.
fn function<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(name) = site.field("name") else { return Verdict::Closure };
    let symbol = if name.kind() == "method_index_expression" { Method } else { Function };
    Found::new(symbol, site.of(name).replace(':', ".")).into()
}

/// A function, a module or a value that a variable is given.
fn assignment<'t>(site: &Site<'t>) -> Verdict<'t> {
    let left = site.child(&["variable_list"]).and_then(|list| list.named_child(0));
    let right = site.child(&["expression_list"]).and_then(|list| list.named_child(0));
    let (Some(left), Some(right)) = (left, right) else { return Verdict::None };
    let name = site.of(left).replace(':', ".");
    match right.kind() {
        "function_definition" => Found::new(Function, name).with_body_of(right).into(),
        "function_call" if left.kind() == "identifier" => {
            required(site, right).unwrap_or_else(|| Found::new(Constant, name)).into()
        }
        _ if left.kind() == "identifier" => Found::new(Constant, name).into(),
        _ => Verdict::None,
    }
}

/// What `require` brings in.
fn required<'t>(site: &Site<'t>, call: Node<'t>) -> Option<Found<'t>> {
    call.child_by_field_name("name").filter(|name| site.of(*name) == "require")?;
    let path = call.child_by_field_name("arguments")?.named_child(0)?;
    Some(Found::new(Import, unquoted(site.of(path))))
}

/// A function of a table of the file.
fn field<'t>(site: &Site<'t>) -> Verdict<'t> {
    match (site.field_text("name"), site.field("value")) {
        (Some(name), Some(value))
            if value.kind() == "function_definition" && site.within != Within::Function =>
        {
            Found::new(Function, name).with_body_of(value).into()
        }
        _ => Verdict::None,
    }
}

/// A variable of the script; not one before a command, or in a loop.
fn variable<'t>(site: &Site<'t>) -> Verdict<'t> {
    match site.field_text("name") {
        Some(name) if matches!(site.parent_kind(), "program" | "declaration_command") => {
            Found::new(Constant, name).into()
        }
        _ => Verdict::None,
    }
}

/// A script that is read in.
fn source<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field_text("name").unwrap_or_default();
    let path = site.field("argument").or_else(|| child(site.node, &["word"]));
    match path {
        Some(path) if matches!(name, "source" | ".") => {
            Found::new(Import, unquoted(site.of(path))).into()
        }
        _ => Verdict::None,
    }
}
