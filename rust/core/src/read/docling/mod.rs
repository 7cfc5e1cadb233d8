//! Reader of `DoclingDocument`s: a tree of items with texts, tables, formats and places, made of its JSON.

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
