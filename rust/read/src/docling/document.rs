//! A `DoclingDocument`: its nodes by reference, their order, its pages and origin.

use std::collections::BTreeMap;

use crate::docling::label::Label;
use crate::docling::node::{Node, NodeId};
use crate::docling::tree::Order;
use chunkwright_text::error::{Error, Result};

/// Where the JSON comes from, and so whether what old versions wrote is brought up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A file: it is checked, and repaired as Docling repairs it.
    Stored,
    /// A document that Docling holds in memory, which is taken as it is.
    Live,
}

/// A document: a tree of groups and items.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// The file that it was made of, if that is known.
    pub origin: Option<Origin>,
    /// The width and height of its pages, by number.
    pub pages: BTreeMap<i64, [f64; 2]>,
    pub(super) nodes: Vec<Node>,
    pub(super) lists: Lists,
    pub(super) order: Order,
}

/// The file that a document was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its type, such as `application/pdf`.
    pub mimetype: String,
    /// A hash of its bytes.
    pub binary_hash: u64,
    /// Its name.
    pub filename: String,
    /// Where it is.
    pub uri: Option<String>,
}

impl Document {
    /// The root of all nodes that are read.
    pub const fn body(&self) -> NodeId {
        BODY
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// How many nodes there are; their numbers are smaller.
    pub const fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::at)
    }

    /// Whether the node is a table.
    pub fn is_table(&self, id: NodeId) -> bool {
        self.node(id).label.is_table()
    }

    /// The order of the nodes.
    pub const fn order(&self) -> &Order {
        &self.order
    }

    /// How the document refers to a node, such as `#/texts/3`.
    pub fn reference(&self, id: NodeId) -> String {
        self.lists.reference(id)
    }

    /// The node that a reference leads to.
    ///
    /// ```
    /// use chunkwright_read::docling::{Document, Form, Label};
    ///
    /// let json = r##"{
    ///     "schema_name": "DoclingDocument", "name": "rain",
    ///     "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]},
    ///     "texts": [
    ///         {"self_ref": "#/texts/0", "parent": {"$ref": "#/body"}, "label": "title", "text": "Rain"}
    ///     ]
    /// }"##;
    /// let document = Document::of_json(json.as_bytes(), Form::Stored)?;
    /// let title = document.find("#/texts/0").unwrap();
    /// assert_eq!(document.node(title).label, Label::Title);
    /// assert_eq!(document.reference(title), "#/texts/0");
    /// assert_eq!(document.order().subtree(document.body()).last(), Some(&title));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn find(&self, reference: &str) -> Option<NodeId> {
        self.lists.find(reference)
    }

    /// Whether the node hangs directly under a run of inline pieces.
    pub fn is_inline_piece(&self, id: NodeId) -> bool {
        self.node(id).parent.is_some_and(|parent| self.node(parent).label == Label::Inline)
    }
}

pub(super) const BODY: NodeId = NodeId(0);
pub(super) const FURNITURE: NodeId = NodeId(1);
const N_ROOTS: usize = 2;
const NAMES: [&str; 8] = [
    "groups",
    "texts",
    "pictures",
    "tables",
    "key_value_items",
    "form_items",
    "field_regions",
    "field_items",
];

/// The lists of nodes, one behind the other; groups that were added stand behind all.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    sizes: [usize; 8],
    n_added: usize,
}

impl Lists {
    pub(super) const fn new(sizes: [usize; 8]) -> Self {
        Self { sizes, n_added: 0 }
    }

    fn n_stored(&self) -> usize {
        N_ROOTS + self.sizes.iter().sum::<usize>()
    }

    /// The number of a group that is added.
    pub(super) fn add_group(&mut self) -> NodeId {
        self.n_added += 1;
        NodeId::at(self.n_stored() + self.n_added - 1)
    }

    pub(super) fn reference(&self, id: NodeId) -> String {
        let mut index = id.index();
        if index < N_ROOTS {
            return String::from(["#/body", "#/furniture"][index]);
        }
        index -= N_ROOTS;
        for (name, size) in NAMES.iter().zip(self.sizes) {
            if index < size {
                return format!("#/{name}/{index}");
            }
            index -= size;
        }
        format!("#/groups/{}", self.sizes[0] + index)
    }

    pub(super) fn find(&self, reference: &str) -> Option<NodeId> {
        match reference {
            "#/body" => return Some(BODY),
            "#/furniture" => return Some(FURNITURE),
            _ => {}
        }
        let (name, index) = reference.strip_prefix("#/")?.split_once('/')?;
        let list = NAMES.iter().position(|known| *known == name)?;
        let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        let index: usize = index.parse().ok().filter(|_| is_number)?;
        if index < self.sizes[list] {
            let before: usize = self.sizes[..list].iter().sum();
            return Some(NodeId::at(N_ROOTS + before + index));
        }
        let added = index - self.sizes[list];
        (list == 0 && added < self.n_added).then(|| NodeId::at(self.n_stored() + added))
    }

    /// The node that a reference of `from` leads to.
    pub(super) fn resolve(&self, reference: &str, from: &str) -> Result<NodeId> {
        self.find(reference).ok_or_else(|| {
            Error::read(format!("{from} refers to {reference:?}, which does not exist"))
        })
    }
}
