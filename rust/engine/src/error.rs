//! Errors of input and of Arrow, as the core's.

use arrow_schema::ArrowError;
use chunkwright_text::error::Error;

/// What Arrow says, as the core's error.
pub fn arrow(error: ArrowError) -> Error {
    Error::Caller(Box::new(error))
}
