//! Algorithms of other chunkers, reproduced byte for byte on the core's texts, measures and tables.
//!
//! Each module is one peer, with its own limits and its own order of steps; what the peer exceeds, it
//! exceeds here. [`chunkwright_text`] names none of them and needs none of this.

pub mod chroma;
pub mod docling;
pub mod langchain;
pub mod semchunk;
pub mod unstructured;

/// Rulers of the core's own tests, which name its modules as `crate::`.
#[cfg(test)]
#[path = "../../text/src/measure/testing.rs"]
mod testing;
#[cfg(test)]
use chunkwright_text::{error, measure, pulse, span};
