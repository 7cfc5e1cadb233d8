//! Rules for Swift and Dart.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import, Method};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, bare, child, children, unquoted};

pub const SWIFT: &[Rule] = &[
    row("class_declaration", Role::Define(Class, Name::Of(extended))),
    named("protocol_declaration", Class),
    named("function_declaration", Function),
    named("protocol_function_declaration", Method),
    row("init_declaration", Role::Define(Method, Name::Of(|_| Some("init".into())))),
    row("deinit_declaration", Role::Define(Method, Name::Of(|_| Some("deinit".into())))),
    row("subscript_declaration", Role::Define(Method, Name::Of(|_| Some("subscript".into())))),
    named("property_declaration", Constant),
    named("typealias_declaration", Constant),
    row("import_declaration", Role::Define(Import, Name::Child(&["identifier"]))),
    row("lambda_literal", Role::Closure),
    row("computed_property", Role::Body),
    row("modifiers", Role::Modifiers),
    row("attribute", Role::Attribute),
    row("multi_line_string_literal", Role::Whole),
    row("multiline_comment", Role::Whole),
];

pub const DART: &[Rule] = &[
    named("class_definition", Class),
    row("mixin_declaration", Role::Define(Class, Name::Child(&["identifier"]))),
    named("extension_declaration", Class),
    named("enum_declaration", Class),
    judged("method_signature", member),
    judged("declaration", member),
    judged("function_signature", signature),
    judged("getter_signature", signature),
    judged("setter_signature", signature),
    judged("static_final_declaration_list", variables),
    judged("initialized_identifier_list", variables),
    row("type_alias", Role::Define(Constant, Name::Child(&["type_identifier"]))),
    row("import_or_export", Role::Define(Import, Name::Of(imported))),
    row("part_directive", Role::Define(Import, Name::Of(imported))),
    row("function_body", Role::Tail),
    row("class_body", Role::Body),
    row("function_expression", Role::Closure),
    row("const_builtin", Role::Lead),
    row("final_builtin", Role::Lead),
    row("inferred_type", Role::Lead),
    row("type_identifier", Role::Lead),
    row("type_arguments", Role::Lead),
    row("annotation", Role::Attribute),
    row("string_literal", Role::Whole),
    row("comment", Role::Whole),
    row("documentation_comment", Role::Whole),
];

/// The name of a type, or of the one that is extended.
fn extended(site: &Site<'_>) -> Option<String> {
    site.field_text("name").map(|name| bare(name).to_owned())
}

/// The name in a signature: `C.named` of a constructor with a name.
fn signed<'t>(site: &Site<'t>, signature: tree_sitter::Node<'t>) -> String {
    if signature.kind() == "operator_signature" {
        let sign = child(signature, &["binary_operator"]).map(|sign| site.of(sign));
        return format!("operator {}", sign.unwrap_or_default());
    }
    if signature.kind().contains("constructor") {
        let names: Vec<&str> = children(signature)
            .filter(|node| node.kind() == "identifier")
            .map(|node| site.of(node))
            .collect();
        return names.join(".");
    }
    let name = signature.child_by_field_name("name");
    name.map(|name| site.of(name).to_owned()).unwrap_or_default()
}

/// What a class has: a method or values.
fn member<'t>(site: &Site<'t>) -> Verdict<'t> {
    let signature = children(site.node).find(|node| node.kind().ends_with("_signature"));
    match signature {
        Some(signature) => Found::new(Method, signed(site, signature)).into(),
        None => first_variable(site, site.node),
    }
}

/// A function of the file, or within another.
fn signature<'t>(site: &Site<'t>) -> Verdict<'t> {
    if matches!(site.parent_kind(), "method_signature" | "declaration") {
        return Verdict::None;
    }
    Found::new(Function, signed(site, site.node)).into()
}

/// Variables of the file.
fn variables<'t>(site: &Site<'t>) -> Verdict<'t> {
    if site.parent_kind() == "declaration" { Verdict::None } else { named_first(site, site.node) }
}

fn first_variable<'t>(site: &Site<'t>, of: tree_sitter::Node<'t>) -> Verdict<'t> {
    match child(of, &["static_final_declaration_list", "initialized_identifier_list"]) {
        Some(list) => named_first(site, list),
        None => Verdict::None,
    }
}

fn named_first<'t>(site: &Site<'t>, list: tree_sitter::Node<'t>) -> Verdict<'t> {
    let name = child(list, &["static_final_declaration", "initialized_identifier"])
        .and_then(|one| child(one, &["identifier"]));
    name.map_or(Verdict::None, |name| Found::new(Constant, site.of(name)).into())
}

/// The path between quotation marks.
fn imported(site: &Site<'_>) -> Option<String> {
    site.of(site.node).split(['"', '\'']).nth(1).map(|path| unquoted(path).to_owned())
}
