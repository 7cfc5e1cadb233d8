//! Rules for Julia.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import, Module};
use tree_sitter::Node;

use super::{Found, Name, Role, Rule, Verdict, judged, row};
use crate::site::{Site, bare};

pub const RULES: &[Rule] = &[
    judged("module_definition", module),
    judged("struct_definition", class),
    judged("abstract_definition", class),
    judged("primitive_definition", class),
    judged("function_definition", function),
    judged("macro_definition", function),
    judged("assignment", assignment),
    row("const_statement", Role::Wrap),
    row("using_statement", Role::Define(Import, Name::Of(imported))),
    row("import_statement", Role::Define(Import, Name::Of(imported))),
    row("macrocall_expression", Role::Wrap),
    row("macro_argument_list", Role::Wrap),
    row("arrow_function_expression", Role::Closure),
    row("do_clause", Role::Closure),
    row("for_statement", Role::Closure),
    row("while_statement", Role::Closure),
    row("string_literal", Role::Whole),
    row("prefixed_string_literal", Role::Whole),
    row("block_comment", Role::Whole),
];

fn module<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field_text("name").unwrap_or_default();
    Found::new(Module, name).with_body_behind(site.node, &["identifier"]).into()
}

/// A type: `S` of `S{T} <: U`.
fn class<'t>(site: &Site<'t>) -> Verdict<'t> {
    let head = site.child(&["type_head"]).map(|head| site.of(head)).unwrap_or_default();
    let name = head.split(['{', '<', ' ']).next().unwrap_or_default();
    Found::new(Class, name).with_body_behind(site.node, &["type_head"]).into()
}

/// What is called in a signature, below `where` and the type of the result.
fn called(signature: Node<'_>) -> Option<Node<'_>> {
    let mut at = signature;
    loop {
        match at.kind() {
            "call_expression" => return at.named_child(0),
            "signature" | "where_expression" | "typed_expression" | "binary_expression" => {
                at = at.named_child(0)?;
            }
            _ => return None,
        }
    }
}

/// A name without its parameters: `Cart` of `Cart{T}`.
fn plain(name: &str) -> &str {
    name.split('{').next().unwrap_or(name)
}

fn function<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(signature) = site.child(&["signature"]) else { return Verdict::Closure };
    let name = match called(signature) {
        Some(name) => plain(site.of(name)),
        None => bare(site.of(signature)),
    };
    Found::new(Function, name).with_body_behind(site.node, &["signature"]).into()
}

/// A function in one line, or a value.
fn assignment<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(left) = site.node.named_child(0) else { return Verdict::None };
    if left.kind() == "identifier" {
        return Found::new(Constant, site.of(left)).into();
    }
    match called(left) {
        Some(name) => Found::new(Function, plain(site.of(name)))
            .with_body_behind(site.node, &[left.kind()])
            .into(),
        None => Verdict::None,
    }
}

fn imported(site: &Site<'_>) -> Option<String> {
    site.of(site.node).split_once(char::is_whitespace).map(|(_, names)| names.to_owned())
}
