//! List: its items with their markers, moved by how deep they are nested.

use super::write::Said;
use super::{Around, INDENT, Task, Walk};
use crate::docling::label::Label;
use crate::docling::node::{Node, NodeId};
use chunkwright_text::elements::Kind;
use chunkwright_text::unicode::space::is_space;

impl<'d> Walk<'d> {
    /// Writes a list, which says nothing by itself, and does its items next.
    pub(super) fn list(&mut self, id: NodeId, node: &'d Node, around: Around) {
        let said = Said { nodes: vec![id], ..Said::default() };
        let element = self.push(Kind::List, depth(around.n_lists + 1), around, said, 0);
        let inner = Around {
            parent: Some(element),
            list: around.list.or(Some(element)),
            n_lists: around.n_lists + 1,
            is_inside: true,
        };
        let items = self.numbered(node).into_iter().rev();
        self.tasks.extend(items.map(|(id, number)| Task::Item(id, inner, number)));
    }

    /// The children of a node, those with their number that are numbered items of a list.
    pub(super) fn numbered(&self, node: &Node) -> Vec<(NodeId, Option<usize>)> {
        let mut n_items = 0;
        let numbered = |id: &NodeId| {
            let child = self.document.node(*id);
            let is_numbered = child.label == Label::ListItem && child.is_enumerated;
            n_items += usize::from(is_numbered);
            (*id, is_numbered.then_some(n_items))
        };
        node.children.iter().map(numbered).collect()
    }

    /// Writes an item of a list with its marker, if it says anything.
    pub(super) fn item(
        &mut self,
        node: &Node,
        said: Said,
        around: Around,
        number: Option<usize>,
    ) -> usize {
        let mut said = said;
        let marker = marker(node, number);
        let is_marked = |rest: &str| rest.starts_with(is_space);
        // Some texts begin with their marker.
        if !said.text.is_empty() && !said.text.strip_prefix(&marker).is_some_and(is_marked) {
            said.text = format!("{marker} {}", said.text);
        }
        let indent = INDENT * around.n_lists.saturating_sub(1);
        self.push(Kind::ListItem, depth(around.n_lists.max(1)), around, said, indent)
    }
}

/// The marker of an item: its own if that says anything, else its number or a bullet.
pub(super) fn marker(node: &Node, number: Option<usize>) -> String {
    let own = node.marker.trim_matches(is_space);
    match number {
        _ if own.contains(char::is_alphanumeric) => own.to_owned(),
        Some(number) => format!("{number}."),
        None if matches!(own, "*" | "+") => own.to_owned(),
        None => String::from("-"),
    }
}

/// A level, which no document has more of than that.
fn depth(n_lists: usize) -> u8 {
    u8::try_from(n_lists).unwrap_or(u8::MAX)
}
