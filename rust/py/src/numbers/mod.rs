//! Numbers that NumPy reads without a copy, and arrays of numbers that belong to Python.

pub(crate) mod buffer;
pub(crate) mod column;
pub(crate) mod floats;
pub(crate) mod integers;
pub(crate) mod matrix;
