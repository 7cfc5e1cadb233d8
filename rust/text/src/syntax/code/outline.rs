//! Outline of source code: its definitions, nested, and what is one thing however many lines it has.
//!
//! What parses makes it, by a grammar of the language ([`Outliner`]); nothing here knows one.

use std::fmt::Debug;

use crate::error::Result;
use crate::pulse::Pulse;
use crate::span::Span;
pub use crate::subject::Symbol;

/// A definition: something in a file that has a kind, and as a rule a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// All of it, from its first byte (its decorators or attributes included, if the grammar knows them) to its last;
    /// without the comments above.
    pub span: Span,
    /// What is said before its body: the line of a `class`, the signature of a function. Empty if it has no body.
    pub head: Span,
    /// Its name as one would say it within what holds it: `add`, `Cart.add` where it stands outside of its class;
    /// empty if it has none.
    pub name: Box<str>,
    /// What it is.
    pub symbol: Symbol,
    /// The number of the definition that holds it, which stands before it.
    pub parent: Option<usize>,
}

/// The definitions of a file.
///
/// ```
/// use chunkwright_text::span::Span;
/// use chunkwright_text::syntax::code::outline::{Definition, Outline, Symbol};
///
/// // "class Cart:\n    def add(self): ..."
/// let cart = Definition {
///     span: Span::new(0, 34),
///     head: Span::new(0, 11),
///     name: "Cart".into(),
///     symbol: Symbol::Class,
///     parent: None,
/// };
/// let add = Definition {
///     span: Span::new(16, 34),
///     head: Span::new(16, 30),
///     name: "add".into(),
///     symbol: Symbol::Method,
///     parent: Some(0),
/// };
/// let outline = Outline { definitions: vec![cart, add], wholes: Vec::new() };
/// assert_eq!(outline.holding(Span::new(31, 34)), Some(1));
/// assert_eq!(outline.scope(1), "Cart.add");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The definitions in the order of their starts, those that hold others before these; each lies in its parent,
    /// and two are disjoint unless one holds the other.
    pub definitions: Vec<Definition>,
    /// Texts and comments of several lines, ascending and disjoint: lines in them say nothing about structure.
    pub wholes: Vec<Span>,
}

impl Outline {
    /// The innermost definition that holds all of `span`. O(depth + log n).
    pub fn holding(&self, span: Span) -> Option<usize> {
        let begun = self.definitions.partition_point(|of| of.span.start <= span.start);
        let mut at = begun.checked_sub(1);
        while let Some(number) = at {
            if self.definitions[number].span.end >= span.end {
                return Some(number);
            }
            at = self.definitions[number].parent;
        }
        None
    }

    /// The names from the outermost definition down to `number`, joined by dots; those without a name are left out.
    pub fn scope(&self, number: usize) -> String {
        let mut names: Vec<&str> =
            self.path(number).map(|of| &*self.definitions[of].name).collect();
        names.reverse();
        names.retain(|name| !name.is_empty());
        names.join(".")
    }

    /// The same of the first `len` bytes of the text, behind which there is nothing but whitespace.
    #[must_use]
    pub fn up_to(mut self, len: usize) -> Self {
        let spans = self.definitions.iter_mut().flat_map(|of| [&mut of.span, &mut of.head]);
        for span in spans.chain(&mut self.wholes) {
            span.end = span.end.min(len);
        }
        self
    }

    /// A definition and those around it, the innermost first.
    pub fn path(&self, number: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(number), |&of| self.definitions[of].parent)
    }
}

/// What knows grammars.
pub trait Outliner: Debug + Send + Sync {
    /// The outline of `text`, which is written in the language of that [name](super::languages); none if there is no
    /// grammar for it, or the text does not parse.
    ///
    /// # Errors
    /// What the pulse says.
    fn outline(&self, text: &str, language: &str, pulse: Pulse<'_>) -> Result<Option<Outline>>;
}
