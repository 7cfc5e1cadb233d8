//! Rules for JavaScript and TypeScript.

use chunkwright_text::syntax::code::outline::Symbol::{
    Class, Constant, Function, Import, Method, Module,
};
use tree_sitter::Node;

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, Within, unquoted};

pub const SHARED: &[Rule] = &[
    named("class_declaration", Class),
    named("function_declaration", Function),
    named("generator_function_declaration", Function),
    judged("method_definition", method),
    judged("export_statement", export),
    row("expression_statement", Role::Wrap),
    row("lexical_declaration", Role::Wrap),
    row("variable_declaration", Role::Wrap),
    judged("variable_declarator", variable),
    judged("assignment_expression", assignment),
    judged("pair", pair),
    row("import_statement", Role::Define(Import, Name::Of(source))),
    row("decorator", Role::Attribute),
    row("arrow_function", Role::Closure),
    row("function_expression", Role::Closure),
    row("generator_function", Role::Closure),
    row("for_statement", Role::Closure),
    row("for_in_statement", Role::Closure),
    row("while_statement", Role::Closure),
    row("do_statement", Role::Closure),
    row("template_string", Role::Whole),
    row("comment", Role::Whole),
    row("jsx_text", Role::Whole),
];

pub const JAVASCRIPT: &[Rule] = &[judged("field_definition", field)];

pub const TYPESCRIPT: &[Rule] = &[
    named("abstract_class_declaration", Class),
    named("interface_declaration", Class),
    named("enum_declaration", Class),
    row("internal_module", Role::Define(Module, Name::Of(module))),
    row("module", Role::Define(Module, Name::Of(module))),
    named("function_signature", Function),
    named("method_signature", Method),
    named("abstract_method_signature", Method),
    named("type_alias_declaration", Constant),
    judged("public_field_definition", field),
    row("ambient_declaration", Role::Wrap),
];

/// Whether a node is a function without a name of its own.
fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

/// A value with a name: a function or a class if it is one.
fn value<'t>(name: &str, value: Option<Node<'t>>, function: super::Symbol) -> Found<'t> {
    match value {
        Some(node) if is_function(node) => Found::new(function, name).with_body_of(node),
        Some(node) if node.kind() == "class" => Found::new(Class, name).with_body_of(node),
        _ => Found::new(Constant, name),
    }
}

fn variable<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(left) = site.field("name") else { return Verdict::None };
    let name = if left.kind() == "identifier" { site.of(left) } else { "" };
    let right = site.field("value");
    if let Some(path) = right.and_then(|right| required(site, right)) {
        return Found::new(Import, path).into();
    }
    value(name, right, Function).into()
}

/// The path that `require` is called with.
fn required<'t>(site: &Site<'t>, node: Node<'t>) -> Option<&'t str> {
    node.child_by_field_name("function").filter(|of| site.of(*of) == "require")?;
    let path = node.child_by_field_name("arguments")?.named_child(0)?;
    (path.kind() == "string").then(|| unquoted(site.of(path)))
}

/// `exports.f = function () {}` and such: what a module, an object or a prototype is given.
fn assignment<'t>(site: &Site<'t>) -> Verdict<'t> {
    let (Some(left), Some(right)) = (site.field("left"), site.field("right")) else {
        return Verdict::None;
    };
    let of_module = matches!(site.of(left), "module.exports" | "exports");
    let is_value = is_function(right) || right.kind() == "class";
    if site.within != Within::File || !(is_value || of_module) {
        return Verdict::None;
    }
    let path = site.of(left).replace(".prototype.", ".");
    let is_method = path.len() < site.of(left).len();
    let of_exports = path.strip_prefix("module.exports.").or(path.strip_prefix("exports."));
    let name = if of_module { "exports" } else { of_exports.unwrap_or(&path) };
    value(name, Some(right), if is_method { Method } else { Function }).into()
}

/// A function of an object of the file; those in calls of functions are no definitions.
fn pair<'t>(site: &Site<'t>) -> Verdict<'t> {
    match (site.field("key"), site.field("value")) {
        (Some(key), Some(node)) if is_function(node) && site.within != Within::Function => {
            value(unquoted(site.of(key)), Some(node), Function).into()
        }
        _ => Verdict::None,
    }
}

/// A method of a class, or of an object of the file.
fn method<'t>(site: &Site<'t>) -> Verdict<'t> {
    let of_object = site.parent_kind() == "object";
    if of_object && site.within == Within::Function {
        return Verdict::Closure;
    }
    let symbol = if of_object { Function } else { Method };
    Found::new(symbol, unquoted(site.field_text("name").unwrap_or_default())).into()
}

/// A field of a class, which may hold a function.
fn field<'t>(site: &Site<'t>) -> Verdict<'t> {
    let name = site.field_text("property").or_else(|| site.field_text("name"));
    value(name.unwrap_or_default(), site.field("value"), Method).into()
}

/// What is exported: a declaration, a value by default, or names of another module.
fn export<'t>(site: &Site<'t>) -> Verdict<'t> {
    if site.field("declaration").is_some() {
        Verdict::Wrap
    } else if let Some(path) = source(site) {
        Found::new(Import, path).into()
    } else if let Some(node) = site.field("value").filter(|node| node.kind() != "identifier") {
        value("default", Some(node), Function).into()
    } else {
        Verdict::None
    }
}

/// The path of the module that names come from.
fn source(site: &Site<'_>) -> Option<String> {
    let clause = site.child(&["import_require_clause"]).unwrap_or(site.node);
    clause.child_by_field_name("source").map(|path| unquoted(site.of(path)).to_owned())
}

/// The name of a namespace, or of a module that is declared.
fn module(site: &Site<'_>) -> Option<String> {
    site.field_text("name").map(|name| unquoted(name).to_owned())
}
