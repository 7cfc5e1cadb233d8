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
    row("use_declaration", Role::Define(Import, Name::Of(used))),
    named("extern_crate_declaration", Import),
    row("closure_expression", Role::Closure),
    row("attribute_item", Role::Attribute),
    row("string_literal", Role::Whole),
    row("raw_string_literal", Role::Whole),
    row("block_comment", Role::Whole),
];

/// A list of what is used is a part of its name up to so many bytes.
const MAX_LIST: usize = 60;

/// The path that is used, whatever it is called here, without a long list behind it.
fn used(site: &Site<'_>) -> Option<String> {
    let argument = site.field("argument")?;
    let is_list = argument.kind() == "scoped_use_list";
    let path = argument.child_by_field_name("path").filter(|_| {
        argument.kind() == "use_as_clause" || is_list && site.of(argument).len() > MAX_LIST
    });
    Some(site.of(path.unwrap_or(argument)).to_owned())
}

/// The type that an implementation is for.
fn implementing(site: &Site<'_>) -> Option<String> {
    site.field_text("type").map(|of| bare(of).to_owned())
}

/// A module that stands here, or the line that brings one in.
fn module<'t>(site: &Site<'t>) -> Verdict<'t> {
    let symbol = if site.field("body").is_some() { Module } else { Import };
    Found::new(symbol, site.field_text("name").unwrap_or_default()).into()
}
