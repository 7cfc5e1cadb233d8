//! Arrow tables of documents to Arrow tables of chunks.

pub mod checks;
mod chunk_columns;
mod cut_document;
mod documents;
mod element_lists;
pub mod job;
mod json_rows;
mod labels;
pub mod layout;
pub mod reading;
pub mod repeat;
pub mod stream;
mod strings;
mod width;

use arrow_schema::ArrowError;

pub use cut_document::CutDocument;
pub use documents::Documents;
pub use job::{Counting, Job, WriteContexts};
pub use json_rows::json_rows;
pub use layout::{ColumnNames, Layout};
pub use reading::Reading;
pub use stream::ChunkStream;
pub use strings::Strings;

/// What Arrow gives.
pub type ArrowResult<T> = Result<T, ArrowError>;

#[cfg(test)]
mod document_tests;
#[cfg(test)]
mod tests;
