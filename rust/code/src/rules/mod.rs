//! Rules by language: which kinds of nodes are definitions, and where their names are.
//!
//! A table has one row a kind of node. What a row cannot say stands in a function that it names ([`Role::Judge`]).

mod c;
mod csharp;
mod data;
mod ecmascript;
mod elixir;
mod go;
mod haskell;
mod java;
mod julia;
mod jvm;
mod markup;
mod php;
mod python;
mod ruby;
mod rust;
mod scripts;
mod solidity;
mod sql;
mod swift;
mod zig;

use chunkwright_text::subject::Symbol;
use tree_sitter::Node;

use crate::site::{Site, child, children, tidy};

/// Where the name of a definition is.
#[derive(Clone, Copy, Debug)]
pub enum Name {
    /// It has none.
    None,
    /// In the child of a field.
    Field(&'static str),
    /// In the first child of one of these kinds.
    Child(&'static [&'static str]),
    /// In what a function finds.
    Of(fn(&Site<'_>) -> Option<String>),
}

/// What a kind of node is for an outline.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A definition.
    Define(Symbol, Name),
    /// A function says.
    Judge(for<'t> fn(&Site<'t>) -> Verdict<'t>),
    /// It belongs to the one definition that it holds as a child; if it holds more of them, or none, to none.
    Wrap,
    /// Decorators: before a definition, they belong to it, and its head begins behind them.
    Attribute,
    /// Words before a definition that are siblings of it, and belong to it.
    Lead,
    /// The body of the definition before it, which is a sibling of it.
    Tail,
    /// Holds decorators, beside words that belong to the head.
    Modifiers,
    /// What a head ends before, where the grammar has no field `body` for it.
    Body,
    /// A function without a name, or a loop: what it holds is no constant of the file.
    Closure,
    /// A text or a comment, which is a whole if it has several lines; nothing in it is looked at.
    Whole,
    /// Nothing in it is looked at.
    Skip,
}

/// What a node is by the look of it.
#[derive(Debug)]
pub enum Verdict<'t> {
    /// A definition.
    Define(Found<'t>),
    /// As [`Role::Wrap`].
    Wrap,
    /// As [`Role::Attribute`].
    Attribute,
    /// As [`Role::Closure`].
    Closure,
    /// Nothing.
    None,
}

/// How far a definition reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// As far as its node.
    Node,
    /// As far as the next of its name that reaches so, if they stand side by side.
    Joins,
    /// As far as the next that reaches so, or the end of the file.
    ToNext,
}

/// A definition as a rule finds it.
#[derive(Debug)]
pub struct Found<'t> {
    /// Its name.
    pub name: String,
    /// What it is.
    pub symbol: Symbol,
    /// The node in which its body is, and the body, if it is no child of the node itself.
    pub body: Option<(Node<'t>, Node<'t>)>,
    /// How far it reaches.
    pub reach: Reach,
}

impl<'t> Found<'t> {
    /// A definition whose body is where bodies are.
    pub fn new(symbol: Symbol, name: impl AsRef<str>) -> Self {
        // Where a parser takes a body for a name, there is none.
        let is_body = symbol != Symbol::Import && name.as_ref().contains(['{', ';']);
        let name = if is_body { String::new() } else { tidy(name.as_ref()) };
        Self { name, symbol, body: None, reach: Reach::Node }
    }

    /// With the body that a node has in a field.
    #[must_use]
    pub fn with_body_of(mut self, node: Node<'t>) -> Self {
        self.body = node.child_by_field_name("body").map(|body| (node, body));
        self
    }

    /// With all of a node as its body that stands behind the first child of one of these kinds.
    #[must_use]
    pub fn with_body_behind(mut self, node: Node<'t>, kinds: &[&str]) -> Self {
        let mut rest = children(node).skip_while(|node| !kinds.contains(&node.kind()));
        rest.next();
        self.body = rest.next().map(|body| (node, body));
        self
    }

    /// With how far it reaches.
    #[must_use]
    pub fn reaching(mut self, reach: Reach) -> Self {
        self.reach = reach;
        self
    }
}

impl<'t> From<Found<'t>> for Verdict<'t> {
    fn from(found: Found<'t>) -> Self {
        Self::Define(found)
    }
}

/// A row of a table: a kind of node and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The kind of the node.
    pub kind: &'static str,
    /// What it is.
    pub role: Role,
}

/// A row.
const fn row(kind: &'static str, role: Role) -> Rule {
    Rule { kind, role }
}

/// A definition whose name is in the field `name`.
const fn named(kind: &'static str, symbol: Symbol) -> Rule {
    row(kind, Role::Define(symbol, Name::Field("name")))
}

/// A definition whose kind and name a function tells.
const fn judged(kind: &'static str, judge: for<'t> fn(&Site<'t>) -> Verdict<'t>) -> Rule {
    row(kind, Role::Judge(judge))
}

/// The name that a row says.
pub fn name_of(site: &Site<'_>, name: Name) -> String {
    let found = match name {
        Name::None => None,
        Name::Field(field) => site.field_text(field).map(tidy),
        Name::Child(kinds) => child(site.node, kinds).map(|node| tidy(site.of(node))),
        Name::Of(find) => find(site).map(|name| tidy(&name)),
    };
    found.unwrap_or_default()
}

type Table = &'static [Rule];

/// The tables of a language, of which a later one says more of the same kind of node; none if it has no rules.
pub fn rules_of(language: &str) -> Option<&'static [Table]> {
    Some(match language {
        "bash" => &[scripts::BASH],
        "c" => &[c::SHARED],
        "cpp" => &[c::SHARED, c::CPP],
        "csharp" => &[csharp::RULES],
        "css" => &[markup::CSS],
        "dart" => &[swift::DART],
        "dockerfile" => &[data::DOCKERFILE],
        "elixir" => &[elixir::RULES],
        "go" => &[go::RULES],
        "haskell" => &[haskell::RULES],
        "hcl" => &[data::HCL],
        "html" | "vue" => &[markup::HTML],
        "java" => &[java::RULES],
        "js" => &[ecmascript::SHARED, ecmascript::JAVASCRIPT],
        "julia" => &[julia::RULES],
        "kotlin" => &[jvm::KOTLIN],
        "lua" => &[scripts::LUA],
        "php" => &[php::RULES],
        "python" => &[python::RULES],
        "ruby" => &[ruby::RULES],
        "rust" => &[rust::RULES],
        "scala" => &[jvm::SCALA],
        "sol" => &[solidity::RULES],
        "sql" => &[sql::RULES],
        "svelte" => &[markup::HTML, markup::SVELTE],
        "swift" => &[swift::SWIFT],
        "toml" => &[data::TOML],
        "ts" | "tsx" => &[ecmascript::SHARED, ecmascript::TYPESCRIPT],
        "yaml" => &[data::YAML],
        "zig" => &[zig::RULES],
        _ => return None,
    })
}
