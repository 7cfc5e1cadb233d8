//! Programming languages: which there are, how their files are told, and what their lines say without a grammar.

mod language;
pub mod languages;
mod table;
