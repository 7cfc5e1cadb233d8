//! Retrieval of chunks for a question: by words, by vectors, by both.
//!
//! A table of scores has a row for each question and a column for each chunk. All steps are exact: sums are
//! taken in one order, and equal scores are told apart by the number of the chunk, the lower one first.

pub mod bm25;
pub mod cosine;
pub mod fuse;
pub mod matrix;
pub mod neighbours;
pub mod smooth;
pub mod top;

#[cfg(test)]
mod oracle;
