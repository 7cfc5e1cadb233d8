//! Cuts documents into chunks for retrieval.
//!
//! Text goes in, cuts come out: a strategy looks for places to cut, measures what lies between them and
//! says where chunks begin and end. Nothing here reads files or starts threads, and no result depends on
//! what was called before. What is global: lists of abbreviations, indexed when first used and the same
//! from then on; a flag of each thread, by which a panic hook knows that a panic will be caught.
//!
//! # A text and its chunks
//!
//! ```
//! use chunkwright_text::cut::recursive::{Recursion, recursive};
//! use chunkwright_text::document::Document;
//! use chunkwright_text::measure::Chars;
//! use chunkwright_text::options::{Limits, OverlapAt};
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::markup::Markup;
//! use chunkwright_text::segment::separator::{Keep, Separator};
//!
//! # fn main() -> chunkwright_text::error::Result<()> {
//! let text = "One paragraph.\n\nAnother, a little longer.";
//! let document = Document::new(text);
//! let separators = vec![
//!     Separator::literal("\n\n", Keep::Start)?,
//!     Separator::literal(" ", Keep::Start)?,
//! ];
//! let options = Recursion {
//!     separators,
//!     by_markup: Vec::new(),
//!     markup: Markup::Unknown,
//!     language: None,
//!     repeat_headers: true,
//! };
//! let limits = Limits::new(16, None, 0)?;
//! let chunks = recursive(
//!     document,
//!     &Chars::new(document),
//!     limits,
//!     OverlapAt::Word,
//!     &options,
//!     no_pulse(),
//! )?;
//! let texts: Vec<&str> = chunks.spans().map(|span| &text[span.range()]).collect();
//! assert_eq!(texts, ["One paragraph.", "Another, a", "little longer."]);
//! # Ok(())
//! # }
//! ```
//!
//! # Token counts of any span
//!
//! A text is encoded once; after that each span is counted as if it stood alone, in constant time.
//!
//! ```
//! use chunkwright_text::measure::{Bpe, Encoder, Measure, Tokens};
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::span::Span;
//!
//! # fn main() -> chunkwright_text::error::Result<()> {
//! let text = "Hello, world! Hello again.";
//! let Some(bpe) = Bpe::named("cl100k_base") else { return Ok(()) };
//! let mut encoder = Encoder::new(bpe);
//! assert_eq!(encoder.count("Hello, world!", no_pulse())?, 4);
//! let index = encoder.index(text, no_pulse())?;
//! let tokens = Tokens::new(text, &index);
//! assert_eq!(tokens.size(Span::new(0, 13))?, 4);
//! assert_eq!(tokens.longest(7, 2)?, 13);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to begin
//!
//! | to | see |
//! |---|---|
//! | cut, by any strategy | [`cut`], [`cut::strategy::Cutter`] |
//! | count tokens, as a model or in a unit of your own | [`measure`] |
//! | find sentences, words, graphemes, headings | [`segment`] |
//! | look at what a reader made of a file | [`read`], [`elements`] |
//! | find the values of JSON and YAML, the blocks of Markdown, the cells of a table in HTML | [`syntax`] |
//! | compare texts by vectors | [`vectors`] |
//! | stop long work | [`pulse`] |
//!
//! The crate `chunkwright-read` reads files, `chunkwright-search` searches chunks and measures how well they answer,
//! and `chunkwright-engine` runs strategies over many documents on all processors, takes and gives Arrow tables, and
//! makes a strategy of its name and options.
//!
//! # Features
//!
//! `tokenizer_json`, on by default, reads the files in which tokenizers of models are kept.
//!
//! # Work and memory
//!
//! Time is linear in the text, or n log n where that is said, on hostile texts too: the documentation of each
//! function names its bound. To cut a text by tokens takes the text itself, 0.28 bytes a byte for the index, some
//! 150 bytes a chunk, and 5 MB once for the encoder's cache.
//!
//! # Units
//!
//! Spans are bytes ([`span`]); sizes are in the unit of a [`measure::Measure`]; [`offsets`] turns bytes
//! into code points and lines at the edge.

pub mod block_types;
pub mod boundaries;
pub mod chunks;
pub mod cut;
pub mod document;
pub mod elements;
pub mod error;
pub mod grid;
pub mod heading_paths;
pub mod identity;
pub mod markup;
pub mod measure;
pub mod offsets;
pub mod options;
pub mod overlap;
pub mod panics;
pub mod pulse;
pub mod read;
pub mod rows;
pub mod sections;
pub mod segment;
pub mod source_map;
pub mod span;
pub mod subject;
pub mod syntax;
pub mod turns;
pub mod unicode;
pub mod vectors;

#[cfg(test)]
mod oracle;
