//! Cuts documents into chunks for retrieval.

pub mod chunks;
pub mod cut;
pub mod document;
pub mod error;
pub mod identity;
pub mod measure;
pub mod offsets;
pub mod options;
pub mod overlap;
pub mod segment;
pub mod span;

#[cfg(test)]
mod oracle;
