//! Docling's chunkers, reproduced byte for byte over the stock serializer.

mod chunk;
pub mod columns;
pub mod dump;
mod hierarchical;
pub mod hybrid;
pub mod line;
mod page;
mod parts;
mod peers;
pub mod render;
mod scale;
mod stock;
mod windows;

pub use chunk::DocChunk;
pub use hierarchical::{Hierarchical, hierarchical};
pub use page::pages;
pub use stock::{hybrid_chunks, line_chunks};
