//! Table in a cell of a table: its texts one behind the other.

use std::collections::HashSet;

use crate::docling::render::{MAX_DEPTH, Renderer, Scope, Visited};
use chunkwright_read::docling::NodeId;
use chunkwright_text::error::{Error, Result};

impl Renderer<'_> {
    /// The texts of a table in a cell; all that it contains counts as visited.
    pub(super) fn flattened(
        &self,
        id: NodeId,
        scope: Scope,
        visited: &mut Visited,
    ) -> Result<String> {
        for &below in self.document.order().subtree(id) {
            visited.add(below);
        }
        self.flat(id, scope, 0)
    }

    fn flat(&self, id: NodeId, scope: Scope, depth: usize) -> Result<String> {
        let node = self.document.node(id);
        if depth > MAX_DEPTH {
            let me = self.document.reference(id);
            return Err(Error::read(format!("{me} is nested more than {MAX_DEPTH} levels deep")));
        }
        let is_left_out = self.is_left_out(id, scope);
        let mut texts = Vec::new();
        if let Some(table) = &node.table {
            if is_left_out {
                return Ok(String::new());
            }
            let slots = table.slots();
            let mut seen = HashSet::new();
            for cell in (0..table.n_rows).flat_map(|row| slots.row(row)).flatten() {
                let cell = &table.cells[cell];
                match cell.content {
                    None => texts.push(cell.text.clone()),
                    Some(content) if seen.insert((cell.rows.start, cell.cols.start)) => {
                        texts.push(self.flat(content, scope, depth + 1)?);
                    }
                    Some(_) => {}
                }
            }
        } else {
            if node.label.is_text() && !is_left_out {
                texts.push(node.text.clone());
            }
            for child in &node.children {
                texts.push(self.flat(*child, scope, depth + 1)?);
            }
        }
        texts.retain(|text| !text.is_empty());
        Ok(texts.join(" "))
    }
}
