//! Programming languages: which there are, how their files are told, and what their lines say without a grammar.

pub mod above;
mod language;
pub mod languages;
mod lines;
mod table;
#[cfg(test)]
mod tests;
