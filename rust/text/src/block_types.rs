//! Block types: what a chunk of elements is, in the terms of a knowledge base.

use crate::chunks::{Content, Origin};
use crate::cut::elements::blocks::ends_as_lead;
use crate::elements::{Element, Kind};

/// The block types, in the order of their declaration in a knowledge base.
pub const ALL: [&str; 7] = ["heading_para", "list", "table", "figure", "diagram", "code", "text"];

/// What an element adds to a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Text,
    Item,
    Table,
    Figure,
    /// Text that stands in a figure.
    Label,
    Code,
}

/// The block type of a chunk of `text`, whose elements are `elements`: that of all that stands below its headings,
/// captions and lines that lead to a list not counted.
///
/// A figure with elements of its own in it is a diagram. What is of several types, or of none of them, is a
/// `heading_para` if it begins with a heading, else a `text`. O(elements of the chunk).
///
/// ```
/// use chunkwright_text::block_types::block_type;
/// use chunkwright_text::chunks::Origin;
/// use chunkwright_text::syntax::markdown;
///
/// let text = "# Rain\n\nIt was:\n\n- wet\n\nIt fell.";
/// let elements = markdown::read(text).elements;
/// let of = |first, end| block_type(text, &Origin { first, end, ..Origin::default() }, &elements);
/// assert_eq!([of(0, 3), of(0, 2), of(3, 4)], ["list", "heading_para", "text"]);
/// ```
pub fn block_type(text: &str, origin: &Origin, elements: &[Element]) -> &'static str {
    if origin.content != Content::Text {
        return "table";
    }
    let own = elements.get(origin.first..origin.end).unwrap_or_default();
    let has_heading = own.first().is_some_and(|item| item.kind == Kind::Heading);
    let is_counted = |item: &&Element| {
        let is_beside = matches!(item.kind, Kind::Heading | Kind::Caption);
        !is_beside && (item.kind == Kind::Figure || !item.span.is_empty())
    };
    let mut counted = own.iter().filter(is_counted).peekable();
    let mut parts: Vec<Part> = Vec::new();
    while let Some(item) = counted.next() {
        let part = part(item, elements);
        let leads = counted.peek().is_some_and(|next| {
            part == Part::Text
                && self::part(next, elements) == Part::Item
                && ends_as_lead(text, item)
        });
        if !leads && !parts.contains(&part) {
            parts.push(part);
        }
    }
    match parts[..] {
        [Part::Item] => "list",
        [Part::Table] => "table",
        [Part::Figure] => "figure",
        [Part::Figure, Part::Label] => "diagram",
        [Part::Code] => "code",
        _ if has_heading => "heading_para",
        _ => "text",
    }
}

/// What an element adds to a block.
fn part(item: &Element, elements: &[Element]) -> Part {
    let parent = item.parent.get().and_then(|parent| elements.get(parent));
    match (item.kind, parent.map(|parent| parent.kind)) {
        (Kind::List | Kind::ListItem, _) | (_, Some(Kind::List | Kind::ListItem)) => Part::Item,
        (Kind::Figure, _) => Part::Figure,
        (_, Some(Kind::Figure)) => Part::Label,
        (Kind::Table, _) => Part::Table,
        (Kind::Code, _) => Part::Code,
        _ => Part::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Parent;
    use crate::span::Span;

    #[test]
    fn a_chunk_is_what_stands_below_its_headings() {
        use Kind::{Caption, Code, Figure, Heading, ListItem, Paragraph, Table};
        let of = |kinds: &[Kind], content: Content| {
            let item = |(i, &kind): (usize, &Kind)| {
                let parent =
                    if i > 0 && kinds[0] == Figure { Parent::of(0) } else { Parent::default() };
                Element { kind, parent, span: Span::new(i, i + 1), ..Element::default() }
            };
            let elements: Vec<Element> = kinds.iter().enumerate().map(item).collect();
            let origin = Origin { content, end: elements.len(), ..Origin::default() };
            block_type(&"a:b:c:"[..kinds.len()], &origin, &elements)
        };
        for (kinds, expected) in [
            (&[Heading, Paragraph][..], "heading_para"),
            (&[Heading], "heading_para"),
            (&[Heading, Table, Paragraph], "heading_para"),
            (&[Heading, ListItem, ListItem], "list"),
            // The paragraph is ":", which leads to the item.
            (&[Heading, Paragraph, ListItem], "list"),
            (&[Paragraph, ListItem], "text"),
            (&[Heading, Code], "code"),
            (&[Caption, Figure], "figure"),
            (&[Figure, Caption], "figure"),
            (&[Figure, Paragraph], "diagram"),
            (&[Table, Caption], "table"),
            (&[Caption], "text"),
            (&[], "text"),
        ] {
            assert_eq!(of(kinds, Content::Text), expected, "{kinds:?}");
            assert!(ALL.contains(&expected));
        }
        assert_eq!(of(&[Heading, Table], Content::TablePart), "table");
    }
}
