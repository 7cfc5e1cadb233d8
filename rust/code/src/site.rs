//! Node of a tree with its text and what is around it: what rules look at.

use tree_sitter::Node;

/// The longest name, in bytes: longer ones are no names of definitions.
const MAX_NAME: usize = 200;

/// What the innermost definition around a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// None, or one that only groups: a module.
    File,
    /// A class.
    Class,
    /// A function, with a name or without.
    Function,
    /// A constant or import.
    Value,
}

/// A node where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Site<'t> {
    /// The node.
    pub node: Node<'t>,
    /// What holds it; none for the root.
    pub parent: Option<Node<'t>>,
    /// What the innermost definition around it is.
    pub within: Within,
    /// How many definitions, and functions without a name, are around it.
    pub n_around: usize,
    /// The text of the file.
    pub text: &'t str,
}

impl<'t> Site<'t> {
    /// The text of a node.
    pub fn of(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The kind of the node around it.
    pub fn parent_kind(&self) -> &'static str {
        self.parent.map_or("", |parent| parent.kind())
    }

    /// The child of a field.
    pub fn field(&self, name: &str) -> Option<Node<'t>> {
        self.node.child_by_field_name(name)
    }

    /// The text of the child of a field.
    pub fn field_text(&self, name: &str) -> Option<&'t str> {
        self.field(name).map(|node| self.of(node))
    }

    /// The first child of one of these kinds.
    pub fn child(&self, kinds: &[&str]) -> Option<Node<'t>> {
        child(self.node, kinds)
    }
}

/// The first child of one of these kinds.
pub fn child<'t>(of: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    children(of).find(|node| kinds.contains(&node.kind()))
}

/// The children of a node, those without a name included.
pub fn children(of: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = of.walk();
    let mut more = cursor.goto_first_child();
    std::iter::from_fn(move || {
        let node = more.then(|| cursor.node());
        more = more && cursor.goto_next_sibling();
        node
    })
}

/// A text as a name: on one line, not too long.
pub fn tidy(name: &str) -> String {
    let mut tidy = String::new();
    for word in name.split_whitespace() {
        if !tidy.is_empty() {
            tidy.push(' ');
        }
        if tidy.len() + word.len() > MAX_NAME {
            break;
        }
        tidy.push_str(word);
    }
    tidy.truncate(tidy.trim_end().len());
    tidy
}

/// A name without the arguments of its type: `Map` of `Map<K, V>`.
pub fn bare(name: &str) -> &str {
    name.split(['<', '[', '(']).next().unwrap_or(name).trim()
}

/// A text without the quotation marks around it.
pub fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`', '<', '>'])
}
