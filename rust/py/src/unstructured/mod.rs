//! Unstructured's elements: objects and dicts from Python, chunks of them back.

mod chunk_view;
mod chunks;
mod collector;
mod copying;
mod cutter;
mod dicts;
mod document;
mod fields;
mod given;
mod grid;
mod instances;
mod json;
pub mod kinds;
mod lines;
mod metadata;
mod native;
pub mod nesting;
mod objects;
mod originals;
pub mod pages;
pub mod reading;
mod serialised;
pub mod surrogates;
mod table;
mod ticks;
mod wrong;

pub use chunks::UnstructuredChunks;
pub use cutter::UnstructuredCutter;
pub use document::UnstructuredElements;
pub use grid::{TableGrid, reconstruct_table};
pub use kinds::ElementKinds;
pub use lines::{split_markdown, split_rows};
pub use native::native_dicts;
pub use objects::ElementClasses;
pub use table::split_table;
