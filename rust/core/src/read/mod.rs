//! Readers: from foreign formats to a text, its elements and its tables.

pub mod csv;
pub mod docling;
pub mod element_json;
pub mod html;
pub mod json;
pub mod kinds;
pub mod link;
pub mod links;
pub mod markdown;
pub mod payload;
pub mod reconstruct;
pub mod result;
pub mod scalar;
pub mod signatures;
mod stored;
pub mod table;
pub mod told;
pub mod uncovered;
pub mod unstructured;
pub mod yaml;

pub use result::Read;
