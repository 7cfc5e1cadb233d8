//! Reader of Markdown: the source is the document's text, and elements are spans of it.
//!
//! [`pulldown_cmark`] says where blocks are. Each leaf block becomes an element that begins in its line
//! behind the element before it: the marks of headings, items and quotes are in its span, so that what is cut
//! between elements is Markdown again.
//!
//! - A heading is one outside lists, quotes and footnotes; inside, it is text of these.
//! - An item of a list has its mark and its own text up to what is nested in it; that has the item as its
//!   parent. Lists have no elements of their own: the level of an item says how many it stands in, and the
//!   first one begins a list.
//! - The rows of a table are lines of the text, and its cells spans; see [`Grid`]. Lines of
//!   cells right above its header are header rows, too.
//! - A table in HTML is a table, whose rows and cells stand in their tags; so is a grid table of pandoc, whose cells
//!   may have several lines.
//! - A paragraph of nothing but images is a figure, one of a displayed formula a formula. One that begins with a
//!   label and a number, as in `Table 2: Rain`, is the caption of the figure or table right beside it.
//! - Front matter is code in YAML or TOML. Other HTML blocks and definitions of references are paragraphs.
//!
//! What stands between elements has no words: rules, empty lines, marks of quotes.
//!
//! ```
//! use chunkwright_text::elements::Kind;
//! use chunkwright_text::syntax::markdown;
//!
//! let text = "# Rain\n\n- fell\n- stopped\n\n```sh\nrain --more\n```\n";
//! let read = markdown::read(text);
//! let elements: Vec<_> =
//!     read.elements.iter().map(|element| (element.kind, &text[element.span.range()])).collect();
//! assert_eq!(elements[0], (Kind::Heading, "# Rain"));
//! assert_eq!(elements[2], (Kind::ListItem, "- stopped"));
//! assert_eq!(elements[3], (Kind::Code, "```sh\nrain --more\n```"));
//! assert_eq!(&text[read.titles[0].1.range()], "Rain"); // without its mark
//! assert_eq!((read.languages[0].0, &*read.languages[0].1), (3, "sh"));
//! ```
//!
//! # Bounds
//!
//! The parser is linear but for two things: lines that nest thousands of quotes or lists (`depth`), which
//! become text before it sees them, and panics of its own, which end in one paragraph. Its tree takes up to 72 bytes
//! for each byte, so it sees a long text in `pieces.rs`. Links are looked for when they are asked for, by another pass
//! over the whole.

mod captions;
mod definitions;
mod depth;
mod drawn_table;
mod edgeless_table;
mod front_matter;
mod header_rows;
mod heading;
mod html_table;
mod links;
mod pieces;
mod table;
#[cfg(test)]
mod tests;
mod walk;

use std::borrow::Cow;

use memchr::memchr_iter;

use self::definitions::Definitions;
use self::depth::deep_lines;
pub use self::links::links;
use self::pieces::PIECE;
use self::walk::Walker;
use crate::elements::{Element, Kind};
use crate::grid::Grid;
use crate::markup::Markup;
use crate::panics;
use crate::read::{Links, Read};
use crate::segment::fence::Fences;
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// Reads `text`. O(n).
///
/// Should the parser panic, the text is one paragraph.
pub fn read(text: &str) -> Read {
    let read = panics::caught(|| elements(&with_feeds(text), PIECE));
    let read = read.unwrap_or_else(|_| one_paragraph(text));
    Read { markup: Markup::Markdown, links: Links::Text, ..read }
}

