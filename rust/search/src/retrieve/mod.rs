//! Retrieval of chunks for a question: by words, by vectors, by both.
//!
//! A table of scores has a row for each question and a column for each chunk. All steps are exact: sums are
//! taken in one order, and equal scores are told apart by the number of the chunk, the lower one first.
//!
//! The steps stand by themselves, so that each can be left out, replaced or measured:
//!
//! 1. [`bm25`] and [`cosine`] score chunks for questions, by words and by vectors.
//!    [`slots`] takes vectors from a store instead.
//! 2. [`smooth`] lets each chunk borrow from its [`neighbours`] in the same document.
//! 3. [`fuse`] makes one table of scores of two, by sum or by rank.
//! 4. [`top`] selects the best, equal texts once.
//!
//! Nothing is approximate: words are looked up in an inverted index, which takes milliseconds for a million
//! chunks, and vectors are read from the first to the last, as fast as the memory is. So there is no index of
//! neighbours to build and to tune, and a score never depends on one.

pub mod bm25;
pub mod cosine;
pub mod fuse;
pub mod matrix;
pub mod neighbours;
pub mod slots;
pub mod smooth;
pub mod top;

#[cfg(test)]
mod oracle;
