//! Readers: from foreign formats to a text, its elements and its tables.

pub mod docling;
pub mod element_json;
pub mod html;
pub mod reconstruct;
pub mod uncovered;
pub mod unstructured;
