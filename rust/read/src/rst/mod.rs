//! Reader of reStructuredText: the source is the document's text, and elements are spans of it.
//!
//! Blocks are told as docutils tells them, line by line; what Sphinx adds are directives and roles. The marks of a
//! block are in its span, so that what is cut between elements is reStructuredText again.
//!
//! | in reStructuredText | element |
//! |---|---|
//! | a title with a line of signs below it, perhaps one above | heading; its level is when its signs came first |
//! | a paragraph, a line block | paragraph; in a block quote a quote, in a footnote a footnote |
//! | items with bullets and numbers, fields, options, terms | list item, with its first paragraph; what else is nested in it has it as parent |
//! | a literal block, a session of Python, `code-block`, `raw` | code, with its language if that is stated |
//! | simple and grid tables, `list-table`, `csv-table` | table, whose rows are lines; the title is its caption |
//! | `image`, `figure` | figure; the caption of one is its caption |
//! | `math` | formula |
//! | `function`, `class` and other objects | list item: the signatures with their first paragraph |
//! | `note` and other directives with text | paragraph: the mark with its first paragraph, parent of what else it holds |
//! | `toctree`, `include` and others without text | paragraph |
//! | footnotes, citations | footnote |
//! | targets with an address, substitutions | paragraph |
//!
//! Comments, labels (`.. _name:`) and directives of which nothing is shown (`index`, `highlight`, `contents`) are no
//! elements: they stand between two, and go with the one before.
//!
//! ```
//! use chunkwright_read::rst;
//! use chunkwright_text::elements::Kind;
//!
//! let text = "Rain\n====\n\nIt fell::\n\n    rain --more\n\n.. note:: It stopped.\n";
//! let read = rst::read(text);
//! let elements: Vec<_> =
//!     read.elements.iter().map(|element| (element.kind, &text[element.span.range()])).collect();
//! assert_eq!(elements, [
//!     (Kind::Heading, "Rain\n===="),
//!     (Kind::Paragraph, "It fell::"),
//!     (Kind::Code, "    rain --more"),
//!     (Kind::Paragraph, ".. note:: It stopped."),
//! ]);
//! assert_eq!(&text[read.titles[0].1.range()], "Rain"); // without its signs
//! ```
//!
//! # Bounds
//!
//! Every line is looked at once for each block that it stands in, and what nests deeper than 64 blocks is one
//! paragraph: O(n) time and memory. Links are looked for when they are asked for, by another pass.

mod addresses;
mod csv_table;
mod directive;
mod directives;
mod drawn;
mod explicit;
mod forms;
mod heading;
mod inline;
mod lines;
mod list;
mod list_table;
mod listed;
mod made;
pub(crate) mod markers;
mod simple_table;
mod tables;
mod targets;
#[cfg(test)]
mod tests;
mod walk;

use chunkwright_text::markup::Markup;
use chunkwright_text::read::link::Link;
use chunkwright_text::read::{Links, Read};

use self::inline::Inline;
pub use self::tables::words;
use self::walk::Walk;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reads `text`. O(n).
pub fn read(text: &str) -> Read {
    let made = Walk::over(text, start(text), None);
    Read { markup: Markup::Rst, links: Links::Rst, ..made.read }
}

/// The links of `text`: references to addresses and to places in it, pictures, and addresses as they stand; the span
/// of each is its whole source. O(n).
///
/// ```
/// use chunkwright_read::rst::links;
///
/// let text = "See `the log <log.html>`_, the map_ and http://rain.org.\n\n.. _map: map.png\n";
/// let found: Vec<_> =
///     links(text).iter().map(|link| (text[link.span.range()].to_owned(), link.target.to_string())).collect();
/// assert_eq!(found, [
///     ("`the log <log.html>`_".into(), "log.html".into()),
///     ("map_".into(), "map.png".into()),
///     ("http://rain.org".into(), "http://rain.org".into()),
/// ]);
/// ```
pub fn links(text: &str) -> Vec<Link> {
    let made = Walk::over(text, start(text), Some(Inline::default()));
    made.inline.unwrap_or_default().links(text)
}

/// Where the first line begins: a byte order mark is no part of it.
fn start(text: &str) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}
