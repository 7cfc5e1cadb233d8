//! List and the markers of its items.

use std::sync::LazyLock;

use regex::Regex;

use crate::docling::render::python::is_alphanumeric;
use crate::docling::render::rendered::union;
use crate::docling::render::{Rendered, Renderer, Scope, Visited};
use chunkwright_read::docling::{Label, Node, NodeId};
use chunkwright_text::error::Result;

/// Blanks that a list in a list is moved by.
const INDENT: usize = 4;

impl Renderer<'_> {
    /// A list, an item a line; a list in it is one part of several lines.
    pub(super) fn list(&self, id: NodeId, scope: Scope, visited: &mut Visited) -> Result<Rendered> {
        let inner = Scope { list_level: scope.list_level + 1, ..scope };
        let mut lines: Vec<Rendered> = Vec::new();
        for part in self.parts(id, inner, visited)? {
            let is_piece =
                part.items.first().is_some_and(|first| self.document.is_inline_piece(*first));
            match lines.last_mut().filter(|_| is_piece) {
                Some(line) => {
                    line.text.push_str(&part.text);
                    line.items.extend(part.items);
                }
                None => lines.push(part),
            }
        }
        let indent = " ".repeat(scope.list_level * INDENT);
        let mut text = String::new();
        for (i, line) in lines.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            // A list in the list has been moved already.
            if !line.text.starts_with(' ') {
                text.push_str(&indent);
            }
            text.push_str(&line.text);
        }
        Ok(Rendered { text, items: union(lines) })
    }

    /// An item with the marker that Markdown knows, and its own one if that says something.
    pub(super) fn with_marker(&self, id: NodeId, node: &Node, text: &str) -> String {
        if is_markdown_marker(&node.marker) {
            return format!("{} {text}", node.marker);
        }
        let number = self.number(id, node).filter(|_| node.marker.is_empty());
        let marker = number.map_or_else(|| String::from("-"), |number| format!("{number}."));
        if node.marker.chars().any(is_alphanumeric) {
            format!("{marker} {} {text}", node.marker)
        } else {
            format!("{marker} {text}")
        }
    }

    /// The number of an item in a list whose first one is numbered, from 1.
    fn number(&self, id: NodeId, node: &Node) -> Option<usize> {
        let list = self.document.node(node.parent?);
        let first = self.document.node(*list.children.first()?);
        let is_numbered = first.label == Label::ListItem && first.is_enumerated;
        (list.label == Label::List && is_numbered).then(|| self.content.number(id))
    }
}

/// Whether a list of Markdown may have the marker: a bullet, or digits and a full stop.
fn is_markdown_marker(marker: &str) -> bool {
    static DIGIT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\d+\.$").ok());
    let is_number = || DIGIT.as_ref().is_some_and(|digit| digit.is_match(marker));
    matches!(marker, "-" | "*" | "+") || (marker.ends_with('.') && is_number())
}
