//! Peers' algorithms, reproduced byte for byte: what exists for parity only.

pub mod unstructured;
