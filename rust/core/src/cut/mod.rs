//! Strategies: from a document to chunks.

pub mod balanced;
pub mod by_kind;
mod chunker;
pub mod elements;
pub mod expand;
pub mod hierarchical;
pub mod json;
mod kept;
mod levels;
pub mod line_based;
mod pack;
mod path_chunks;
pub mod pieces;
mod prefix;
pub mod recursive;
pub mod semantic;
pub mod sentence;
mod small;
pub mod strategy;
mod structure;
pub mod table;
pub mod window;
pub mod yaml;
