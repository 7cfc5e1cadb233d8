//! Markup: what a text is written in, as far as it is known.
//!
//! It is told by the reader of a document, or by the caller; nothing is guessed from a text, for `# ` is a
//! heading in Markdown and a comment in Python.

use serde::{Deserialize, Serialize};

/// Markup of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Markup {
    /// Anything. A line of tildes may be a fence, or the underline of the heading above.
    #[default]
    Unknown,
    /// Markdown.
    Markdown,
    /// reStructuredText, whose literal blocks are indented below a line that ends in `::`.
    Rst,
    /// Source code, which has no headings.
    Code,
}
