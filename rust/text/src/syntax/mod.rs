//! Syntax of the formats that strategies read themselves: Markdown, JSON, YAML, code, tables in HTML, and drawn ones.
//!
//! A strategy that cuts JSON needs the places of its values, one that splits a table by rows writes HTML of each
//! part, and tables in a plain Markdown text are told from the text. So these stand beside the strategies; the
//! crate `chunkwright-read` has the readers of files, which use them too.

pub mod code;
pub mod grid_table;
pub mod html;
pub mod json;
#[doc(hidden)]
pub mod labels;
pub mod markdown;
pub mod yaml;
