//! Docling's chunkers, reproduced byte for byte over the stock serializer.

mod chunk;
mod hierarchical;
mod page;
pub mod render;

pub use chunk::DocChunk;
pub use hierarchical::{Hierarchical, hierarchical};
pub use page::pages;
