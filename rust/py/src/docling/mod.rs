//! Documents of Docling's and their chunks for Python.

mod chunks;
mod document;
mod hybrid;
mod lines;

pub use chunks::DoclingChunks;
pub use document::DoclingDocument;
pub use hybrid::docling_hybrid;
pub use lines::docling_lines;
