//! Rows of a table as they stand in a text, each with what stands around its cells.

use std::ops::Range;

use super::groups::RowGroups;
use crate::grid::Grid;
use crate::span::Span;
use crate::unicode::space::skip_space;

/// A row with text, or several that are not parted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRow {
    /// The numbers of its rows, those without text behind it included; past the last one for what stands
    /// behind all cells.
    pub rows: Range<usize>,
    /// Whether a cell reaches from it, or from above, into the next one.
    pub is_bound: bool,
    /// Its cells with text, by number, and where each begins: the first with what stands before it on its line.
    pub cells: Vec<(usize, usize)>,
}

impl TextRow {
    /// Where it begins.
    pub fn start(&self) -> usize {
        self.cells.first().map_or(0, |&(_, start)| start)
    }
}

/// The rows of a table that stands at `span`, and what has words behind them; none if their cells do not stand
/// there in order. O(n).
pub fn rows_of(text: &str, grid: &Grid, span: Span) -> Option<Vec<TextRow>> {
    let (mut rows, mut at) = (Vec::<TextRow>::new(), span.start);
    for group in RowGroups::new(grid) {
        let first = rows.len();
        for number in group.rows.clone() {
            let place = RowPlace::of(text, grid, number, Span::new(at, span.end));
            let mut cells = Vec::new();
            for cell in grid.rows[number].cells.range() {
                let said = grid.cells[cell].text;
                // What is drawn in several lines has its cells beside each other.
                if said.is_empty() || place.is_whole() && !cells.is_empty() {
                    continue;
                }
                if let RowPlace::Whole(source) = place {
                    cells.push((cell, line_start(text, at, source.start, rows.is_empty())));
                    continue;
                }
                if said.start < at || said.end > span.end {
                    return None;
                }
                let start = match place {
                    RowPlace::Tags(source) if cells.is_empty() => source.start,
                    RowPlace::Tags(_) => tag_start(text, at, said.start),
                    _ if cells.is_empty() => {
                        line_start(text, at, place.start(said.start), rows.is_empty())
                    }
                    _ => said.start,
                };
                cells.push((cell, start));
                at = said.end;
            }
            at = at.max(place.end());
            if cells.is_empty() {
                continue;
            }
            let from = if rows.len() == first { group.rows.start } else { number };
            if let Some(above) = rows[first..].last_mut() {
                (above.rows.end, above.is_bound) = (number, true);
            }
            rows.push(TextRow { rows: from..group.rows.end, is_bound: false, cells });
        }
    }
    if rows.is_empty() {
        return None;
    }
    rows.extend(behind(text, grid, Span::new(at, span.end)));
    Some(rows)
}

/// Where the rows of a table that stands at `span` begin, those that merged cells bind as one; none if its cells
/// do not stand there in order. O(n).
///
/// ```
/// use chunkwright_text::cut::table::row_starts;
/// use chunkwright_text::syntax::markdown;
///
/// let text = "| stone | kg |\n|---|---|\n| slate | 7 |\n| chalk | 3 |\n";
/// let table = &markdown::read(text).elements[0];
/// let starts = row_starts(text, table.grid.as_ref().unwrap(), table.span).unwrap();
/// assert_eq!(starts.iter().map(|&at| &text[at..at + 7]).collect::<Vec<_>>(), [
///     "| stone",
///     "| slate",
///     "| chalk",
/// ]);
/// ```
pub fn row_starts(text: &str, grid: &Grid, span: Span) -> Option<Vec<usize>> {
    let (rows, mut is_bound) = (rows_of(text, grid, span)?, false);
    let begins = |row: &&TextRow| !std::mem::replace(&mut is_bound, row.is_bound);
    Some(rows.iter().filter(begins).map(TextRow::start).collect())
}

/// How a row stands in the text, if its source says so.
#[derive(Clone, Copy)]
enum RowPlace {
    /// Around its cells.
    Around,
    /// In lines of its own, around its cells.
    Lines(Span),
    /// Between tags, which belong to it and to its cells.
    Tags(Span),
    /// In lines that all its cells share: it is drawn.
    Whole(Span),
}

impl RowPlace {
    fn of(text: &str, grid: &Grid, number: usize, rest: Span) -> Self {
        let source = grid.rows[number].source;
        let is_inside = source.start >= rest.start && source.end <= rest.end;
        if !grid.html.is_empty() || source.is_empty() || !is_inside {
            return Self::Around;
        }
        let said = &text[source.range()];
        match said.as_bytes()[0] {
            b'<' => Self::Tags(source),
            b'+' | b'|' if is_interleaved(said) => Self::Whole(source),
            _ => Self::Lines(source),
        }
    }

    const fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }

    /// Where it begins, if the first of its cells with text does at `cell`.
    fn start(&self, cell: usize) -> usize {
        match self {
            Self::Lines(source) => source.start.min(cell),
            _ => cell,
        }
    }

    const fn end(&self) -> usize {
        match self {
            Self::Around => 0,
            Self::Lines(source) | Self::Tags(source) | Self::Whole(source) => source.end,
        }
    }
}

/// Whether a row is drawn in several lines between its frames, in which its cells stand beside each other.
fn is_interleaved(row: &str) -> bool {
    row.lines()
        .filter(|line| !line.trim_start_matches([' ', '\t', '>']).starts_with('+'))
        .nth(1)
        .is_some()
}

/// Where the cell begins whose text is at `cell`, behind what ends at `before`: with its tag.
fn tag_start(text: &str, before: usize, cell: usize) -> usize {
    let gap = &text.as_bytes()[before..cell];
    let is_tag = |&at: &usize| {
        let name = gap.get(at + 1..at + 3);
        name.is_some_and(|name| [b"td", b"th"].iter().any(|tag| name.eq_ignore_ascii_case(*tag)))
    };
    let tag = memchr::memrchr_iter(b'<', gap).find(is_tag);
    tag.map_or(cell, |at| before + at)
}

/// What stands in `rest`, behind the last cell, as a row without number, if that has words.
fn behind(text: &str, grid: &Grid, rest: Span) -> Option<TextRow> {
    let said = &text[rest.range()];
    let word = said.find(char::is_alphanumeric)?;
    let blank = said[..word].find(char::is_whitespace)?;
    let start = skip_space(text, rest.start + blank);
    let n = grid.rows.len();
    Some(TextRow { rows: n..n, is_bound: false, cells: vec![(grid.cells.len(), start)] })
}

/// Where the row begins whose first cell is at `cell`, behind what ends at `before`: with its line, so that
/// marks such as bars go with their row, and with the first one what is drawn above it.
fn line_start(text: &str, before: usize, cell: usize, is_first: bool) -> usize {
    let gap = &text[before..cell];
    if is_first && !gap.contains(char::is_alphanumeric) {
        return before;
    }
    gap.rfind('\n').map_or(cell, |at| before + at + 1)
}
