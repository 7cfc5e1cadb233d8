//! Order of the nodes of a document: each subtree is a range of it.
//!
//! Preorder numbers: a node comes before all below it, and those come before anything else. "All below" is then a
//! range, "is below" two comparisons, and nothing has to be walked again.

use std::ops::Range;

use crate::docling::node::{Node, NodeId};

/// Of a node that has no position yet.
const UNSEEN: Range<u32> = u32::MAX..u32::MAX;

/// The nodes in reading order, parents before children.
#[derive(Clone, Debug, Default)]
pub struct Order {
    nodes: Vec<NodeId>,
    /// For each node its position in `nodes`, and the end of its subtree there.
    ranges: Vec<Range<u32>>,
}

impl Order {
    /// The order of `nodes`: the trees of `roots`, then those of whatever hangs nowhere. Each node is there
    /// once, whatever refers to it. O(nodes + references).
    pub fn new(nodes: &[Node], roots: &[NodeId]) -> Self {
        let mut is_child = vec![false; nodes.len()];
        for child in nodes.iter().flat_map(|node| &node.children) {
            is_child[child.index()] = true;
        }
        let all = || (0..nodes.len()).map(NodeId::at);
        let loose = all().filter(|id| !is_child[id.index()]);
        let mut order =
            Self { nodes: Vec::with_capacity(nodes.len()), ranges: vec![UNSEEN; nodes.len()] };
        for root in roots.iter().copied().chain(loose).chain(all()) {
            order.push_tree(nodes, root);
        }
        order
    }

    fn push_tree(&mut self, nodes: &[Node], root: NodeId) {
        let mut open = Vec::new();
        self.open(root, &mut open);
        while let Some((id, next)) = open.last_mut() {
            let id = *id;
            if let Some(&child) = nodes[id.index()].children.get(*next) {
                *next += 1;
                self.open(child, &mut open);
            } else {
                self.ranges[id.index()].end = NodeId::at(self.nodes.len()).0;
                open.pop();
            }
        }
    }

    fn open(&mut self, id: NodeId, open: &mut Vec<(NodeId, usize)>) {
        let range = &mut self.ranges[id.index()];
        if *range == UNSEEN {
            range.start = NodeId::at(self.nodes.len()).0;
            self.nodes.push(id);
            open.push((id, 0));
        }
    }

    /// The node and all below it, in reading order.
    pub fn subtree(&self, root: NodeId) -> &[NodeId] {
        &self.nodes[self.range(root)]
    }

    /// Where the node and all below it are in the order.
    pub fn range(&self, root: NodeId) -> Range<usize> {
        let range = &self.ranges[root.index()];
        range.start as usize..range.end as usize
    }

    /// The node at a position of the order.
    pub fn at(&self, position: usize) -> NodeId {
        self.nodes[position]
    }
}
