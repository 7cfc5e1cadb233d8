//! Docling's chunkers: options and sections from Python, chunks back.

mod hybrid;
mod lines;

pub use hybrid::docling_hybrid;
pub use lines::docling_lines;
