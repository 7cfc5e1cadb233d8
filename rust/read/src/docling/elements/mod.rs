//! Elements of a `DoclingDocument`: its items in reading order over one text, each once.
//!
//! A walk over the tree in reading order, with a writer that appends. Captions stand before what they are of,
//! footnotes behind it; items of inline groups are put together into one line. No item is said twice: what a
//! cell, a picture or a form refers to is marked when it is written.

mod figure;
mod grid;
mod list;
mod pairs;
mod runs;
#[cfg(test)]
mod tests;
mod write;

use std::collections::{HashMap, HashSet};

use self::write::{Said, Writer};
use crate::docling::document::Document;
use crate::docling::label::{Label, Layer};
use crate::docling::node::{Node, NodeId, Place};
use chunkwright_text::elements::{Element, Kind, Parent};
use chunkwright_text::read::{PageBox, Read};

impl Document {
    /// The text of what hangs under the body, in reading order, and its elements.
    ///
    /// Layers other than the body's are left out; what they hold of it is not. Captions stand before what
    /// they are of, footnotes behind it. O(n), but for tables, whose cells are sorted.
    pub fn elements(&self) -> Read {
        let mut walk = Walk::new(self);
        walk.run(vec![Task::Node(self.body(), Around::default())]);
        // What nobody came by: captions of one another, say.
        for &id in self.order().subtree(self.body()) {
            if !walk.is_visited[id.index()] {
                walk.is_attached[id.index()] = false;
                walk.run(vec![Task::Node(id, Around::default())]);
            }
        }
        let (mut read, nodes, ends) = walk.writer.finish();
        read.name = self.name.as_str().into();
        self.place(&mut read, &nodes, &ends);
        read
    }

    /// Says what the elements are made of, and where they stand: each of the `nodes` up to its entry in `ends`.
    /// O(places).
    fn place(&self, read: &mut Read, nodes: &[NodeId], ends: &[usize]) {
        let (mut start, mut pages, mut known) = (0, Vec::new(), HashSet::new());
        for (element, &end) in ends.iter().enumerate() {
            let own = &nodes[start..end];
            read.references.extend(own.first().map(|&id| (element, self.reference(id).into())));
            pages.clear();
            known.clear();
            for place in own.iter().flat_map(|id| &self.node(*id).places) {
                if known.insert(place.page) {
                    pages.push(place.page);
                }
                read.boxes.push((element, self.page_box(place)));
            }
            read.push_pages(element, &pages);
            start = end;
        }
    }

    /// The rectangle of a place, measured from the top of its page if the height of that is known.
    fn page_box(&self, place: &Place) -> PageBox {
        let size = self.pages.get(&place.page).copied();
        let bounds = place.bounds;
        let [top, bottom] = match size {
            Some([_, height]) if bounds.is_from_bottom => {
                [height - bounds.top, height - bounds.bottom]
            }
            _ => [bounds.top, bounds.bottom],
        };
        PageBox {
            page: Some(place.page),
            edges: [bounds.left, top, bounds.right, bottom],
            width: size.map(|[width, _]| width),
            height: size.map(|[_, height]| height),
        }
    }

    /// Whether the node is part of what is read.
    fn is_shown(&self, id: NodeId) -> bool {
        self.node(id).layer == Layer::Body
    }
}

/// What a node stands in.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// The element that what is in it belongs to.
    parent: Option<usize>,
    /// The outermost list, by the number of its element.
    list: Option<usize>,
    /// Lists that are open.
    n_lists: usize,
    /// Whether headings begin no section, as in lists and pictures.
    is_inside: bool,
}

/// Blanks that a list in a list is moved by.
const INDENT: usize = 4;

impl Around {
    /// Blanks before what stands below an item of a list.
    const fn indent(self) -> usize {
        INDENT * self.n_lists
    }
}

/// What is to be done next.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// A node and all below it.
    Node(NodeId, Around),
    /// An item of a list, and its number if it is numbered.
    Item(NodeId, Around, Option<usize>),
    /// A table, picture or form without its captions.
    Float(NodeId, Around),
    /// A footnote of such.
    Footnote(NodeId, Around),
}

