//! Hierarchical chunker: a chunk for each item or list, with the headings above it.

use std::collections::BTreeMap;

use crate::docling::chunk::DocChunk;
use crate::docling::render::{Renderer, Scope, Visited};
use chunkwright_read::docling::{Document, Label, NodeId};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};

/// Options of the hierarchical chunker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hierarchical {
    /// Whether headings with nothing below them make chunks of their own.
    pub always_emit_headings: bool,
}

/// The chunks of the document that `renderer` renders, in order. O(size of the document).
///
/// # Errors
/// Those of [`Renderer::item`] and of the pulse.
pub fn hierarchical(
    renderer: &Renderer<'_>,
    options: Hierarchical,
    pulse: Pulse<'_>,
) -> Result<Vec<DocChunk>> {
    let document = renderer.document();
    let (beat, mut visited) = (Beat::of_bytes(pulse), Visited::new(document));
    let mut headings = Headings::new(document, options.always_emit_headings);
    let mut chunks = Vec::new();
    for id in renderer.body_nodes() {
        let node = document.node(id);
        if renderer.is_excluded(id) || renderer.is_nested_in_caption(id) {
            continue;
        }
        if node.label.is_heading() {
            chunks.extend(headings.put(id));
            continue;
        }
        if node.label == Label::Group || visited.has(id) {
            continue;
        }
        let part = renderer.render(id, Scope::default(), &mut visited)?;
        beat.after(part.text.len())?;
        if !part.text.is_empty() && !part.items.is_empty() {
            chunks.push(headings.over(part.text, part.items));
        }
    }
    chunks.extend(headings.left());
    Ok(chunks)
}

/// The headings above what is read.
struct Headings<'d> {
    document: &'d Document,
    by_level: BTreeMap<u8, NodeId>,
    always_emit: bool,
    /// The deepest heading, if a chunk with it is there.
    emitted: Option<NodeId>,
}

impl<'d> Headings<'d> {
    const fn new(document: &'d Document, always_emit: bool) -> Self {
        Self { document, by_level: BTreeMap::new(), always_emit, emitted: None }
    }

    fn deepest(&self) -> Option<NodeId> {
        self.by_level.last_key_value().map(|(_, id)| *id)
    }

    /// Puts a heading below those that are higher; the chunk of those that it ends, if it is wanted.
    fn put(&mut self, id: NodeId) -> Option<DocChunk> {
        let node = self.document.node(id);
        let level = if node.label == Label::Title { 0 } else { node.level };
        let ends_some = self.by_level.range(level..).next().is_some();
        let chunk = if ends_some { self.left() } else { None };
        self.by_level.split_off(&level);
        self.by_level.insert(level, id);
        chunk
    }

    /// A chunk of the headings alone, if they are wanted and none is there.
    fn left(&mut self) -> Option<DocChunk> {
        let deepest = self.deepest()?;
        if !self.always_emit || self.emitted == Some(deepest) {
            return None;
        }
        self.emitted = Some(deepest);
        Some(DocChunk {
            text: String::new(),
            items: self.by_level.values().copied().collect(),
            headings: self.texts(),
            has_origin: false,
        })
    }

    fn over(&mut self, text: String, items: Vec<NodeId>) -> DocChunk {
        self.emitted = self.deepest();
        let headings = self.texts();
        DocChunk { text, items, headings, has_origin: true }
    }

    fn texts(&self) -> Option<Vec<String>> {
        let text = |id: &NodeId| self.document.node(*id).text.clone();
        (!self.by_level.is_empty()).then(|| self.by_level.values().map(text).collect())
    }
}
