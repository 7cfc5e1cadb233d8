//! Retrieval and its evaluation: a BM25 index, steps on scores and vectors, stored vectors, scores of excerpts.

pub mod bm25;
pub mod evaluation;
pub mod ranking;
pub mod slots;
