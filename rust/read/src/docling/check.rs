//! Checks of a stored document: its nodes form trees, and its tables own what stands in their cells.
//!
//! A document that lies about its shape could send a walk in circles: two nodes that contain each other, an item
//! in two groups. So the tree is checked once, and every later walk may trust it and needs no list of what it has
//! seen.

use std::collections::HashSet;

use crate::docling::document::{BODY, FURNITURE, Lists};
use crate::docling::label::Label;
use crate::docling::node::{Node, NodeId};
use chunkwright_text::error::{Error, Result};

/// Slots of all tables of a document, at most.
const MAX_TOTAL_SLOTS: usize = 5_000_000;

/// Whether the tables together have so few slots that they can be filled.
///
/// # Errors
/// [`Error::Read`] says how many there are.
pub fn slots(nodes: &[Node]) -> Result<()> {
    let tables = nodes.iter().filter_map(|node| node.table.as_ref());
    let total: usize = tables.map(|table| table.n_rows * table.n_cols).sum();
    if total > MAX_TOTAL_SLOTS {
        let message = format!("the tables have {total} cells in total; the most is");
        return Err(Error::read(format!("{message} {MAX_TOTAL_SLOTS}")));
    }
    Ok(())
}

/// Hangs what stands in a cell under its table, where it says that it does.
pub fn own_contents(nodes: &mut [Node]) {
    for i in 0..nodes.len() {
        let Some(table) = &nodes[i].table else { continue };
        let mut children: HashSet<NodeId> = nodes[i].children.iter().copied().collect();
        let is_owned = |id: &NodeId| nodes[id.index()].parent == Some(NodeId::at(i));
        let contents = table.cells.iter().filter_map(|cell| cell.content);
        let missing: Vec<NodeId> =
            contents.filter(is_owned).filter(|content| children.insert(*content)).collect();
        nodes[i].children.extend(missing);
    }
}

/// Whether each node below the roots hangs in one place, the one that it names. O(nodes).
///
/// # Errors
/// [`Error::Read`] names the two nodes.
pub fn tree(nodes: &[Node], lists: &Lists) -> Result<()> {
    let mut is_reached = vec![false; nodes.len()];
    for root in [BODY, FURNITURE] {
        is_reached[root.index()] = true;
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            for &child in &nodes[id.index()].children {
                if std::mem::replace(&mut is_reached[child.index()], true) {
                    return Err(wrong(lists, id, child, "which another reference reaches as well"));
                }
                match nodes[child.index()].parent {
                    Some(parent) if parent == id => open.push(child),
                    Some(parent) => {
                        let reason = format!("whose parent is {}", lists.reference(parent));
                        return Err(wrong(lists, id, child, &reason));
                    }
                    None => return Err(wrong(lists, id, child, "which has no parent")),
                }
            }
            contents(nodes, lists, id)?;
        }
    }
    Ok(())
}

/// Whether a table owns what stands in its cells.
fn contents(nodes: &[Node], lists: &Lists, id: NodeId) -> Result<()> {
    let Some(table) = &nodes[id.index()].table else { return Ok(()) };
    if table.cells.iter().all(|cell| cell.content.is_none()) {
        return Ok(());
    }
    let mut children: HashSet<NodeId> = nodes[id.index()].children.iter().copied().collect();
    for content in table.cells.iter().filter_map(|cell| cell.content) {
        if !children.remove(&content) {
            return Err(wrong(
                lists,
                id,
                content,
                "as a cell, which is not its own or in two cells",
            ));
        }
    }
    Ok(())
}

/// Whether each field has one key at most.
///
/// # Errors
/// [`Error::Read`] names the field.
pub fn keys(nodes: &[Node], lists: &Lists) -> Result<()> {
    let is_key = |id: &&NodeId| nodes[id.index()].label == Label::FieldKey;
    for (i, node) in nodes.iter().enumerate() {
        if node.label == Label::FieldItem && node.children.iter().filter(is_key).count() > 1 {
            let me = lists.reference(NodeId::at(i));
            return Err(Error::read(format!("{me} is a field with more than one key")));
        }
    }
    Ok(())
}

fn wrong(lists: &Lists, parent: NodeId, child: NodeId, reason: &str) -> Error {
    let (parent, child) = (lists.reference(parent), lists.reference(child));
    Error::read(format!("{parent} has {child}, {reason}"))
}
