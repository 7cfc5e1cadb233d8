//! Chunk of a `DoclingDocument`: a text and the items that it was made of.

use chunkwright_read::docling::NodeId;

/// A chunk, as `DocChunk` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocChunk {
    /// Its text.
    pub text: String,
    /// The items that contributed to it, in order.
    pub items: Vec<NodeId>,
    /// The headings above it, the highest first; none if there are none.
    pub headings: Option<Vec<String>>,
    /// Whether it says what the document was made of.
    pub has_origin: bool,
}
