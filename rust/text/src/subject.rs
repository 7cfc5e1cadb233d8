//! Subject of a chunk of source code: the definitions that it is in, and what the innermost is.

use serde::{Deserialize, Serialize};

/// What a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Symbol {
    /// A module, namespace or package that holds others.
    Module = 0,
    /// A class, or what is one under another name: struct, enum, trait, interface, protocol, record, object.
    Class = 1,
    /// A function.
    Function = 2,
    /// A function of a class.
    Method = 3,
    /// A constant, or another value with a name.
    Constant = 4,
    /// What brings names in from elsewhere.
    Import = 5,
    /// Comments alone, which no definition holds.
    Comment = 6,
    /// A part of a file that defines no names of a program: a rule of a style sheet, a table of TOML, a stage of an image.
    Block = 7,
}

impl Symbol {
    /// All of them, by their numbers.
    pub const ALL: [Self; 8] = [
        Self::Module,
        Self::Class,
        Self::Function,
        Self::Method,
        Self::Constant,
        Self::Import,
        Self::Comment,
        Self::Block,
    ];

    /// Its name in the column `symbol`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Class => "class",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constant => "constant",
            Self::Import => "import",
            Self::Comment => "comment",
            Self::Block => "block",
        }
    }
}

/// What a chunk of source code is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The names of the definitions that hold it, joined by dots; empty at the top of a file.
    pub scope: Box<str>,
    /// The name of the definition that holds it, else of the first that begins in it; empty if there is none.
    pub name: Box<str>,
    /// What that definition is.
    pub symbol: Option<Symbol>,
    /// The language; empty if it is not known.
    pub language: Box<str>,
}

impl Subject {
    /// What a chunk is about that goes on from this one to the `last` one: what holds both, and what begins first.
    #[must_use]
    pub fn with(&self, last: &Self) -> Self {
        let pairs = self.scope.split('.').zip(last.scope.split('.'));
        let same: Vec<&str> = pairs.take_while(|(a, b)| a == b).map(|(name, _)| name).collect();
        Self { scope: same.join(".").into(), ..self.clone() }
    }
}
