//! HTML tables in Markdown: rows and cells are places in the source, tags included.
//!
//! Tools that read PDF write tables so (`<table>` in a line of its own, `<html><body><table>` in one line). The
//! lexer of HTML pages tells tags from texts and repairs what is odd; sections, header rows and spans are those of
//! the HTML standard. A table inside a cell is text of that.

use crate::grid::{Cell, Grid, Row};
use crate::segment::fence::Fences;
use crate::span::Span;
use crate::syntax::html::lexer::{Attribute, Dialect, Lexer, Token};
use crate::syntax::html::spans::{MAX_COLSPAN, MAX_ROWSPAN, colspan, rowspan};
use crate::unicode::space::{skip_space, trim_end};

/// The name of the tags around a table.
const NAME: &[u8] = b"table";

/// The tables of `text` from `start` on that begin at the margin, tags alone before them in their line, and end with a
/// tag; in order, none of them in fenced code. O(n log n) in their tags.
pub fn find(text: &str, start: usize, fences: &Fences) -> Vec<Span> {
    let mut tables: Vec<Span> = Vec::new();
    for table in closed(text, Span::new(start, text.len()), fences) {
        let line = text[..table.start].rfind('\n').map_or(0, |feed| feed + 1).max(start);
        let before = &text[line..table.start];
        if before.starts_with([' ', '\t']) || !is_tags(before) {
            continue;
        }
        let line_end = text[table.end..].find('\n').map_or(text.len(), |feed| table.end + feed);
        let is_alone = is_tags(&text[table.end..line_end]);
        let end = if is_alone { trim_end(text, table.end, line_end) } else { table.end };
        tables.push(Span::new(line.max(tables.last().map_or(0, |last| last.end)), end));
    }
    tables
}

/// The table that begins in `block`, HTML of a document, if it has rows: its span, as far as it goes, and its grid.
pub fn within(text: &str, block: Span) -> Option<(Span, Grid)> {
    let is_first = |tag: &Tag| !tag.is_end;
    let first = tags(text, block).find(is_first)?.at;
    let closed = closed(text, block, &Fences::default()).into_iter().next();
    let span = closed.filter(|table| table.start == first).unwrap_or(Span::new(first, block.end));
    let span = Span::new(span.start, trim_end(text, span.start, span.end));
    read(text, span).map(|grid| (span, grid))
}

/// Where a tag of a table stands.
struct Tag {
    at: usize,
    is_end: bool,
}

/// The tags of tables in `within`.
fn tags(text: &str, within: Span) -> impl Iterator<Item = Tag> {
    let bytes = &text.as_bytes()[..within.end];
    memchr::memchr_iter(b'<', &bytes[within.start..]).filter_map(move |n| {
        let at = within.start + n;
        let is_end = bytes.get(at + 1) == Some(&b'/');
        let name = at + 1 + usize::from(is_end);
        let is_table = bytes.get(name..name + NAME.len())?.eq_ignore_ascii_case(NAME);
        let ends = bytes.get(name + NAME.len())?;
        let is_whole = ends.is_ascii_whitespace() || b"/>".contains(ends);
        (is_table && is_whole).then_some(Tag { at, is_end })
    })
}

/// The tables in `within` that have both tags outside of fenced code, none of them in another one; in order.
fn closed(text: &str, within: Span, fences: &Fences) -> Vec<Span> {
    let (mut open, mut tables): (Vec<usize>, Vec<Span>) = (Vec::new(), Vec::new());
    for tag in tags(text, within).filter(|tag| fences.holding(tag.at).is_none()) {
        if !tag.is_end {
            open.push(tag.at);
        } else if let Some(start) = open.pop() {
            let rest = &text[tag.at..within.end];
            let end = rest.find('>').map_or(within.end, |close| tag.at + close + 1);
            // Those inside have ended before.
            while tables.pop_if(|inside| inside.start > start).is_some() {}
            tables.push(Span::new(start, end));
        }
    }
    tables
}

/// Whether a part of a line is nothing, or tags and blanks.
fn is_tags(part: &str) -> bool {
    let mut rest = part.trim_ascii();
    while let Some(tag) = rest.strip_prefix('<') {
        let Some(end) = tag.find('>') else { return false };
        rest = tag[end + 1..].trim_ascii_start();
    }
    rest.is_empty()
}

/// The grid of the table at `span`; none if it has no rows with words. O(its text).
pub fn read(text: &str, span: Span) -> Option<Grid> {
    let mut reader = Reader { text, span, ..Reader::default() };
    let mut lexer = Lexer::new(&text[span.range()], Dialect::Page);
    loop {
        let start = span.start + lexer.at();
        let Some(token) = lexer.next_of_page(|| false) else { break };
        let end = span.start + lexer.at();
        match token {
            Token::Open { name, .. } => {
                reader.open(&name, lexer.attributes(), Span::new(start, end));
            }
            Token::Close(name) => reader.close(&name, Span::new(start, end)),
            Token::Text(_) | Token::Comment(_) => {}
        }
        if reader.is_done {
            break;
        }
    }
    reader.finish()
}

