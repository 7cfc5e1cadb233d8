//! Strategies: where a text is cut.

mod chunker;
pub mod langchain;
pub mod recursive;
pub mod strategy;
pub mod window;
