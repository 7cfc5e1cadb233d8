//! Chunks on their way through `HybridChunker`: parts of known sizes, and what stands before their texts.

use std::sync::Arc;

use super::chunk::DocChunk;
use super::scale::Scale;
use chunkwright_read::docling::NodeId;
use chunkwright_text::error::Result;

/// Headings above a chunk, outermost first; none if there are none.
pub type Headings = Option<Arc<[String]>>;

/// An item of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkItem {
    /// Its index among the document's items.
    pub index: usize,
    /// Whether it is the peer's copy of what all items have in common, not the item itself.
    pub is_bare: bool,
}

/// How the peer made a chunk's metadata, which says the fields of it that count as set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Of headings with nothing below them.
    OfHeadings,
    /// Of items, headings and the origin.
    OfItems,
    /// Of the JSON of a chunk.
    OfJson,
    /// The same, and its headings dropped then.
    Stripped,
}

impl Made {
    /// What Python calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OfHeadings => "of headings",
            Self::OfItems => "of items",
            Self::OfJson => "of json",
            Self::Stripped => "stripped",
        }
    }
}

/// A chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HybridChunk {
    /// Its text, without the headings.
    pub text: String,
    /// What it is made of.
    pub items: Vec<ChunkItem>,
    /// The headings above it.
    pub headings: Headings,
    /// Whether it says where the document comes from.
    pub has_origin: bool,
    /// How its metadata came about.
    pub made: Made,
}

impl HybridChunk {
    /// The same without a text.
    #[must_use]
    pub fn without_text(&self) -> Self {
        Self {
            text: String::new(),
            items: self.items.clone(),
            headings: self.headings.clone(),
            has_origin: self.has_origin,
            made: self.made,
        }
    }
}

impl From<DocChunk> for HybridChunk {
    fn from(chunk: DocChunk) -> Self {
        let item = |id: NodeId| ChunkItem { index: id.index(), is_bare: false };
        Self {
            text: chunk.text,
            items: chunk.items.into_iter().map(item).collect(),
            headings: chunk.headings.map(Arc::from),
            has_origin: chunk.has_origin,
            // Headings alone are the only chunks that do not say it.
            made: if chunk.has_origin { Made::OfItems } else { Made::OfHeadings },
        }
    }
}

/// A chunk of known sizes.
pub struct Part {
    pub chunk: HybridChunk,
    /// Of the text alone.
    pub size: usize,
    /// With the headings before it.
    pub total: usize,
}

/// What stands before the text where a chunk is counted.
pub struct Context {
    lead: String,
    /// Asked for only where sizes add up.
    size: usize,
}

impl Context {
    pub fn new(scale: Scale<'_>, headings: &Headings) -> Result<Self> {
        let Some(headings) = headings else { return Ok(Self { lead: String::new(), size: 0 }) };
        let mut lead = headings.join("\n");
        lead.push('\n');
        let size = if scale.adds_up() { scale.size(&lead)? } else { 0 };
        Ok(Self { lead, size })
    }

    /// Size of the text with what stands before it; `size` is that of the text alone.
    pub fn total(&self, scale: Scale<'_>, text: &str, size: usize) -> Result<usize> {
        if self.lead.is_empty() {
            Ok(size)
        } else if scale.adds_up() {
            Ok(self.size + size)
        } else {
            scale.size(&[self.lead.as_str(), text].concat())
        }
    }

    /// Size of texts joined by newlines, which have these `sizes`, with what stands before them.
    pub fn total_of<'t>(
        &self,
        scale: Scale<'_>,
        sizes: &[usize],
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<usize> {
        if scale.adds_up() {
            return Ok(self.size + sizes.iter().sum::<usize>());
        }
        let mut joined = self.lead.clone();
        for (i, text) in texts.enumerate() {
            if i > 0 {
                joined.push('\n');
            }
            joined.push_str(text);
        }
        scale.size(&joined)
    }
}
