//! Documents of Docling's and their chunks for Python.

mod chunks;
mod document;

pub use chunks::DoclingChunks;
pub use document::DoclingDocument;
