//! Reader of `DoclingDocument`s: a tree of items with texts, tables, formats and places, made of its JSON.
//!
//! The document is a tree whose nodes refer to each other by JSON pointers (`#/texts/3`), in lists by type.
//! Loading resolves all of them to numbers, checks that the tree is one, and repairs what the readers of old
//! schemas repair; after that nothing can fail. [`Order`] then puts the nodes into reading order, so that a
//! subtree is a range, and `elements` writes the text with its elements. All is linear in the JSON, but for
//! tables, whose slots are bounded.
//!
//! ```
//! use chunkwright_text::elements::Kind;
//! use chunkwright_read::docling::{Document, Form};
//!
//! let json = r##"{
//!     "schema_name": "DoclingDocument", "name": "rain",
//!     "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}, {"$ref": "#/texts/1"}]},
//!     "texts": [
//!         {"self_ref": "#/texts/0", "parent": {"$ref": "#/body"}, "label": "title", "text": "Rain"},
//!         {"self_ref": "#/texts/1", "parent": {"$ref": "#/body"}, "label": "text", "text": "It fell."}
//!     ]
//! }"##;
//! let document = Document::of_json(json.as_bytes(), Form::Stored)?;
//! let read = document.elements();
//! assert_eq!(read.text.as_deref(), Some("Rain\n\nIt fell."));
//! assert_eq!(read.elements[0].kind, Kind::Heading);
//! assert_eq!(&*read.references[1].1, "#/texts/1");
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

mod annotations;
mod check;
mod document;
mod elements;
mod hyperlink;
mod json;
mod label;
mod lists;
mod load;
mod node;
mod node_id;
mod surrogates;
mod table;
mod tree;
mod value;
mod version;

pub use document::{Document, Form, Origin};
pub use label::{Label, Layer};
pub use node::{Bounds, Node, NodeId, Place, Style};
pub use table::{Cell, Slots, TableData};
pub use tree::Order;
pub use value::{Members, Value};
