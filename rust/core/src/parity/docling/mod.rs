//! Docling's chunkers, chunk for chunk.

pub mod columns;
pub mod hybrid;
pub mod line;
mod peers;
mod scale;
mod windows;
