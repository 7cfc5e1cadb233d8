//! Strategies: from a document to chunks.
//!
//! All of them go one way: a text or its elements are taken apart into segments, the segments are measured or
//! scored, and some of the places between them become cuts. Chunks are spans of the text, so nothing has to be
//! searched for afterwards.
//!
//! | module | segments | decides by | work for n bytes |
//! |---|---|---|---|
//! | [`window`] | tokens or graphemes | the limit alone | O(n) |
//! | [`recursive`] | separators, the strongest first | the last one within reach | O(n) a separator |
//! | [`sentence`] | sentences | as many as fit, or a number of them | O(n) |
//! | [`line_based`] | lines | as many as fit | O(n) |
//! | [`balanced`] | sentences, then clauses and words | the least sum of costs | O(n) |
//! | [`json`], [`yaml`] | values, entries | as many as fit under their path | O(n log n) |
//! | [`elements`] | elements | as many as fit, unless a unit begins | O(n) |
//! | [`elements::structural`] | atomic blocks | same parent, size and cosine of neighbours | O(n), and O(n) cosines |
//! | [`hierarchical`] | elements under headings | units that fit, peers merged | O(n) |
//! | [`semantic`] | sentences or small pieces | scores of vectors, or given starts | O(n log n), and O(n · k) cosines |
//!
//! Each module has a function that takes a document, a measure, limits and its own options. [`strategy::Cutter`]
//! holds all of that but the document and the measure as one value, which a caller can keep, copy and hand to
//! threads:
//!
//! ```
//! use chunkwright_text::cut::strategy::{Cutter, Strategy};
//! use chunkwright_text::document::Document;
//! use chunkwright_text::measure::Chars;
//! use chunkwright_text::options::{Limits, OverlapAt};
//! use chunkwright_text::pulse::no_pulse;
//!
//! let limits = Limits::new(12, None, 4)?;
//! let cutter = Cutter { strategy: Strategy::Window, limits, overlap_at: OverlapAt::Word };
//! let document = Document::new("one two three four five");
//! let chunks = cutter.cut(document, &Chars::new(document), no_pulse())?;
//! let texts: Vec<_> = chunks.spans().map(|span| &document.text()[span.range()]).collect();
//! assert_eq!(texts, ["one two thre", "three four f", "five"]);
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```
//!
//! # What holds for every strategy
//!
//! - Bodies of chunks are in order and disjoint; together they cover the text, whitespace at cuts left out.
//! - No chunk has more than the hard limit, overlap and repeated headings included, but for one that is a single
//!   grapheme: that is marked as oversize.
//! - The same text and options give the same chunks, on every machine and any number of threads.
//! - Time is O(n log n) or better on any text, and memory O(n): the measure's index, and some 150 bytes a chunk.

pub mod at_marks;
pub mod balanced;
mod bound_code;
pub mod by_kind;
mod chunker;
pub mod code;
mod code_blocks;
pub mod elements;
pub mod expand;
pub mod hierarchical;
pub mod json;
mod kept;
mod levels;
pub mod line_based;
mod pack;
mod path_chunks;
pub mod pieces;
mod prefix;
pub mod recursive;
pub mod semantic;
pub mod sentence;
mod small;
mod speakers;
pub mod strategy;
mod structure;
pub mod table;
pub mod window;
pub mod yaml;
