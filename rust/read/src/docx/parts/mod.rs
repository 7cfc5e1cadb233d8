//! Parts of a Word file that define things: styles, numberings and sections, read from its ZIP.

mod bounds;
mod encoding;
pub mod numbering;
mod numerals;
pub mod package;
pub mod sections;
pub mod styles;
pub mod tags;
pub mod tree;
