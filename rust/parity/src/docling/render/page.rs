//! Index from a page to the nodes that may say something on it.

use std::collections::HashMap;
use std::ops::Range;

use crate::docling::render::content::{Content, is_floating};
use chunkwright_read::docling::{Document, Label, NodeId};

/// Positions in the order of the nodes: of those that are on a page, of what they hang under, and of those
/// that say something on every page.
pub struct PageIndex {
    by_page: HashMap<i64, Vec<u32>>,
    everywhere: Vec<u32>,
}

impl PageIndex {
    /// The index of a document. O(nodes × depth).
    pub fn new(document: &Document, content: &Content) -> Self {
        let mut nodes: HashMap<i64, Vec<NodeId>> = HashMap::new();
        let mut everywhere = Vec::new();
        for &id in document.order().subtree(document.body()) {
            let node = document.node(id);
            if !content.is_in_layer(id) {
                continue;
            }
            if says_something_everywhere(document, content, id) {
                everywhere.push(id);
            }
            let captions = node.captions.iter().filter(|_| is_floating(node.label));
            let mut pages: Vec<i64> =
                captions.chain([&id]).filter_map(|id| document.node(*id).page()).collect();
            pages.dedup();
            for page in pages {
                nodes.entry(page).or_default().push(id);
            }
        }
        let with_parents = |nodes: &[NodeId]| positions(document, nodes);
        let everywhere_and = |mut nodes: Vec<NodeId>| {
            nodes.extend(&everywhere);
            with_parents(&nodes)
        };
        let by_page =
            nodes.into_iter().map(|(page, nodes)| (page, everywhere_and(nodes))).collect();
        Self { by_page, everywhere: with_parents(&everywhere) }
    }

    /// The positions within `range` that matter on `page`, ascending.
    pub fn active(&self, page: i64, range: &Range<usize>) -> &[u32] {
        let all = self.by_page.get(&page).unwrap_or(&self.everywhere);
        let before = |end: usize| all.partition_point(|at| (*at as usize) < end);
        &all[before(range.start)..before(range.end)]
    }
}

/// Whether the page of a node does not decide if it is rendered.
fn says_something_everywhere(document: &Document, content: &Content, id: NodeId) -> bool {
    let node = document.node(id);
    let has_own = match node.label {
        Label::Group | Label::List | Label::Inline => node.meta.is_some(),
        label => matches!(label, Label::KeyValueRegion | Label::Form),
    };
    let is_free = |id: &NodeId| !content.may_be_off_page(document, *id);
    has_own || (is_floating(node.label) && node.captions.iter().any(is_free))
}

/// Where the nodes and those above them are in the order, ascending.
fn positions(document: &Document, nodes: &[NodeId]) -> Vec<u32> {
    let mut seen = std::collections::HashSet::new();
    for id in nodes {
        let mut next = Some(*id);
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            next = document.node(id).parent;
        }
    }
    let start = |id: NodeId| u32::try_from(document.order().range(id).start).unwrap_or(u32::MAX);
    let mut positions: Vec<u32> = seen.into_iter().map(start).collect();
    positions.sort_unstable();
    positions
}
