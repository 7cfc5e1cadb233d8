//! HTML parser that repairs as browsers do.
//!
//! html5ever finds out what was meant; the tree that it builds is kept in one list, without recursion.
//!
//! Most tables need no repair, and are read in one pass without a tree; html5ever, which is the WHATWG algorithm
//! to the letter, costs several times as much and is asked only where [`parse`](super::parse) says that something
//! is irregular. Its tree is a vector of nodes with the numbers of their parents, so that dropping a table nested
//! a million deep does not overflow the stack.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, local_name, ns, parse_fragment};

use chunkwright_text::syntax::html::lexer;
use chunkwright_text::syntax::html::write::Verbatim;

/// Elements within elements, at most.
const MAX_DEPTH: u32 = 500;

/// Bytes after which it is looked whether the tree has grown out of bounds.
const STEP: usize = 1 << 10;

/// What may separate the attributes of one tag, at most: html5ever compares each with all before it.
const MAX_SEPARATORS: usize = 1 << 14;

/// How many times longer than the text the table may be: as formatting is opened again, so are attributes.
const MAX_GROWTH: usize = 16;

/// The first table of `html` as XML, repaired as a browser would; none if there is none, or if it is nested
/// or repeated beyond reason.
///
/// O(n).
pub fn repair(html: &str) -> Option<String> {
    if has_endless_tag(html) {
        return None;
    }
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let mut parser = parse_fragment(Tree::default(), options, body, Vec::new(), false);
    // Unclosed formatting is opened again in each paragraph, so the tree may be longer than the text.
    let max_nodes = html.len() + STEP;
    let mut rest = html;
    while !rest.is_empty() {
        let (step, behind) = rest.split_at(rest.ceil_char_boundary(STEP));
        parser.process(StrTendril::from_slice(step));
        let tree = &parser.tokenizer.sink.sink;
        if tree.depth.get() > MAX_DEPTH || tree.nodes.borrow().len() > max_nodes {
            return None;
        }
        rest = behind;
    }
    let nodes = parser.finish();
    let table = first_table(&nodes)?;
    written(&nodes, table, MAX_GROWTH * html.len())
}

/// Whether a tag might have more attributes than can be compared.
fn has_endless_tag(html: &str) -> bool {
    let mut n_separators = 0;
    html.bytes().any(|byte| {
        match byte {
            b'>' => n_separators = 0,
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' | b'"' | b'\'' => n_separators += 1,
            _ => {}
        }
        n_separators > MAX_SEPARATORS
    })
}

/// The place of a node in the list.
type Id = usize;

#[derive(Debug)]
struct Node {
    /// That of an element; of anything else, empty.
    name: QualName,
    data: Data,
    depth: u32,
    parent: Option<Id>,
    before: Option<Id>,
    next: Option<Id>,
    first: Option<Id>,
    last: Option<Id>,
}

#[derive(Debug)]
enum Data {
    Document,
    Element(Vec<Attribute>),
    Text(String),
    Comment(StrTendril),
}

impl Node {
    fn new(data: Data) -> Self {
        let name = QualName::new(None, ns!(), local_name!(""));
        Self {
            name,
            data,
            depth: 0,
            parent: None,
            before: None,
            next: None,
            first: None,
            last: None,
        }
    }

    fn is_element(&self, names: &[&str]) -> bool {
        names.contains(&&*self.name.local)
    }
}

/// A tree under construction: node 0 is the document.
#[derive(Debug)]
struct Tree {
    nodes: RefCell<Vec<Node>>,
    /// The deepest place where a node was put.
    depth: Cell<u32>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: RefCell::new(vec![Node::new(Data::Document)]), depth: Cell::new(0) }
    }
}

impl Tree {
    fn add(&self, data: Data) -> Id {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node::new(data));
        nodes.len() - 1
    }

    /// Puts a node, or a text that may join the one before it, into `parent` before `next`.
    fn insert(&self, parent: Id, next: Option<Id>, child: NodeOrText<Id>) {
        let child = match child {
            NodeOrText::AppendNode(child) => {
                detach(&mut self.nodes.borrow_mut(), child);
                child
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before = next.map_or(nodes[parent].last, |next| nodes[next].before);
                if let Some(before) = before
                    && let Data::Text(written) = &mut nodes[before].data
                {
                    return written.push_str(&text);
                }
                drop(nodes);
                self.add(Data::Text(text.into()))
            }
        };
        let depth = attach(&mut self.nodes.borrow_mut(), parent, next, child);
        self.depth.set(self.depth.get().max(depth));
    }
}

/// Puts a node that stands nowhere into `parent` before `next`, or at its end; its depth.
fn attach(nodes: &mut [Node], parent: Id, next: Option<Id>, child: Id) -> u32 {
    let before = next.map_or(nodes[parent].last, |next| nodes[next].before);
    let depth = nodes[parent].depth + 1;
    let node = &mut nodes[child];
    (node.parent, node.before, node.next, node.depth) = (Some(parent), before, next, depth);
    match before {
        Some(before) => nodes[before].next = Some(child),
        None => nodes[parent].first = Some(child),
    }
    match next {
        Some(next) => nodes[next].before = Some(child),
        None => nodes[parent].last = Some(child),
    }
    depth
}

/// Takes a node out of its parent, if it has one.
fn detach(nodes: &mut [Node], child: Id) {
    let Node { parent, before, next, .. } = nodes[child];
    let Some(parent) = parent else { return };
    match before {
        Some(before) => nodes[before].next = next,
        None => nodes[parent].first = next,
    }
    match next {
        Some(next) => nodes[next].before = before,
        None => nodes[parent].last = before,
    }
    let node = &mut nodes[child];
    (node.parent, node.before, node.next) = (None, None, None);
}

