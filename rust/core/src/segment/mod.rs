//! Segmentation of a text: words, clauses, sentences, graphemes, separators.

pub mod clause;
pub mod fence;
pub mod grapheme;
pub mod heading;
pub mod lead_in;
mod line;
mod literal;
pub mod nearby;
pub mod sentence;
pub mod separator;
pub mod starts;
pub mod terms;
pub mod word;
