//! Rules for Rust.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import, Module};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, bare};

pub const RULES: &[Rule] = &[
    named("struct_item", Class),
    named("enum_item", Class),
    named("union_item", Class),
    named("trait_item", Class),
    row("impl_item", Role::Define(Class, Name::Of(implementing))),
    judged("mod_item", module),
    named("function_item", Function),
    named("function_signature_item", Function),
    named("macro_definition", Function),
    named("const_item", Constant),
    named("static_item", Constant),
    named("type_item", Constant),
    named("associated_type", Constant),
    row("use_declaration", Role::Define(Import, Name::Field("argument"))),
    named("extern_crate_declaration", Import),
    row("closure_expression", Role::Closure),
    row("attribute_item", Role::Attribute),
    row("string_literal", Role::Whole),
    row("raw_string_literal", Role::Whole),
    row("block_comment", Role::Whole),
];

/// The type that an implementation is for.
fn implementing(site: &Site<'_>) -> Option<String> {
    site.field_text("type").map(|of| bare(of).to_owned())
}

/// A module that stands here, or the line that brings one in.
fn module<'t>(site: &Site<'t>) -> Verdict<'t> {
    let symbol = if site.field("body").is_some() { Module } else { Import };
    Found::new(symbol, site.field_text("name").unwrap_or_default()).into()
}
