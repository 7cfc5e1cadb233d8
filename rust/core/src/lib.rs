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
//! use chunkwright_core::cut::recursive::{Recursion, recursive};
//! use chunkwright_core::document::Document;
//! use chunkwright_core::measure::Chars;
//! use chunkwright_core::options::{Limits, OverlapAt};
//! use chunkwright_core::pulse::no_pulse;
//! use chunkwright_core::markup::Markup;
//! use chunkwright_core::segment::separator::{Keep, Separator};
//!
//! # fn main() -> chunkwright_core::error::Result<()> {
//! let text = "One paragraph.\n\nAnother, a little longer.";
//! let document = Document::new(text);
//! let separators = vec![
//!     Separator::literal("\n\n", Keep::Start)?,
//!     Separator::literal(" ", Keep::Start)?,
//! ];
//! let options = Recursion { separators, markdown: None, markup: Markup::Unknown, repeat_headers: true };
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
//! use chunkwright_core::measure::{Bpe, Encoder, Measure, Tokens};
//! use chunkwright_core::pulse::no_pulse;
//! use chunkwright_core::span::Span;
//!
//! # fn main() -> chunkwright_core::error::Result<()> {
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
//! # From a file to an answer
//!
//! ```
//! use chunkwright_core::cut::hierarchical::{Hierarchy, hierarchical};
//! use chunkwright_core::document::Document;
//! use chunkwright_core::measure::Chars;
//! use chunkwright_core::measure::ruler::{CharRuler, Ruled};
//! use chunkwright_core::options::{Limits, OverlapAt};
//! use chunkwright_core::pulse::no_pulse;
//! use chunkwright_core::read::kinds::InputKind;
//! use chunkwright_core::retrieve::bm25::{Bm25, Saturation};
//!
//! # fn main() -> chunkwright_core::error::Result<()> {
//! let text = "# Rain\n\nIt fell for two days. The river rose.\n\n# Sun\n\nIt came out.\n";
//! let Some(read) = InputKind::told(text, Some(".md")).read(text, no_pulse())? else { return Ok(()) };
//! let document = Document::new(text).with_elements(&read.elements).written_in(read.markup);
//!
//! let measure = Ruled::new(Chars::new(document), CharRuler);
//! let options = Hierarchy { merge_peers: true, repeat_headings: true, ..Hierarchy::default() };
//! let (limits, at) = (Limits::new(40, None, 0)?, OverlapAt::Word);
//! let chunks = hierarchical(document, &measure, limits, at, options, no_pulse())?;
//!
//! let texts: Vec<_> = (0..chunks.len()).map(|i| chunks.text(i, text)).collect();
//! let texts: Vec<&str> = texts.iter().map(|chunk| &**chunk).collect();
//! let index = Bm25::new(&texts, Saturation::new(1.2, 0.75)?, None, no_pulse())?;
//! let best = &index.top("When did the river rise?", 1, no_pulse())?[0];
//! assert_eq!(texts[best.text], "# Rain\n\nThe river rose.");
//! # Ok(())
//! # }
//! ```
//!
//! # Where to begin
//!
//! | to | see |
//! |---|---|
//! | read Markdown, HTML, CSV, JSON of partitioners | [`read`] |
//! | cut, by any strategy | [`cut`], [`cut::strategy::Cutter`] |
//! | count tokens, as a model or in a unit of your own | [`measure`] |
//! | find sentences, words, graphemes, headings | [`segment`] |
//! | compare texts by vectors | [`vectors`] |
//! | search chunks | [`retrieve`] |
//! | measure how well chunks answer questions | [`evaluate`] |
//! | find the blocks of a text again after it changed | [`align`] |
//! | find quotations, and say what is wrong with them | [`quotes`] |
//! | find near-duplicates | [`minhash`] |
//! | stop long work | [`pulse`] |
//!
//! The crate `chunkwright-engine` runs all of this over many documents on all processors, takes and gives Arrow
//! tables, and makes a strategy of its name and options.
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

pub mod align;
pub mod block_types;
pub mod boundaries;
pub mod chunks;
pub mod contradiction;
pub mod cut;
pub mod document;
pub mod elements;
pub mod error;
pub mod evaluate;
pub mod grid;
pub mod heading_paths;
pub mod identity;
pub mod markup;
pub mod measure;
pub mod minhash;
pub mod offsets;
pub mod options;
pub mod overlap;
pub mod panics;
pub mod pulse;
pub mod quotes;
pub mod read;
pub mod retrieve;
pub mod rows;
pub mod sections;
pub mod segment;
pub mod source_map;
pub mod span;
pub mod unicode;
pub mod vectors;

#[cfg(test)]
mod oracle;
