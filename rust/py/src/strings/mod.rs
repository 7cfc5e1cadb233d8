//! Python's `str`: its UTF-8, slices of it, and the sources of chunks.

pub mod sources;
pub mod substring;
pub mod text;
