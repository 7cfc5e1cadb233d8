//! Language: what is known of one of them.

/// A programming language.
#[derive(Debug)]
pub struct CodeLanguage {
    /// Its name.
    pub name: &'static str,
    /// What else it is called, in lower case.
    pub aliases: &'static [&'static str],
    /// How the names of its files end, in lower case, with the dot.
    pub suffixes: &'static [&'static str],
    /// The names of files of it that do not end so, in lower case: also with a suffix of any kind behind them, as
    /// `Dockerfile.dev`.
    pub file_names: &'static [&'static str],
    /// The programs that a first line `#!` names, without their version.
    pub interpreters: &'static [&'static str],
    /// How a comment begins that ends with its line.
    pub line_comments: &'static [&'static str],
    /// How a comment begins that may have several lines, and how it ends: also texts that document what follows.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// How a line begins that belongs to what follows: a decorator, an annotation, an attribute.
    pub marks: &'static [&'static str],
    /// How a string begins that may have several lines, and how it ends.
    pub strings: &'static [(&'static str, &'static str)],
    /// What a file of it is.
    pub files: Files,
}

/// What a file is that is written in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// Source code, cut as code.
    Code,
    /// Prose in a markup that no reader knows.
    Prose,
    /// A document that has a reader or a strategy of its own.
    Document,
}

impl Files {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Prose => "prose",
            Self::Document => "document",
        }
    }
}
