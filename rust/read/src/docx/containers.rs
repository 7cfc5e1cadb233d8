//! Blocks in a body, a cell, a note or the like: paragraphs and tables, whatever is around them.

use super::parts::tags::Tag;
use super::parts::tree::Node;

/// The blocks in a container: paragraphs, tables and equations, in order.
pub struct Blocks<'a> {
    stack: Vec<Node<'a>>,
}

impl<'a> Blocks<'a> {
    /// Those in `container`.
    pub fn new(container: Node<'a>) -> Self {
        Self { stack: container.children().rev().collect() }
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        while let Some(node) = self.stack.pop() {
            let around = match node.tag() {
                Tag::P | Tag::Table | Tag::Equation | Tag::EquationParagraph => return Some(node),
                Tag::Inserted | Tag::MovedTo | Tag::CustomXml | Tag::SmartTag | Tag::Content => {
                    Some(node)
                }
                Tag::Control => content_of(node),
                Tag::AlternateContent => node.alternative(),
                _ => None,
            };
            self.stack.extend(around.into_iter().flat_map(|node| node.children().rev()));
        }
        None
    }
}

/// The content of a control; none if it only shows what is to be written into it.
pub fn content_of(control: Node<'_>) -> Option<Node<'_>> {
    let is_prompt = control.is_on([Tag::ControlProperties, Tag::Prompt]);
    control.child(Tag::Content).filter(|_| !is_prompt)
}
