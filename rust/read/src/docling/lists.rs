//! Lists for items that old versions left without one.
//!
//! Markers and numbers of items come from the list that they are in, and depth from the lists around it. Items
//! that stand loose among other nodes are put into new lists in the order in which the original does it, so that
//! references to groups (`#/groups/3`) mean the same.

use std::collections::HashMap;

use crate::docling::document::{BODY, Lists};
use crate::docling::label::{Label, Layer};
use crate::docling::node::{Node, NodeId};
use crate::docling::tree::Order;

/// Puts items that are in no list into new ones, successive ones together. O(nodes).
pub fn wrap_loose_items(nodes: &mut Vec<Node>, lists: &mut Lists) {
    let runs = loose_runs(nodes);
    // As Docling numbers them: the last list first.
    for run in runs.iter().rev() {
        let parent = nodes[run[0].index()].parent.unwrap_or(BODY);
        let group = lists.add_group();
        nodes.push(Node::group(Label::List, Layer::Body, Some(parent)));
        nodes[group.index()].children.clone_from(run);
    }
    let n_nodes = nodes.len();
    let list_of = |position: usize| NodeId::at(n_nodes - 1 - position);
    let mut moved: HashMap<NodeId, Option<NodeId>> = HashMap::new();
    let mut parents = Vec::new();
    for (position, run) in runs.iter().enumerate() {
        for (i, item) in run.iter().enumerate() {
            parents.extend(nodes[item.index()].parent);
            moved.insert(*item, (i == 0).then(|| list_of(position)));
            nodes[item.index()].parent = Some(list_of(position));
        }
    }
    parents.sort_unstable();
    parents.dedup();
    for parent in parents {
        let children = std::mem::take(&mut nodes[parent.index()].children);
        let child = |child: NodeId| moved.get(&child).copied().unwrap_or(Some(child));
        nodes[parent.index()].children = children.into_iter().filter_map(child).collect();
    }
}

/// Items below the body whose parent is no list; one that follows an item of the body joins it.
fn loose_runs(nodes: &[Node]) -> Vec<Vec<NodeId>> {
    let order = Order::new(nodes, &[BODY]);
    let node = |id: NodeId| &nodes[id.index()];
    let mut runs: Vec<Vec<NodeId>> = Vec::new();
    let mut before: Option<NodeId> = None;
    for &id in order.subtree(BODY) {
        let is_item = node(id).label == Label::ListItem;
        if is_item && node(id).parent.is_none_or(|parent| node(parent).label != Label::List) {
            let follows = before.is_some_and(|before| {
                node(before).label == Label::ListItem && node(before).parent == Some(BODY)
            });
            match runs.last_mut().filter(|_| follows) {
                Some(run) => run.push(id),
                None => runs.push(vec![id]),
            }
        }
        before = Some(id);
    }
    runs
}
