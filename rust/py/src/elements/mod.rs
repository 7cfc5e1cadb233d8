//! Elements of documents: objects and dicts from Python, chunks of them back.

mod collector;
mod columns;
mod copying;
mod cutter;
mod dicts;
mod document;
mod fields;
mod grid;
mod instances;
mod json;
mod kinds;
mod lines;
mod metadata;
mod objects;
mod originals;
mod pages;
mod reading;
mod rows;
mod serialised;
mod surrogates;
mod table;
mod ticks;
mod wrong;

pub use columns::ElementColumns;
pub use cutter::ElementCutter;
pub use document::Elements;
pub use grid::{TableGrid, reconstruct_table};
pub use kinds::ElementKinds;
pub use lines::{split_markdown, split_rows};
pub use objects::ElementClasses;
pub use table::split_table;
