//! Cuts many documents with `chunkwright-text`: units, threads, batches and Arrow tables.
//!
//! The core cuts one text by one measure. This crate has what a program needs around that, whatever its
//! language: tokenizers that stay warm, threads that share the texts of a batch, a way to stop them, and
//! tables of documents to tables of chunks. It reads no files, and its threads end with the call that
//! started them.
//!
//! # A batch of texts
//!
//! A strategy is data: see [`strategies`].
//!
//! ```
//! use chunkwright_engine::batch::Batch;
//! use chunkwright_engine::host::NoHost;
//! use chunkwright_engine::strategies::{Parts, Spec};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let spec: Spec = serde_json::from_str(r#"{"strategy": "balanced", "max_tokens": 8}"#)?;
//! let (unit, cutter) = (spec.unit()?, spec.cutter(&Parts::default())?);
//! let texts = ["One sentence. Another one, which is a little longer.", "A second text."];
//! // On up to four threads, the calling one among them.
//! let cuts = Batch::new(&cutter, &unit, &texts.as_slice()).run(4, &NoHost)?;
//! for (text, cut) in texts.iter().zip(cuts) {
//!     let cut = cut?;
//!     let chunks: Vec<&str> = cut.chunks.spans().map(|span| &text[span.range()]).collect();
//!     assert_eq!(chunks.concat().len(), text.len() - (chunks.len() - 1));
//!     assert!(cut.chunks.sizes().iter().all(|&n_tokens| n_tokens <= 8));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # An Arrow table of documents
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, StructArray};
//! use chunkwright_text::error::Error;
//! use chunkwright_engine::arrow_table::{ColumnNames, Counting, Job, Layout, Reading};
//! use chunkwright_engine::host::NoHost;
//! use chunkwright_engine::rows::RowSchema;
//! use chunkwright_engine::strategies::{Parts, Spec};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let texts: ArrayRef = Arc::new(StringArray::from(vec!["abcdef", "xyz"]));
//! let names: ArrayRef = Arc::new(StringArray::from(vec!["a.txt", "b.txt"]));
//! let documents = RecordBatch::try_from_iter([("text", texts), ("path", names)])?;
//! let documents = StructArray::from(documents);
//!
//! let spec: Spec = serde_json::from_str(r#"{"strategy": "window", "max_chars": 4}"#)?;
//! let (unit, cutter) = (spec.unit()?, spec.cutter(&Parts::default())?);
//! let columns = ColumnNames {
//!     text: "text".into(),
//!     name: Some("path".into()),
//!     document_id: None,
//!     name_from_id: false,
//!     rows: RowSchema::default(),
//!     reading: Reading::Plain,
//!     needs_elements: false,
//! };
//! let layout = Layout::new(documents.data_type(), &columns).map_err(Error::Config)?;
//! let job = Job {
//!     layout: &layout,
//!     cutter: &cutter,
//!     counting: Counting::Unit(&unit),
//!     count_tokens: None,
//!     write_contexts: None,
//!     workers: 4,
//!     host: &NoHost,
//!     may_be_large: true,
//! };
//! let chunks = RecordBatch::from(job.chunks(documents)?);
//! let strings = |name| chunks.column_by_name(name)?.as_any().downcast_ref::<StringArray>();
//! let texts: Vec<_> = strings("text").into_iter().flatten().flatten().collect();
//! assert_eq!(texts, ["abcd", "ef", "xyz"]);
//! let paths: Vec<_> = strings("path").into_iter().flatten().flatten().collect();
//! assert_eq!(paths, ["a.txt", "a.txt", "b.txt"]);
//! # Ok(())
//! # }
//! ```

pub mod arrow_table;
pub mod batch;
mod crew;
pub mod cut;
pub mod error;
pub mod host;
pub mod options;
pub mod pool;
pub mod rows;
pub mod stop;
pub mod strategies;
pub mod threads;
pub mod tokenizer_cache;
pub mod unit;
