//! Run of inline pieces, which make one line.

use crate::docling::render::{Rendered, Renderer, Scope, Visited};
use chunkwright_read::docling::NodeId;
use chunkwright_text::error::Result;

impl Renderer<'_> {
    /// The pieces of a run, a blank between two.
    pub(super) fn inline(
        &self,
        id: NodeId,
        scope: Scope,
        visited: &mut Visited,
    ) -> Result<Rendered> {
        let scope = Scope { is_inline: true, ..scope };
        Ok(Rendered::joined(self.parts(id, scope, visited)?, " "))
    }
}
