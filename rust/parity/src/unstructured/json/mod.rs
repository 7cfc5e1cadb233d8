//! Elements in JSON to chunks in JSON: what the objects would say, without making them.
//!
//! Whatever is not said here exactly as it is by way of objects is [`Odd`], and goes that way.

mod answer;
pub mod ascii;
mod elements;
mod fields_of_chunk;
mod ids;
mod originals;
pub mod payload;
#[cfg(test)]
mod tests;
mod value;

use chunkwright_text::error::Error;

pub use answer::{Told, written};
pub use elements::{JsonElement, elements_of};

/// Why elements in JSON do not become chunks in JSON.
#[derive(Debug)]
pub enum Odd {
    /// They hold what is not said here.
    Unsaid,
    /// An error of the core's.
    Error(Error),
}

impl From<Error> for Odd {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}
