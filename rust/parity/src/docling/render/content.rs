//! Filter of the items that are rendered, by layer, label, caption, cell and picture.

use std::collections::{HashMap, HashSet};

use chunkwright_read::docling::{Document, Label, Layer, NodeId};

/// Facts about the nodes of a document that decide whether and where they are rendered.
pub struct Content {
    facts: Vec<Facts>,
    /// For each node in a cell of a table, the innermost such table.
    table_around: Vec<Option<NodeId>>,
    /// For each node which child of its parent it is, from 1; 0 of what is no child.
    numbers: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
struct Facts {
    is_in_layer: bool,
    is_in_body: bool,
    is_excluded: bool,
    is_caption: bool,
    is_footnote: bool,
    is_nested_in_caption: bool,
    is_hidden_in_picture: bool,
}

/// Hands on what tables and captions say of what stands in them. Parents come first, so an outer table has been
/// decided on before an inner one.
fn inherit(document: &Document, table_around: &[Option<NodeId>], facts: &mut [Facts]) {
    let order = document.order();
    let mut end_of_caption = 0;
    for i in 0..document.n_nodes() {
        let id = order.at(i);
        if let Some(table) = table_around[id.index()] {
            facts[id.index()].is_excluded |= facts[table.index()].is_excluded;
        }
        facts[id.index()].is_nested_in_caption = i < end_of_caption;
        if facts[id.index()].is_caption {
            end_of_caption = end_of_caption.max(order.range(id).end);
        }
    }
}

/// For each node which child of its parent it is, from 1; 0 of what is no child.
fn numbers(document: &Document) -> Vec<usize> {
    let mut numbers = vec![0; document.n_nodes()];
    for id in document.ids() {
        for (child, number) in document.node(id).children.iter().zip(1..) {
            if document.node(*child).parent == Some(id) {
                numbers[child.index()] = number;
            }
        }
    }
    numbers
}

impl Content {
    /// The facts about all nodes. O(nodes).
    pub fn new(document: &Document) -> Self {
        let mut facts = vec![Facts::default(); document.n_nodes()];
        let order = document.order();
        for &id in order.subtree(document.body()) {
            facts[id.index()].is_in_body = true;
            let node = document.node(id);
            if is_floating(node.label) {
                node.captions.iter().for_each(|id| facts[id.index()].is_caption = true);
                node.footnotes.iter().for_each(|id| facts[id.index()].is_footnote = true);
            }
        }
        for id in document.ids() {
            let node = document.node(id);
            let me = &mut facts[id.index()];
            me.is_in_layer = node.layer == Layer::Body;
            let is_unwanted = matches!(node.label, Label::Chart | Label::GradingScale);
            me.is_excluded = is_unwanted && me.is_in_layer && me.is_in_body;
            me.is_excluded |= node.label.is_table() && !me.is_in_layer;
            if node.label.is_picture() {
                let captions: HashSet<NodeId> = node.captions.iter().copied().collect();
                let hidden = node.children.iter().filter(|child| !captions.contains(child));
                hidden.for_each(|child| facts[child.index()].is_hidden_in_picture = true);
            }
        }
        let table_around = tables_around(document);
        inherit(document, &table_around, &mut facts);
        Self { facts, table_around, numbers: numbers(document) }
    }

    /// Which child of its parent a node is, from 1.
    pub fn number(&self, id: NodeId) -> usize {
        self.numbers[id.index()]
    }

    fn of(&self, id: NodeId) -> Facts {
        self.facts[id.index()]
    }

    /// Whether the node is in the layer that is rendered.
    pub fn is_in_layer(&self, id: NodeId) -> bool {
        self.of(id).is_in_layer
    }

    /// Whether the item is left out.
    pub fn is_excluded(&self, id: NodeId) -> bool {
        self.of(id).is_excluded
    }

    /// Whether the node hangs below a caption.
    pub fn is_nested_in_caption(&self, id: NodeId) -> bool {
        self.of(id).is_nested_in_caption
    }

    /// Whether the node is a caption or hangs below one.
    pub fn is_in_caption(&self, id: NodeId) -> bool {
        self.of(id).is_caption || self.of(id).is_nested_in_caption
    }

    /// Whether the node stands in a picture, whose content is not rendered.
    pub fn is_hidden_in_picture(&self, id: NodeId) -> bool {
        self.of(id).is_hidden_in_picture
    }

    /// Whether the text is rendered with the item that it is a caption or footnote of.
    pub fn is_attached(&self, document: &Document, id: NodeId) -> bool {
        let facts = self.of(id);
        (facts.is_caption || facts.is_footnote) && document.node(id).label.is_text()
    }

    /// Whether the item is left out where only `page` is rendered.
    pub fn is_off_page(&self, document: &Document, id: NodeId, page: i64) -> bool {
        let mut next = Some(id);
        while let Some(id) = next {
            if self.may_be_off_page(document, id) && document.node(id).page() != Some(page) {
                return true;
            }
            next = self.table_around[id.index()];
        }
        false
    }

    /// Whether the page of the node decides if it is rendered.
    pub fn may_be_off_page(&self, document: &Document, id: NodeId) -> bool {
        let facts = self.of(id);
        facts.is_in_body && facts.is_in_layer && !document.node(id).label.is_group()
    }
}

/// Whether items with that label have captions and footnotes.
pub const fn is_floating(label: Label) -> bool {
    let is_other = matches!(label, Label::Code | Label::KeyValueRegion | Label::Form);
    label.is_picture() || label.is_table() || is_other
}

/// For each node in a cell, the innermost table that it stands in. O(nodes + cells).
fn tables_around(document: &Document) -> Vec<Option<NodeId>> {
    let mut table_of: HashMap<NodeId, NodeId> = HashMap::new();
    for id in document.ids() {
        let cells = document.node(id).table.iter().flat_map(|table| &table.cells);
        table_of.extend(cells.filter_map(|cell| cell.content).map(|content| (content, id)));
    }
    let mut around = vec![None; document.n_nodes()];
    if table_of.is_empty() {
        return around;
    }
    let (order, mut open) = (document.order(), Vec::new());
    for i in 0..document.n_nodes() {
        let id = order.at(i);
        while open.pop_if(|(end, _)| *end <= i).is_some() {}
        if let Some(table) = table_of.get(&id) {
            open.push((order.range(id).end, *table));
        }
        around[id.index()] = open.last().map(|(_, table)| *table);
    }
    around
}
