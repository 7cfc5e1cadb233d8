//! Inline styles of Markdown: bold, italic, struck through, linked.

use crate::docling::render::link;
use chunkwright_read::docling::Node;

/// The text with the style and the link of its node.
pub fn styled(text: String, node: &Node) -> String {
    let mut text = text;
    let style = node.style;
    for (is_set, mark) in [(style.bold, "**"), (style.italic, "*"), (style.strikethrough, "~~")] {
        if is_set {
            text = format!("{mark}{text}{mark}");
        }
    }
    match &node.hyperlink {
        Some(target) if link::is_safe(target) => format!("[{text}]({})", link::destination(target)),
        _ => text,
    }
}

/// A text whose single line ends are hard line breaks.
pub fn with_line_breaks(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', "  \n"));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}
