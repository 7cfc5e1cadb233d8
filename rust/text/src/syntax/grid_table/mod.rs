//! Grid tables of pandoc and reStructuredText: cells framed by lines of `+`, `-`, `=` and `|`.
//!
//! ```text
//! +-------+-----------+
//! | stone | weight    |
//! |       +-----+-----+
//! |       | kg  | lb  |
//! +=======+=====+=====+
//! | slate | 7   | 15  |
//! +-------+-----+-----+
//! ```
//!
//! The lines are drawn on a canvas of display columns, as the tools do: a wide character takes two, a combining mark
//! none. A frame is a run of `-` or `|` from one `+` to another. Between all columns and rows where some frame
//! stands there are slots, and a cell is a rectangle of them without a frame inside: so cells may cover several rows
//! and columns. What is no such drawing, such as lines of unequal width, is no table.
//!
//! | line | is |
//! |---|---|
//! | `+---+---+` | a frame between two rows |
//! | `+===+===+` | the end of the header; a second one begins a footer, whose rows are like others |
//! | `+:==+:-:+` | the same: colons say how pandoc aligns a column |
//! | `\|   +---+` | a frame below some columns; the other cells go on |
//!
//! # Bounds
//!
//! Every line has the width of the first one, so the canvas is as large as the text: O(n) time and memory. A tab
//! reaches to the next multiple of eight columns.

mod canvas;
mod slots;

use std::ops::Range;

use self::canvas::{Canvas, is_rule};
use self::slots::Slots;
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// A grid table: where its rows are in the source, and its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridTable {
    /// Its lines in the source, from the frame above it to the one below.
    pub lines: Vec<Span>,
    /// For each row its lines, by number, those of the frames around it left out; frames of single cells stand in
    /// the rows that they part.
    pub rows: Vec<Range<usize>>,
    /// Number of columns.
    pub n_columns: usize,
    /// How many rows lead the table as its header.
    pub n_header_rows: usize,
    /// Its cells, row by row, in each from left to right.
    pub cells: Vec<GridCell>,
}

/// A cell of a grid table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridCell {
    /// Its first row, from 0.
    pub row: usize,
    /// Its first column, from 0.
    pub column: usize,
    /// Rows that it covers, at least 1.
    pub rows: usize,
    /// Columns that it covers, at least 1.
    pub columns: usize,
    /// Its lines in the source, without the whitespace around each; an empty one stands between two paragraphs.
    pub lines: Vec<Span>,
}

impl GridCell {
    /// What it says: its lines with a blank between two; an empty string if it has none. O(its text).
    pub fn words(&self, text: &str) -> String {
        let lines = self.lines.iter().map(|line| &text[line.range()]);
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl GridTable {
    /// For each row its lines in the source, with the frame below it; with the first one the frame above.
    pub fn sources(&self) -> Vec<Span> {
        let line = |number: usize| self.lines.get(number).copied().unwrap_or_default();
        let source = |(number, row): (usize, &Range<usize>)| {
            let first = if number == 0 { 0 } else { row.start };
            Span::new(line(first).start, line(row.end).end)
        };
        self.rows.iter().enumerate().map(source).collect()
    }

    /// The span of the whole table in its source.
    pub fn span(&self) -> Span {
        let end = self.lines.last().map_or(0, |line| line.end);
        Span::new(self.lines.first().map_or(end, |line| line.start), end)
    }
}

/// The lines of `text` from `within.start` on that could be those of a grid table, the last one a frame; none if the
/// first is no frame. Indentation and marks of quotes before them are left out. O(their length).
pub fn lines(text: &str, within: Span) -> Vec<Span> {
    let (mut lines, mut n_framed, mut at) = (Vec::new(), 0, within.start);
    for source in text[within.range()].split_inclusive('\n') {
        let bare = source.trim_start_matches([' ', '\t', '>']);
        let end = at + source.len();
        let line = Span::new(end - bare.len(), trim_end(text, end - bare.len(), end));
        at = end;
        let own = &text[line.range()];
        if !own.starts_with(['+', '|']) || lines.is_empty() && !is_rule(own) {
            break;
        }
        lines.push(line);
        if is_rule(own) {
            n_framed = lines.len();
        }
    }
    lines.truncate(n_framed);
    lines
}

/// The grid table that `lines` of `text` draw, if they draw one and nothing else. O(their length).
///
/// ```
/// use chunkwright_text::span::Span;
/// use chunkwright_text::syntax::grid_table::{lines, read};
///
/// let text = "\
/// +-------+-----+
/// | stone | kg  |
/// +=======+=====+
/// | slate,| 7   |
/// | grey  |     |
/// +-------+-----+
/// and text behind it";
/// let table = read(text, lines(text, Span::new(0, text.len()))).unwrap();
/// assert_eq!((table.rows.len(), table.n_columns, table.n_header_rows), (2, 2, 1));
/// let cell = &table.cells[2];
/// assert_eq!((cell.row, cell.column, cell.lines.len()), (1, 0, 2));
/// assert_eq!(cell.words(text), "slate, grey");
/// assert_eq!(&text[cell.lines[1].range()], "grey");
/// ```
pub fn read(text: &str, lines: Vec<Span>) -> Option<GridTable> {
    let canvas = Canvas::draw(text, &lines)?;
    let slots = Slots::of(&canvas)?;
    let mut cells = slots.cells()?;
    for cell in &mut cells {
        cell.lines = cell_lines(text, &lines, &canvas, &slots, cell);
    }
    let rows = slots.rows.windows(2).map(|frames| frames[0] + 1..frames[1]).collect::<Vec<_>>();
    let header = canvas.header_end().and_then(|line| slots.rows.binary_search(&line).ok());
    let n_header_rows = header.filter(|&n| n < rows.len()).unwrap_or(0);
    let n_columns = slots.columns.len() - 1;
    Some(GridTable { lines, rows, n_columns, n_header_rows, cells })
}

/// What stands inside the frame of a cell, line by line, without empty lines above and below.
fn cell_lines(
    text: &str,
    lines: &[Span],
    canvas: &Canvas,
    slots: &Slots,
    cell: &GridCell,
) -> Vec<Span> {
    let left = slots.columns[cell.column] + 1;
    let right = slots.columns[cell.column + cell.columns];
    let inside = slots.rows[cell.row] + 1..slots.rows[cell.row + cell.rows];
    let own = inside.map(|line| {
        let start = lines[line].start;
        let (from, upto) = (start + canvas.byte(line, left), start + canvas.byte(line, right));
        let from = skip_space(text, from).min(upto);
        Span::new(from, trim_end(text, from, upto))
    });
    let mut own: Vec<Span> = own.skip_while(|line| line.is_empty()).collect();
    own.truncate(own.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1));
    own
}

#[cfg(test)]
mod tests;
