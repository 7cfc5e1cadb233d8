//! Node of a `DoclingDocument`: a group, or an item with its text, place and table.

use serde_json::value::RawValue;

use crate::docling::label::{Label, Layer};
pub use crate::docling::node_id::NodeId;
use crate::docling::table::TableData;
use crate::docling::value::Value;

/// A node: what it is, where it hangs in the tree and what it says.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub label: Label,
    /// Its layer of the page.
    pub layer: Layer,
    /// What it hangs under; nothing for the roots.
    pub parent: Option<NodeId>,
    /// What hangs under it, in reading order.
    pub children: Vec<NodeId>,
    /// Its text, if it has one.
    pub text: String,
    /// Whether there was a text before it was cleaned.
    pub has_original: bool,
    /// That text, where nothing is left of it.
    pub original: String,
    /// How deep a heading is, from 1.
    pub level: u8,
    /// Whether a list item is numbered.
    pub is_enumerated: bool,
    /// What leads a list item.
    pub marker: String,
    /// The name of the programming language of code, if it is known.
    pub code_language: Option<String>,
    /// How the text is set.
    pub style: Style,
    /// Where the text leads, as a URL or a path.
    pub hyperlink: Option<String>,
    /// The texts that stand above or below it.
    pub captions: Vec<NodeId>,
    /// Its footnotes.
    pub footnotes: Vec<NodeId>,
    /// Where it is in the source.
    pub places: Vec<Place>,
    /// Where it is in a recording.
    pub tracks: Vec<Value>,
    /// References to the comments on it.
    pub comments: Vec<Value>,
    /// What is known about it beside its text.
    pub meta: Option<Box<Value>>,
    /// The cells of a table.
    pub table: Option<Box<TableData>>,
    /// The JSON of the keys and values of a form.
    pub graph: Option<Box<RawValue>>,
}

/// How a text is set, as far as Markdown can say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// Struck through.
    pub strikethrough: bool,
}

/// Where an item is in the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The page, from 1.
    pub page: i64,
    /// The box around it in the page, cut at the edges of the page.
    pub bounds: Bounds,
    /// The code points of the item's text that stand there.
    pub chars: [i64; 2],
}

/// A box in a page, in its units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Bottom edge.
    pub bottom: f64,
    /// Whether heights are measured from the bottom of the page.
    pub is_from_bottom: bool,
}

impl Node {
    /// A group with nothing in it.
    pub(super) const fn group(label: Label, layer: Layer, parent: Option<NodeId>) -> Self {
        Self {
            label,
            layer,
            parent,
            children: Vec::new(),
            text: String::new(),
            has_original: false,
            original: String::new(),
            level: 0,
            is_enumerated: false,
            marker: String::new(),
            code_language: None,
            style: Style { bold: false, italic: false, strikethrough: false },
            hyperlink: None,
            captions: Vec::new(),
            footnotes: Vec::new(),
            places: Vec::new(),
            tracks: Vec::new(),
            comments: Vec::new(),
            meta: None,
            table: None,
            graph: None,
        }
    }

    /// The page that it is on: that of its first place.
    pub fn page(&self) -> Option<i64> {
        self.places.first().map(|place| place.page)
    }
}
