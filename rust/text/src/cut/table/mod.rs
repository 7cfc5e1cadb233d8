//! Split of tables by rows: merged rows stay together where they fit, headers and merged cells are repeated.
//!
//! A table over the limit cannot be cut as a text is: a row without its header says little, and a cell that
//! covers several rows belongs to all of them. [`groups`] says which rows merged cells bind, [`reaching`] which
//! cells reach into a row from above, `by_rows` fills parts with rows, and [`html`] writes each part as a table
//! by itself. [`lines`] is the same for tables whose limit holds for a written form, such as Markdown by itself.
//! `in_text` is for strategies over text; `cut_again` for those that cut tables first as they cut any text.
//!
//! All parts stand where their own rows stand in the text; what is repeated is a piece in front, which stands
//! where the header stands. O(n) in the text of the table, but for what is repeated: a part repeats at most half
//! of the limit.

pub(super) mod by_rows;
pub(super) mod cut_again;
pub mod groups;
pub mod html;
pub(super) mod in_text;
pub mod lines;
pub mod reaching;
mod row;

pub use self::row::row_starts;
