//! Head of a definition: what is said before its body.

use chunkwright_text::span::Span;
use tree_sitter::Node;

use crate::grammar::Grammar;
use crate::rules::Role;
use crate::site::children;

/// The head of what `node` defines, which `outer` (it, or what wraps it) holds. Empty if there is no body.
pub fn head<'t>(
    grammar: &Grammar,
    outer: Node<'t>,
    node: Node<'t>,
    body: Option<(Node<'t>, Node<'t>)>,
    text: &str,
) -> Span {
    let start = behind_attributes(grammar, outer);
    let end = match body.or_else(|| body_of(grammar, node)) {
        Some((owner, body)) => before(owner, body),
        None => start,
    };
    let said = text.get(start..end.max(start)).unwrap_or_default();
    let said = said.trim_end();
    let said = said.strip_suffix('{').unwrap_or(said).trim_end();
    Span::new(start, start + said.len())
}

/// The body of a node, and the node itself.
fn body_of<'t>(grammar: &Grammar, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let by_kind =
        || children(node).find(|node| matches!(grammar.role(node.kind_id()), Some(Role::Body)));
    node.child_by_field_name("body").or_else(by_kind).map(|body| (node, body))
}

/// Where what stands before `body` in `owner` ends; comments do not count.
fn before(owner: Node<'_>, body: Node<'_>) -> usize {
    let mut end = owner.start_byte();
    for node in children(owner) {
        if node.id() == body.id() || node.start_byte() >= body.start_byte() && !node.is_extra() {
            break;
        }
        if !node.is_extra() {
            end = node.end_byte();
        }
    }
    end
}

/// Where a definition begins behind its decorators.
fn behind_attributes(grammar: &Grammar, outer: Node<'_>) -> usize {
    let mut cursor = outer.walk();
    let mut below = cursor.goto_first_child();
    let mut start = outer.start_byte();
    while below {
        let node = cursor.node();
        let role = grammar.role(node.kind_id());
        if matches!(role, Some(Role::Attribute)) || node.is_extra() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return start;
                }
            }
            continue;
        }
        start = node.start_byte();
        below =
            matches!(role, Some(Role::Modifiers | Role::Define(..) | Role::Judge(_) | Role::Wrap))
                && cursor.goto_first_child();
    }
    start
}
