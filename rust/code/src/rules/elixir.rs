//! Rules for Elixir, whose definitions are calls of macros.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import, Module};
use tree_sitter::Node;

use super::{Found, Role, Rule, Verdict, judged, row};
use crate::site::{Site, Within, child};

pub const RULES: &[Rule] = &[
    judged("call", call),
    judged("unary_operator", attribute),
    row("anonymous_function", Role::Closure),
    row("do_block", Role::Body),
    row("string", Role::Whole),
    row("charlist", Role::Whole),
    row("sigil", Role::Whole),
];

fn call<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(target) = site.field_text("target") else { return Verdict::None };
    let first = site.child(&["arguments"]).and_then(|list| list.named_child(0));
    let text = first.map(|first| site.of(first)).unwrap_or_default();
    match target {
        "defmodule" => Found::new(Module, text).into(),
        "defprotocol" | "defimpl" => Found::new(Class, text).into(),
        "def" | "defp" | "defmacro" | "defmacrop" | "defguard" | "defguardp" | "defdelegate"
        | "defn" | "defnp" => match first.and_then(called) {
            Some(name) => Found::new(Function, site.of(name)).into(),
            None => Verdict::None,
        },
        "defstruct" | "defexception" => Found::new(Constant, target).into(),
        "use" | "import" | "alias" | "require" if first.is_some() => {
            Found::new(Import, text).into()
        }
        _ => Verdict::None,
    }
}

/// The name in `f(a) when a > 1`.
fn called(of: Node<'_>) -> Option<Node<'_>> {
    let mut at = of;
    loop {
        match at.kind() {
            "identifier" => return Some(at),
            "call" => return at.child_by_field_name("target"),
            "binary_operator" => {
                let left = at.child_by_field_name("left")?;
                // An operator that is defined: `left <> right`.
                if left.kind() == "identifier" && child(at, &["when"]).is_none() {
                    return at.child_by_field_name("operator");
                }
                at = left;
            }
            _ => return None,
        }
    }
}

/// An attribute of a module: a type, a constant, or what is said of the function that comes next.
fn attribute<'t>(site: &Site<'t>) -> Verdict<'t> {
    let named = site.field("operand").filter(|_| site.of(site.node).starts_with('@'));
    let Some(named) = named.filter(|_| site.within != Within::Function) else {
        return Verdict::None;
    };
    let Some(name) = named.child_by_field_name("target").map(|name| site.of(name)) else {
        return Verdict::None;
    };
    match name {
        "doc" | "spec" | "impl" | "deprecated" | "since" | "typedoc" => Verdict::Attribute,
        "type" | "typep" | "opaque" | "callback" | "macrocallback" => {
            let of = child(named, &["arguments"]).and_then(|list| list.named_child(0));
            let of = of.map(|of| of.child_by_field_name("left").unwrap_or(of));
            let of = of.and_then(called).map(|of| site.of(of));
            Found::new(Constant, of.unwrap_or(name)).into()
        }
        "moduledoc" | "behaviour" | "dialyzer" | "compile" => Verdict::None,
        _ => Found::new(Constant, name).into(),
    }
}
