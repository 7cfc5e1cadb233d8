//! Nodes that were rendered, so that none is rendered twice.

use chunkwright_read::docling::{Document, NodeId};

/// The nodes that were rendered.
pub struct Visited {
    is_visited: Vec<bool>,
    /// Those that were added, in order.
    added: Vec<NodeId>,
}

impl Visited {
    /// None yet.
    pub fn new(document: &Document) -> Self {
        Self { is_visited: vec![false; document.n_nodes()], added: Vec::new() }
    }

    /// Whether a node was rendered.
    pub fn has(&self, id: NodeId) -> bool {
        self.is_visited[id.index()]
    }

    /// Adds a node; whether it is new.
    pub(super) fn add(&mut self, id: NodeId) -> bool {
        let is_new = !std::mem::replace(&mut self.is_visited[id.index()], true);
        if is_new {
            self.added.push(id);
        }
        is_new
    }

    /// How many there are, to go back to.
    pub(super) const fn mark(&self) -> usize {
        self.added.len()
    }

    /// Forgets those that were added behind the first `n`.
    pub(super) fn back_to(&mut self, n: usize) {
        for id in self.added.drain(n..) {
            self.is_visited[id.index()] = false;
        }
    }
}
