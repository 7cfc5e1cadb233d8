//! Hybrid and line chunks of a document over the stock serializer.

use super::hierarchical::{Hierarchical, hierarchical};
use super::hybrid::{HybridChunks, HybridOptions, Items, hybrid, semantic_parts};
use super::line::{LineChunks, LineOptions, LineWarning, chunk_lines};
use super::parts::HybridChunk;
use super::render::{Renderer, lines_with_ends};
use chunkwright_read::docling::NodeId;
use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::pulse::Pulse;

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
    hybrid(ruler, &items, sections.into_iter().map(HybridChunk::from), options)
}

/// The lines of the whole document that `renderer` renders, in chunks; the items of all chunks, which are
/// those of the document; and what is to be warned of.
///
/// # Errors
/// Those of [`Renderer::body`] and [`chunk_lines`].
pub fn line_chunks(
    ruler: &dyn Ruler,
    renderer: &Renderer<'_>,
    options: &LineOptions<'_>,
) -> Result<(Vec<String>, Vec<NodeId>, Vec<LineWarning>)> {
    let body = renderer.body()?;
    if body.text.is_empty() {
        return Ok((Vec::new(), Vec::new(), Vec::new()));
    }
    let lines: Vec<&str> = lines_with_ends(&body.text).collect();
    let LineChunks { texts, warnings } = chunk_lines(ruler, &lines, options)?;
    Ok((texts, body.items, warnings))
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
