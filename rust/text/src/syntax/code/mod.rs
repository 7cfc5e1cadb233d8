//! Source code: the languages of files, what their lines say without a grammar, and the outline of a file.

pub mod above;
mod language;
pub mod languages;
pub(crate) mod lines;
pub mod outline;
mod table;
#[cfg(test)]
mod tests;
