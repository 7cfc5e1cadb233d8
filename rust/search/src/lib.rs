//! Searches chunks, measures how well they answer, and finds quotations and near-duplicates.
//!
//! Chunks come in as texts, vectors and spans, by whatever they were cut; scores, ranks and spans go out. Nothing here
//! reads files or starts threads.
//!
//! # From a file to an answer
//!
//! ```
//! use chunkwright_text::cut::hierarchical::{Hierarchy, hierarchical};
//! use chunkwright_text::document::Document;
//! use chunkwright_text::measure::Chars;
//! use chunkwright_text::measure::ruler::{CharRuler, Ruled};
//! use chunkwright_text::options::{Limits, OverlapAt};
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_read::kinds::InputKind;
//! use chunkwright_search::retrieve::bm25::{Bm25, Saturation};
//!
//! # fn main() -> chunkwright_text::error::Result<()> {
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
//! | search chunks by words or vectors, and join rankings | [`retrieve`] |
//! | measure how well chunks answer questions | [`evaluate`] |
//! | find the blocks of a text again after it changed | [`align`] |
//! | cut a changed text, and keep the chunks that are untouched | [`resync`] |
//! | find quotations, and say what is wrong with them | [`quotes`] |
//! | find near-duplicates | [`minhash`] |
//! | find chunks that contradict each other | [`contradiction`] |

pub mod align;
pub mod contradiction;
pub mod evaluate;
pub mod minhash;
pub mod quotes;
pub mod resync;
pub mod retrieve;
