//! HTML: pages as a text with its elements ([`page`]), and tables as a browser reads them.
//!
//! Tables that say what they mean are read by [`parse`], in one pass and without a tree; what it calls
//! [`ParsedTable::Irregular`] is read by [`recover`].

mod browser;
pub mod page;

pub use browser::repair;
pub use chunkwright_text::syntax::html::{ParsedTable, header_row, landmark, parse, parse_written};

/// The first table of `html`, whatever it is, as a browser would read it; see [`repair`].
///
/// O(n).
///
/// ```
/// use chunkwright_read::html::{ParsedTable, recover};
///
/// let ParsedTable::Grid(grid) = recover("<table><tr><td>slate<td>7</table>") else { unreachable!() };
/// assert_eq!((grid.cell_text(0), grid.cell_text(1)), ("slate", "7"));
/// ```
pub fn recover(html: &str) -> ParsedTable {
    repair(html).map_or(ParsedTable::None, |written| parse_written(&written))
}

#[cfg(test)]
mod tests;
