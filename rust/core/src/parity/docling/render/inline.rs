//! Run of inline pieces, which make one line.

use crate::error::Result;
use crate::parity::docling::render::{Rendered, Renderer, Scope, Visited};
use crate::read::docling::NodeId;

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
