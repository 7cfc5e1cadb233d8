//! Captions of a table, a picture or code.

use crate::docling::render::{Rendered, Renderer, Scope, Visited};
use chunkwright_read::docling::NodeId;
use chunkwright_text::error::Result;

impl Renderer<'_> {
    /// The captions of an item and what hangs below them, in one line.
    pub(super) fn captions(
        &self,
        id: NodeId,
        scope: Scope,
        visited: Option<&mut Visited>,
    ) -> Result<Rendered> {
        let captions = &self.document.node(id).captions;
        if captions.is_empty() {
            return Ok(Rendered::default());
        }
        let mut own = None;
        let visited = visited.unwrap_or_else(|| own.insert(Visited::new(self.document)));
        let mut rendered = Vec::new();
        for &caption in captions {
            let node = self.document.node(caption);
            let is_shown = node.label.is_text() && self.content.is_in_layer(caption);
            if !is_shown || self.is_left_out(caption, scope) {
                continue;
            }
            let text = Rendered { text: node.text.clone(), items: vec![caption] };
            let scope = Scope { is_inline: true, ..scope };
            let mut parts = vec![text];
            parts.extend(self.parts(caption, scope, visited)?);
            rendered.push(Rendered::joined(parts, " "));
        }
        Ok(Rendered::in_line(rendered))
    }
}
