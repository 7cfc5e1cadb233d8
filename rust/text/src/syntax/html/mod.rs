//! HTML: tables read as a [`Grid`].
//!
//! HTML that says what it means is read in one pass, without a tree: `lexer` finds tags and texts,
//! `strict` sees to it that each tag closes what is open, `compact` writes the table down. What a
//! parser would have to repair is [`ParsedTable::Irregular`], never guessed at: a wrong table is worse than
//! none. The crate `chunkwright-read` reads that as a browser does, and whole pages.
//!
//! ```
//! use chunkwright_text::syntax::html::{ParsedTable, parse};
//!
//! let html = r#"<table class="x"><tr><th>stone</th><th>kg</th></tr><tr><td>slate</td><td>7</td></tr></table>"#;
//! let ParsedTable::Grid(grid) = parse(html) else { unreachable!() };
//! assert_eq!((grid.rows.len(), grid.cell_text(2)), (2, "slate"));
//! assert!(grid.html.starts_with("<table><tr><td>stone</td>")); // compact
//! assert!(matches!(parse("<table><tr><td>a</table>"), ParsedTable::Irregular)); // two parsers could differ
//! ```

mod compact;
pub mod landmark;
#[doc(hidden)]
pub mod lexer;
#[doc(hidden)]
pub mod references;
mod refusal;
#[doc(hidden)]
pub mod respan;
#[doc(hidden)]
pub mod rows;
mod source;
#[doc(hidden)]
pub mod spans;
mod strict;
#[doc(hidden)]
pub mod words;
#[doc(hidden)]
pub mod write;

use crate::grid::Grid;
use lexer::Dialect;
pub use respan::header_row;
use strict::Shape;

/// What an HTML text turned out to be.
#[derive(Clone, Debug)]
pub enum ParsedTable {
    /// A table, read.
    Grid(Box<Grid>),
    /// HTML that only a parser with recovery reads as a browser would.
    Irregular,
    /// No table, or more than one thing.
    None,
}

/// Reads the first table of `html`, a fragment with one element and nothing around it.
///
/// O(n), one pass.
pub fn parse(html: &str) -> ParsedTable {
    read(html, Dialect::Html)
}

/// The same for HTML that a parser has repaired and written as XML, as `lxml.etree.tostring` does.
///
/// O(n), one pass.
pub fn parse_written(html: &str) -> ParsedTable {
    read(html, Dialect::Written)
}

fn read(html: &str, dialect: Dialect) -> ParsedTable {
    let mut compactor = compact::Compactor::with_capacity(html.len());
    match strict::walk(html, dialect, &mut compactor) {
        Err(_) => ParsedTable::Irregular,
        Ok(Shape::Other) => ParsedTable::None,
        Ok(Shape::One) => match compactor.finish() {
            Some(grid) => ParsedTable::Grid(Box::new(grid)),
            None => ParsedTable::None,
        },
    }
}
