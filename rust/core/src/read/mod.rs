//! Readers: from foreign formats to a text, its elements and its tables.

pub mod docling;
pub mod element_json;
pub mod html;
pub mod json;
pub mod markdown;
pub mod reconstruct;
pub mod table;
pub mod uncovered;
pub mod unstructured;
