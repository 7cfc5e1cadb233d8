//! Peers' algorithms, reproduced byte for byte: what exists for parity only.

pub mod docling;
pub mod semchunk;
pub mod unstructured;