/// A part of a text, by what reads it.
enum Part {
    /// Front matter in that language.
    FrontMatter(Span, &'static str),
    /// What the parser reads.
    Blocks(Span),
    /// A line of marks that nest too deep.
    Deep(Span),
    /// A table in HTML at the margin: the parser would end it at the first empty line.
    Table(Span),
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut start = walk::mark_len(text);
    if let Some((span, language)) = front_matter::find(text, start) {
        start = span.end;
        parts.push(Part::FrontMatter(span, language));
    }
    for (span, special) in special_parts(text, start) {
        if span.start >= start {
            parts.push(Part::Blocks(Span::new(start, span.start)));
            start = span.end;
            parts.push(special);
        }
    }
    parts.push(Part::Blocks(Span::new(start, text.len())));
    parts
}

/// What the parser does not see of the text from `start` on, in order: where one stands in another, the first counts.
fn special_parts(text: &str, start: usize) -> Vec<(Span, Part)> {
    let mut found: Vec<(Span, Part)> =
        deep_lines(text, start).map(|line| (line, Part::Deep(line))).collect();
    if has_table_tag(text) {
        let fences = Fences::new(text, Markup::Markdown);
        let tables = html_table::find(text, start, &fences);
        found.extend(tables.into_iter().map(|table| (table, Part::Table(table))));
        found.sort_by_key(|(span, _)| span.start);
    }
    found
}

/// Whether there is a tag that could begin a table in HTML. O(n).
pub fn has_table_tag(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr_iter(b'<', bytes)
        .any(|at| bytes.get(at + 1..at + 6).is_some_and(|name| name.eq_ignore_ascii_case(b"table")))
}

/// What each cell of the table at `span` says, in the order of its grid, where that is not the text of the cell as it
/// stands in the source: a cell of a grid table has several lines, one of HTML has tags. O(its text).
///
/// ```
/// use chunkwright_text::syntax::markdown::{cell_words, read};
///
/// let text = "<table><tr><td>a &amp; <b>b</b></td></tr></table>";
/// let table = &read(text).elements[0];
/// assert_eq!(cell_words(text, table.span, table.grid.as_ref().unwrap()), Some(vec!["a & b".into()]));
/// ```
pub fn cell_words(text: &str, span: Span, grid: &Grid) -> Option<Vec<String>> {
    let of_drawn = drawn_table::words(text, span).filter(|words| words.len() == grid.cells.len());
    let is_html = || has_table_tag(&text[span.range()]) && text[span.range()].starts_with('<');
    of_drawn.or_else(|| {
        let said = grid.cells.iter().map(|cell| html_table::words(&text[cell.text.range()]));
        is_html().then(|| said.collect())
    })
}

/// `text`, in which a lone carriage return is a line feed: it ends a line, which the parser does not know. O(n).
fn with_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr_iter(b'\r', bytes).any(is_lone) {
        return Cow::Borrowed(text);
    }
    let pieces = text.split_inclusive('\r').scan(0, |end, piece| {
        *end += piece.len();
        Some(match piece.strip_suffix('\r') {
            Some(line) if is_lone(*end - 1) => [line, "\n"],
            _ => [piece, ""],
        })
    });
    Cow::Owned(pieces.flatten().collect())
}

/// The elements of `text`, of which so many bytes are parsed at once.
fn elements(text: &str, piece: usize) -> Read {
    let (mut walker, parts) = (Walker::new(text, piece), parts(text));
    let blocks = parts.iter().filter_map(|part| match part {
        Part::Blocks(span) => Some(*span),
        _ => None,
    });
    let definitions = Definitions::new(text, blocks.collect(), piece);
    for part in parts {
        match part {
            Part::FrontMatter(span, language) => walker.push_code(span, language),
            Part::Blocks(span) => walker.walk(span, &definitions),
            Part::Deep(line) => walker.push_deep(line),
            Part::Table(span) => walker.push_html_table(span),
        }
    }
    let mut read = walker.finish();
    edgeless_table::split(text, &mut read);
    header_rows::join(text, &mut read);
    captions::mark(text, &mut read);
    read
}

fn one_paragraph(text: &str) -> Read {
    let start = skip_space(text, 0);
    let span = Span::new(start, trim_end(text, start, text.len()));
    let element = Element { kind: Kind::Paragraph, span, ..Element::default() };
    let elements = if span.is_empty() { Vec::new() } else { vec![element] };
    Read { elements, ..Read::default() }
}
