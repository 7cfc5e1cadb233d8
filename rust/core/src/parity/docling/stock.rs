//! Hybrid chunks of a document over the stock serializer.

use std::sync::Arc;

use super::chunk::DocChunk;
use super::hierarchical::{Hierarchical, hierarchical};
use super::hybrid::{
    ChunkItem, HybridChunk, HybridChunks, HybridOptions, Items, hybrid, semantic_parts,
};
use super::render::Renderer;
use crate::error::Result;
use crate::measure::ruler::Ruler;
use crate::pulse::Pulse;
use crate::read::docling::NodeId;

/// The hybrid chunks of the document that `renderer` renders. `max_token_chars` is the length of the
/// longest token of the unit's vocabulary, as semchunk finds it.
///
/// # Errors
/// Those of [`hierarchical`] and [`hybrid`].
pub fn hybrid_chunks(
    ruler: &dyn Ruler,
    renderer: &Renderer<'_>,
    sections: Hierarchical,
    options: &HybridOptions,
    max_token_chars: Option<usize>,
    pulse: Pulse<'_>,
) -> Result<HybridChunks> {
    let nodes = renderer.document().ids().collect();
    let items = Rendered { renderer, nodes, max_token_chars, pulse };
    let sections = hierarchical(renderer, sections, pulse)?;
    hybrid(ruler, &items, sections.into_iter().map(section), options)
}

fn section(chunk: DocChunk) -> HybridChunk {
    let is_bare = chunk.has_bare_items;
    let item = |id: NodeId| ChunkItem { index: id.index(), is_bare };
    HybridChunk {
        text: chunk.text,
        items: chunk.items.into_iter().map(item).collect(),
        headings: chunk.headings.map(Arc::from),
        has_origin: chunk.has_origin,
    }
}

/// Items as the stock serializer writes them.
struct Rendered<'a> {
    renderer: &'a Renderer<'a>,
    nodes: Vec<NodeId>,
    max_token_chars: Option<usize>,
    pulse: Pulse<'a>,
}

impl Items for Rendered<'_> {
    fn text(&self, item: usize) -> Result<String> {
        let id = self.nodes[item];
        if self.renderer.document().node(id).label.is_heading() {
            return Ok(String::new());
        }
        self.renderer.item(id)
    }

    fn is_table(&self, item: usize) -> bool {
        self.renderer.document().is_table(self.nodes[item])
    }

    fn table_lines(&self, text: &str) -> Result<[Vec<String>; 2]> {
        let lines = self.renderer.table_lines(text);
        Ok([lines.header, lines.rows].map(|lines| lines.into_iter().map(String::from).collect()))
    }

    fn semantic(&self, ruler: &dyn Ruler, text: &str, max: usize) -> Result<Vec<String>> {
        semantic_parts(ruler, text, max, self.max_token_chars, self.pulse)
    }
}
