//! Classes of code points, as patterns of tokenizers and Python's strings have them.

pub mod classes;
pub mod line_ends;
pub mod space;
