//! Chunks written as objects and dicts of Unstructured's, with metadata made of those of their elements.

mod deep_copy;
pub mod dicts;
mod element_json;
mod fields;
pub mod gc_pause;
mod instances;
mod json;
mod metadata;
pub mod objects;
mod originals;
mod payloads;
pub mod view;
