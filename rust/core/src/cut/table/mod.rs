//! Split of tables by rows: merged rows stay together where they fit, headers and merged cells are repeated.

pub(super) mod by_rows;
pub mod groups;
pub mod html;
pub(super) mod in_text;
pub mod lines;
pub mod reaching;
mod row;

pub use self::row::row_starts;
