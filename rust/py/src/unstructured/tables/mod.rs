//! Tables by themselves: read from HTML, split by rows, put together again.

pub mod grid;
pub mod lines;
pub mod split;
