//! Retrieval and its evaluation: a BM25 index, steps on scores and vectors, and scores of excerpts.

pub mod bm25;
pub mod evaluation;
pub mod ranking;
