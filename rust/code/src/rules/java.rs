//! Rules for Java.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Import, Method, Module};

use super::{Name, Role, Rule, named, row};
use crate::site::{Site, child};

pub const RULES: &[Rule] = &[
    named("class_declaration", Class),
    named("interface_declaration", Class),
    named("enum_declaration", Class),
    named("record_declaration", Class),
    named("annotation_type_declaration", Class),
    named("module_declaration", Module),
    named("constructor_declaration", Method),
    named("compact_constructor_declaration", Method),
    named("method_declaration", Method),
    named("annotation_type_element_declaration", Method),
    row("field_declaration", Role::Define(Constant, Name::Of(declarator))),
    row("constant_declaration", Role::Define(Constant, Name::Of(declarator))),
    row(
        "import_declaration",
        Role::Define(Import, Name::Child(&["scoped_identifier", "identifier"])),
    ),
    row("lambda_expression", Role::Closure),
    row("modifiers", Role::Modifiers),
    row("annotation", Role::Attribute),
    row("marker_annotation", Role::Attribute),
    row("string_literal", Role::Whole),
    row("block_comment", Role::Whole),
];

/// The name of the first variable that is declared.
fn declarator(site: &Site<'_>) -> Option<String> {
    let name = child(site.node, &["variable_declarator"])?.child_by_field_name("name")?;
    Some(site.of(name).to_owned())
}
