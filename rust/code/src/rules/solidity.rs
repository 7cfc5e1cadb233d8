//! Rules for Solidity.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import, Method};

use super::{Name, Role, Rule, named, row};
use crate::site::{Site, unquoted};

pub const RULES: &[Rule] = &[
    named("contract_declaration", Class),
    named("interface_declaration", Class),
    named("library_declaration", Class),
    named("struct_declaration", Class),
    named("enum_declaration", Class),
    named("function_definition", Function),
    named("modifier_definition", Method),
    row("constructor_definition", Role::Define(Method, Name::Of(word))),
    row("fallback_receive_definition", Role::Define(Method, Name::Of(word))),
    named("state_variable_declaration", Constant),
    named("constant_variable_declaration", Constant),
    named("event_definition", Constant),
    named("error_declaration", Constant),
    named("user_defined_type_definition", Constant),
    row("import_directive", Role::Define(Import, Name::Of(path))),
    row("comment", Role::Whole),
];

/// The word that such a function begins with.
fn word(site: &Site<'_>) -> Option<String> {
    site.of(site.node).split('(').next().map(str::to_owned)
}

fn path(site: &Site<'_>) -> Option<String> {
    site.field_text("source").map(|path| unquoted(path).to_owned())
}
