//! Outlines of source code, by grammars of tree-sitter that the caller brings.
//!
//! A [`Grammar`] is what a package of a language gives, such as the wheel `tree-sitter-python` or the crate of that
//! name. [`Grammars`] holds those that there are by the names of their languages, and is an
//! [`Outliner`](chunkwright_text::syntax::code::outline::Outliner): of a text it makes the definitions with their
//! names and kinds, and says which texts and comments have several lines. What counts as a definition stands in
//! [`rules`], one row a kind of node.
//!
//! No grammar is compiled in. A text that a grammar does not get through in a number of steps that is linear in its
//! length has no outline.

mod bounded;
pub mod grammar;
pub mod grammars;
mod heads;
mod nest;
pub mod rules;
mod site;
#[cfg(test)]
mod tests;
mod walk;

pub use grammar::{Grammar, GrammarError};
pub use grammars::Grammars;
