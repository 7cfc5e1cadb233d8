//! Strategies: where a text is cut.

mod chunker;
pub mod langchain;
pub mod recursive;
pub mod window;
