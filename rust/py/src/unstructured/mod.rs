//! Unstructured's elements: objects and dicts from Python, chunks of them back.

mod chunks;
mod cutter;
mod document;
mod json_chunks;
mod native_chunks;
pub mod reading;
mod repaired_ruler;
mod signal_checks;
pub mod surrogates;
mod tables;
mod writing;

pub use chunks::UnstructuredChunks;
pub use cutter::UnstructuredCutter;
pub use document::UnstructuredElements;
pub use json_chunks::UnstructuredJson;
pub use native_chunks::native_dicts;
pub use reading::kinds::ElementKinds;
pub use tables::grid::{TableGrid, reconstruct_table};
pub use tables::lines::{split_markdown, split_rows};
pub use tables::split::split_table;
pub use writing::objects::ElementClasses;
