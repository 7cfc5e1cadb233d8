//! Errors of input that is not what it says it is, carried as the core carries those of its callers.

use arrow_schema::ArrowError;
use chunkwright_core::error::Error;

/// Input that is not what it says it is. It comes as an [`Error::Caller`], from which it is downcast.
#[derive(Debug)]
pub struct ReadError(String);

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

/// A [`ReadError`] with this message, as the core's error.
pub fn unreadable(message: String) -> Error {
    Error::Caller(Box::new(ReadError(message)))
}

/// What Arrow says, as the core's error.
pub fn arrow(error: ArrowError) -> Error {
    Error::Caller(Box::new(error))
}
