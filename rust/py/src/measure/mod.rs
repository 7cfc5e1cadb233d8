//! Sizes: units, counts of tokens, and rulers of any text.

pub mod ruler;
pub mod tokenizer;
pub mod unit;