/// What the source of a cell says: its texts, references resolved, without tags. O(n).
pub fn words(source: &str) -> String {
    let mut lexer = Lexer::new(source, Dialect::Page);
    let mut words = String::new();
    while let Some(token) = lexer.next_of_page(|| false) {
        match token {
            Token::Text(text) => words.push_str(&text),
            Token::Open { name, .. }
                if matches!(&*name, "br" | "p" | "div" | "li" | "td" | "th" | "tr") =>
            {
                words.push(' ');
            }
            _ => {}
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Makes a grid of tags.
#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    span: Span,
    grid: Grid,
    depth: usize,
    section: usize,
    is_head: bool,
    /// The row that is open, by where it begins.
    row: Option<OpenRow>,
    /// The cell that is open.
    cell: Option<Cell>,
    is_done: bool,
}

#[derive(Clone, Copy)]
struct OpenRow {
    start: usize,
    first_cell: usize,
    has_th: bool,
    has_filled_td: bool,
    is_th: bool,
}

impl Reader<'_> {
    fn open(&mut self, name: &str, attributes: &[Attribute<'_>], tag: Span) {
        match name {
            "table" => self.depth += 1,
            _ if self.depth != 1 => {}
            "thead" | "tbody" | "tfoot" => {
                self.end_row(tag.start);
                (self.section, self.is_head) = (self.section + 1, name == "thead");
            }
            "tr" => {
                self.end_row(tag.start);
                self.begin_row(tag.start);
            }
            "td" | "th" => {
                self.end_cell(tag.start);
                if self.row.is_none() {
                    self.begin_row(tag.start);
                }
                if let Some(row) = &mut self.row {
                    row.is_th = name == "th";
                }
                let value = |name: &str| {
                    let found = attributes.iter().find(|attribute| attribute.name == name);
                    found.map(|attribute| attribute.value.as_ref())
                };
                self.cell = Some(Cell {
                    text: Span::new(tag.end, tag.end),
                    html: Span::default(),
                    colspan: colspan(value("colspan")).min(MAX_COLSPAN),
                    rowspan: rowspan(value("rowspan")).map(|rows| rows.min(MAX_ROWSPAN)),
                });
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, tag: Span) {
        match name {
            "table" => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.end_row(tag.start);
                    self.is_done = true;
                }
            }
            _ if self.depth != 1 => {}
            "td" | "th" => self.end_cell(tag.start),
            "tr" => self.end_row(tag.end),
            "thead" | "tbody" | "tfoot" => {
                self.end_row(tag.start);
                self.is_head = false;
            }
            _ => {}
        }
    }

    fn begin_row(&mut self, start: usize) {
        let first_cell = self.grid.cells.len();
        self.row =
            Some(OpenRow { start, first_cell, has_th: false, has_filled_td: false, is_th: false });
    }

    fn end_cell(&mut self, end: usize) {
        let Some(mut cell) = self.cell.take() else { return };
        let end = trim_end(self.text, cell.text.start, end);
        cell.text = Span::new(skip_space(self.text, cell.text.start).min(end), end);
        if let Some(row) = &mut self.row {
            row.has_th |= row.is_th;
            row.has_filled_td |= !row.is_th && !cell.text.is_empty();
        }
        self.grid.cells.push(cell);
    }

    /// Ends the row, without cells none, at `end`, which is where the next one may begin.
    fn end_row(&mut self, end: usize) {
        self.end_cell(end);
        let Some(row) = self.row.take() else { return };
        let cells = Span::new(row.first_cell, self.grid.cells.len());
        if cells.is_empty() {
            return;
        }
        let source = Span::new(row.start, trim_end(self.text, row.start, end));
        let is_header = self.is_head || (row.has_th && !row.has_filled_td);
        let section = self.section;
        self.grid.rows.push(Row { cells, source, is_header, section, ..Row::default() });
    }

    fn finish(mut self) -> Option<Grid> {
        self.end_row(self.span.end);
        let Self { mut grid, span, .. } = self;
        if grid.cells.iter().all(|cell| cell.text.is_empty()) {
            return None;
        }
        grid.rows.first_mut()?.source.start = span.start;
        grid.rows.last_mut()?.source.end = span.end;
        // A header alone is none.
        if grid.rows.iter().all(|row| row.is_header) {
            grid.rows.iter_mut().for_each(|row| row.is_header = false);
        }
        Some(grid)
    }
}