impl TreeSink for Tree {
    type Handle = Id;
    type Output = Vec<Node>;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn get_document(&self) -> Id {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a Id) -> Ref<'a, QualName> {
        Ref::map(self.nodes.borrow(), |nodes| &nodes[*target].name)
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _flags: ElementFlags) -> Id {
        let id = self.add(Data::Element(attrs));
        self.nodes.borrow_mut()[id].name = name;
        id
    }

    fn create_comment(&self, text: StrTendril) -> Id {
        self.add(Data::Comment(text))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Id {
        self.add(Data::Comment(data))
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        self.insert(*parent, None, child);
    }

    fn append_before_sibling(&self, sibling: &Id, child: NodeOrText<Id>) {
        let parent = self.nodes.borrow()[*sibling].parent;
        if let Some(parent) = parent {
            self.insert(parent, Some(*sibling), child);
        }
    }

    fn append_based_on_parent_node(&self, element: &Id, before: &Id, child: NodeOrText<Id>) {
        let has_parent = self.nodes.borrow()[*element].parent.is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(before, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// What stands in a template is not shown: it becomes the template's own, which nobody writes.
    fn get_template_contents(&self, target: &Id) -> Id {
        *target
    }

    fn same_node(&self, a: &Id, b: &Id) -> bool {
        a == b
    }

    fn add_attrs_if_missing(&self, target: &Id, attrs: Vec<Attribute>) {
        if let Data::Element(found) = &mut self.nodes.borrow_mut()[*target].data {
            for attribute in attrs {
                if !found.iter().any(|other| other.name == attribute.name) {
                    found.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Id) {
        detach(&mut self.nodes.borrow_mut(), *target);
    }

    fn reparent_children(&self, node: &Id, new_parent: &Id) {
        let nodes = &mut self.nodes.borrow_mut();
        while let Some(child) = nodes[*node].first {
            detach(nodes, child);
            let depth = attach(nodes, *new_parent, None, child);
            self.depth.set(self.depth.get().max(depth));
        }
    }
}

/// The node behind `node` and all that is in it, up to the end of `root`.
fn behind(nodes: &[Node], root: Id, mut node: Id, mut leave: impl FnMut(&Node)) -> Option<Id> {
    while node != root {
        leave(&nodes[node]);
        if let Some(next) = nodes[node].next {
            return Some(next);
        }
        node = nodes[node].parent?;
    }
    leave(&nodes[root]);
    None
}

fn first_table(nodes: &[Node]) -> Option<Id> {
    let mut at = 0;
    loop {
        if nodes[at].is_element(&["table"]) {
            return Some(at);
        }
        let child = nodes[at].first.filter(|_| !is_hidden(&nodes[at]));
        at = child.or_else(|| behind(nodes, 0, at, |_| {}))?;
    }
}

/// Whether nothing in it is shown.
fn is_hidden(node: &Node) -> bool {
    node.is_element(&["script", "style", "template", "title"])
}

/// The element `root` as XML, unless that is longer than `max` bytes. O(n).
fn written(nodes: &[Node], root: Id, max: usize) -> Option<String> {
    let mut out = String::new();
    let mut writer = Verbatim::default();
    let mut at = root;
    loop {
        match &nodes[at].data {
            Data::Element(attributes) => {
                writer.open(&mut out, &nodes[at].name.local, &plain(attributes));
            }
            Data::Text(text) => writer.text(&mut out, text),
            // Within a comment nothing can be escaped.
            Data::Comment(text) if !text.contains("--") && !text.starts_with(['-', '>']) => {
                writer.comment(&mut out, text);
            }
            Data::Comment(_) | Data::Document => {}
        }
        let child = nodes[at].first.filter(|_| !is_hidden(&nodes[at]));
        let next = child.or_else(|| {
            behind(nodes, root, at, |left| {
                if matches!(left.data, Data::Element(_)) {
                    writer.close(&mut out, &left.name.local);
                }
            })
        });
        match next {
            Some(next) => at = next,
            None => return Some(out),
        }
        if out.len() > max {
            return None;
        }
    }
}

fn plain(attributes: &[Attribute]) -> Vec<lexer::Attribute<'_>> {
    let plain = attributes.iter().map(|attribute| lexer::Attribute {
        name: Cow::Borrowed(&*attribute.name.local),
        value: Cow::Borrowed(&*attribute.value),
    });
    plain.collect()
}

/// What the page shows by `hidden` attributes alone, as the tree of a browser has it.
#[cfg(test)]
pub(super) fn shown(html: &str) -> String {
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let mut parser = parse_fragment(Tree::default(), ParseOpts::default(), body, Vec::new(), false);
    parser.process(StrTendril::from_slice(html));
    let nodes = parser.finish();
    let (mut out, mut at) = (String::new(), 0);
    loop {
        let is_hidden = match &nodes[at].data {
            Data::Element(attributes) => {
                attributes.iter().any(|attribute| &*attribute.name.local == "hidden")
            }
            Data::Text(text) => {
                out.push_str(text);
                false
            }
            _ => false,
        };
        let child = nodes[at].first.filter(|_| !is_hidden);
        match child.or_else(|| behind(&nodes, 0, at, |_| {})) {
            Some(next) => at = next,
            None => return out,
        }
    }
}
