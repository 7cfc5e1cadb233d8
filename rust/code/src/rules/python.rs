//! Rules for Python.

use chunkwright_text::syntax::code::outline::Symbol::{Class, Constant, Function, Import};

use super::{Found, Name, Role, Rule, Verdict, judged, named, row};
use crate::site::Site;

pub const RULES: &[Rule] = &[
    named("class_definition", Class),
    named("function_definition", Function),
    row("decorated_definition", Role::Wrap),
    row("decorator", Role::Attribute),
    row("lambda", Role::Closure),
    row("for_statement", Role::Closure),
    row("while_statement", Role::Closure),
    judged("assignment", assignment),
    judged("augmented_assignment", assignment),
    row("type_alias_statement", Role::Define(Constant, Name::Field("left"))),
    row("import_statement", Role::Define(Import, Name::Of(imported))),
    row("import_from_statement", Role::Define(Import, Name::Field("module_name"))),
    row("future_import_statement", Role::Define(Import, Name::Of(|_| Some("__future__".into())))),
    row("string", Role::Whole),
];

/// The module that is imported, whatever it is called here.
fn imported(site: &Site<'_>) -> Option<String> {
    let name = site.field("name")?;
    Some(site.of(name.child_by_field_name("name").unwrap_or(name)).to_owned())
}

/// A value that a name is given; not one of an object or of a place in a list.
fn assignment<'t>(site: &Site<'t>) -> Verdict<'t> {
    match site.field("left") {
        Some(left) if matches!(left.kind(), "identifier" | "pattern_list") => {
            Found::new(Constant, site.of(left)).into()
        }
        _ => Verdict::None,
    }
}
