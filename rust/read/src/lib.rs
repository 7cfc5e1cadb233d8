//! Readers: from foreign formats to a text, its elements and its tables.
//!
//! A reader decides what the text of a document is. Markdown and plain text keep the source itself, so that spans
//! are places in the file; all other formats get a text that says what the source says, and remember where it
//! stood. All return a [`Read`]: the text, the elements as spans of it, and sparse columns of what few formats
//! know.
//!
//! | module | format | text | specification |
//! |---|---|---|---|
//! | [`markdown`] | Markdown | the source | `CommonMark`, tables and footnotes of GitHub |
//! | [`rst`] | reStructuredText | the source | docutils 0.22, with the directives of Sphinx |
//! | [`html::page`] | HTML pages | visible text | WHATWG HTML |
//! | [`csv`] | CSV, TSV | a line for each row | RFC 4180, as Python's `csv` reads it |
//! | [`element_json`], [`unstructured`] | lists of Unstructured's elements | their texts | its JSON |
//! | `docling` | `DoclingDocument` | Markdown-like | its schemas 1.0 to 1.10 |
//! | [`json`], [`yaml`] | JSON, YAML | the source | RFC 8259, YAML 1.2 |
//! | `docx` | Word files | what Word shows | ECMA-376, transitional and strict |
//!
//! [`kinds::KINDS`] and [`kinds::FILES`] have one row for each, by which a text or a file is told and read; [`told`]
//! looks at contents, [`signatures`] at first bytes of what is no text. Files come from anywhere: every reader takes
//! linear time and memory, has a bound on what it nests or decodes, and no input panics.
//!
//! ```
//! use chunkwright_text::elements::Kind;
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_read::kinds::InputKind;
//!
//! let text = "# Rain\n\nIt fell.\n";
//! let kind = InputKind::told(text, Some(".md"));
//! let read = kind.read(text, no_pulse())?.unwrap();
//! assert_eq!(kind.name, "markdown");
//! assert_eq!(read.elements.iter().map(|element| element.kind).collect::<Vec<_>>(), [
//!     Kind::Heading,
//!     Kind::Paragraph,
//! ]);
//! assert!(read.text.is_none()); // it is the source
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```
//!
//! # Features
//!
//! All are on by default: `docling` reads `DoclingDocument`s, `docx` reads Word files, and `pdf` makes text of the
//! glyphs of PDF pages.

pub mod blocks;
pub mod csv;
#[cfg(feature = "docling")]
pub mod docling;
#[cfg(feature = "docx")]
pub mod docx;
pub mod element_json;
pub mod encodings;
pub mod html;
pub mod kinds;
pub mod links;
pub mod payload;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod reconstruct;
pub mod rst;
pub mod scalar;
pub mod signatures;
pub mod table;
pub mod talks;
pub mod told;
pub mod uncovered;
pub mod unstructured;

pub use chunkwright_text::read::Read;
pub use chunkwright_text::syntax::{json, markdown, yaml};
