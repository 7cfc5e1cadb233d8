//! Drawings in a paragraph: the pictures, and the text boxes, each once.

use super::parts::tags::Tag;
use super::parts::tree::Node;
use crate::blocks::writer::on_one_line;

/// A picture: what describes it, and the relation to the text in a diagram if it is one.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// What describes it.
    pub text: String,
    /// The relation.
    pub diagram: Option<&'a str>,
}

/// The pictures of a drawing, and the contents of its text boxes, in order. O(n).
pub fn drawn<'a>(node: Node<'a>, pictures: &mut Vec<Picture<'a>>, boxes: &mut Vec<Node<'a>>) {
    let (mut stack, mut above) = (vec![node], String::new());
    while let Some(node) = stack.pop() {
        match node.tag() {
            Tag::TextBox => {
                boxes.push(node);
                continue;
            }
            Tag::AlternateContent => {
                stack.extend(node.alternative());
                continue;
            }
            // What describes a group describes the first picture in it.
            Tag::Described | Tag::Shape => above = description(node),
            Tag::Picture | Tag::Chart | Tag::DiagramIds | Tag::ImageData => {
                let own = || description(node.all(Tag::DescribedPicture).next().unwrap_or(node));
                let text = if above.is_empty() { own() } else { std::mem::take(&mut above) };
                let is_diagram = node.tag() == Tag::DiagramIds;
                let diagram = node.attribute("r:dm").filter(|_| is_diagram);
                pictures.push(Picture { text, diagram });
                if node.tag() == Tag::Picture {
                    continue;
                }
            }
            _ => {}
        }
        stack.extend(node.children().rev());
    }
}

fn description(node: Node<'_>) -> String {
    let text = ["descr", "alt", "title"].into_iter().filter_map(|name| node.attribute(name));
    let mut text = on_one_line(text.into_iter().find(|text| !text.is_empty()).unwrap_or_default());
    text.truncate(without_machine(&text).len());
    text
}

/// A description without what Word writes behind one that it made itself.
fn without_machine(text: &str) -> &str {
    let made = "Description automatically generated";
    let bare = text.strip_suffix('.').unwrap_or(text);
    let with_confidence = || {
        let front = bare.strip_suffix(" confidence")?;
        let word = front.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        word.strip_suffix(" with ").filter(|_| word.len() < front.len())?.strip_suffix(made)
    };
    let front = bare
        .strip_suffix("AI-generated content may be incorrect")
        .or_else(|| bare.strip_suffix(made))
        .or_else(with_confidence);
    front.map_or(text, |front| front.strip_suffix(' ').unwrap_or(front))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_machines_add_is_left_out() {
        for (text, kept) in [
            ("A dog. Description automatically generated with medium confidence", "A dog."),
            ("A dog Description automatically generated.", "A dog"),
            ("A dog AI-generated content may be incorrect.", "A dog"),
            ("A dog with low confidence.", "A dog with low confidence."),
        ] {
            assert_eq!(without_machine(text), kept);
        }
    }
}