/// Walks through a document and writes what it says. All nesting is kept in `tasks`, the next one last.
struct Walk<'d> {
    document: &'d Document,
    writer: Writer,
    is_visited: Vec<bool>,
    /// Whether a node is the caption or footnote of another, which it goes with.
    is_attached: Vec<bool>,
    tasks: Vec<Task>,
    /// The elements that are captions of what has not been written yet.
    captions: HashMap<NodeId, Vec<usize>>,
}

impl<'d> Walk<'d> {
    fn new(document: &'d Document) -> Self {
        let n = document.n_nodes();
        let mut is_attached = vec![false; n];
        let body = document.order().subtree(document.body());
        for owner in body.iter().filter(|id| document.is_shown(**id)).map(|id| document.node(*id)) {
            for id in owner.captions.iter().chain(&owner.footnotes) {
                is_attached[id.index()] = true;
            }
        }
        Self {
            document,
            writer: Writer::default(),
            is_visited: vec![false; n],
            is_attached,
            tasks: Vec::new(),
            captions: HashMap::new(),
        }
    }

    fn run(&mut self, tasks: Vec<Task>) {
        self.tasks = tasks;
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Node(id, _) | Task::Item(id, ..) if self.is_attached[id.index()] => {}
                Task::Node(id, around) => self.node(id, around, None),
                Task::Item(id, around, number) => self.node(id, around, number),
                Task::Float(id, around) => self.float(id, around),
                Task::Footnote(id, around) => {
                    self.attached(id, Kind::Footnote, around);
                }
            }
        }
    }

    /// Takes a node, unless that has been done.
    fn visit(&mut self, id: NodeId) -> Option<&'d Node> {
        let seen = std::mem::replace(&mut self.is_visited[id.index()], true);
        (!seen).then(|| self.document.node(id))
    }

    fn node(&mut self, id: NodeId, around: Around, number: Option<usize>) {
        let Some(node) = self.visit(id) else { return };
        if !self.document.is_shown(id) {
            return self.below(&node.children, around);
        }
        match node.label {
            Label::Group | Label::FieldRegion => self.below(&node.children, around),
            Label::List => self.list(id, node, around),
            Label::Inline | Label::FieldItem => self.run_of_pieces(id, around),
            Label::Form | Label::KeyValueRegion => self.captioned(id, node, around),
            label if label.is_table() || label.is_picture() => self.captioned(id, node, around),
            _ => self.text(id, node, around, number),
        }
    }

    /// Does what is below a node next.
    fn below(&mut self, children: &[NodeId], around: Around) {
        self.tasks.extend(children.iter().rev().map(|id| Task::Node(*id, around)));
    }

    /// Writes an item that has a text, and does what is below it next.
    fn text(&mut self, id: NodeId, node: &'d Node, around: Around, number: Option<usize>) {
        let mut said = self.said(id, node);
        let rest = std::mem::take(&mut said.rest);
        let (kind, level) = kind(node, around);
        let is_heading = kind == Kind::Heading;
        let below = match kind {
            Kind::ListItem => {
                let element = self.item(node, said, around, number);
                Around { parent: Some(element), is_inside: true, ..around }
            }
            _ if said.text.is_empty() => around,
            Kind::Code => {
                let element = self.push(kind, 0, Around { list: None, ..around }, said, 0);
                self.writer.set_language(element, node.code_language.as_deref());
                around
            }
            _ => {
                let indent = if is_heading { 0 } else { around.indent() };
                self.push(kind, level, around, said, indent);
                around
            }
        };
        self.below(&node.children, below);
        self.below(&rest, below);
    }

    /// Writes a run of inline pieces as a paragraph.
    fn run_of_pieces(&mut self, id: NodeId, around: Around) {
        let mut said = self.pieces(id);
        let rest = std::mem::take(&mut said.rest);
        if !said.text.is_empty() {
            self.push(Kind::Paragraph, 0, around, said, around.indent());
        }
        self.below(&rest, around);
    }

    /// Writes an element, moved by so many blanks if it is in a list.
    fn push(&mut self, kind: Kind, level: u8, around: Around, said: Said, indent: usize) -> usize {
        let mut places = said.nodes.iter().flat_map(|id| &self.document.node(*id).places);
        let page = places.next().map(|place| place.page);
        let element = Element {
            kind,
            level,
            page,
            parent: around.parent.map_or(Parent::default(), Parent::of),
            ..Element::default()
        };
        self.writer.push(element, said, around.list, indent)
    }

    /// Writes the captions of a table or a picture, and does it next.
    fn captioned(&mut self, id: NodeId, node: &'d Node, around: Around) {
        let mut parent = around.parent;
        let n_tasks = self.tasks.len();
        for caption in &node.captions {
            let own = Around { parent, is_inside: true, ..around };
            let element = self.attached(*caption, Kind::Caption, own);
            if let Some(element) = element {
                self.captions.entry(id).or_default().push(element);
            }
            parent = element.or(parent);
        }
        // What is below the captions comes first.
        self.tasks.insert(n_tasks, Task::Float(id, Around { parent, ..around }));
    }

    /// Writes a caption or footnote of another item; it returns the number of its element.
    fn attached(&mut self, id: NodeId, kind: Kind, around: Around) -> Option<usize> {
        let node = self.document.node(id);
        let is_run = matches!(node.label, Label::Inline | Label::FieldItem);
        if !(node.label.is_text() || is_run) || !self.document.is_shown(id) {
            self.is_attached[id.index()] = false;
            self.tasks.push(Task::Node(id, around));
            return None;
        }
        let node = self.visit(id)?;
        let mut said = if is_run { self.pieces(id) } else { self.said(id, node) };
        let rest = std::mem::take(&mut said.rest);
        let alone = Around { list: None, ..around };
        let element = (!said.text.is_empty()).then(|| self.push(kind, 0, alone, said, 0));
        self.below(&node.children, around);
        self.below(&rest, around);
        element
    }

    /// Writes a table, a picture or a form, what is below it and its footnotes.
    fn float(&mut self, id: NodeId, around: Around) {
        let node = self.document.node(id);
        let element = match node.label {
            Label::Form | Label::KeyValueRegion => self.form(id, node, around),
            label if label.is_table() => self.table(id, node, around),
            _ => Some(self.figure(id, node, around)),
        };
        let captions = self.captions.remove(&id).unwrap_or_default();
        if let Some(element) = element {
            self.writer.set_captions(&captions, element);
        }
        let parent = element.or(around.parent);
        // What stands in a picture are lines of it.
        let list = if node.label.is_picture() { element } else { None };
        let own = Around { parent, list, n_lists: 0, is_inside: true };
        // A form is but a frame around what is below it.
        let is_frame = matches!(node.label, Label::Form | Label::KeyValueRegion);
        self.tasks.extend(node.footnotes.iter().rev().map(|id| Task::Footnote(*id, own)));
        self.below(&node.children, if is_frame { around } else { own });
    }
}

/// What a text is, and how deep among those of its kind.
fn kind(node: &Node, around: Around) -> (Kind, u8) {
    let kind = match node.label {
        Label::Title | Label::SectionHeader if !around.is_inside => Kind::Heading,
        Label::ListItem => Kind::ListItem,
        // Code that is a link is a word of text.
        Label::Code if node.hyperlink.is_none() => Kind::Code,
        Label::Formula => Kind::Formula,
        Label::Caption => Kind::Caption,
        Label::Footnote => Kind::Footnote,
        Label::PageHeader => Kind::PageHeader,
        Label::PageFooter => Kind::PageFooter,
        _ => Kind::Paragraph,
    };
    let level = match (kind, node.label) {
        (Kind::Heading, Label::Title) => 1,
        (Kind::Heading, _) => node.level.saturating_add(1),
        _ => 0,
    };
    (kind, level)
}
