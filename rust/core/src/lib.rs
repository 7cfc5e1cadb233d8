//! Cuts documents into chunks for retrieval.

pub mod chunks;
pub mod error;
pub mod measure;
pub mod offsets;
pub mod options;
pub mod span;

#[cfg(test)]
mod oracle;
