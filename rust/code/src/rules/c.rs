//! Rules for C and C++.

use chunkwright_text::syntax::code::outline::Symbol::{
    Class, Constant, Function, Import, Method, Module,
};
use tree_sitter::Node;

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::{Site, Within, child, children, unquoted};

pub const SHARED: &[Rule] = &[
    judged("function_definition", function),
    judged("declaration", declaration),
    judged("type_definition", type_definition),
    judged("struct_specifier", class),
    judged("union_specifier", class),
    judged("enum_specifier", class),
    row("preproc_include", Role::Define(Import, Name::Of(include))),
    judged("preproc_def", define),
    named("preproc_function_def", Function),
    row("preproc_arg", Role::Whole),
    row("string_literal", Role::Whole),
    row("comment", Role::Whole),
    row("attribute_declaration", Role::Modifiers),
];

pub const CPP: &[Rule] = &[
    judged("class_specifier", class),
    row(
        "namespace_definition",
        Role::Define(Module, Name::Of(|site| site.field_text("name").map(dotted))),
    ),
    named("namespace_alias_definition", Constant),
    row("template_declaration", Role::Wrap),
    judged("field_declaration", field),
    named("alias_declaration", Constant),
    named("concept_definition", Constant),
    row(
        "using_declaration",
        Role::Define(Import, Name::Child(&["identifier", "qualified_identifier"])),
    ),
    row("lambda_expression", Role::Closure),
    row("raw_string_literal", Role::Whole),
];

/// Words that are no names, though a parser takes them for names behind macros.
const WORDS: &[&str] =
    &["class", "else", "enum", "for", "if", "namespace", "struct", "switch", "union", "while"];

/// What a declarator declares.
struct Declared<'t> {
    /// The node of the name.
    name: Node<'t>,
    /// Whether it is called: a function, not a pointer to one.
    is_function: bool,
}

/// Goes down a declarator, through pointers and lists of parameters, to the name.
fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let (mut at, mut is_function) = (declarator, false);
    loop {
        match at.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "destructor_name"
            | "operator_name"
            | "template_function"
            | "operator_cast"
            | "primitive_type" => {
                let is_function = is_function || at.kind() == "operator_cast";
                return Some(Declared { name: at, is_function });
            }
            "function_declarator" => is_function = true,
            "pointer_declarator" => is_function = false,
            _ => {}
        }
        at = at.child_by_field_name("declarator").or_else(|| {
            children(at).find(|node| {
                node.kind().ends_with("declarator") || node.kind().ends_with("identifier")
            })
        })?;
    }
}

/// The name with dots, without arguments of templates: `ns.Foo.bar` of `ns::Foo<T>::bar`.
fn dotted(name: &str) -> String {
    let begins = |at: usize| at == 0 || name[..at].ends_with(':');
    let is_operator =
        |at: usize| !name[at + 8..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let at = name.rfind("operator").filter(|&at| begins(at) && is_operator(at));
    let (path, operator) = name.split_at(at.unwrap_or(name.len()));
    let mut depth = 0_usize;
    let mut bare = String::new();
    for char in path.chars() {
        match char {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => bare.push(char),
            _ => {}
        }
    }
    let names = bare.split("::").map(str::trim).chain([operator]).filter(|name| !name.is_empty());
    names.collect::<Vec<_>>().join(".")
}

/// A function as its declarator names it.
fn of_declarator<'t>(site: &Site<'t>, declared: &Declared<'t>) -> Found<'t> {
    let text = site.of(declared.name);
    let text = if declared.name.kind() == "operator_cast" {
        text.split('(').next().unwrap_or(text)
    } else {
        text
    };
    let name = dotted(text);
    let is_method = declared.name.kind() == "qualified_identifier" || site.within == Within::Class;
    Found::new(if is_method { Method } else { Function }, name)
}

fn function<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(found) = site.field("declarator").and_then(declared) else { return Verdict::Closure };
    // What a macro before it makes of `namespace a {`.
    if WORDS.contains(&site.of(found.name)) {
        return Verdict::None;
    }
    if let Some(name) = by_macro(site, found.name) {
        return Found::new(Function, name).into();
    }
    // `class EXPORT Foo : Bar {` is read as a function that gives a class.
    let of_class = site.field("type").filter(|of| {
        matches!(of.kind(), "class_specifier" | "struct_specifier")
            && of.child_by_field_name("body").is_none()
    });
    if of_class.is_some() && !found.is_function {
        return Found::new(Class, site.of(found.name)).into();
    }
    of_declarator(site, &found).into()
}

