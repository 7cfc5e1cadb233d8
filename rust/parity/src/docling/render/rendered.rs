//! Text with the items that it was made of.

use std::collections::HashSet;

use chunkwright_read::docling::NodeId;

/// A text, and the items that contributed to it, each once and in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// The items.
    pub items: Vec<NodeId>,
}

impl Rendered {
    /// A text that is of no item.
    pub(super) const fn of_text(text: String) -> Self {
        Self { text, items: Vec::new() }
    }

    /// Parts one behind the other, `separator` between those that have a text.
    pub(super) fn joined(mut parts: Vec<Self>, separator: &str) -> Self {
        if parts.len() == 1 {
            return parts.pop().unwrap_or_default();
        }
        let mut text =
            String::with_capacity(parts.iter().map(|p| p.text.len() + separator.len()).sum());
        for part in parts.iter().filter(|part| !part.text.is_empty()) {
            if !text.is_empty() {
                text.push_str(separator);
            }
            text.push_str(&part.text);
        }
        Self { text, items: union(parts) }
    }

    /// Parts in one line, a blank between any two; nothing if that is no text.
    pub(super) fn in_line(parts: Vec<Self>) -> Self {
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        let text = texts.join(" ");
        if text.is_empty() { Self::default() } else { Self { text, items: union(parts) } }
    }
}

/// The items of all parts, each once.
pub(super) fn union(parts: Vec<Rendered>) -> Vec<NodeId> {
    let mut seen = HashSet::new();
    let items = parts.into_iter().flat_map(|part| part.items);
    items.filter(|item| seen.insert(*item)).collect()
}