/// The name of what a macro defines, as `TEST(Cart, Adds) { … }` does: what the macro is given, with dots. Such a function
/// gives nothing, and its macro is called in capitals; within a class it is what makes objects of that.
fn by_macro(site: &Site<'_>, name: Node<'_>) -> Option<String> {
    let is_small = |byte: u8| byte.is_ascii_lowercase();
    let is_macro = name.kind() == "identifier" && !site.of(name).bytes().any(is_small);
    if !is_macro || site.field("type").is_some() || site.within == Within::Class {
        return None;
    }
    let given = site.field("declarator")?.child_by_field_name("parameters")?;
    let given = site.of(given).trim_matches(['(', ')']).split(',').map(str::trim);
    let names: Vec<&str> = given.filter(|name| !name.is_empty()).collect();
    let are_names =
        !names.is_empty() && !names.iter().any(|name| name.contains(char::is_whitespace));
    are_names.then(|| names.join("."))
}

/// A prototype or a variable of the file.
fn declaration<'t>(site: &Site<'t>) -> Verdict<'t> {
    if matches!(site.within, Within::Function | Within::Value) {
        return Verdict::None;
    }
    let Some(found) = site.field("declarator").and_then(declared) else { return Verdict::None };
    if found.is_function {
        return of_declarator(site, &found).into();
    }
    if site.within == Within::Class {
        return Verdict::None;
    }
    Found::new(Constant, dotted(site.of(found.name))).into()
}

/// What a class declares: methods, and values that all its objects share.
fn field<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(found) = site.field("declarator").and_then(declared) else { return Verdict::None };
    if found.is_function {
        return of_declarator(site, &found).into();
    }
    let shared = children(site.node).any(|node| {
        matches!(node.kind(), "storage_class_specifier" | "type_qualifier")
            && matches!(site.of(node), "static" | "constexpr")
    });
    if shared { Found::new(Constant, site.of(found.name)).into() } else { Verdict::None }
}

/// A class with its body; without one it is only named.
fn class<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(body) = site.field("body") else { return Verdict::None };
    if site.parent_kind() == "type_definition" {
        return Verdict::None;
    }
    let name = site.field_text("name").map(dotted);
    let first = || {
        // Numbers with names: what holds them has none.
        let one = child(body, &["enumerator"])?.child_by_field_name("name")?;
        Some(Found::new(Constant, site.of(one)))
    };
    match name {
        Some(name) => Found::new(Class, name).into(),
        None => first().unwrap_or_else(|| Found::new(Class, "")).into(),
    }
}

/// A type under a name: a class if its fields stand here.
fn type_definition<'t>(site: &Site<'t>) -> Verdict<'t> {
    let Some(found) = site.field("declarator").and_then(declared) else { return Verdict::None };
    let name = site.of(found.name);
    match site.field("type") {
        Some(of) if of.child_by_field_name("body").is_some() => {
            Found::new(Class, name).with_body_of(of).into()
        }
        _ => Found::new(Constant, name).into(),
    }
}

fn include(site: &Site<'_>) -> Option<String> {
    site.field_text("path").map(|path| unquoted(path).to_owned())
}

/// A macro with a value; one without is only a mark.
fn define<'t>(site: &Site<'t>) -> Verdict<'t> {
    match (site.field("value"), site.field_text("name")) {
        (Some(_), Some(name)) => Found::new(Constant, name).into(),
        _ => Verdict::None,
    }
}
